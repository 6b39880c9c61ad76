// Contacts on the tree: which are attached and where, their rows, and the forces that act through these.
//
//     J v = 0         all rows of what holds, of what slides the normal one
//     B' lambda       hinge forces: B = J of what holds; of what slides the force (1, mu slip/|slip|) instead of the normal alone
//
// A point that slips becomes a sliding contact, and a sliding one that comes to rest a point where it is: slide(), stick(); the kind of
// the contact is what it does now. Detached it is what it was made as.
//
// Where a slip passes through zero its direction turns round, and friction with it: within one step of an integrator that would be
// neither smooth nor true, since there it comes to rest. So follow() notes the slip where a step begins, and a slip that has turned back
// since counts, until the next follow(), as if it had gone on: friction keeps its direction, and slip_ahead() falls below zero.
// A slow slip turns fast: what it has across its course decays at mu f_n / (m |slip|). Below a micrometre per second, or where fixed steps h
// could not follow, |slip| < h mu f_n / m, that rate is kept (turn_slowly): friction has its full size, and turns no faster.
//
// A slip that begins grows from zero, as t^2 where the load does: at first it is less than the error of the integrator that finds it, and
// its sign says nothing. So it is not judged for rest before it has once been faster than this blur, nor below a micrometre per second; until
// then slip_ahead() is below zero only where it goes back as fast, and what it has across its way is slowed whatever its sign. Slower than the
// blur it turns no faster either.
//
// Made once; allocates nothing after. Specified by tests/laws/sliding_contacts.cpp and tests/laws/stick_and_slide.cpp.
#pragma once

#include <algorithm>

#include "sweepdyn/closed/contacts.hpp"
#include "sweepdyn/kinematics/loops_on_tree.hpp"

namespace sweepdyn {

inline constexpr int most_sliding_contacts = 10; // at a time
inline constexpr double slowest_slip = 1e-10; // m/s: below it what slides is at rest
inline constexpr double slow_slip = 1e-6; // m/s: below it the slip turns no faster, nor is it judged at first

// By how much an integrator lets velocities be off: of their size, and in m/s beside that.
struct VelocityError {
    double relative = 0.0, absolute = 0.0;
};

class ContactRows {
public:
    // Contacts begin detached. Throws UsageError (check_contact, a name twice or of a loop, too many sliding ones).
    ContactRows(const Model& model, std::vector<Contact> contacts);

    std::span<const Contact> contacts() const { return contacts_; }
    const Loops<double>& loops() const { return loops_; }
    bool attached(int i) const { return attached_[checked(i)] != 0; }
    bool slides(int i) const { return contacts_[checked(i)].kind == ContactKind::sliding; }
    std::size_t checked(int i) const;

    void attach(int i) { attached_[checked(i)] = 1; }
    void detach(int i);
    // At the hand; before: update(kin).
    void attach_here(const Kinematics<double>& kin, int i);
    void stick(const Kinematics<double>& kin, int i);
    // The way that the hand begins to move over the object: axes of the contact.
    void slide(int i, const Vec3<double>& way);

    // Loops at kin; then rows and the directions of slips, or, without friction, none.
    void update(const Kinematics<double>& kin) { update_loops(kin, loops_); }
    void collect(bool friction = true);
    void follow(VelocityError error = {});
    void turn_slowly(int i, double below)
    {
        Course& course = course_[checked(i)];
        course.slow = std::max({below, slow_slip, course.blur});
    }
    double slip_ahead(int i) const; // m/s; after update
    double doubt(int i) const; // rad: of the direction of a slip, by its blur; after update
    double depth(const Kinematics<double>& kin, int i) const;

    struct Row {
        int contact = 0, place = 0, loop_row = 0;
    };
    // By collect(): of attached contacts; sliding ones last.
    const std::vector<Row>& rows() const { return rows_; }
    int num_held() const { return held_; } // rows that do not slide
    bool is_holonomic(const Row& row) const { return row.place < loops_.loops[row.contact].holonomic; }
    bool is_normal(const Row& row) const;
    // On the object, world axes, about the loop's o.
    Force<double> applied(const Row& row) const;
    Force<double> through_hand(int i, const Vec3<double>& f) const;
    // rows x dofs, by rows.
    void jacobian(const Kinematics<double>& kin, std::span<double> J) const;
    void forces(const Kinematics<double>& kin, std::span<double> B) const;
    void hinge_forces(const Kinematics<double>& kin, int i, const Force<double>& F,
                      std::span<double> T) const;

private:
    struct Own { // as the contact was made
        ContactKind kind;
        Pose<double> X_Ia, X_Ib;
    };
    struct Course { // where the step began; axes of the contact
        Vec3<double> way{}; // zero: not known
        bool moves = false; // else it is the way that it will go
        bool stops = false; // another contact has stuck since, which may hold what has only begun
        double slow = slow_slip; // m/s: slower than this it turns no faster
        double blur = 0.0; // m/s: what is slower than this may be an integrator's error
    };
    struct Slip {
        Vec3<double> way{}; // world axes
        double ahead = 0.0;
    };
    // A way that it goes is known, but it does not go it yet so that one could tell.
    static bool begins(const Course& course) { return !course.moves && norm(course.way) > 0.0; }
    static double unresolved(const Course& course) { return std::max(slow_slip, course.blur); }
    void become(int i, ContactKind kind);
    void move_to_hand(const Kinematics<double>& kin, int i);
    Vec3<double> slip_velocity(int i) const;
    Slip slip(int i) const;

    std::vector<Contact> contacts_;
    std::vector<char> attached_;
    Loops<double> loops_; // a point and what slides have room for three rows
    std::vector<LoopOnTree<double>> other_; // of those, as the other of the two
    std::vector<Own> own_;
    std::vector<Course> course_;
    std::vector<Vec3<double>> slip_; // direction, world axes; zero where it does not slide
    std::vector<Row> rows_;
    int held_ = 0;
};

} // namespace sweepdyn
