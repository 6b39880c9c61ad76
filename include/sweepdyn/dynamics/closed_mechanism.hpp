// A mechanism with loops at a state: what users ask of it, by the stages of closure.hpp and cluster_articulation.hpp.
//
//     ClosedMechanism robot(model);
//     robot.set(q, v);                                     a state that closes the loops (closed/assembly.hpp finds one)
//     robot.forward_dynamics(T, v_dot);                    accelerations of all dofs
//     robot.loop_forces(T, v_dot);                         what each loop carries, and whether that is determined
//     robot.inverse_dynamics(a, actuated);                 least forces for accelerations of the independent dofs
//
// v = E u with u the independent dofs; M_ind = E' M E; forces: E' T_act = E' ID(E a + g)         [constraint embedding]
// A coupling of distant hinges puts the whole mechanism into one cluster, eliminated by multipliers.
// forward_dynamics allocates nothing. Specified by tests/golden/closed_mechanisms.cpp, tests/laws/closed_forward_dynamics.cpp.
#pragma once

#include "sweepdyn/dynamics/closed_forward_dynamics.hpp"
#include "sweepdyn/dynamics/external_forces.hpp"
#include "sweepdyn/dynamics/loop_force.hpp"

namespace sweepdyn {

struct Actuation {
    std::vector<double> T; // of all dofs; zero where not actuated
    std::vector<double>
        null_space; // columns of forces on all dofs that do nothing: dofs x null_columns, by columns
    int null_columns = 0;
    std::vector<double>
        missing; // by dof: generalized force of the independent dofs that no actuator gives; empty if none
};

class ClosedMechanism {
public:
    explicit ClosedMechanism(const Model& model, Elimination choice = Elimination::basis);

    // Dofs that are to be independent where the rest can follow; the others are the best conditioned. Counts from the next set on.
    // At first these are the model's actuated dofs.
    void prefer_independent(std::span<const int> dofs);
    void set_gravity(const Vec3<double>& gravity) { kin_.set_gravity(gravity); }
    void set(std::span<const double> q, std::span<const double> v);

    const Model& model() const { return kin_.model; }
    const Kinematics<double>& kinematics() const { return kin_; }
    const Closure<double>& closure(); // with the bases of all clusters
    const Loops<double>& loops() const { return closure_.loops; }
    const Closure<double>& loops_of_clusters() const { return closure_; } // bases may be stale

    // Throws RefusedError where a hinge has no inertia. Where branches of the motion meet, of the rows that are left there: a motion on
    // one of them has other accelerations (closed/branch_limit.hpp).
    void forward_dynamics(std::span<const double> T, std::span<double> v_dot,
                          std::span<const Force<double>> external = {});

    std::span<const int> independent(); // dofs
    std::span<const double> basis(); // E, dofs x independent, by columns
    int mobility() { return static_cast<int>(independent().size()); }
    std::vector<Redundancy> redundancies();
    std::vector<double> mass_matrix(); // M_ind, symmetric
    // v_dot = E a + g, v = E u.
    void complete_accelerations(std::span<const double> a, std::span<double> v_dot);
    void complete_velocities(std::span<const double> u, std::span<double> v);
    // J E of a frame, 6 x independent, by columns: its velocity per independent one.
    void frame_jacobian(FrameId frame, std::span<double> J, FrameAxes axes = FrameAxes::world_aligned);

    // Given T and the v_dot that it causes: a multiplier per row; redundant rows carry none.
    std::vector<double> multipliers(std::span<const double> T, std::span<const double> v_dot,
                                    std::span<const Force<double>> external = {});
    std::vector<LoopForce> loop_forces(std::span<const double> T, std::span<const double> v_dot,
                                       std::span<const Force<double>> external = {});
    // Multipliers of all rows that move nothing, J' x = 0, in combinations that are independent; none where no row is redundant.
    std::vector<std::vector<double>> idle_multipliers();
    // External forces per body, with those of the loops beside them: the tree under them moves as the mechanism does. What couplings do
    // acts on hinges, and is not among them.
    std::vector<Force<double>> with_loop_forces(std::span<const double> multipliers,
                                                std::span<const Force<double>> external = {}) const;
    // Forces of least 2-norm on the actuated dofs that give the independent dofs the accelerations a, against forces per dof that
    // resist, such as damping.
    Actuation inverse_dynamics(std::span<const double> a, std::span<const int> actuated,
                               std::span<const Force<double>> external = {},
                               std::span<const double> resistance = {});

    // Omega = J E M_ind^-1 E' J' of frames, [angular; linear] each, world axes: (6 frames)^2, symmetric; and its inverse, Lambda. The
    // second throws RefusedError where frames cannot accelerate in all directions.
    std::vector<double> compliance(std::span<const FrameId> frames);
    std::vector<double> operational_inertia(std::span<const FrameId> frames);

    // Velocities right after impulses T on the hinges and external on the bodies. The velocity before need not keep the loops closed:
    // they take hold at once, J v+ = -restitution J v-. Returns what the loops passed, in N s and N m s.
    std::vector<LoopForce> impulse(std::span<const double> T, std::span<double> v_after,
                                   std::span<const Force<double>> external = {}, double restitution = 0.0);

private:
    Kinematics<double> kin_;
    Closure<double> closure_;
    ClusterArticulation<double> art_;
    BodyForces<double> scratch_;
    std::vector<int> independent_;
    std::vector<double> E_, g_, work_;
    std::vector<Motion<double>> moved_; // per body, of impulse
    bool bases_fresh_ = false;

    void require_bases();
    void require_regular(const char* function) const;
    std::vector<LoopForce> forces_of(std::span<const double> lambda);
};

} // namespace sweepdyn
