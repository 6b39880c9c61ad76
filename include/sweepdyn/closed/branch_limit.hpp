// Accelerations where branches of a motion meet: at the flat pose of a parallelogram, where its coupler might as well fold. A row of the
// loops is gone there. Forward dynamics with the rows that are left keeps the loops closed to second order, and is of no branch; a motion on
// one has the limit along the branch that its velocities are of,
//
//     q(s) = closed(q + s v),   v(s) = kept(v),   a(s) = FD(q(s), v(s), T),   A(s) = (a(s) + a(-s))/2
//     a(0) = (15 A(s) - 6 A(2s) + A(3s))/10 + O(s^6)                 s |v| = 2e-3 rad, or parts of the cluster's size
//
// in the clusters where branches meet, each with an s of its own; the others stay. At rest no branch is told from another, velocities between
// branches are of none, and what moves to first order only has none: such a cluster stays too, and has the accelerations of its rows.
// acceleration() allocates nothing. Specified by tests/laws/closed_singular_poses.cpp.
#pragma once

#include "sweepdyn/closed/projection.hpp"

namespace sweepdyn {

// Rows of some cluster take no part, at the last elimination: redundant ones, or such that are gone in this pose. Else no branches meet.
bool rows_are_gone(const Closure<double>& closure);

class BranchLimit {
public:
    explicit BranchLimit(const Model& model);

    // Whether branches meet at q: rows are gone, at the last elimination of the closure, that are not redundant everywhere. The first call
    // allocates, and looks around where rows are gone.
    bool meet(const Closure<double>& closure, std::span<const double> q);
    bool meet(const Kinematics<double>& at) { return meet(projection_.eliminate(at), at.q); }

    // At a state where they meet, with its gravity. False: no cluster has a limit, and v_dot is untouched.
    [[nodiscard]] bool acceleration(const Kinematics<double>& at, std::span<const double> T,
                                    std::span<double> v_dot, std::span<const Force<double>> external = {});

private:
    static double size(const ClusterClosure<double>& c, std::span<const double> v);
    bool add(const Kinematics<double>& at, double h, double weight, std::span<const double> T,
             std::span<const Force<double>> external);

    Kinematics<double> kin_;
    ClosedDynamics dynamics_;
    Projection projection_;
    std::vector<int> redundant_; // rows of each cluster, everywhere; empty: not known yet
    std::vector<char> meets_; // of each cluster, at the last meet()
    std::vector<double> s_; // of each cluster: 0 where it stays
    std::vector<double> step_, q_, v_, a_, sum_;
};

} // namespace sweepdyn
