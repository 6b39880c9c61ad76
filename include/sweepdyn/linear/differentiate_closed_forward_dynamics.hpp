// Algorithm 6 on the tree of clusters: derivatives of forward dynamics with loops, in independent coordinates, in O(n^2), without a mass
// matrix and without a matrix of all loops.
//
//     dw_dot = M^-1 E' dT - A_C dw - B_C du                               u, w: displacements and velocities of the independent dofs
//
// In a cluster c on the base body, bodies k, E with J E = 0, all about the cluster's own point:
//     dq = E du,  dv = E dw + Fm du,  dv_dot = E dw_dot + Fv dw + Fq du                                 [cluster_motion_derivatives.hpp]
//     Ha = sum H* E,  Hsa = sum (H* Fv + Hs E),  Hda = sum (H* Fm + Hd E),  Hdda = sum (H* Fq + Hs Fm + Hdd E)      base to k
//   tip to base    D = sum Ha' P Ha,  G = sum P Ha D^-1,  T(k) = 1 - G Ha',  Gh = sum Ph' Ha D^-1
//                  P(base) += sum P - G D G',   Ph(base) += sum T Ph
//                  sA = P Hsa + 2 Ph Ha,   tA = sum sA,  eA = sum Ha' sA
//                  sB = P Hdda + 2 Ph Hda, and on body b of each loop what its wrench w turns: - Q[w](Ha_a - Ha_b)
//                  hinge by hinge to the base: eB += E' H sB,  sB(p) += sB + Fh E,  what arrives at the base is tB
//                  y = t - G e
//   base to tip    Z = Up G,  L = D^-1 + G' Z,  Qs = 2 (Gh' - G' J(base)),  J(k) = J(base) + 1/2 Ha Qs
//                  Up(k) = T' Up T + Ha D^-1 Ha',  U = L Ha' - Z'
//                  EA = Hsa - (Ha L - Z) eA - (Up - Ha Z') tA + 2 J Ha,  EB likewise with Hdda, eB, tB, Hda
//   row of c       itself: L e - Z' t.   Down, X = U at a cluster d: M^-1 = -X G, A = X yA, B = X yB, X <- X T(k)
//                  up, W = G' at the base body of cluster a: A = W EA + Qs Ha, B = W EB + Qs Hda; d beside: X = -W Up(b, base of d)
// A plain hinge is a cluster of one with E = 1: these are then the formulas of 000 Algorithm 6, generalised to trees and hinges of
// several dofs. Damping and armature are included. Rows of velocities only, couplings of distant hinges and loads that keep their axes
// stand on top: rows_on_clusters.hpp.
//
// No allocation after construction. Before: column_derivatives under the loops' wrenches, the closure's bases.
// Specified by tests/golden/closed_mechanisms.cpp, tests/laws/closed_linearization.cpp.
#pragma once

#include <optional>

#include "sweepdyn/linear/articulated_derivatives.hpp"
#include "sweepdyn/linear/cluster_motion_derivatives.hpp"

namespace sweepdyn {

class ClosedForwardDerivatives {
public:
    ClosedForwardDerivatives(const Model& model, const Closure<double>& closure);

    // damping: per dof. Out: independent x independent, by columns, in the order of the independent dofs.
    void compute(const Kinematics<double>& kin, const Closure<double>& closure,
                 const ColumnDerivatives<double>& d, std::span<const double> v_dot,
                 std::span<const double> lambda, std::span<const double> damping);

    int size() const { return size_; }
    std::span<const int> independent() const { return independent_; } // dofs
    std::span<const double> M_inverse() const { return {M_inverse_.data(), count()}; }
    std::span<const double> A_C() const { return {A_C_.data(), count()}; }
    std::span<const double> B_C() const { return {B_C_.data(), count()}; }
    // The motion of a dof: f(place among the independent ones, E, Fm, Fv, Fq) for each of its cluster.
    template <class F> void follow(int dof, const F& f) const
    {
        const auto [node, column] = where_[static_cast<std::size_t>(dof)];
        const Node& c = nodes_[static_cast<std::size_t>(node)];
        for (int i = 0; i < c.m; ++i) {
            const auto at = static_cast<std::size_t>(column * c.m + i);
            f(c.order[static_cast<std::size_t>(i)], c.E[at], c.Fm[at], c.Fv[at], c.Fq[at]);
        }
    }

private:
    struct Member {
        int body = 0, parent = -1; // place in the cluster, -1: the base
        int first = 0, end = 0; // columns of its hinge
    };
    struct Node { // a cluster
        std::vector<int> dofs;
        int place = -1; // in closure.clusters
        int up = -1, at = -1; // the cluster that it hangs on, and the member there
        std::vector<std::array<int, 2>> ends; // per loop: the members a and b, -1 the base or the ground
        std::vector<int> kids;
        std::vector<Member> members;
        std::vector<char> carries; // members that other clusters hang on
        int columns = 0, m = 0; // dofs, independent ones
        std::vector<int> independent, order; // columns; places among all independent dofs
        Index reference = ground; // the body whose inner origin is its point
        bool shifts = false; // whether that is not the point of the cluster above
        Vec3<double> r, l; // its point; from the point above
        std::vector<double> E, Fm, Fv, Fq; // columns x m, by rows
        std::optional<ClusterMotionDerivatives> motion; // with loops
        std::vector<Motion<double>> H, Hd, Hs, Hdd; // per column, about r
        std::vector<Force<double>> Fh; // per column
        std::vector<double> HsB; // columns x m
        Inertia<double> rigid; // of all members that carry nothing
        BiasInertia<double> rigid_bias;
        std::vector<Motion<double>> Ha, Hsa, Hda, Hdda; // members x m
        std::vector<ArticulatedInertia<double>> P;
        std::vector<Columns3<Force<double>>> Ph;
        std::vector<Force<double>> sB; // members x m
        std::vector<double> D, D_inverse, eA, eB, L; // m x m, by rows
        std::vector<Force<double>> G, tA, tB, yA, yB; // m
        std::vector<Vec3<double>> X_h, Gh, Qs; // m
        std::vector<Force<double>> X; // m: D G
        std::vector<Motion<double>> Z; // m
        std::vector<Motion<double>> U, EA, EB; // members x m
        std::array<Motion<double>, 6> Up; // of the base body, columns, about r
        Columns3<Motion<double>> J_base; // of the base body
    };
    std::vector<Node> nodes_;
    struct Place {
        int node, column;
    };
    std::vector<Place> where_; // of each dof
    int size_ = 0;
    std::vector<int> independent_, place_; // of each dof among the independent ones
    std::vector<double> M_inverse_, A_C_, B_C_;
    int widest_ = 0;
    std::vector<Motion<double>> walk_; // rows on their way down: one level each
    std::vector<Force<double>> climb_;
    std::vector<double> work_;

    std::size_t count() const { return static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_); }
    void close(const Kinematics<double>& kin, const Closure<double>& closure,
               const ColumnDerivatives<double>& d, std::span<const double> v_dot, Node& c);
    void aggregate(const Kinematics<double>& kin, const ColumnDerivatives<double>& d,
                   std::span<const double> damping, Node& c);
    void turn_loops(const Kinematics<double>& kin, const Closure<double>& closure,
                    std::span<const double> lambda, Node& c);
    void gather(const ColumnDerivatives<double>& d, Node& c);
    void spread(Node& c);
    void row(int c);
    void walk(const Node& from, int d, const Motion<double>* X, int level);
};

} // namespace sweepdyn
