// Law: what is written is read back to the same bits.
#include <bit>
#include <cstdint>

#include <gtest/gtest.h>

#include "sweepdyn/io/model/native.hpp"
#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/model/generate.hpp"
#include "sweepdyn/model/random.hpp"
#include "sweepdyn/model/user_hinge.hpp"

namespace sweepdyn {
namespace {

// Bits, not values: -0 is not 0.
void same(double a, double b)
{
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b)) << a << " " << b;
}
void same(const std::vector<double>& a, const std::vector<double>& b)
{
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        same(a[i], b[i]);
}
void same(const Vec3<double>& a, const Vec3<double>& b) { same(a.x, b.x), same(a.y, b.y), same(a.z, b.z); }
void same(const Mat3<double>& a, const Mat3<double>& b) { same(a.x, b.x), same(a.y, b.y), same(a.z, b.z); }
void same(const Pose<double>& a, const Pose<double>& b) { same(a.R, b.R), same(a.p, b.p); }
void same(const std::vector<Shape>& a, const std::vector<Shape>& b)
{
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].kind, b[i].kind);
        EXPECT_EQ(a[i].file, b[i].file);
        EXPECT_EQ(a[i].name, b[i].name);
        same(a[i].size, b[i].size), same(a[i].color, b[i].color), same(a[i].X_BS, b[i].X_BS);
    }
}
void same(const Hinge& a, const Hinge& b)
{
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.parent, b.parent);
    EXPECT_EQ(a.child, b.child);
    same(a.X_PF, b.X_PF), same(a.X_CM, b.X_CM), same(a.axis, b.axis), same(a.axis2, b.axis2),
        same(a.pitch, b.pitch);
    same(a.limits.lower, b.limits.lower), same(a.limits.upper, b.limits.upper);
    same(a.limits.velocity, b.limits.velocity), same(a.limits.effort, b.limits.effort);
    same(a.armature, b.armature), same(a.damping, b.damping), same(a.friction, b.friction);
    EXPECT_EQ(a.actuated, b.actuated);
}
void same(const Model& a, const Model& b)
{
    EXPECT_EQ(a.name(), b.name());
    same(a.gravity(), b.gravity());
    ASSERT_EQ(a.num_bodies(), b.num_bodies());
    for (int k : a.tree().base_to_tip()) {
        const Body &x = a.bodies()[k], &y = b.bodies()[k];
        EXPECT_EQ(x.name, y.name);
        same(x.mass, y.mass), same(x.com, y.com), same(x.inertia_com.full(), y.inertia_com.full());
        same(x.visuals, y.visuals), same(x.collisions, y.collisions);
        same(a.hinges()[k], b.hinges()[k]);
    }
    ASSERT_EQ(a.frames().size(), b.frames().size());
    for (std::size_t i = 0; i < a.frames().size(); ++i) {
        EXPECT_EQ(a.frames()[i].name, b.frames()[i].name);
        EXPECT_EQ(a.frames()[i].body, b.frames()[i].body);
        same(a.frames()[i].X_BF, b.frames()[i].X_BF);
    }
    ASSERT_EQ(a.loops().size(), b.loops().size());
    for (std::size_t i = 0; i < a.loops().size(); ++i) {
        EXPECT_EQ(a.loops()[i].name, b.loops()[i].name);
        EXPECT_EQ(a.loops()[i].kind, b.loops()[i].kind);
        EXPECT_EQ(a.loops()[i].body_a, b.loops()[i].body_a);
        EXPECT_EQ(a.loops()[i].body_b, b.loops()[i].body_b);
        same(a.loops()[i].X_Aa, b.loops()[i].X_Aa);
        same(a.loops()[i].X_Bb, b.loops()[i].X_Bb);
        EXPECT_EQ(a.loops()[i].rows, b.loops()[i].rows);
        EXPECT_EQ(a.loops()[i].terms, b.loops()[i].terms);
        same(a.loops()[i].radius, b.loops()[i].radius);
        same(a.loops()[i].offset, b.loops()[i].offset);
    }
    EXPECT_EQ(a.notes().size(), b.notes().size());
    EXPECT_EQ(a.dof_names().size(), b.dof_names().size());
}
void round_trip(const Model& model)
{
    const std::string text = write_native(model);
    const Model read = parse_native(text, "written");
    same(model, read);
    EXPECT_EQ(write_native(read), text);
}

// All that a model may hold, on top of a random one.
Model furnished(int seed)
{
    ModelBuilder builder(*generate_model("random:25:" + std::to_string(seed)));
    builder.set_name("furnished \"" + std::to_string(seed) + "\" \\ \n \xc3\xa9");
    Random random(static_cast<std::uint64_t>(seed));
    builder.set_gravity(random.vector(10));
    const auto place = [&] { return Pose<double>{random.rotation(), random.vector()}; };
    for (Body& body : builder.bodies()) {
        const double r = random.uniform();
        body.visuals = {{Shape::Kind::box, {r, 0.2, 1e-9}, place(), {r, 0, 1, 1}, "", "a box"},
                        {Shape::Kind::sphere, {r}, {}, {}, "", ""}};
        body.collisions = {{Shape::Kind::cylinder, {r, 1}, place(), {}, "", ""},
                           {Shape::Kind::capsule, {r, 2}, place(), {}, "", ""},
                           {Shape::Kind::mesh, {}, {}, {}, "package://x/y.stl", ""},
                           {Shape::Kind::mesh, {r, r, -0.0}, {}, {}, "z.obj", "mesh"}};
    }
    std::string last;
    for (Hinge& hinge : builder.hinges()) {
        for (int i = 0; i < num_dofs(hinge) && seed % 2 == 0; ++i) // every other model says it
            hinge.actuated.push_back(i % 2 == 0);
        hinge.X_PF.p.x = -0.0;
        hinge.X_PF.p.y = 5e-324 * random.integer(1, 9);
        hinge.X_PF.p.z = random.integer(0, 1) ? 1e22 : 9007199254740993.0;
        if (num_dofs(hinge) != 1)
            continue;
        if (!hinge.limits.lower.empty())
            hinge.limits = {{-INFINITY}, {INFINITY}, {INFINITY}, {INFINITY}};
        if (!last.empty())
            builder.add_loop(mimic("gear " + hinge.name, hinge.name, last, random.uniform(-50, 50),
                                   random.integer(0, 1) ? 0.0 : random.uniform()));
        last = hinge.name;
    }
    builder.loops()[0].name = "";
    for (LoopKind kind : {LoopKind::weld, LoopKind::ball, LoopKind::revolute, LoopKind::prismatic,
                          LoopKind::cylindrical, LoopKind::universal, LoopKind::planar_pin, LoopKind::rows,
                          LoopKind::soft_finger, LoopKind::rolling_sphere, LoopKind::rolling_disc}) {
        Loop loop;
        loop.name = "loop of kind " + std::string(name(kind));
        loop.kind = kind;
        (random.integer(0, 1) ? loop.body_a : loop.body_b) = builder.bodies()[20].name;
        loop.X_Aa = place(), loop.X_Bb = place();
        if (kind == LoopKind::rows)
            loop.rows = {LoopRow::rz, LoopRow::x, LoopRow::y};
        if (kind == LoopKind::rolling_sphere || kind == LoopKind::rolling_disc)
            loop.radius = random.uniform(0.1, 1.0);
        builder.add_loop(loop);
    }
    Loop polynomial = mimic("polynomial", last, builder.loops()[0].terms[1].dof, 1.0, random.uniform());
    polynomial.terms[1].polynomial = {0.0, random.uniform(), -0.0, random.uniform()};
    builder.add_loop(polynomial);
    builder.add_frame({"dock", "", place()});
    return builder.build();
}

TEST(NativeRoundTrip, GeneratedModels)
{
    for (int seed = 1; seed <= 100; ++seed)
        round_trip(*generate_model("random:20:" + std::to_string(seed)));
    round_trip(*generate_model("chain:50"));
    round_trip(*generate_model("tree:50"));
}

TEST(NativeRoundTrip, EverythingThatAModelHolds)
{
    for (int seed = 1; seed <= 30; ++seed)
        round_trip(furnished(seed));
}

TEST(NativeRoundTrip, WorldMayBeAnybodysName)
{
    ModelBuilder as_body("m"), as_frame("m");
    Hinge hinge;
    hinge.child = "world";
    as_body.add_body({"world", 1.0, {}, {}}).add_hinge(hinge);
    round_trip(as_body.build());
    hinge.child = "box";
    as_frame.add_body({"box", 1.0, {}, {}})
        .add_hinge(hinge)
        .add_frame({"world", "", {Mat3<double>::identity(), {1, 2, 3}}});
    round_trip(as_frame.build());
}

TEST(NativeRoundTrip, LargeModels)
{
    const Model model = *generate_model("random:5000:1");
    EXPECT_EQ(parse_native(write_native(model), "large").num_dofs(), model.num_dofs());
}

TEST(NativeWrite, IsReadable)
{
    ModelBuilder builder("pendulum");
    Hinge hinge;
    hinge.name = "pivot";
    hinge.kind = HingeKind::revolute;
    hinge.child = "rod";
    hinge.axis = {0, 1, 0};
    hinge.limits.lower = {-1.5};
    hinge.limits.upper = {INFINITY};
    hinge.damping = {0.1};
    builder.add_body({"rod", 1.0, {0, 0, -0.5}, Sym3<double>::diagonal(0.08, 0.08, 0.001)}).add_hinge(hinge);
    builder.add_frame({"tip", "rod", {Mat3<double>::identity(), {0, 0, -1}}});
    EXPECT_EQ(write_native(builder.build()), R"({
 "format": "sweepdyn-model/1",
 "name": "pendulum",
 "gravity": [0, 0, -9.81],
 "bodies": [
  {
   "index": 0,
   "name": "rod",
   "mass": 1,
   "com": [0, 0, -0.5],
   "inertia_com": [
    [0.08, 0, 0],
    [0, 0.08, 0],
    [0, 0, 0.001]
   ]
  }
 ],
 "hinges": [
  {
   "name": "pivot",
   "kind": "revolute",
   "parent": -1,
   "child": "rod",
   "rotation_in_parent": [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1]
   ],
   "position_in_parent": [0, 0, 0],
   "axis": [0, 1, 0],
   "limits": {
    "lower": [-1.5],
    "upper": [null]
   },
   "damping": [0.1]
  }
 ],
 "frames": [
  {
   "name": "tip",
   "body": "rod",
   "rotation": [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1]
   ],
   "position": [0, 0, -1]
  }
 ],
 "loops": []
}
)");
}

TEST(NativeWrite, NamesWhatItCannotSay)
{
    ModelBuilder builder("odd");
    Body body{"b\xff", 1.0, {}, {}};
    body.visuals = {{Shape::Kind::box, {1, 2}, {}, {1, 1, 1}, "", ""}};
    Hinge hinge;
    hinge.name = "screw";
    hinge.kind = HingeKind::user;
    hinge.steps = {{}};
    hinge.child = body.name;
    hinge.limits.lower = {INFINITY};
    builder.add_body(body).add_hinge(hinge);
    std::vector<std::string> faults;
    std::string what;
    try {
        write_native(builder.build());
    } catch (const ModelError& error) {
        faults = error.faults, what = error.what();
    }
    EXPECT_EQ(what.find("model 'odd' cannot be written as sweepdyn-model/1: 6 faults\n"), 0u) << what;
    const auto has = [&](const std::string& text) {
        EXPECT_NE(std::find(faults.begin(), faults.end(), text), faults.end()) << text << "\n" << what;
    };
    has("body 'b\xff': name is not UTF-8: \"b\\ufffd\"");
    has("body 'b\xff', visual 1 (box): size has 2 numbers, expected 3 numbers, x y z");
    has("body 'b\xff', visual 1: color has 3 numbers, expected 4, r g b a");
    has("hinge 'screw' is user-defined; the native file has no place for it");
    has("hinge 'screw': limit lower is inf, expected a finite number");
}

} // namespace
} // namespace sweepdyn
