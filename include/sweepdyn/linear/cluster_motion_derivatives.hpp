// How the motion of a cluster with loops changes with that of its independent dofs: u, w their displacements and velocities,
//
//     dq = E du,   dv = E dw + Fm du,   dv_dot = E dw_dot + Fv dw + Fq du
//     J Fm = -Gm E,   J Fv = -Gv E,   J Fq = -(Gq E + Gv Fm)                    at the dependent dofs; zero at the others
// from J dv + Gm dq = 0, J dv_dot + Gv dv + Gq dq = 0                                                        [loop_derivatives.hpp]
//
// No allocation after construction. Before: column_derivatives at v_dot, update_closure with the cluster's basis.
// Specified by tests/golden/closed_derivatives.cpp.
#pragma once

#include "sweepdyn/kinematics/closure.hpp"
#include "sweepdyn/linear/column_derivatives.hpp"

namespace sweepdyn {

class ClusterMotionDerivatives {
public:
    ClusterMotionDerivatives(const Model& model, const Closure<double>& closure, int place);

    void set(const Kinematics<double>& kin, const Closure<double>& closure,
             const ColumnDerivatives<double>& d, std::span<const double> v_dot);

    // Of a column, as many numbers as there are independent dofs.
    const double* Fm(int column) const { return Fm_.data() + column * lanes_; }
    const double* Fv(int column) const { return Fv_.data() + column * lanes_; }
    const double* Fq(int column) const { return Fq_.data() + column * lanes_; }

private:
    int place_; // in closure.clusters
    Index lanes_;
    std::vector<std::vector<int>> loop_columns_; // per loop: those that its rows have
    std::vector<double> Gm_, Gv_, Gq_; // rows x columns
    std::vector<double> sides_; // of J, per pivot
    std::vector<double> Fm_, Fv_, Fq_; // columns x lanes
};

} // namespace sweepdyn
