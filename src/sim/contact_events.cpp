#include "sweepdyn/sim/contact_events.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace sweepdyn {
namespace {

constexpr double held = 1.0; // N or m/s: the value of what cannot be lost now, or cannot come to rest
constexpr double shares = 1e-4; // from here on a contact has a share in that no forces keep all cones
constexpr double nothing = 1e-4; // of the largest force
constexpr double across = 1e-6; // of a contact's force: less is none
constexpr double no_push = 1e-12; // N: what presses by less lifts, and does not slip

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

// N, of a line: the pressure at the end that it leaves last.
double pressed_end(const Contact& contact, const ContactState& state)
{
    return contact.kind == ContactKind::line
               ? 0.5 * (state.normal - std::abs(state.wrench.n.y) / (0.5 * contact.length))
               : state.normal;
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

double largest_force(const Grasp::Feasibility& of)
{
    double largest = 0.0;
    for (const Force<double>& w : of.wrench)
        largest = std::max(largest, norm(w.f));
    return largest;
}

// Of those, the ones that do not push any more, or the ones that do: these slip, for all that internal forces can do. Without those that
// are judged by their own force.
std::vector<int> giving_way(const Grasp& grasp, const Grasp::Feasibility& last, bool lifting)
{
    std::vector<int> out;
    for (int i : giving_way(last)) {
        const auto at = static_cast<std::size_t>(i);
        const ContactState state = grasp.state(i);
        const bool alone = lifting ? state.normal_unique : state.unique;
        const bool pushes =
            contact_state(grasp.contacts()[at], last.wrench[at]).normal > nothing * largest_force(last);
        if (!alone && pushes != lifting)
            out.push_back(i);
    }
    return out;
}

bool may_slide(const Contact& contact)
{
    return contact.kind == ContactKind::point || contact.kind == ContactKind::sliding;
}

// The contacts that leave their forces open together and of which this is the first, but for those that lift by their own force.
std::vector<int> open_with(Grasp& grasp, int first)
{
    if (grasp.well_posedness().well_posed())
        return {};
    for (std::vector<int>& group : grasp.open_groups()) {
        if (group.front() != first)
            continue;
        std::erase_if(group, [&](int i) {
            const ContactState state = grasp.state(i);
            return state.normal_unique && state.lifts;
        });
        return group;
    }
    return {};
}

// The contacts that give way, and under which forces, where there is a group that a contact leads.
struct GivingWay {
    double margin = held; // the least that internal forces can give them all at once
    std::vector<int> contacts{};
    Grasp::Feasibility last{};
};
GivingWay giving_way_with(Grasp& grasp, int first, bool lifting)
{
    GivingWay out;
    const std::vector<int> group = any_rests(grasp) ? std::vector<int>{} : open_with(grasp, first);
    if (group.empty())
        return out;
    out.last = grasp.feasibility(0.0, group);
    if (out.last.unlimited)
        return out;
    out.contacts = giving_way(grasp, out.last, lifting);
    if (!out.contacts.empty())
        out.margin = out.last.margin;
    return out;
}

// The event of those that lift together, or of those that slip together: of the contacts that share open forces with this one, which is
// the first of them. `all`: whose these may be.
Event together(Plant& plant, int first, const std::string& all, bool lifting, OnLost what)
{
    Event event = lost("contacts " + all + ": no internal force keeps them all from " +
                           (lifting ? "lifting" : "slipping"),
                       what);
    const auto now = [&plant, first, lifting](double t, std::span<const double> q,
                                              std::span<const double> v) {
        return giving_way_with(plant.grasp_at(t, q, v), first, lifting);
    };
    event.value = [now](double t, std::span<const double> q, std::span<const double> v) {
        return now(t, q, v).margin;
    };
    event.words = [&plant, now](double t, std::span<const double> q, std::span<const double> v) {
        const std::vector<int> contacts = now(t, q, v).contacts;
        std::string names;
        for (int i : contacts)
            names += (names.empty() ? "'" : ", '") +
                     plant.grasp()->contacts()[static_cast<std::size_t>(i)].name + "'";
        return names + (contacts.size() == 1 ? " gives way" : " give way together");
    };
    const bool slides = what == OnLost::slide && !lifting;
    if (slides) {
        event.action = Event::Action::record;
        event.stops_if = [&plant, now](double t, std::span<const double> q, std::span<const double> v) {
            for (int i : now(t, q, v).contacts)
                if (!may_slide(plant.grasp()->contacts()[static_cast<std::size_t>(i)]))
                    return true;
            return false;
        };
    }
    if (what == OnLost::let_go || slides)
        event.jump = [&plant, first, lifting, slides](double t, std::span<double> q, std::span<double> v) {
            const std::vector<int> group = open_with(plant.grasp_at(t, q, v), first);
            const auto let = [&](const GivingWay& lost) {
                bool any = false;
                for (int i : lost.contacts) {
                    Grasp& grasp = *plant.grasp();
                    const bool may =
                        !slides || grasp.contacts()[static_cast<std::size_t>(i)].kind == ContactKind::point;
                    if (may && slides)
                        grasp.slide(i, lost.last.wrench[static_cast<std::size_t>(i)].f);
                    else if (may)
                        grasp.detach(i);
                    any = any || may;
                }
                return any;
            };
            bool any = let(giving_way_with(plant.grasp_at(t, q, v), first, lifting));
            // those that are left may have to give way in their turn; each time there are fewer that hold
            while (any) {
                any = false;
                for (int i : group) {
                    const GivingWay next = giving_way_with(plant.grasp_at(t, q, v), i, lifting);
                    if (!next.contacts.empty() && next.margin < -1e-9 * largest_force(next.last))
                        any = let(next) || any;
                }
            }
        };
    return event;
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
    for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
        const Contact& contact = contacts[static_cast<std::size_t>(i)];
        if (contact.kind == ContactKind::rigid)
            continue;
        // Where the mechanics leave the force open, what one solution says of it means nothing.
        const auto pressed = [&plant, i](double t, std::span<const double> q, std::span<const double> v) {
            std::optional<ContactState> state;
            if (plant.grasp()->attached(i))
                state = plant.grasp_at(t, q, v).state(i);
            return state && state->normal_unique ? state : std::nullopt;
        };
        const auto known = [pressed](double t, std::span<const double> q, std::span<const double> v) {
            const auto state = pressed(t, q, v);
            return state && state->unique ? state : std::nullopt;
        };
        Event lifts = lost("contact '" + contact.name + "' lifts", on_lift);
        lifts.value = [pressed, &plant, i](double t, std::span<const double> q, std::span<const double> v) {
            const auto state = pressed(t, q, v);
            if (!state)
                return held;
            // what slides and carries nothing, for others carry all, does not part by that
            const bool carries = state->normal > 0.0 || !plant.grasp()->slides(i);
            return plant.grasp()->parted(i) ? -plant.grasp()->parting(i) : carries ? state->normal : held;
        };
        if (on_lift == OnLost::let_go)
            lifts.jump = let_go(i);
        else if (on_lift == OnLost::tell) // what slides cannot go on as if it held
            lifts.jump = [&plant, i](double, std::span<double>, std::span<double>) {
                if (plant.grasp()->slides(i))
                    plant.grasp()->detach(i);
            };
        events.push_back(std::move(lifts));
        if (contact.kind == ContactKind::frictionless)
            continue;
        Event slips = lost("contact '" + contact.name + "' slips", on_slip);
        slips.value = [known, &plant, i](double t, std::span<const double> q, std::span<const double> v) {
            const auto state = plant.grasp()->slides(i) ? std::nullopt : known(t, q, v);
            if (!state || any_rests(*plant.grasp()))
                return held;
            // What leaves the floor, or an end of it, does not slip for that; but what leaves it with a force across has slipped just before.
            if (pressed_end(plant.grasp()->contacts()[static_cast<std::size_t>(i)], *state) > no_push)
                return state->margin;
            return state->normal <= no_push && state->tangential > across * norm(state->wrench.f)
                       ? state->margin
                       : held;
        };
        if (on_slip == OnLost::let_go)
            slips.jump = let_go(i);
        if (on_slip == OnLost::slide && may_slide(contact)) {
            slips.action = Event::Action::record;
            slips.jump = [&plant, i](double t, std::span<double> q, std::span<double> v) {
                if (plant.grasp()->attached(i) && !plant.grasp()->slides(i))
                    plant.grasp_at(t, q, v).slide(i);
            };
        }
        events.push_back(std::move(slips));
        if (may_slide(contact))
            events.push_back(comes_to_rest(plant, i, on_rest));
        if (contact.kind != ContactKind::line)
            continue;
        Event tips = lost("contact '" + contact.name + "' tips over an end of its line", on_lift);
        tips.value = [known, &plant, i](double t, std::span<const double> q, std::span<const double> v) {
            const auto state = known(t, q, v);
            return state && !state->lifts
                       ? pressed_end(plant.grasp()->contacts()[static_cast<std::size_t>(i)], *state)
                       : held;
        };
        if (on_lift == OnLost::let_go)
            tips.jump = let_go(i);
        events.push_back(std::move(tips));
    }
    // Who share open forces are known as the run goes; each group is told by its first contact. A rigid one may be that too.
    for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
        std::string all;
        for (std::size_t k = static_cast<std::size_t>(i); k < contacts.size(); ++k)
            if (contacts[k].kind != ContactKind::rigid)
                all += (all.empty() ? "'" : ", '") + contacts[k].name + "'";
        if (all.empty())
            break;
        events.push_back(together(plant, i, all, true, on_lift));
        events.push_back(together(plant, i, all, false, on_slip));
    }
    return events;
}

} // namespace sweepdyn
