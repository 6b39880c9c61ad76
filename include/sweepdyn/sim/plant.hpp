// The plant: a model with all that acts on it, as an integrator sees it,
//
//     v_dot = FD(q, v, T(t, q, v) - T_passive(v), w),
//
// with T by a controller, at every instant or held over its samples, perhaps through states z of its own, damping and friction by dynamics/passive_forces.hpp, and
// external wrenches that stay. project() brings a state that an integrator has left by its own error back to where it belongs:
// quaternions to unit length; loops closed, positions by Newton, velocities in the mass metric (closed/projection.hpp); and, when
// asked for, the momentum of a free-floating system to what it must be:
//
//     h(t) = h(0) + [0; m g t] about the centre of mass,                                                    [001]
//
// which the base's velocity takes up. A mechanism with loops has the state of its spanning tree, and FD on the tree of clusters.
// Contacts (closed/grasp.hpp) hold from the start on, until they are detached; sim/contact_events.hpp tells when they slip, lift or come to rest.
// O(bodies + dofs). Steps allocate nothing, but for the first pose where rows of the loops are gone.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sweepdyn/closed/branch_limit.hpp"
#include "sweepdyn/closed/grasp.hpp"
#include "sweepdyn/control/controller.hpp"
#include "sweepdyn/dynamics/external_forces.hpp"
#include "sweepdyn/dynamics/forward_dynamics.hpp"

namespace sweepdyn {

struct Instant {
    double t = 0.0;
    std::vector<double> q, v;
    std::vector<double> z{}; // of a controller with states of its own
};

struct PlantOptions {
    Controller controller{};
    bool passive = true; // damping, and friction where it has a speed
    double friction_speed = 0.0; // v_s of passive_forces
    std::vector<ExternalWrench> external{};
    bool momentum_reset = false;
    std::vector<Contact> contacts{};
};

class Plant {
public:
    // Throws RefusedError for a model without dofs, and where the momentum is to be kept and cannot be: no floating base, other
    // trees, external wrenches, contacts.
    explicit Plant(const Model& model, PlantOptions options = {});

    const Model& model() const { return kin_.model; }
    const Kinematics<double>& kinematics() const { return kin_; }
    std::span<const double> T() const { return T_; } // of the controller, at the last acceleration()

    // Of a controller with states of its own, where they begin.
    std::span<const double> first_z() const { return options_.controller.states.z0; }
    // The motion begins here: its momentum is the one to keep, and a sampled controller is asked for the first time.
    void begin(const Instant& start);
    // When a sampled controller is to be asked next: after t; infinity for one that is not sampled.
    double next_sample(double t) const;
    void sample(const Instant& at);
    // A step begins here, of a fixed length or of any (0), with velocities off by some error: sliding contacts go the way that they go now,
    // until the next. Whether the laws of friction leave one motion.
    Existence begin_step(const Instant& at, double fixed = 0.0, VelocityError error = {});
    // What has happened since that nobody asked for, in words.
    std::string take_told();

    // Throws RefusedError naming a hinge that has nothing to move.
    void acceleration(double t, std::span<const double> q, std::span<const double> v, std::span<double> v_dot,
                      std::span<const double> z = {}, std::span<double> z_dot = {});
    // M v_dot + bias - T, without the forces of the loops: inverse dynamics of the opened tree, which asks for no M^-1.
    void residual(double t, std::span<const double> q, std::span<const double> v,
                  std::span<const double> v_dot, std::span<double> out, std::span<const double> z = {},
                  std::span<double> z_dot = {});
    // False: a loop has opened too far to be closed again nearby; open_loop_words() tells which.
    [[nodiscard]] bool project(double t, std::span<double> q, std::span<double> v);
    // Of a state within a step that begins near a pose where branches of a loop meet: its loops closed, as project() does. Rates there are
    // those of an ODE whose solutions are the same, while off the loops they err by the gap over delta^2, delta the pivot that fades.
    bool closes_stages() const { return near_branch_; }
    bool close_stage(std::span<double> q, std::span<double> v) { return !near_branch_ || keep_loops(q, v); }
    bool projects() const { return has_quaternions_ || options_.momentum_reset || is_closed() || grasp_; }
    std::string open_loop_words(double t) const;

    // Contacts: to attach and detach, before a run or where an event jumps; none: nothing. Its state is that of the last acceleration().
    Grasp* grasp() { return grasp_ ? &*grasp_ : nullptr; }
    const Grasp* grasp() const { return grasp_ ? &*grasp_ : nullptr; }
    // The grasp with the forces at an instant, those of a controller with states of its own as at the last acceleration() or begin().
    Grasp& grasp_at(double t, std::span<const double> q, std::span<const double> v);

    // Mechanisms with loops.
    bool is_closed() const { return dynamics_.has_value(); }
    // Of a start: closes loops that are a little open and takes velocities to where they may be; what it changed, in words, or
    // nothing. Throws RefusedError by loop name for a start that is far from closed.
    std::string close(Instant& start);
    // How far a loop is from closed, or, numbered after the loops, a contact, at the last acceleration(); a contact that does not hold: 0.
    LoopGap gap(int loop);
    double largest_gap(); // as a part of the loop's size; of a contact in m or rad
    std::string sliding_words() const; // "sliding contacts 'heel', 'toe'": those that are attached

private:
    void ask(double t, std::span<const double> q, std::span<const double> v, std::span<const double> z,
             std::span<double> answer);
    void refuse_unbounded(double t, std::span<const double> answer) const;
    void refuse_unbounded_motion(double t, std::span<const double> q, std::span<const double> v) const;
    void refuse_force_on_base() const;
    void apply_forces(double t, std::span<const double> q, std::span<const double> v,
                      std::span<const double> z, std::span<double> z_dot);
    bool keep_loops(std::span<double> q, std::span<double> v);
    void close_velocities(std::span<const double> q, std::span<double> v);
    bool hold_contacts(double t, std::span<double> q, std::span<double> v);
    std::string close_contacts(Instant& start);
    bool let_fly(double t);
    bool look_for_branches(std::span<const double> q);
    std::string singular_start(const Instant& start) const;
    std::string changed_velocities(const char* of, std::span<const double> given,
                                   std::span<const double> now) const;
    void forget_forces() { last_t_ = std::numeric_limits<double>::quiet_NaN(); }

    PlantOptions options_;
    Kinematics<double> kin_;
    Articulation<double> art_;
    std::optional<ClosedDynamics> dynamics_; // of a mechanism with loops
    std::optional<Projection> projection_;
    std::optional<BranchLimit> branches_;
    std::optional<Grasp> grasp_;
    Existence existence_ = Existence::unique; // at the last acceleration()
    bool contradicts_ = false; // redundant rows of its loops, a little
    bool near_branch_ = false; // where the step began
    int open_contact_ = -1; // that did not close again
    struct Flown { // a contact that was let go because it had parted
        bool gone = false, told = false;
        double t = 0.0;
    };
    std::vector<Flown> flown_; // per contact
    double last_t_ = std::numeric_limits<double>::quiet_NaN(); // of the grasp's forces, for grasp_at
    std::vector<double> last_q_, last_v_, last_z_, last_z_dot_, last_v_dot_;
    Projection::Report projected_{};
    BodyForces<double> scratch_;
    std::vector<Force<double>> external_;
    std::vector<double> T_, answer_, T_total_; // answer: T, or the commands of a controller with states
    bool has_quaternions_ = false;
    double begun_ = 0.0;
    Force<double> momentum_{}; // at the beginning, about the centre of mass
    double mass_ = 0.0;
};

} // namespace sweepdyn
