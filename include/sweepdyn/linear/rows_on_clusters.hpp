// What no cluster takes in, on top of Algorithm 6: couplings of distant hinges, rows of velocities only, loads that keep their axes.
//
// The clusters' rows between positions leave coordinates u1, w1 with                    [differentiate_closed_forward_dynamics.hpp]
//     dw1_dot = M1^-1 (E1' dT + J1' dlambda) - A1 dw1 - B1 du1
//     J1 = J E1,   Gv1 = J Fv + Gv E1,   Gq1 = J Fq + Gv Fm + Gq E1                           J, Gv, Gq: loop_derivatives.hpp
// of the further rows, so that J1 dw1_dot + Gv1 dw1 + Gq1 du1 = 0. With du1 = Eq du, dw1 = Ev dw + Fm du, as all rows leave them,
//     free = -A1 dw1 - B1 du1,   Omega = J1 M1^-1 J1'                                                     [002 step 5; 003 II]
//     Omega dlambda = -(J1 free + Gv1 dw1 + Gq1 du1),   dw1_dot = free + M1^-1 J1' dlambda,   M^-1 = M1^-1 - M1^-1 J1' Omega^-1 J1 M1^-1
// Forces that change with positions where the clusters do not know of it: a coupling's p'' lambda, and of a load that keeps its axes
// We (dX of its body); either is a product of few columns, B1 -= M1^-1 L S R.
//
// Of r further rows O(r n^2): Eq and Ev are 1 at the independent dofs, and only r rows of them are full.
// Specified by tests/golden/closed_mechanisms.cpp (rolling, soft fingers), tests/laws/closed_linearization.cpp (distant, loads).
#pragma once

#include <optional>

#include "sweepdyn/linear/differentiate_closed_forward_dynamics.hpp"
#include "sweepdyn/linear/matrix.hpp"

namespace sweepdyn {

// The motions that all rows of a mechanism leave: dq = Eq du, dv = Ev dw + Fm du.
struct ClosedMotions {
    std::span<const int> positions, velocities; // independent dofs of du, dw, ascending
    const Matrix &Eq, &Ev, &Fm; // dofs x positions or velocities
};

class RowsOnClusters {
public:
    // clusters: as ClosedMechanism has them.
    RowsOnClusters(const Model& model, const Closure<double>& clusters);

    // Before: column_derivatives under the loops' wrenches, the closure's bases. False where the independent dofs are not so in the
    // clusters, within their rank tolerance: nothing is computed then.
    [[nodiscard]] bool compute(const Kinematics<double>& kin, const Closure<double>& clusters,
                               const ColumnDerivatives<double>& d, std::span<const double> v_dot,
                               std::span<const double> lambda, std::span<const double> damping,
                               const ClosedMotions& motions);

    Matrix M_inverse, w_dot_w, w_dot_u; // dw_dot = M^-1 Ev' dT + w_dot_w dw + w_dot_u du

private:
    struct Row {
        int loop, row;
    };
    static std::vector<Row> rows_in_no_cluster(const Model& model);
    std::vector<Row> rows_;
    std::optional<Closure<double>> own_; // with such rows: the model's clusters, by rows between positions
    ClosedForwardDerivatives direct_;

    Closure<double>& holonomic_clusters(const Kinematics<double>& kin, const ClosedMotions& motions);
};

} // namespace sweepdyn
