// Derivatives of forward dynamics where all hinges are one cluster on the ground (a platform on legs, arms that hold an object), by the
// mass matrix of the independent dofs: 000 Algorithm 4 with loops.
//
//     M dv_dot + A_D dv + (B_D + B_x) dq - J' dlambda = dT                                       [differentiate_inverse_dynamics.hpp]
//     dq = E du,  dv = E dw + Fm du,  dv_dot = E dw_dot + Fv dw + Fq du                              [cluster_motion_derivatives.hpp]
//     D = E' M E,   D A_C = E'(M Fv + A_D E),   D B_C = E'(M Fq + A_D Fm + (B_D + B_x) E)
//     B_x: the loops' wrenches w turn with body a: - Jb' Q[w] (Ja - Jb), and where they move in a what that changes on both bodies;
//          a coupling p(q): - p'' lambda
//     dw_dot = D^-1 E' dT - A_C dw - B_C du
//
// M, A_D, B_D join hinges of one leg only, so the products cost the legs' squares times the mobility. No allocation after construction.
// Before: column_derivatives under the loops' wrenches, articulate by basis. Specified by tests/golden/closed_derivatives.cpp.
#pragma once

#include "sweepdyn/dynamics/cluster_articulation.hpp"
#include "sweepdyn/linear/cluster_motion_derivatives.hpp"
#include "sweepdyn/linear/differentiate_inverse_dynamics.hpp"

namespace sweepdyn {

class OneClusterDerivatives {
public:
    static bool serves(const Closure<double>& closure);
    // The closure has one cluster, on the ground.
    OneClusterDerivatives(const Model& model, const Closure<double>& closure);

    // Out: independent x independent, by columns, in the order of the independent dofs.
    void compute(const Kinematics<double>& kin, const Closure<double>& closure,
                 const ClusterArticulation<double>& art, const ColumnDerivatives<double>& d,
                 std::span<const double> v_dot, std::span<const double> lambda);

    int size() const { return size_; }
    std::span<const int> independent() const { return independent_; } // dofs
    std::span<const double> M_inverse() const { return {M_inverse_.data(), count()}; }
    std::span<const double> A_C() const { return {A_C_.data(), count()}; }
    std::span<const double> B_C() const { return {B_C_.data(), count()}; }

private:
    int size_ = 0;
    std::vector<int> independent_;
    ClusterMotionDerivatives motion_;
    CompositeInertias<double> composite_;
    CompositeLoads<double> loads_;
    std::vector<double> mass_, A_D_, B_D_; // dofs x dofs
    Index lanes_;
    std::vector<double> YA_, YB_; // columns x lanes: what E' multiplies
    std::vector<double> sides_; // independent x 3 lanes: 1, eA, eB; then D^-1 times these
    struct Ends { // of a loop
        std::vector<int> a, b; // columns between the ground and its bodies
        bool rigid = false; // its bodies do not move against each other
    };
    std::vector<Ends> ends_;
    std::vector<double> H_; // 6 x columns: of a path, about the loop's o
    std::vector<double> motion_a_, motion_b_, force_a_, force_b_; // 6 x lanes, about it too
    std::vector<double> M_inverse_, A_C_, B_C_;

    std::size_t count() const { return static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_); }
    void turn_loops(const Kinematics<double>& kin, const Closure<double>& closure,
                    std::span<const double> lambda, Index half);
};

} // namespace sweepdyn
