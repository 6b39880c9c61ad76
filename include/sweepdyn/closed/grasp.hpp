// A grasp: contacts that are made and broken at run time, on a model that is never rebuilt; open or with loops of its own.
//
//     Omega = J M^-1 J*        of the attached contacts, M^-1 by sweeps: of the tree, or of the tree of clusters      [003 II (4.7)]
//     Omega lambda = -(J v_dot_f + gamma),   v_dot = v_dot_f + M^-1 J* lambda
//
// Omega is factored with its rank revealed: redundant contacts leave accelerations right, and forces known only where `unique`.
// A sliding contact has the row of its normal force and the force (1, mu slip/|slip|): with the other rows eliminated,
//     a = W lambda + c,   a >= 0,  lambda >= 0,  a lambda = 0       one row per sliding contact, W not symmetric
// all combinations of kept and parting contacts are tried: there may be one answer, several, or none (Painleve).
//
// Made once; set_state, attach, detach, stick, slide, forward_dynamics, impulse and project allocate nothing. The questions after them (feasible forces,
// force closure, internal forces, well-posedness) are for people and planners: they allocate.
// Throws UsageError for a wrong size, for a number that is not finite, and for a question about forces that no forward_dynamics or impulse has
// found since the state or the contacts changed.
// Specified by tests/laws/grasps.cpp, tests/laws/grasp_forces.cpp and tests/laws/sliding_contacts.cpp.
#pragma once

#include <optional>

#include "sweepdyn/closed/closed_dynamics.hpp"
#include "sweepdyn/closed/contact_rows.hpp"
#include "sweepdyn/dynamics/tip_force_correction.hpp"
#include "sweepdyn/kinematics/semidefinite.hpp"

namespace sweepdyn {

enum class Existence {
    unique, // one motion
    several, // more than one motion obeys the laws: that which keeps most contacts is given, of those, if any, in which what holds pushes
    none // no motion does: v_dot is without the sliding contacts' forces, and means nothing
};

class Grasp {
public:
    // Contacts begin detached. Throws UsageError (check_contact, a name twice or of a loop, too many sliding ones).
    Grasp(const Model& model, std::vector<Contact> contacts);

    const Model& model() const { return kin_.model; }
    std::span<const Contact> contacts() const { return on_.contacts(); } // of the kinds that they are now
    int contact(std::string_view name) const;

    // Where the frames are ...
    void attach(int i);
    // ... or, the frame in the object being moved there until it is detached, where the hand is now: after set_state. For a rigid contact
    // or a line the hand's axes follow too.
    void attach_here(int i);
    void detach(int i);
    bool attached(int i) const { return on_.attached(i); }
    // A sliding contact that has come to rest becomes a point, where the hand is now: after set_state. A point that slips becomes a sliding
    // one, and begins to slide the way that it accelerates then, after forward_dynamics; or another way, in the contact's axes. Until it is
    // detached.
    void stick(int i);
    void slide(int i) { slide(i, onset(i)); }
    void slide(int i, const Vec3<double>& way);
    bool slides(int i) const { return on_.slides(i); }
    // Where a step of an integrator begins, with velocities off by some error: the state, and which way sliding contacts go; what turns back
    // since then has come to rest, and slip_ahead, m/s, is below zero there.                             [closed/contact_rows.hpp]
    void follow(std::span<const double> q, std::span<const double> v, VelocityError error = {});
    // After forward_dynamics, where steps of a fixed length follow: slow slips turn no faster than these can.
    void turn_slowly(double step);
    double slip_ahead(int i) const { return on_.slip_ahead(i); }

    void set_state(std::span<const double> q, std::span<const double> v);
    const Kinematics<double>& kinematics() const { return kin_; }
    const Loops<double>& loops() const { return on_.loops(); }
    // Of the tree; computed only where the model has no loops of its own.
    const Articulation<double>& articulation() const { return art_; }

    // With all attached contacts kept, whatever their forces; sliding ones as they must.
    Existence forward_dynamics(std::span<const double> T, std::span<double> v_dot,
                               std::span<const Force<double>> external = {});
    // v becomes the velocity after the attached contacts have taken hold at once: J v+ = -restitution J v- along normals, 0 across.
    // Sliding ones push, with friction against the slip that was, or part; where that would turn the slip round it is stopped, and the contact
    // sticks from then on. Where friction cannot stop it either, so that it turns within the impact, or what sticks would have to pull:
    // Existence::none, and v and contacts are left as they were. What has parted() flies off: detach it, for forward_dynamics holds what
    // is attached. wrench() is then an impulse. Restitution is Newton's, by velocities: above 0 it may add energy where friction, or
    // several contacts, couple normals with what they do across (Kane and Levinson); at 0 it never does.
    Existence impulse(std::span<double> v, double restitution = 0.0);
    // Against drift: q moved to where the attached contacts' holonomic rows close, v to where they keep closed, both along M^-1 J*, which
    // has no friction; a sliding contact that has parted goes its way. Then set_state again. Loops of the model's own are kept to first order.
    struct Drift {
        double before = 0.0, after = 0.0; // the largest gap, m or rad
        int first = -1, worst = -1; // the contacts that had and have it
    };
    Drift project(std::span<double> q, std::span<double> v);
    // J v of the attached contacts, the largest: 0 when they hold.
    double largest_slip() const;
    // How far the hand's point is in the object, along the inward normal of the contact's own frame (wherever it was attached): below 0 is
    // clear of it. After set_state.
    double depth(int i) const;

    // After forward_dynamics or impulse: on the object, axes and origin of the contact frame. Zero when detached.
    Force<double> wrench(int i) const;
    ContactState state(int i) const;
    bool solved() const
    {
        return solved_;
    } // forward_dynamics or impulse has been called at this state, with these contacts
    // Of the last forward_dynamics or impulse, whatever has changed since.
    bool parted(int i) const { return parting(i) > 0.0; } // a sliding contact that lets go
    double parting(int i) const { return parting_[on_.checked(i)]; } // N: what would have to pull to hold it

    // --- Omega --------------------------------------------------------------------------------------------------------
    struct WellPosedness {
        int rows = 0, rank = 0;
        double smallest_kept = 1.0, largest_dropped = 0.0; // pivots, of 1
        std::vector<std::string> undetermined{}; // contacts whose forces are not unique
        bool well_posed() const { return rank == rows; }
    };
    WellPosedness well_posedness();
    // (rows attached)^2, by rows; contacts in order, sliding ones last.
    std::span<const double> Omega();
    int num_rows();
    // After forward_dynamics: rows that do not follow from others and from the model's loops, by their places among the rows; of sliding
    // contacts those that push. Of the holonomic ones alone, or of all.
    std::vector<int> independent_rows(bool holonomic);
    // Rows, gaps and forces alone, without M^-1, at another stage of the same model. Then set_state again.
    const ContactRows& rows_at(const Kinematics<double>& kin);

    // --- what friction allows -----------------------------------------------------------------------------------------
    // After forward_dynamics or impulse: where forces are not unique, whether any of them keeps all cones, by the largest common margin.
    struct Feasibility {
        bool feasible = false, unlimited = false;
        double margin = 0.0; // newtons
        std::vector<Force<double>> wrench{}; // per contact, one choice that has it
        std::vector<double>
            share{}; // per contact: in holding the margin back, 1 in all; who gives way together has one
        int free = 0; // how many numbers were free to choose
    };
    // `of`: contacts whose cones are asked; none given: all.
    Feasibility feasibility(double most_normal_force = 0.0, std::span<const int> of = {});
    // Attached contacts whose forces the mechanics leave open, each group open for itself: what one group does says nothing of another.
    std::vector<std::vector<int>> open_groups();
    // Whether the contacts can give the dofs the generalized forces w, with forces of any kind: G lambda = w. The hand is free to choose.
    Feasibility can_exert(std::span<const int> dofs, std::span<const double> w,
                          double most_normal_force = 0.0);

    struct ForceClosure {
        int rank = 0, dofs = 0; // of G
        double squeeze =
            0.0; // margin in newtons per newton of all normal forces together, of forces that balance
        bool closed = false; // rank is full and the squeeze positive: any force can be resisted
        std::vector<Force<double>> wrench{}; // that squeeze, per contact
    };
    ForceClosure force_closure(std::span<const int> dofs);

    // Contact forces = motion + internal; internal ones balance on the dofs, G lambda = 0; motion ones are the least that do not (moments
    // count by the contacts' own distance from their mean). Per contact, on the object. After forward_dynamics or impulse.
    struct Split {
        std::vector<Force<double>> motion{}, internal{};
    };
    Split split(std::span<const int> dofs);
    // The dofs of everything that carries a contact's object frame, of attached contacts.
    std::vector<int> object_dofs() const;
    // G(dof, row), by rows of dofs: generalized forces of unit multipliers; and, after forward_dynamics or impulse, the multipliers.
    std::vector<double> grasp_map(std::span<const int> dofs);
    std::span<const double> multipliers() const;
    // The wrench of contact i under other multipliers.
    Force<double> wrench_of(int i, std::span<const double> lambda) const;

private:
    const std::vector<ContactRows::Row>& rows() const { return on_.rows(); }
    void prepare(bool friction = true);
    void respond_to(const Force<double>& F, const LoopOnTree<double>& on, std::span<double> v_dot);
    // lambda_ from rhs_, what the rows would do without it; x += M^-1 J* lambda.
    Existence meet(std::span<double> x);
    Existence solve_sliding();
    Vec3<double> onset(int i);
    bool stop_what_turned(std::span<const double> v, bool first);
    bool stuck_ones_hold();
    std::vector<std::vector<double>> free_forces();
    bool moves_alike(std::span<const double> one, std::span<const double> other);
    void find_idle_forces();
    Semidefinite<double>& idle()
    {
        return on_.num_held() < static_cast<int>(rows().size()) ? idle_ : factor_;
    }
    std::vector<Force<double>> wrenches_of(std::span<const double> lambda) const;
    struct Cones {
        std::vector<ForceCone> cones;
        std::vector<int> contact; // of each
        int unknowns = 0;
    };
    Cones cones_of(std::span<const double> constant, const std::vector<std::vector<double>>& free,
                   std::span<const int> of) const;
    std::vector<Force<double>> chosen(std::span<const double> constant,
                                      const std::vector<std::vector<double>>& free,
                                      const std::vector<double>& y) const;
    Feasibility answer(std::span<const double> constant, const std::vector<std::vector<double>>& free,
                       double most, std::span<const int> of = {}) const;
    void require_state(const char* function) const;
    void require_forces(const char* function) const;
    static void require_finite(const char* function, const char* argument, std::span<const double> x);
    void place(std::span<const double> q, std::span<const double> v);
    void changed() { prepared_ = solved_ = false; }

    ContactRows on_, before_impact_; // the tree
    std::vector<double> parting_;
    Kinematics<double> kin_;
    Articulation<double> art_;
    std::optional<ClosedDynamics> closed_; // of a model with loops of its own
    bool placed_ = false; // kinematics and rows are those of set_state
    bool prepared_ = false; // Omega is that of the state and the contacts
    bool solved_ = false; // so are the forces

    std::vector<double> J_, X_; // rows x dofs
    std::vector<double> Omega_; // J X*
    Semidefinite<double> factor_, idle_; // of Omega; of forces that do nothing, where some rows slide
    std::vector<double> lambda_, rhs_, z_, W_, c_, tried_, best_;
    std::vector<char> unique_;
    std::vector<double> zeros_, step_, b_, apart_, before_;
    std::vector<Force<double>> external_;
    BodyForces<double> scratch_;
};

} // namespace sweepdyn
