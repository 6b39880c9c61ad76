// Linearized forward dynamics of a mechanism with loops, directly in its independent coordinates.
//
// Positions follow the holonomic rows, velocities all rows; per cluster, columns of the cluster only:
//     dq = Eq du,   dv = Ev dw + Fm du,   dv_dot = Ev dw_dot + Fv dw + Fq du
//     J dq = 0,   J dv + Gm dq = 0,   J dv_dot + Gv dv + Gq dq = 0
//     Gm = A'{(Hd)_ab - crm(V_b) J_I},   Gv = A'{(Hs)_ab - crm(V_a + V_b) J_I}
//     Gq = A'{(Hdd)_ab - crm(V_a + V_b)(Hd)_ab - [crm(A_b) - crm(V_a) crm(V_b)] J_I},   J_I = (H)_ab
// and, where the wrenches A move in body a, what their change adds (exact, by dual numbers). The dynamics is that of the tree with the
// loops' wrenches as loads that turn with body a, and the turn that body b sees:
//     M dv_dot + A_D dv + (B_D + Bx) dq = dT + J' dlambda,   Bx = -H_b' Q[A lambda] J_I - J_I' dA/dX[..] lambda
// so with Ev' from the left
//     M_ind dw_dot = Ev' dT - A_ind dw - B_ind du                                   [002 step 5; 000 Algorithm 2 on clusters]
//
// Without nonholonomic rows Eq = Ev and there are as many positions as velocities. u are displacements of the hinges (body axes).
// Specified by tests/golden/closed_mechanisms.cpp, tests/laws/closed_linearization.cpp, tests/laws/trim.cpp.
#pragma once

#include "sweepdyn/dynamics/closed_mechanism.hpp"
#include "sweepdyn/linear/linearization.hpp"
#include "sweepdyn/linear/rows_on_clusters.hpp"

namespace sweepdyn {

class ClosedLinearization {
public:
    // direct: Algorithm 6 on clusters, and rows that no cluster has on top of it; by_mass_matrix: M_ind formed and factored. automatic
    // takes the first from direct_from_dofs freedoms on. Where dofs are independent by a hair the second stands in: route() tells.
    explicit ClosedLinearization(const Model& model, const PassiveForces& passive = {},
                                 LinearRoute route = LinearRoute::automatic);

    // Dofs that are to be independent; throws RefusedError at set where the others cannot follow them. Empty: the best conditioned;
    // never called: the mechanism's own choice.
    void set_independent(std::span<const int> dofs);
    // With nonholonomic rows there are more positions than velocities; these are to be among them, where the rest can follow.
    void prefer_positions(std::span<const int> dofs) { asked_positions_.assign(dofs.begin(), dofs.end()); }
    // The state must close the loops.
    void set(std::span<const double> q, std::span<const double> v, std::span<const double> T,
             std::span<const ExternalWrench> loads = {});
    // At accelerations v_dot, whatever causes them: lambda balances the dependent dofs, the independent ones keep what T lacks,
    //     r = E'(ID(v_dot) - T),   dr = E'(B_D + Bx) Eq du.
    // Leaves Eq to Fq, stiffness() and multipliers(); no inertia is needed, and nothing is solved for dw_dot.
    void set_at(std::span<const double> q, std::span<const double> v, std::span<const double> v_dot,
                std::span<const double> T, std::span<const ExternalWrench> loads = {});

    const Model& model() const { return mechanism_.model(); }
    LinearRoute route() const { return taken_; } // of the last set
    // Of the tree, at the accelerations that the loops allow, under the loops' wrenches.
    Linearization& tree() { return tree_; }
    ClosedMechanism& mechanism() { return mechanism_; }
    std::span<const double> v_dot() const { return v_dot_; }
    std::span<const double> multipliers() const { return lambda_; }

    std::span<const int> positions() const { return positions_; } // independent dofs of du
    std::span<const int> velocities() const { return velocities_; } // of dw
    Matrix Eq, Ev, Fm, Fv, Fq; // dofs x positions or velocities
    Matrix M_ind_inverse;
    Matrix M_ind(); // Ev' M Ev
    Matrix w_dot_u, w_dot_w; // dw_dot = M_ind^-1 Ev' dT + w_dot_w dw + w_dot_u du
    Matrix u_dot_u, u_dot_w; // du_dot

    // dw_dot per column of generalized forces.
    Matrix by_forces(const Matrix& T) const;
    // B_D + Bx of the tree under the loops' wrenches, dofs x dofs.
    const Matrix& stiffness()
    {
        add_loop_turns();
        return B_loops_;
    }
    // Per loop dA/dX[..] lambda, 6 x dofs, axes of a: how wrenches that move in body a change; empty where they do not.
    const std::vector<Matrix>& wrench_changes()
    {
        add_loop_turns();
        return wrench_q_;
    }
    // What rows of multipliers change with the motion: dlambda = on_u du + on_w dw + on_T dT (dofs columns).
    struct Multipliers {
        Matrix on_u, on_w, on_T;
    };
    Multipliers differentiate_multipliers();
    // Wrenches of all loops, 6 numbers each and 1 per coupling, as LoopForce has them.
    Multipliers differentiate_loop_forces();

private:
    ClosedMechanism mechanism_;
    PassiveForces passive_;
    LinearRoute route_;
    Linearization tree_;
    RowsOnClusters direct_;
    LinearRoute taken_ = LinearRoute::automatic;
    std::vector<double> damping_; // how passive forces change with v, per dof
    std::vector<int> asked_, asked_positions_, positions_, velocities_;
    std::vector<double> v_dot_, T_, lambda_;
    Matrix B_loops_; // both by add_loop_turns, when asked for
    std::vector<Matrix> wrench_q_;

    void set_state(std::span<const double> q, std::span<const double> v, std::span<const double> T);
    std::vector<Force<double>> forces_of(std::span<const ExternalWrench> loads) const;
    void linearize_tree(std::span<const double> q, std::span<const double> v,
                        std::span<const ExternalWrench> loads, std::span<const Force<double>> external);
    void close_positions();
    void add_loop_turns();
    void solve_by_mass_matrix();
    bool solve_directly();
};

} // namespace sweepdyn
