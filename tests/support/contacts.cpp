#include "support/contacts.hpp"

#include <cmath>

#include "sweepdyn/model/builder.hpp"

namespace sweepdyn::test {
namespace {

ContactKind kind_of(LoopKind loop)
{
    switch (loop) {
    case LoopKind::weld: return ContactKind::rigid;
    case LoopKind::revolute: return ContactKind::line;
    case LoopKind::soft_finger: return ContactKind::soft_finger;
    default: return ContactKind::point;
    }
}

} // namespace

AsContacts as_contacts(const Model& open, std::span<const Loop> loops)
{
    ModelBuilder builder(open);
    std::vector<Contact> contacts;
    for (const Loop& loop : loops) {
        Contact contact{.name = loop.name,
                        .kind = kind_of(loop.kind),
                        .hand = loop.name + " hand",
                        .object = loop.name + " object",
                        .mu = 0.7,
                        .mu_spin = 0.01,
                        .length = 0.02};
        const bool line = contact.kind == ContactKind::line;
        builder.add_frame({contact.object, loop.body_a, line ? loop.X_Aa * inverse(line_axes) : loop.X_Aa});
        builder.add_frame({contact.hand, loop.body_b, line ? loop.X_Bb * inverse(line_axes) : loop.X_Bb});
        contacts.push_back(contact);
    }
    return {builder.build(), contacts};
}

Numbers six(const Force<double>& w) { return {w.n.x, w.n.y, w.n.z, w.f.x, w.f.y, w.f.z}; }

Model box_on_feet(double gravity)
{
    ModelBuilder builder("box");
    builder.add_body(
        {.name = "box", .mass = 2.0, .com = {}, .inertia_com = {0.0083, 0, 0, 0.0283, 0, 0.0333}});
    builder.add_hinge({.name = "box", .kind = HingeKind::free, .child = "box"});
    builder.set_gravity({0, 0, gravity});
    for (int i = 0; i < 4; ++i) {
        const Vec3<double> corner{i & 1 ? 0.2 : -0.2, i & 2 ? 0.1 : -0.1, -0.05};
        builder.add_frame({"foot" + std::to_string(i), "box", {Mat3<double>::identity(), corner}});
        builder.add_frame({"floor" + std::to_string(i),
                           "",
                           {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, {corner.x, corner.y, 0.0}}});
    }
    return builder.build();
}

Model rod_on_floor()
{
    ModelBuilder builder("rod");
    const double m = 1.5;
    builder.add_body({.name = "rod", .mass = m, .com = {}, .inertia_com = {m / 3, 0, 0, m / 3, 0, 1e-4}});
    builder.add_hinge({.name = "rod", .kind = HingeKind::planar, .child = "rod", .axis = {0, 1, 0}});
    builder.add_frame({"end", "rod", {Mat3<double>::identity(), {0, 0, -1.0}}});
    builder.add_frame({"floor", "", {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, {}}});
    return builder.build();
}

RodState rod_state(double a, double speed, double spin)
{
    // planar, normal y: in-plane axes z, x; turn q about y tilts the rod's z axis towards x
    const double tilt = 1.5707963267948966 - a;
    // velocity of the end = speed along x: centre's velocity = that + spin x r
    const Vec3<double> r{std::cos(a), 0.0, std::sin(a)}, w{0, spin, 0};
    const Vec3<double> v = Vec3<double>{speed, 0, 0} + cross(w, r);
    const double s = std::sin(tilt), c = std::cos(tilt);
    return {{tilt, std::sin(a), std::cos(a)}, {spin, c * v.z + s * v.x, c * v.x - s * v.z}};
}

} // namespace sweepdyn::test
