#include "sweepdyn/sim/contact_events.hpp"

#include <algorithm>
#include <cmath>

namespace sweepdyn {
namespace {

constexpr double held = 1.0; // N or m/s: the value of what cannot be lost now, or cannot come to rest
constexpr double shares = 1e-4; // from here on a contact has a share in that no forces keep all cones
constexpr double nothing = 1e-4; // of the largest force

Event falling(const std::string& name, bool stops)
{
    Event event;
    event.name = name;
    event.direction = Event::Direction::falling;
    event.action = stops ? Event::Action::stop : Event::Action::record;
    event.at_start = true;
    return event;
}

Event lost(const std::string& name, OnLost what)
{
    return falling(name, what == OnLost::stop || what == OnLost::slide);
}

// Whether a contact that slides has come to rest: it is to stick before others can be judged.
bool any_rests(const Grasp& grasp)
{
    for (int i = 0; i < static_cast<int>(grasp.contacts().size()); ++i)
        if (grasp.attached(i) && grasp.slides(i) && !grasp.parted(i) && grasp.slip_ahead(i) <= 0.0)
            return true;
    return false;
}

// Where no internal forces keep all cones any more, some of these leave them no room: those contacts give way together, the others need not.
std::vector<int> giving_way(const Grasp::Feasibility& last)
{
    std::vector<int> out;
    for (std::size_t i = 0; i < last.share.size(); ++i)
        if (last.share[i] > shares)
            out.push_back(static_cast<int>(i));
    return out;
}

// They slide, or lift where they do not push any more.
void give_way_together(Grasp& grasp, OnLost on_lift)
{
    const Grasp::Feasibility last = grasp.feasibility();
    double largest = 0.0;
    for (const Force<double>& w : last.wrench)
        largest = std::max(largest, norm(w.f));
    std::string lifted;
    bool any = false;
    for (int i : giving_way(last)) {
        const Contact& contact = grasp.contacts()[static_cast<std::size_t>(i)];
        const Force<double>& w = last.wrench[static_cast<std::size_t>(i)];
        if (contact_state(contact, w).normal <= nothing * largest) {
            lifted += (lifted.empty() ? "'" : ", '") + contact.name + "'";
            any = true;
            if (on_lift == OnLost::let_go)
                grasp.detach(i);
        } else if (contact.kind == ContactKind::point) {
            grasp.slide(i, w.f);
            any = true;
        }
    }
    if (!lifted.empty() && on_lift != OnLost::let_go)
        throw RefusedError(
            "contacts " + lifted +
            " lift, for no internal force presses them all; take OnLost::let_go for what lifts "
            "to go on without them");
    if (!any)
        throw RefusedError("no internal force keeps the contacts, and none of them gives way alone; end the "
                           "run where they slip (OnLost::stop)");
}

// Whether internal forces keep all cones, or the mechanics tell each force, so that each contact is judged by its own.
bool all_may_hold(Grasp& grasp)
{
    if (grasp.well_posedness().well_posed() || any_rests(grasp))
        return true;
    const Grasp::Feasibility answer = grasp.feasibility();
    double largest = 0.0;
    for (const Force<double>& w : answer.wrench)
        largest = std::max(largest, norm(w.f));
    return answer.unlimited || answer.margin >= -1e-9 * largest;
}

Event comes_to_rest(Plant& plant, int i, OnRest what)
{
    Event event =
        falling("contact '" + plant.grasp()->contacts()[static_cast<std::size_t>(i)].name + "' comes to rest",
                what == OnRest::stop);
    event.value = [&plant, i](double t, std::span<const double> q, std::span<const double> v) {
        if (!plant.grasp()->attached(i) || !plant.grasp()->slides(i))
            return held;
        const Grasp& grasp = plant.grasp_at(t, q, v);
        return grasp.parted(i) ? held : grasp.slip_ahead(i);
    };
    if (what == OnRest::stick)
        event.jump = [&plant, i](double t, std::span<double> q, std::span<double> v) {
            if (plant.grasp()->attached(i) && plant.grasp()->slides(i)) // another event may have let it go
                plant.grasp_at(t, q, v).stick(i);
        };
    return event;
}

} // namespace

std::vector<Event> contact_events(Plant& plant, OnLost on_slip, OnLost on_lift, OnRest on_rest)
{
    std::vector<Event> events;
    if (!plant.grasp())
        return events;
    const auto contacts = plant.grasp()->contacts();
    const auto let_go = [&plant](int i) {
        return [&plant, i](double, std::span<double>, std::span<double>) { plant.grasp()->detach(i); };
    };
    std::string all;
    bool all_may_slide = true;
    for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
        const Contact& contact = contacts[static_cast<std::size_t>(i)];
        if (contact.kind == ContactKind::rigid)
            continue;
        all += (all.empty() ? "'" : ", '") + contact.name + "'";
        const bool may_slide = contact.kind == ContactKind::point || contact.kind == ContactKind::sliding;
        all_may_slide = all_may_slide && may_slide;
        // Where the mechanics leave the force open, what one solution says of it means nothing.
        const auto known = [&plant, i](double t, std::span<const double> q, std::span<const double> v) {
            std::optional<ContactState> state;
            if (plant.grasp()->attached(i))
                state = plant.grasp_at(t, q, v).state(i);
            return state && state->unique ? state : std::nullopt;
        };
        Event lifts = lost("contact '" + contact.name + "' lifts", on_lift);
        lifts.value = [known, &plant, i](double t, std::span<const double> q, std::span<const double> v) {
            const auto state = known(t, q, v);
            if (!state)
                return held;
            // what slides and carries nothing, for others carry all, does not part by that
            const bool carries = state->normal > 0.0 || !plant.grasp()->slides(i);
            return plant.grasp()->parted(i) ? -plant.grasp()->parting(i) : carries ? state->normal : held;
        };
        if (on_lift == OnLost::let_go)
            lifts.jump = let_go(i);
        events.push_back(std::move(lifts));
        if (contact.kind == ContactKind::frictionless)
            continue;
        Event slips = lost("contact '" + contact.name + "' slips", on_slip);
        slips.value = [known, &plant, i](double t, std::span<const double> q, std::span<const double> v) {
            const auto state = plant.grasp()->slides(i) ? std::nullopt : known(t, q, v);
            return state && !state->lifts && state->within_segment && !any_rests(*plant.grasp())
                       ? state->margin
                       : held;
        };
        if (on_slip == OnLost::let_go)
            slips.jump = let_go(i);
        if (on_slip == OnLost::slide && may_slide) {
            slips.action = Event::Action::record;
            slips.jump = [&plant, i](double t, std::span<double> q, std::span<double> v) {
                if (plant.grasp()->attached(i) && !plant.grasp()->slides(i))
                    plant.grasp_at(t, q, v).slide(i);
            };
        }
        events.push_back(std::move(slips));
        if (may_slide)
            events.push_back(comes_to_rest(plant, i, on_rest));
        if (contact.kind != ContactKind::line)
            continue;
        Event tips = lost("contact '" + contact.name + "' tips over an end of its line", on_lift);
        tips.value = [known, half = 0.5 * contact.length](double t, std::span<const double> q,
                                                          std::span<const double> v) {
            const auto state = known(t, q, v); // the pressure at the end that it leaves last
            return state && !state->lifts ? 0.5 * (state->normal - std::abs(state->wrench.n.y) / half) : held;
        };
        if (on_lift == OnLost::let_go)
            tips.jump = let_go(i);
        events.push_back(std::move(tips));
    }
    if (all.empty())
        return events;
    Event together =
        lost("contacts " + all + ": no internal force keeps them all from slipping or lifting", on_slip);
    if (on_slip == OnLost::let_go)
        together.action = Event::Action::stop; // nothing says which to let go
    if (on_slip == OnLost::slide && all_may_slide) {
        together.action = Event::Action::record;
        together.jump = [&plant, on_lift](double t, std::span<double> q, std::span<double> v) {
            do { // those that are left may have to give way in their turn; each time there are fewer that hold
                give_way_together(plant.grasp_at(t, q, v), on_lift);
            } while (!all_may_hold(plant.grasp_at(t, q, v)));
        };
    }
    together.value = [&plant](double t, std::span<const double> q, std::span<const double> v) {
        Grasp& grasp = plant.grasp_at(t, q, v);
        if (grasp.well_posedness().well_posed() || any_rests(grasp))
            return held;
        const Grasp::Feasibility answer = grasp.feasibility();
        return answer.unlimited ? held : answer.margin;
    };
    together.words = [&plant](double t, std::span<const double> q, std::span<const double> v) {
        const std::vector<int> which = giving_way(plant.grasp_at(t, q, v).feasibility());
        std::string names;
        for (int i : which)
            names += (names.empty() ? "'" : ", '") +
                     plant.grasp()->contacts()[static_cast<std::size_t>(i)].name + "'";
        return names + (which.size() == 1 ? " gives way" : " give way together");
    };
    events.push_back(std::move(together));
    return events;
}

} // namespace sweepdyn
