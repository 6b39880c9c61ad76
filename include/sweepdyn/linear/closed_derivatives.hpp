// Accelerations of a mechanism with loops and their derivatives, at one state after the other, without allocation:
//
//     dw_dot = M^-1 E' dT - A_C dw - B_C du                u, w: displacements and velocities of the independent dofs
//
//   q, v, T --update, update_closure, articulate, forward_dynamics--> v_dot
//           --column_derivatives--> f, the forces through the hinges of the tree, ID(v_dot) = H f + Ja v_dot
//           --loop_multipliers--> lambda; the loops' wrenches A lambda run from a to b and change f in between only
//           --OneClusterDerivatives, or ClosedForwardDerivatives where there are several clusters--> M^-1, A_C, B_C
//
// Damping of the hinges is not included: T is what the hinges feel. ClosedLinearization gives more, slower: loads, passive forces,
// nonholonomic rows, outputs. O(n^2). Specified by tests/golden/closed_derivatives.cpp.
#pragma once

#include <variant>

#include "sweepdyn/dynamics/closed_forward_dynamics.hpp"
#include "sweepdyn/linear/differentiate_closed_forward_dynamics.hpp"
#include "sweepdyn/linear/differentiate_one_cluster.hpp"

namespace sweepdyn {

class ClosedDerivatives {
public:
    // Throws RefusedError where a loop has nonholonomic rows, UsageError where there is no loop.
    explicit ClosedDerivatives(const Model& model);

    // Dofs that are to be independent where the rest can follow; the others as Closure chooses them. Counts from the next set on.
    // At first these are the model's actuated dofs.
    void prefer_independent(std::span<const int> dofs) { closure_.prefer(dofs); }
    // The state must close the loops. Throws RefusedError where a hinge has no inertia.
    void set(std::span<const double> q, std::span<const double> v, std::span<const double> T);

    std::span<const double> v_dot() const { return v_dot_; } // of all dofs
    std::span<const double> multipliers() const { return lambda_; } // per row of all loops
    std::span<const int> independent() const
    {
        return of([](const auto& d) { return d.independent(); });
    } // dofs, in their order
    int size() const
    {
        return of([](const auto& d) { return d.size(); });
    }
    // independent x independent, by columns
    std::span<const double> M_inverse() const
    {
        return of([](const auto& d) { return d.M_inverse(); });
    }
    std::span<const double> A_C() const
    {
        return of([](const auto& d) { return d.A_C(); });
    }
    std::span<const double> B_C() const
    {
        return of([](const auto& d) { return d.B_C(); });
    }

private:
    Kinematics<double> kin_;
    Closure<double> closure_;
    ClusterArticulation<double> art_;
    BodyForces<double> scratch_;
    ColumnDerivatives<double> columns_;
    std::variant<ClosedForwardDerivatives, OneClusterDerivatives> derivatives_;
    std::vector<double> v_dot_, missing_, lambda_, room_, damping_;

    template <class Question>
    std::invoke_result_t<Question, const OneClusterDerivatives&> of(const Question& question) const
    {
        return std::visit(question, derivatives_);
    }
    void add_loop_wrenches();
};

} // namespace sweepdyn
