#include "sweepdyn/closed/contacts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sweepdyn/model/builder.hpp"

namespace sweepdyn {

std::string_view name(ContactKind kind)
{
    switch (kind) {
    case ContactKind::rigid: return "rigid";
    case ContactKind::line: return "line";
    case ContactKind::point: return "point";
    case ContactKind::soft_finger: return "soft_finger";
    case ContactKind::frictionless: return "frictionless";
    case ContactKind::sliding: return "sliding";
    }
    return "?";
}

void check_contact(const Model& model, const Contact& contact)
{
    const auto fail = [&](const std::string& what) {
        throw UsageError("contact '" + contact.name + "' (" + std::string(name(contact.kind)) + "): " + what);
    };
    for (const auto& [what, frame] : {std::pair{"hand: ", contact.hand}, {"object: ", contact.object}})
        try {
            static_cast<void>(model.frame(frame));
        } catch (const UsageError& error) {
            fail(what + std::string(error.what()));
        }
    if (model.frame_body(model.frame(contact.hand)) == model.frame_body(model.frame(contact.object)))
        fail("frames '" + contact.hand + "' and '" + contact.object + "' lie in one body; expected two");
    const bool frictional = contact.kind == ContactKind::line || contact.kind == ContactKind::point ||
                            contact.kind == ContactKind::soft_finger || contact.kind == ContactKind::sliding;
    if (frictional && !(contact.mu > 0.0 && std::isfinite(contact.mu)))
        fail("mu is " + number_text(contact.mu) +
             ", expected a number above 0; without friction use frictionless");
    if (contact.kind == ContactKind::soft_finger &&
        !(contact.mu_spin > 0.0 && std::isfinite(contact.mu_spin)))
        fail("mu_spin is " + number_text(contact.mu_spin) +
             " m, expected a length above 0; without it use point");
    if (contact.kind == ContactKind::line && !(contact.length > 0.0 && std::isfinite(contact.length)))
        fail("length is " + number_text(contact.length) + " m, expected one above 0; without it use point");
    for (const auto& [what, x] :
         {std::pair{"mu", contact.mu}, {"mu_spin", contact.mu_spin}, {"length", contact.length}})
        if (!(x >= 0.0 && std::isfinite(x)))
            fail(std::string(what) + " is " + number_text(x) + ", expected a number of at least 0");
}

Loop loop_of(const Model& model, const Contact& contact)
{
    const Frame& hand = model.frame_at(model.frame(contact.hand));
    const Frame& object = model.frame_at(model.frame(contact.object));
    Loop loop{.name = contact.name,
              .body_a = object.body,
              .body_b = hand.body,
              .X_Aa = object.X_BF,
              .X_Bb = hand.X_BF};
    switch (contact.kind) {
    case ContactKind::rigid: loop.kind = LoopKind::weld; break;
    case ContactKind::point: loop.kind = LoopKind::ball; break;
    case ContactKind::soft_finger: loop.kind = LoopKind::soft_finger; break;
    case ContactKind::frictionless:
    case ContactKind::sliding:
        loop.kind = LoopKind::rows;
        loop.rows = {LoopRow::z};
        break;
    case ContactKind::line: { // the loop's z is the line
        loop.kind = LoopKind::revolute;
        const Pose<double> turned{{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}, {}};
        loop.X_Aa = loop.X_Aa * turned;
        loop.X_Bb = loop.X_Bb * turned;
    }
    }
    return loop;
}

Model with_contacts(const Model& model, std::span<const Contact> contacts)
{
    ModelBuilder builder(model);
    for (const Contact& contact : contacts) {
        check_contact(model, contact);
        if (contact.kind == ContactKind::sliding)
            throw UsageError(
                "with_contacts: contact '" + contact.name +
                "' slides, and its friction is no loop; expected frictionless, or one that holds");
        builder.add_loop(loop_of(model, contact));
    }
    return builder.build();
}

namespace {

// The largest t with mu n - |f| >= t/2 at both ends of a line: across it and along the normal each end's share is given, along it the
// ends share f_x in any way. So t is where the friction that is left along the line just makes f_x.
double line_margin(const Contact& contact, const Force<double>& w)
{
    const double L = contact.length, f_x = std::abs(w.f.x);
    const std::array<double, 2> normal{0.5 * w.f.z - w.n.y / L, 0.5 * w.f.z + w.n.y / L},
        across{std::abs(0.5 * w.f.y + w.n.z / L), std::abs(0.5 * w.f.y - w.n.z / L)};
    const auto left_along = [&](double t) {
        double sum = 0.0;
        for (std::size_t end : {0u, 1u}) {
            const double size = contact.mu * normal[end] - 0.5 * t;
            sum += std::sqrt(std::max((size - across[end]) * (size + across[end]), 0.0));
        }
        return sum;
    };
    double above = 2.0 * std::min(contact.mu * normal[0] - across[0], contact.mu * normal[1] - across[1]);
    if (left_along(above) >= f_x)
        return above;
    double below = above - 2.0 * f_x; // there each end alone could make f_x
    for (int round = 0; round < 60; ++round) {
        const double middle = 0.5 * (above + below);
        (left_along(middle) >= f_x ? below : above) = middle;
    }
    return below;
}

} // namespace

ContactState contact_state(const Contact& contact, const Force<double>& w)
{
    ContactState out;
    out.wrench = w;
    out.normal = w.f.z;
    out.tangential = std::hypot(w.f.x, w.f.y);
    if (contact.kind == ContactKind::rigid) {
        out.margin = std::numeric_limits<double>::infinity();
        return out;
    }
    out.lifts = out.normal < 0.0;
    switch (contact.kind) {
    case ContactKind::frictionless: out.margin = out.normal; break;
    case ContactKind::sliding: out.margin = 0.0; return out; // on the cone as long as it slides
    case ContactKind::soft_finger:
        out.margin =
            contact.mu * (out.normal - std::hypot(out.tangential / contact.mu, w.n.z / contact.mu_spin));
        break;
    case ContactKind::line:
        out.centre_of_pressure = out.normal != 0.0 ? -w.n.y / out.normal : 0.0;
        out.within_segment = std::abs(w.n.y) <= 0.5 * contact.length * std::abs(out.normal);
        out.margin = line_margin(contact, w);
        break;
    default: out.margin = contact.mu * out.normal - out.tangential;
    }
    out.slips = !out.lifts && out.within_segment && out.margin < 0.0;
    return out;
}

int num_own_unknowns(const Contact& contact) { return contact.kind == ContactKind::line ? 1 : 0; }

void add_cones(const Contact& contact, const std::vector<Force<double>>& parts, int own,
               std::vector<ForceCone>& cones)
{
    const auto form = [&](auto component) {
        AffineForm out{component(parts[0]), {}};
        for (std::size_t k = 1; k < parts.size(); ++k)
            out.slope.push_back(component(parts[k]));
        return out;
    };
    using F = Force<double>;
    const double L = contact.length;
    switch (contact.kind) {
    case ContactKind::rigid: return;
    case ContactKind::sliding:
    case ContactKind::frictionless:
        cones.push_back({.mu = 1.0, .normal = form([](const F& w) { return w.f.z; })});
        return;
    case ContactKind::soft_finger:
    case ContactKind::point: {
        ForceCone cone{
            .mu = contact.mu,
            .normal = form([](const F& w) { return w.f.z; }),
            .across = {form([](const F& w) { return w.f.x; }), form([](const F& w) { return w.f.y; })}};
        if (contact.kind == ContactKind::soft_finger)
            cone.across.push_back(form([&](const F& w) { return contact.mu / contact.mu_spin * w.n.z; }));
        cones.push_back(std::move(cone));
        return;
    }
    case ContactKind::line:
        for (double side : {1.0, -1.0}) { // the end at x = side L/2
            ForceCone cone{.mu = contact.mu,
                           .normal = form([&](const F& w) { return 0.5 * w.f.z - side * w.n.y / L; }),
                           .across = {form([&](const F& w) { return 0.5 * w.f.x; }),
                                      form([&](const F& w) { return 0.5 * w.f.y + side * w.n.z / L; })},
                           .weight = 0.5};
            cone.across[0].slope[static_cast<std::size_t>(own)] += side;
            cones.push_back(std::move(cone));
        }
    }
}

} // namespace sweepdyn
