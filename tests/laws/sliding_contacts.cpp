// Sliding contacts: friction against the slip, contacts that part, rest on others or jam; by cases worked by hand.
#include <cmath>

#include "support/compare.hpp"
#include "support/contacts.hpp"
#include "sweepdyn/closed/grasp.hpp"
#include "sweepdyn/dynamics/energy.hpp"
#include "sweepdyn/model/builder.hpp"

using namespace sweepdyn;
using namespace sweepdyn::test;

TEST(SlidingContacts, SlidingBlock)
{
    // A mass on two slides, x and z, that touches the floor: f_n = m g, a_x = -mu g against the slip.
    ModelBuilder builder("block");
    builder.add_body({.name = "carriage", .mass = 0.1, .inertia_com = {1e-3, 0, 0, 1e-3, 0, 1e-3}});
    builder.add_body({.name = "block", .mass = 2.0, .inertia_com = {1e-2, 0, 0, 1e-2, 0, 1e-2}});
    builder.add_hinge({.name = "x", .kind = HingeKind::prismatic, .child = "carriage", .axis = {1, 0, 0}});
    builder.add_hinge({.name = "z",
                       .kind = HingeKind::prismatic,
                       .parent = "carriage",
                       .child = "block",
                       .axis = {0, 0, 1}});
    builder.add_frame({"floor", "", {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, {}}});
    const Model model = builder.build();
    Grasp grasp(
        model,
        {{.name = "slide", .kind = ContactKind::sliding, .hand = "block", .object = "floor", .mu = 0.3}});
    grasp.attach(0);
    for (double speed : {0.7, -0.7}) {
        grasp.set_state(Numbers{0.4, 0.0}, Numbers{speed, 0.0});
        Numbers v_dot(2);
        EXPECT_EQ(grasp.forward_dynamics(Numbers{1.0, 0.0}, v_dot), Existence::unique);
        const double f_n = 2.0 * 9.81;
        EXPECT_NEAR(v_dot[0], (1.0 - std::copysign(0.3 * f_n, speed)) / 2.1, 1e-12);
        EXPECT_NEAR(v_dot[1], 0.0, 1e-12);
        EXPECT_NEAR(grasp.state(0).normal, f_n, 1e-12);
        EXPECT_NEAR(grasp.state(0).tangential, 0.3 * f_n, 1e-12);
        // lifted by more than its weight it parts, and then falls freely
        EXPECT_EQ(grasp.forward_dynamics(Numbers{1.0, 30.0}, v_dot), Existence::unique);
        EXPECT_TRUE(grasp.parted(0));
        EXPECT_NEAR(v_dot[1], 30.0 / 2.0 - 9.81, 1e-12);
        EXPECT_NEAR(grasp.state(0).normal, 0.0, 1e-12);
    }
}

// Four feet have one normal force too many: round-off of the fourth row is no pivot.
TEST(SlidingContacts, FourFeetStandOrSlide)
{
    for (const int sliding : {4, 3, 1}) {
        std::vector<Contact> feet;
        for (int i = 0; i < 4; ++i) {
            const std::string n = std::to_string(i);
            feet.push_back({.kind = i < sliding ? ContactKind::sliding : ContactKind::frictionless,
                            .hand = "foot" + n,
                            .object = "floor" + n,
                            .mu = 0.3});
        }
        Grasp grasp(box_on_feet(), feet);
        for (int i = 0; i < 4; ++i)
            grasp.attach(i);
        for (const double speed : {0.0, 1.0}) {
            grasp.set_state(on_floor, Numbers{0, 0, 0, speed, 0, 0});
            Numbers v_dot(6);
            EXPECT_NE(grasp.forward_dynamics(Numbers(6, 0.0), v_dot), Existence::none) << sliding;
            double normal = 0.0, friction = 0.0;
            for (int i = 0; i < 4; ++i) {
                const ContactState state = grasp.state(i);
                EXPECT_GE(state.normal, -1e-9);
                normal += state.normal, friction += state.tangential;
            }
            EXPECT_NEAR(normal, 2.0 * 9.81, 1e-9);
            EXPECT_NEAR(v_dot[5], 0.0, 1e-9);
            EXPECT_NEAR(v_dot[3], -friction / 2.0, 1e-9);
            if (sliding == 4 && speed > 0.0) {
                EXPECT_NEAR(v_dot[3], -0.3 * 9.81, 1e-9);
            }
        }
    }
}

TEST(SlidingContacts, PainleveRod)
{
    // A rod of half length 1 m on one end that slides: W = (1 + 3 cos a (cos a -+ mu sin a)) / m, c = -g + a_dot^2 sin a.
    const Model model = rod_on_floor();
    const double m = 1.5;
    const double mu = 2.0, a = std::atan(2.0); // angle above the floor
    Grasp grasp(model, {{.kind = ContactKind::sliding, .hand = "end", .object = "floor", .mu = mu}});
    grasp.attach(0);
    const auto run = [&](double speed, double spin, Numbers& v_dot) {
        const RodState state = rod_state(a, speed, spin);
        grasp.set_state(state.q, state.v);
        v_dot.assign(3, 0.0);
        return grasp.forward_dynamics(Numbers(3, 0.0), v_dot);
    };
    Numbers v_dot;
    const double W_into = (1 + 3 * std::cos(a) * (std::cos(a) - mu * std::sin(a))) / m,
                 W_away = (1 + 3 * std::cos(a) * (std::cos(a) + mu * std::sin(a))) / m;
    ASSERT_LT(W_into, 0.0);
    // which way is which: the one with a regular answer has f_n = g / W_away
    Existence forward = run(1.0, 0.0, v_dot);
    const double f_forward = grasp.state(0).normal;
    const Existence backward = run(-1.0, 0.0, v_dot);
    const double f_backward = grasp.state(0).normal;
    const bool forward_is_regular = forward == Existence::unique;
    EXPECT_NE(forward, backward);
    EXPECT_EQ(forward_is_regular ? backward : forward, Existence::none);
    EXPECT_NEAR(forward_is_regular ? f_forward : f_backward, 9.81 / W_away, 1e-10);
    // turning fast it may lift or jam: two answers
    EXPECT_EQ(run(forward_is_regular ? -1.0 : 1.0, 4.0, v_dot), Existence::several);
    EXPECT_NEAR(grasp.state(0).normal, (9.81 - 16.0 * std::sin(a)) / W_into,
                1e-9); // the one that stays in contact
    EXPECT_EQ(run(forward_is_regular ? 1.0 : -1.0, 4.0, v_dot), Existence::unique); // regular: lifts
    EXPECT_TRUE(grasp.parted(0));
}

// Four corners that slide one way carry the box in many ways, and it moves in one; beside what moves, what should not move at all, and what
// rounding makes of it, is nothing. Where it turns as it slides the corners' friction differs, and with the forces the motion does.
TEST(SlidingContacts, ForcesNotUniqueAreNotMotionsNotUnique)
{
    std::vector<Contact> contacts;
    for (const std::string n : {"0", "1", "2", "3"})
        contacts.push_back(
            {.kind = ContactKind::sliding, .hand = "foot" + n, .object = "floor" + n, .mu = 0.2});
    Grasp grasp(box_on_feet(), contacts);
    for (int i = 0; i < 4; ++i)
        grasp.attach(i);
    Random random(7);
    Numbers v_dot(6);
    for (int step = 0; step < 60; ++step) { // slower and slower, as steps of a millisecond would have it
        Numbers q = on_floor, v{0, 0, 0, 0.12 - 0.00196 * step, 0, 0};
        for (Numbers* numbers : {&q, &v})
            for (double& x : *numbers)
                x += random.uniform(-1e-17, 1e-17);
        grasp.follow(q, v);
        grasp.forward_dynamics(Numbers(6, 0.0), v_dot);
        grasp.turn_slowly(1e-3);
        EXPECT_EQ(grasp.forward_dynamics(Numbers(6, 0.0), v_dot), Existence::unique);
        expect_equal("sliding box", "", v_dot, Numbers{0, 0, 0, -0.2 * 9.81, 0, 0},
                     {.terms = 9.81, .tolerance = 1e-11});
    }
    grasp.set_state(on_floor, Numbers{0, 0, 2.0, 0.4, 0.1, 0});
    EXPECT_EQ(grasp.forward_dynamics(Numbers(6, 0.0), v_dot), Existence::several);
    // a slip of which nobody knows the direction that well tells of no other motion
    grasp.follow(on_floor, Numbers{0, 0, 1e-3, 0.4, 0, 0});
    EXPECT_EQ(grasp.forward_dynamics(Numbers(6, 0.0), v_dot), Existence::several);
    grasp.follow(on_floor, Numbers{0, 0, 1e-3, 0.4, 0, 0}, {.relative = 1e-6, .absolute = 1e-6});
    EXPECT_EQ(grasp.forward_dynamics(Numbers(6, 0.0), v_dot), Existence::unique);
}

// Four corners that slide: three would carry the box, so forces are not unique, but the motion is, and no corner lets go.
TEST(SlidingContacts, SlidingFeetThatRestOnOthersStay)
{
    const Model model = box_on_feet();
    std::vector<Contact> contacts;
    for (int i = 0; i < 4; ++i)
        contacts.push_back({.kind = ContactKind::sliding,
                            .hand = "foot" + std::to_string(i),
                            .object = "floor" + std::to_string(i),
                            .mu = 0.2});
    Grasp grasp(model, contacts);
    for (int i = 0; i < 4; ++i)
        grasp.attach(i);
    const Numbers v{0, 0, 0, 0.5, 0, 0};
    grasp.set_state(on_floor, v);
    Numbers v_dot(6);
    EXPECT_EQ(grasp.forward_dynamics(Numbers(6, 0.0), v_dot), Existence::unique);
    const Numbers truth{0, 0, 0, -0.2 * 9.81, 0, 0};
    expect_equal("sliding box", "", v_dot, truth, {.terms = 9.81, .tolerance = 1e-11});
    double carried = 0.0;
    for (int i = 0; i < 4; ++i) {
        EXPECT_FALSE(grasp.parted(i));
        EXPECT_FALSE(grasp.state(i).unique);
        carried += grasp.state(i).normal;
    }
    EXPECT_NEAR(carried, 2.0 * 9.81, 1e-11);
    EXPECT_EQ(grasp.well_posedness().rank, 3);
    const Grasp::Feasibility all = grasp.feasibility();
    EXPECT_EQ(all.free, 1);
    EXPECT_TRUE(
        all.feasible); // friction at the floor tips the box a little: the load moves forward, and stays positive everywhere
    EXPECT_GT(all.margin, 1.0);
    // pushed up by half its weight at one corner, three carry it and one may part: still one motion
    EXPECT_EQ(grasp.forward_dynamics(Numbers{0, 0, 0, 0, 0, 9.81}, v_dot), Existence::unique);
    EXPECT_NEAR(v_dot[5], 0.0, 1e-11);
    // drift in position and velocity is taken away, of what slides too
    Numbers q{1, 1e-4, -2e-4, 0, 0.3, 0, 0.0502}, drifting{0.01, 0, 0, 0.5, 0, 0.02};
    const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    for (int i = 0; i < 3; ++i)
        q[static_cast<std::size_t>(i)] /= size;
    EXPECT_LT(grasp.project(q, drifting).after, 1e-13);
    grasp.set_state(q, drifting);
    EXPECT_LT(grasp.largest_slip(), 1e-13);
    EXPECT_NEAR(drifting[3], 0.5, 1e-2); // it slides on
    // dropped on the floor while it slides: the normal impulse m v, friction mu m v
    Numbers falling{0, 0, 0, 0.5, 0, -0.3};
    grasp.set_state(on_floor, falling);
    EXPECT_EQ(grasp.impulse(falling), Existence::unique);
    EXPECT_NEAR(falling[5], 0.0, 1e-12);
    EXPECT_NEAR(falling[3], 0.5 - 0.2 * 0.3, 1e-12);
}

// Friction takes a slip away, and no more: a block that hits the floor with v, mu |v| of which would be more than its slip, stops there; what was
// above that is left. Energy never grows, whatever bounces.
TEST(SlidingContacts, ImpactsStopASlipAndDoNotTurnIt)
{
    ModelBuilder builder("block");
    builder.add_body({.name = "block", .mass = 2.0, .inertia_com = Sym3<double>::diagonal(0.1, 0.1, 0.1)});
    builder.add_body(
        {.name = "carriage", .mass = 1e-3, .inertia_com = Sym3<double>::diagonal(1e-4, 1e-4, 1e-4)});
    builder.add_hinge({.name = "x", .kind = HingeKind::prismatic, .child = "carriage", .axis = {1, 0, 0}});
    builder.add_hinge({.name = "z",
                       .kind = HingeKind::prismatic,
                       .parent = "carriage",
                       .child = "block",
                       .axis = {0, 0, 1}});
    builder.add_frame({.name = "sole", .body = "block"});
    builder.add_frame({.name = "floor", .body = {}, .X_BF = {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, {}}});
    const Model model = builder.build();
    const double M = 2.001, m = 2.0, mu = 0.4;
    for (const double e : {0.0, 0.5, 1.0})
        for (const double slip : {0.01, 0.3, 2.0, -0.01, -2.0}) {
            Grasp grasp(model, {{.kind = ContactKind::sliding, .hand = "sole", .object = "floor", .mu = mu}});
            grasp.attach(0);
            const Numbers before{slip, -1.0};
            Numbers v = before;
            grasp.set_state(Numbers{0, 0}, before);
            EXPECT_EQ(grasp.impulse(v, e), Existence::unique);
            const double lost = mu * m * (1 + e) / M; // of all friction
            EXPECT_NEAR(v[1], e, 1e-12);
            EXPECT_NEAR(v[0], std::abs(slip) > lost ? std::copysign(std::abs(slip) - lost, slip) : 0.0,
                        1e-12);
            EXPECT_EQ(grasp.slides(0), std::abs(slip) > lost);
            EXPECT_LE(std::hypot(grasp.wrench(0).f.x, grasp.wrench(0).f.y),
                      mu * grasp.wrench(0).f.z * (1 + 1e-12));
            EXPECT_LE(M * v[0] * v[0] + m * v[1] * v[1], M * slip * slip + m + 1e-12);
        }
}

namespace {

// Bodies in the plane xz: x, z, and a turn about y; the last is what the others carry.
Model in_plane(const Body& body, const std::vector<Vec3<double>>& feet)
{
    ModelBuilder builder("in plane");
    for (const char* name : {"a", "c"})
        builder.add_body(
            {.name = name, .mass = 1e-9, .inertia_com = Sym3<double>::diagonal(1e-12, 1e-12, 1e-12)});
    builder.add_body(body);
    builder.add_hinge({.name = "x", .kind = HingeKind::prismatic, .child = "a", .axis = {1, 0, 0}});
    builder.add_hinge(
        {.name = "z", .kind = HingeKind::prismatic, .parent = "a", .child = "c", .axis = {0, 0, 1}});
    builder.add_hinge(
        {.name = "turn", .kind = HingeKind::revolute, .parent = "c", .child = body.name, .axis = {0, 1, 0}});
    const Mat3<double> down{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    for (std::size_t i = 0; i < feet.size(); ++i) {
        const std::string n = std::to_string(i);
        builder.add_frame({"foot" + n, body.name, {Mat3<double>::identity(), feet[i]}})
            .add_frame({"floor" + n, "", {down, {}}});
    }
    return builder.build();
}

} // namespace

// A rod of half length 1 m at 45 degrees, whose end slips by 0.1 m/s as it hits: friction 0.3 stops that and turns it round within the impact
// (Routh), which is told, and nothing is changed; a faster slip goes on.
TEST(SlidingContacts, ImpactsThatTurnASlipAreTold)
{
    const double a = 0.25 * 3.141592653589793;
    const Model model = in_plane(
        {.name = "rod", .mass = 1.0, .inertia_com = Sym3<double>::diagonal(1.0 / 3.0, 1.0 / 3.0, 1e-4)},
        {{0, 0, -1}});
    const Numbers q{std::sin(a), std::cos(a), a};
    for (const double e : {0.0, 1.0}) {
        Grasp grasp(model, {{.kind = ContactKind::sliding, .hand = "foot0", .object = "floor0", .mu = 0.3}});
        grasp.attach(0);
        const Numbers before{0.1, -1.0, 0.0};
        Numbers v = before;
        grasp.set_state(q, v);
        EXPECT_EQ(grasp.impulse(v, e), Existence::none);
        EXPECT_EQ(v, before);
        EXPECT_TRUE(grasp.slides(0));
        v = {-3.0, -1.0, 0.0};
        grasp.set_state(q, v);
        EXPECT_EQ(grasp.impulse(v, e), Existence::unique);
        EXPECT_NEAR(grasp.state(0).tangential, 0.3 * grasp.state(0).normal, 1e-12);
    }
}

// A block that falls on two feet: what impacts say obeys every cone, pulls nowhere and, without restitution, gains no energy.
TEST(SlidingContacts, ImpactsObeyTheirCones)
{
    int told = 0, found = 0;
    for (const double height : {0.05, 0.1, 0.4, 1.0}) {
        const Model model = in_plane({.name = "box",
                                      .mass = 2.0,
                                      .com = {0, 0, height},
                                      .inertia_com = Sym3<double>::diagonal(0.02, 0.02, 0.02)},
                                     {{-0.2, 0, 0}, {0.2, 0, 0}});
        Kinematics<double> kin(model);
        const auto energy = [&](const Numbers& v) {
            update<double>(kin, Numbers(3), v);
            update_inertias(kin);
            return kinetic_energy<double>(kin);
        };
        for (const double mu : {0.1, 0.3, 0.6})
            for (const double along : {-1.0, -0.5, -0.1, 0.1, 0.5, 1.0})
                for (const double turn : {-2.0, -1.0, -0.3, 0.3, 1.0, 2.0}) {
                    std::vector<Contact> feet;
                    for (const std::string n : {"0", "1"})
                        feet.push_back({.kind = ContactKind::sliding,
                                        .hand = "foot" + n,
                                        .object = "floor" + n,
                                        .mu = mu});
                    Grasp grasp(model, feet);
                    grasp.attach(0), grasp.attach(1);
                    const Numbers before{along, -1.0, turn};
                    Numbers v = before;
                    grasp.set_state(Numbers(3), v);
                    if (grasp.impulse(v) == Existence::none) {
                        EXPECT_EQ(v, before);
                        EXPECT_TRUE(grasp.slides(0) && grasp.slides(1));
                        ++told;
                        continue;
                    }
                    ++found;
                    EXPECT_LE(energy(v), energy(before) * (1 + 1e-12));
                    double across = 0.0, normal = 0.0; // where the feet share friction
                    for (const int i : {0, 1}) {
                        EXPECT_GE(grasp.wrench(i).f.z, -1e-9);
                        across += grasp.wrench(i).f.x, normal += grasp.wrench(i).f.z;
                    }
                    EXPECT_LE(std::abs(across), mu * normal + 1e-9);
                }
    }
    EXPECT_GT(found, 100);
    EXPECT_GT(told, 10);
}
