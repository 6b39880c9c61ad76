// Laws of missing inertia: massless bodies inside a chain change nothing; where there is nothing to move, the hinge is named,
// and NaN never appears.
#include "support/stages.hpp"
#include "support/truth.hpp"
#include "sweepdyn/model/edit.hpp"

namespace sweepdyn::test {
namespace {

bool finite(const Numbers& a)
{
    for (double x : a)
        if (!std::isfinite(x))
            return false;
    return true;
}

std::string refusal(const Model& model, const std::vector<int>& singular)
{
    try {
        detail::throw_singular(model, singular, "forward_dynamics");
    } catch (const RefusedError& error) {
        return error.what();
    }
}

Hinge turn(const std::string& parent, const std::string& child, const Vec3<double>& axis,
           const Vec3<double>& p = {})
{
    Hinge hinge;
    hinge.name = child + "_hinge";
    hinge.kind = HingeKind::revolute;
    hinge.parent = parent;
    hinge.child = child;
    hinge.axis = axis;
    hinge.X_PF.p = p;
    return hinge;
}

// A body on three turns with massless rings between is a body on a ball.
TEST(Massless, GimbalEqualsSpherical)
{
    for (int seed = 1; seed <= 50; ++seed) {
        Random random(static_cast<std::uint64_t>(seed));
        const Body arm = random_body(random, "arm"), ball = random_body(random, "ball"),
                   tip = random_body(random, "tip");
        const Pose<double> X{random.rotation(), random.vector(0.5)};
        const Hinge shoulder = random_hinge(random, HingeKind::revolute, "", "arm"),
                    wrist = random_hinge(random, HingeKind::prismatic, "ball", "tip");

        ModelBuilder one("ball"), two("gimbal");
        one.add_body(arm).add_hinge(shoulder).add_body(ball);
        Hinge spherical;
        spherical.kind = HingeKind::spherical;
        spherical.parent = "arm", spherical.child = "ball", spherical.X_PF = X;
        one.add_hinge(spherical).add_body(tip).add_hinge(wrist);
        two.add_body(arm)
            .add_hinge(shoulder)
            .add_body({"ring1"})
            .add_body({"ring2"})
            .add_body(ball)
            .add_body(tip)
            .add_hinge(wrist);
        Hinge first = turn("arm", "ring1", {0, 0, 1});
        first.X_PF = X;
        two.add_hinge(first)
            .add_hinge(turn("ring1", "ring2", {0, 1, 0}))
            .add_hinge(turn("ring2", "ball", {1, 0, 0}));
        const Model with_ball = one.build(), with_gimbal = two.build();

        // R = Rz Ry Rx; w in the ball's axes = E (rates).
        const Numbers q = random_numbers(random, 5, 1.2), v = random_numbers(random, 5, 1.0);
        const Mat3<double> Rx = rotation_about(Vec3<double>{1, 0, 0}, q[3]),
                           Ry = rotation_about(Vec3<double>{0, 1, 0}, q[2]);
        const Mat3<double> Rz = rotation_about(Vec3<double>{0, 0, 1}, q[1]);
        const Quaternion<double> r = quaternion(Rz * Ry * Rx);
        Eigen::Matrix3d E;
        E << dense(transpose_times(Ry * Rx, Vec3<double>{0, 0, 1})),
            dense(transpose_times(Rx, Vec3<double>{0, 1, 0})), Vector3d::UnitX();
        const Vector3d w = E * Vector3d(v[1], v[2], v[3]);

        for (const ReferenceChoice& choice : reference_choices) {
            const std::string where = "seed " + std::to_string(seed) + ", by " + choice.name;
            Stages<double> gimbal(with_gimbal, choice, q, v);
            Stages<double> sphere(with_ball, choice, Numbers{q[0], r.w, r.x, r.y, r.z, q[4]},
                                  Numbers{v[0], w[0], w[1], w[2], v[4]});
            const double condition = condition_of(mass_of(gimbal));
            EXPECT_TRUE(gimbal.art.singular.empty());
            // T of the rings from that of the ball: equal power, T_rings = E' T_ball. Then all bodies accelerate alike.
            const Numbers T = random_numbers(random, 5, 10.0);
            const Vector3d rings = E.transpose() * Vector3d(T[1], T[2], T[3]);
            const Numbers a = gimbal.forward(Numbers{T[0], rings[0], rings[1], rings[2], T[4]}),
                          b = sphere.forward(T);
            const FrameId there = with_gimbal.frame("tip"), here = with_ball.frame("tip");
            const Motion<double> expected = frame_acceleration<double>(sphere.kin, here, b);
            expect_equal("tip acceleration", where, frame_acceleration<double>(gimbal.kin, there, a),
                         expected, {.condition = condition});
            expect_equal("shoulder and slide", where, Numbers{a[0], a[4]}, Numbers{b[0], b[4]},
                         {.condition = condition, .terms = largest(numbers(expected))});
        }
    }
}

// A massless body inside a chain, on a hinge across the others, is no obstacle; a massless tip is singular.
TEST(Massless, IntermediateBodiesAndTips)
{
    for (const ReferenceChoice& choice : reference_choices) {
        Random random(5);
        ModelBuilder builder("massless middle");
        for (int k = 0; k < 6; ++k) {
            const std::string name = std::string("b") + std::to_string(k);
            const HingeKind kind = k == 3 ? HingeKind::prismatic : HingeKind::revolute;
            builder.add_body(k == 1 || k == 3 ? Body{name} : random_body(random, name));
            builder.add_hinge(random_hinge(random, kind, k ? "b" + std::to_string(k - 1) : "", name));
        }
        const Model model = builder.build();
        const Case c = make_case(model, "massless middle", Place::random, 3);
        Stages<double> stages(model, choice, c.q, c.v);
        EXPECT_TRUE(stages.art.singular.empty());
        expect_equal("ID(FD(T)) = T", c.where, stages.inverse(stages.forward(c.T)), c.T,
                     {.condition = condition_of(mass_of(stages))});

        builder.add_body({"tip"}).add_hinge(random_hinge(random, HingeKind::revolute, "b5", "tip"));
        const Model tipped = builder.build();
        const Case d = make_case(tipped, "massless tip", Place::random, 3);
        Stages<double> broken(tipped, choice, d.q, d.v);
        EXPECT_EQ(broken.art.singular, std::vector<int>{6});
        EXPECT_TRUE(finite(broken.forward(d.T)));
        EXPECT_TRUE(finite(broken.inverse(d.a))); // inverse dynamics does not mind
        EXPECT_EQ(
            refusal(tipped, broken.art.singular),
            "forward_dynamics: no inertia to move at hinge 'tip_hinge'; give mass and inertia to 'tip' (or "
            "armature to the hinge)");

        builder.hinges().back().armature = {0.02}; // armature is inertia too
        const Model motor = builder.build();
        Stages<double> mended(motor, choice, d.q, d.v);
        EXPECT_TRUE(mended.art.singular.empty());
        expect_equal("armature on a massless tip", d.where, mended.inverse(mended.forward(d.T)), d.T,
                     {.condition = condition_of(mass_of(mended))});
    }
}

// Point masses: turning one about its own point is singular, about another it is not.
TEST(Massless, PointMass)
{
    for (HingeKind kind : {HingeKind::spherical, HingeKind::free, HingeKind::cylindrical, HingeKind::planar,
                           HingeKind::universal, HingeKind::helical})
        for (const ReferenceChoice& choice : reference_choices) {
            ModelBuilder builder("point mass");
            Hinge hinge;
            hinge.kind = kind, hinge.child = "point", hinge.axis = {0, 0, 1}, hinge.axis2 = {1, 0, 0},
            hinge.pitch = 0.1;
            builder.add_body({"point", 2.0, {0, 0, 0.3}, {}}).add_hinge(hinge);
            const Model model = builder.build();
            const Case c = make_case(model, std::string(name(kind)), Place::neutral, 1);
            Stages<double> stages(model, choice, c.q, c.v);
            const bool singular =
                kind != HingeKind::helical; // the screw lifts the mass, the others turn it about itself
            EXPECT_EQ(stages.art.singular.size(), singular ? 1u : 0u) << c.where << ", by " << choice.name;
            EXPECT_TRUE(finite(stages.forward(c.T))) << c.where;
        }
}

// Two turns about one line with a massless body between: nobody can tell who moves. Wherever the pair hangs.
TEST(Massless, CoaxialTurnsAreSingular)
{
    for (double arm : {0.0, 0.3, 3.0, 30.0})
        for (int seed = 1; seed <= 50; ++seed)
            for (const ReferenceChoice& choice : reference_choices) {
                Random random(static_cast<std::uint64_t>(seed));
                const Vec3<double> axis = random.direction();
                ModelBuilder builder("coaxial");
                builder.add_body(random_body(random, "arm")).add_hinge(turn("", "arm", random.direction()));
                Body small = random_body(random, "small");
                small.com = 0.1 * small.com, small.inertia_com = 0.01 * small.inertia_com;
                builder.add_body({"massless"})
                    .add_hinge(turn("arm", "massless", axis, arm * random.direction()));
                builder.add_body(small).add_hinge(turn("massless", "small", axis));
                const Model model = builder.build();
                const Case c = make_case(model, "coaxial", Place::random, static_cast<std::uint64_t>(seed));
                Stages<double> stages(model, choice, c.q, c.v);
                const std::string where =
                    "arm " + std::to_string(arm) + ", seed " + std::to_string(seed) + ", by " + choice.name;
                EXPECT_EQ(stages.art.singular, std::vector<int>{1}) << where;
                EXPECT_TRUE(finite(stages.forward(c.T))) << where;
            }
}

// A model without any inertia serves kinematics and inverse dynamics; every moving hinge is named.
TEST(Massless, NothingHasMass)
{
    for (int seed = 1; seed <= 20; ++seed) {
        ModelBuilder builder(*generate_model("random:8:" + std::to_string(seed)));
        for (Body& body : builder.bodies())
            body.mass = 0.0, body.inertia_com = {};
        for (Hinge& hinge : builder.hinges())
            hinge.armature.clear();
        const Model model = builder.build();
        const Case c = make_case(model, "no mass", Place::random, static_cast<std::uint64_t>(seed));
        Stages<double> stages(model, automatic, c.q, c.v);
        std::size_t hinges = 0;
        for (const Hinge& hinge : model.hinges())
            hinges += num_dofs(hinge) > 0;
        EXPECT_EQ(stages.art.singular.size(), hinges);
        EXPECT_EQ(stages.inverse(c.a), Numbers(c.a.size(), 0.0));
        EXPECT_TRUE(finite(stages.forward(c.T)));
        EXPECT_THROW(center_of_mass(stages.kin), RefusedError);
    }
}

// Nearly massless is massless, beside what it carries.
TEST(Massless, NextToNothingIsRefused)
{
    for (const ReferenceChoice& choice : reference_choices) {
        Random random(3);
        const Vec3<double> axis = random.direction();
        ModelBuilder builder("coaxial");
        builder.add_body(random_body(random, "arm")).add_hinge(turn("", "arm", random.direction()));
        builder.add_body({"dust", 1e-20, {}, Sym3<double>::diagonal(1e-20, 1e-20, 1e-20)})
            .add_hinge(turn("arm", "dust", axis, random.vector()));
        builder.add_body(random_body(random, "hand")).add_hinge(turn("dust", "hand", axis));
        const Model model = builder.build();
        const Case c = make_case(model, "coaxial", Place::random, 1);
        Stages<double> stages(model, choice, c.q, c.v);
        EXPECT_EQ(stages.art.singular, std::vector<int>{1}) << choice.name;
    }
}

// A rod without a moment about its own axis cannot be turned about it; the answer names the rod.
TEST(Massless, ThinRod)
{
    ModelBuilder builder("rod");
    builder.add_body({"rod", 1.0, {0, 0, 0.5}, Sym3<double>::diagonal(0.083, 0.083, 0.0)});
    builder.add_hinge(turn("", "rod", {0, 0, 1}));
    const Model model = builder.build();
    const Case c = make_case(model, "rod", Place::random, 1);
    Stages<double> stages(model, automatic, c.q, c.v);
    ASSERT_EQ(stages.art.singular, std::vector<int>{0});
    EXPECT_EQ(refusal(model, stages.art.singular), "forward_dynamics: no inertia to move at hinge "
                                                   "'rod_hinge'; give mass and inertia to 'rod' (or armature "
                                                   "to the hinge)");
}

// A slide p = z q^3 stands still at q = 0, whatever its inertia.
struct CubicSlide {
    static constexpr int dofs = 1;
    template <class S> Pose<S> pose(std::span<const S> q) const
    {
        return {Mat3<S>::identity(), {S(0), S(0), q[0] * q[0] * q[0]}};
    }
    template <class S> void columns(std::span<const S> q, std::span<Motion<S>> H) const
    {
        H[0] = {{}, {S(0), S(0), S(3) * q[0] * q[0]}};
    }
    template <class S> Motion<S> columns_rate(std::span<const S> q, std::span<const S> v) const
    {
        return {{}, {S(0), S(0), S(6) * q[0] * v[0] * v[0]}};
    }
    template <class S> void columns_derivative(std::span<const S> q, int, std::span<Motion<S>> dH) const
    {
        dH[0] = {{}, {S(0), S(0), S(6) * q[0]}};
    }
};

TEST(Massless, AColumnThatVanishes)
{
    Random random(1);
    ModelBuilder builder("cubic");
    Hinge hinge;
    hinge.kind = HingeKind::user, hinge.child = "slider", hinge.user = user_hinge("cubic", CubicSlide{});
    builder.add_body(random_body(random, "slider")).add_hinge(hinge);
    const Model model = builder.build();
    Stages<double> stages(model, automatic, Numbers{0.0}, Numbers{1.0});
    EXPECT_EQ(stages.art.singular, std::vector<int>{0});
    EXPECT_EQ(refusal(model, stages.art.singular),
              "forward_dynamics: no inertia to move at hinge 'slider'; its columns are dependent at this "
              "configuration");
    Stages<double> elsewhere(model, automatic, Numbers{0.5}, Numbers{1.0});
    EXPECT_TRUE(elsewhere.art.singular.empty());
    expect_equal("ID(FD(T)) = T", "cubic slide", elsewhere.inverse(elsewhere.forward(Numbers{1.7})),
                 Numbers{1.7});
}

} // namespace
} // namespace sweepdyn::test
