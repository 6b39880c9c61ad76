// Positions that nearly close the loops, back onto them by Newton:
//
//     J dq = gap, dq the least in the tangent space (slides counted by the cluster's size),
//     dq = g - E (E'WE)^-1 E'W g,   g any solution                                           [closure.hpp: E, g by elimination]
//
// cluster by cluster, and on top of them the distant couplings. Redundant rows and those that a singular pose takes away drop out of
// the elimination; rows of velocities only take no part. Rounding is in proportion to the correction, not to the state.
//
// Near poses where branches of a loop meet a row fades: its pivot is delta, so that a gap of rounding leaves q off by eps/delta, E by
// eps/delta^2 and v_dot by |v|^2 eps/delta^3. There a last step closes the gap as long double has it, which takes a factor delta from each.
// O(sum of clusters), no allocation. Specified by tests/laws/assembly.cpp.
#pragma once

#include "sweepdyn/kinematics/loop_gap.hpp"
#include "sweepdyn/kinematics/semidefinite.hpp"

namespace sweepdyn {

class PositionProjection {
public:
    explicit PositionProjection(const Model& model);

    struct Report {
        int iterations = 0;
        double before = 0.0, after = 0.0; // the largest gap, as a part of its loop's size
        int loop = -1; // where it is, afterwards
    };
    // Leaves kin updated at q, which is the best that was found; whether that is good enough is the caller's to say.
    const Report& positions(Kinematics<double>& kin, std::span<double> q);

    // The largest gap at kin, as a part of its loop's size, and in which loop. Before: update(kin, q).
    std::pair<double, int> largest_gap(const Kinematics<double>& kin);
    LoopGap gap(const Kinematics<double>& kin, int loop);

    // At the last elimination a row fades: branches of a loop may meet nearby.
    bool near_branch() const;
    const Closure<double>& closure() const { return rows_; }
    // The closure eliminated at kin, by rows of positions and velocities.
    const Closure<double>& eliminate(const Kinematics<double>& kin);

protected:
    void refresh(const Kinematics<double>& kin); // rows_.loops at kin

    Closure<double> rows_;
    std::vector<double> d_; // the step

private:
    void step(const Kinematics<double>& kin);
    void refine(Kinematics<double>& kin, std::span<double> q);
    void least(ClusterClosure<double>& c);

    std::vector<double> best_; // the best configuration
    std::vector<double> N_, y_; // E'WE of a cluster; its right side
    Semidefinite<double> N_factor_;
    std::vector<double> Jd_, Z_, s_, S_; // a row of dofs per distant coupling
    Semidefinite<double> S_factor_;
    Kinematics<long double> fine_;
    Loops<long double> fine_loops_;
    std::vector<long double> fine_q_;
    Report report_;
};

} // namespace sweepdyn
