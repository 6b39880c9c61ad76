// How a plant keeps loops and contacts closed: after every step, and where a motion begins.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "sweepdyn/kinematics/mobility.hpp"
#include "sweepdyn/sim/plant.hpp"

namespace sweepdyn {
namespace {

constexpr double widest_gap =
    1e-9; // of the loop's size: what a projected state may leave, where a pose is singular
constexpr double farthest_start =
    0.02; // of the loop's size: a start that is farther from closed is another mechanism's
constexpr double widest_contact_gap = 1e-9, farthest_contact = 0.01; // m or rad, likewise

std::string brief(double x)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", x);
    return text;
}

// Of v, and of the largest of it.
auto is_rounding(std::span<const double> v)
{
    double size = 0.0;
    for (double x : v)
        size = std::max(size, std::abs(x));
    return [size](double a, double b) { return std::abs(a - b) <= 1e-12 * size; };
}

} // namespace

void Plant::close_velocities(std::span<const double> q, std::span<double> v)
{
    update<double>(kin_, q, v);
    update_inertias(kin_);
    dynamics_->update(kin_);
    projection_->velocities(kin_, *dynamics_, v);
}

bool Plant::keep_loops(std::span<double> q, std::span<double> v)
{
    projected_ = projection_->positions(kin_, q);
    if (!(projected_.after <= (contradicts_ ? widest_contradiction : widest_gap)))
        return false;
    close_velocities(q, v);
    return true;
}

// Attached contacts: positions by Newton along M^-1 J*, velocities in the mass metric.
bool Plant::hold_contacts(double t, std::span<double> q, std::span<double> v)
{
    refuse_unbounded_motion(t, q, v);
    const Grasp::Drift drift = grasp_->project(q, v);
    open_contact_ = drift.after <= widest_contact_gap ? -1 : drift.worst;
    if (drift.before > farthest_contact)
        throw RefusedError("contact '" + grasp_->contacts()[static_cast<std::size_t>(drift.first)].name +
                           "' is open by " + brief(drift.before) + " m or rad at t = " + number_text(t) +
                           " s; attach it where hand and object meet, or let it hold where the hand is "
                           "(Grasp::attach_here); or the step is too long");
    return open_contact_ < 0;
}

// Sliding contacts that have parted and are away let go: coming down again is an impact, which is for an event to say.
bool Plant::let_fly(double t)
{
    bool any = false;
    for (std::size_t i = 0; i < flown_.size(); ++i)
        if (const int k = static_cast<int>(i); grasp_->attached(k) && grasp_->slides(k) &&
                                               grasp_->parted(k) && grasp_->depth(k) < -widest_contact_gap) {
            grasp_->detach(k);
            flown_[i] = {true, false, t};
            any = true;
        }
    return any;
}

std::string Plant::take_told()
{
    std::string out;
    for (std::size_t i = 0; i < flown_.size(); ++i)
        if (Flown& one = flown_[i]; one.gone && !std::exchange(one.told, true))
            out += (out.empty() ? "contact '" : "; contact '") + grasp_->contacts()[i].name +
                   "' has parted before t = " + number_text(one.t) +
                   " s and is let go; where it may land, attach it there, by an event";
    return out;
}

// What became of the velocities at the start, where more than rounding did.
std::string Plant::changed_velocities(const char* of, std::span<const double> given,
                                      std::span<const double> now) const
{
    double worst = 0.0, size = 0.0;
    std::size_t where = 0;
    for (std::size_t j = 0; j < given.size(); ++j) {
        size = std::max(size, std::abs(given[j]));
        if (const double change = std::abs(now[j] - given[j]); change > worst)
            worst = change, where = j;
    }
    if (!(worst > 1e-9 * size))
        return {};
    return "the velocities at the start did not keep the " + std::string(of) +
           " closed and have been changed: '" + model().dof_names()[where] + "' from " +
           number_text(given[where]) + " to " + number_text(now[where]);
}

std::string Plant::close_contacts(Instant& start)
{
    std::string told;
    const std::vector<double> v = start.v;
    std::vector<double> q = start.q;
    const Grasp::Drift drift = grasp_->project(q, start.v);
    double left = drift.after;
    // which moves along the loops to first order only: in turns, until both are closed
    for (int round = 0; round < 8 && is_closed(); ++round) {
        update<double>(kin_, q);
        if (projection_->largest_gap(kin_).first <= 1e-13)
            break;
        left = keep_loops(q, start.v) ? grasp_->project(q, start.v).after
                                      : std::numeric_limits<double>::infinity();
    }
    if (!(drift.before <= 1e-12)) {
        const std::string name =
            "contact '" + grasp_->contacts()[static_cast<std::size_t>(drift.first)].name + "'";
        if (!(drift.before <= farthest_contact && left <= widest_contact_gap))
            throw RefusedError("model '" + model().name() + "': " + name + " is open by " +
                               brief(drift.before) +
                               " m or rad at the start; begin where hand and object meet, let it hold where "
                               "the hand is (\"here\"), or attach it later, where they meet");
        start.q = q;
        told = name + " was open by " + brief(drift.before) + " m or rad at the start and has been closed";
    }
    const std::string changed = changed_velocities("contacts", v, start.v);
    if (changed.empty())
        start.v = v; // rounding
    else
        told += (told.empty() ? "" : "; ") + changed;
    return told;
}

std::string Plant::open_loop_words(double t) const
{
    if (open_contact_ >= 0)
        return "contact '" + grasp_->contacts()[static_cast<std::size_t>(open_contact_)].name +
               "' opens at t = " + number_text(t) + " s and does not close again nearby";
    return "loop '" + model().loops()[static_cast<std::size_t>(projected_.loop)].name +
           "' opens at t = " + number_text(t) + " s and does not close again nearby (" +
           number_text(projected_.after) + " of its size is left)";
}

LoopGap Plant::gap(int loop)
{
    const int contact = loop - static_cast<int>(model().loops().size());
    if (contact < 0)
        return projection_->gap(kin_, loop);
    if (!grasp_->attached(contact) || grasp_->parted(contact))
        return {};
    LoopGap out = gap_of(grasp_->kinematics(), grasp_->loops(), grasp_->loops().loops[contact]);
    out.part =
        std::max(out.distance, out.angle); // a hinge may stand where the contact is: no size to compare with
    return out;
}
double Plant::largest_gap()
{
    double largest = is_closed() ? projection_->largest_gap(kin_).first : 0.0;
    const int loops = static_cast<int>(model().loops().size());
    for (int i = 0; grasp_ && i < static_cast<int>(grasp_->contacts().size()); ++i)
        largest = std::max(largest, gap(loops + i).part);
    return largest;
}

std::string Plant::sliding_words() const
{
    std::string out;
    for (int i = 0; i < static_cast<int>(grasp_->contacts().size()); ++i)
        if (grasp_->attached(i) && grasp_->slides(i))
            out += (out.empty() ? "sliding contacts '" : ", '") +
                   grasp_->contacts()[static_cast<std::size_t>(i)].name + "'";
    return out;
}

// What a singular pose at the start means for the motion. Before: close_velocities.
std::string Plant::singular_start(const Instant& start) const
{
    using enum SingularPose::Velocities;
    const std::vector<SingularPose> poses = singular_poses(model(), start.q, start.v);
    std::string told;
    for (const SingularPose& pose : poses) {
        if (pose.first_order_only && pose.mobility_nearby == 0)
            throw RefusedError(
                "model '" + model().name() + "': " + words(poses) +
                ", so that nothing tells how it moves or what it carries; begin elsewhere, or weld it");
        told += (told.empty() ? "the motion begins at a singular pose: " : "; ") + words(pose) +
                (pose.velocities == between_branches ? "; its velocities lie between the branches that meet "
                                                       "there, the first step takes it to one of "
                                                       "them"
                 : pose.velocities == rest           ? "; at rest there, rounding tells which way it goes on"
                                                     : "; its velocities tell which way it goes on");
    }
    return told;
}

std::string Plant::close(Instant& start)
{
    for (std::size_t i = 0; i < flown_.size(); ++i) // in a run before this one
        if (std::exchange(flown_[i], {}).gone && grasp_->slides(static_cast<int>(i)))
            grasp_->attach(static_cast<int>(i));
    if (!is_closed())
        return grasp_ ? close_contacts(start) : std::string();
    std::string told;
    contradicts_ = false;
    update<double>(kin_, start.q);
    const auto [part, loop] = projection_->largest_gap(kin_);
    if (!(part <= 1e-12)) {
        const std::string name = "loop '" + model().loops()[static_cast<std::size_t>(loop)].name + "'";
        const std::string how = words(projection_->gap(kin_, loop));
        std::vector<double> q = start.q;
        const PositionProjection::Report left =
            part <= farthest_start ? projection_->positions(kin_, q) : PositionProjection::Report{};
        contradicts_ = left.after > 1e-12 && left.after <= widest_contradiction;
        if (part <= farthest_start && (contradicts_ || left.after <= 1e-12)) {
            start.q = q;
            told = contradicts_
                       ? "loop '" + model().loops()[static_cast<std::size_t>(left.loop)].name + "' stays " +
                             words(projection_->gap(kin_, left.loop)) +
                             ": no motion closes it further, its redundant rows contradict each other by that"
                       : name + " was " + how + " at the start and has been closed";
        } else
            throw RefusedError("model '" + model().name() + "': " + name + " is " + how +
                               " at the start; begin with a state that closes it, such as sweepdyn assemble "
                               "finds");
    }
    const std::vector<double> v = start.v;
    close_velocities(start.q, start.v);
    if (const std::string changed = changed_velocities("loops", v, start.v); !changed.empty())
        told += (told.empty() ? "" : "; ") + changed;
    else if (std::equal(v.begin(), v.end(), start.v.begin(), is_rounding(v)))
        start.v = v;
    if (look_for_branches(start.q))
        told += (told.empty() ? "" : "; ") + singular_start(start);
    if (grasp_)
        if (const std::string contacts = close_contacts(start); !contacts.empty())
            told += (told.empty() ? "" : "; ") + contacts;
    return told;
}

} // namespace sweepdyn
