// How a plant keeps loops and contacts closed: after every step, and where a motion begins.
#include <algorithm>
#include <cmath>

#include "sweepdyn/kinematics/mobility.hpp"
#include "sweepdyn/sim/plant.hpp"

namespace sweepdyn {
namespace {

constexpr double widest_gap =
    1e-9; // of the loop's size: what a projected state may leave, where a pose is singular
constexpr double farthest_start =
    0.02; // of the loop's size: a start that is farther from closed is another mechanism's
constexpr double widest_contact_gap = 1e-9, farthest_contact = 0.01; // m or rad, likewise

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
    open_contact_ = -1;
    if (grasp_->project(q, v) <= widest_contact_gap)
        return true;
    contact_gap(open_contact_);
    return false;
}

// The largest of the attached contacts' positions, and whose it is. Before: grasp_->set_state.
double Plant::contact_gap(int& worst) const
{
    double largest = 0.0;
    for (int i = 0; i < static_cast<int>(grasp_->contacts().size()); ++i) {
        const LoopOnTree<double>& on = grasp_->loops().loops[i];
        for (int k = 0; grasp_->attached(i) && !grasp_->parted(i) && k < on.holonomic; ++k)
            if (const double gap = std::abs(grasp_->loops().gap[on.first_row + k]); !(gap <= largest))
                largest = gap, worst = i;
    }
    return largest;
}

std::string Plant::close_contacts(Instant& start)
{
    grasp_->set_state(start.q, start.v);
    int worst = -1;
    const double gap = contact_gap(worst);
    std::string told;
    const std::vector<double> v = start.v;
    std::vector<double> q = start.q;
    double left = grasp_->project(q, start.v);
    // which moves along the loops to first order only: in turns, until both are closed
    for (int round = 0; round < 8 && is_closed(); ++round) {
        update<double>(kin_, q);
        if (projection_->largest_gap(kin_).first <= 1e-13)
            break;
        left = keep_loops(q, start.v) ? grasp_->project(q, start.v) : std::numeric_limits<double>::infinity();
    }
    if (!(gap <= 1e-12)) {
        const std::string name = "contact '" + grasp_->contacts()[static_cast<std::size_t>(worst)].name + "'";
        if (!(gap <= farthest_contact && left <= widest_contact_gap))
            throw RefusedError("model '" + model().name() + "': " + name + " is open by " + number_text(gap) +
                               " m or rad at the start; begin where hand and object meet, let it hold where "
                               "the hand is (\"here\"), or attach it later");
        start.q = q;
        told = name + " was open by " + number_text(gap) + " m or rad at the start and has been closed";
    }
    double change = 0.0, size = 0.0;
    for (std::size_t j = 0; j < v.size(); ++j) {
        change = std::max(change, std::abs(start.v[j] - v[j]));
        size = std::max(size, std::abs(v[j]));
    }
    if (change > 1e-9 * size)
        told += std::string(told.empty() ? "" : "; ") +
                "the velocities at the start did not keep the contacts closed and have been changed";
    else
        start.v = v; // rounding
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
    double worst = 0.0, size = 0.0;
    std::size_t where = 0;
    for (std::size_t j = 0; j < v.size(); ++j) {
        size = std::max(size, std::abs(v[j]));
        if (const double change = std::abs(start.v[j] - v[j]); change > worst)
            worst = change, where = j;
    }
    if (worst > 1e-9 * size) {
        told += told.empty() ? "" : "; ";
        told += "the velocities at the start did not keep the loops closed and have been changed: '" +
                model().dof_names()[where] + "' from " + number_text(v[where]) + " to " +
                number_text(start.v[where]);
    } else if (worst <= 1e-12 * size)
        start.v = v; // rounding
    if (look_for_branches(start.q))
        told += (told.empty() ? "" : "; ") + singular_start(start);
    if (grasp_)
        if (const std::string contacts = close_contacts(start); !contacts.empty())
            told += (told.empty() ? "" : "; ") + contacts;
    return told;
}

} // namespace sweepdyn
