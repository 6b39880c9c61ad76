// Operating points: nothing accelerates there, by forward dynamics; impossible ones are refused with what is left over.
#include "sweepdyn/linear/trim.hpp"

#include "support/closed_golden.hpp"
#include "support/stages.hpp"
#include "support/truth.hpp"
#include "sweepdyn/dynamics/closed_mechanism.hpp"
#include "sweepdyn/dynamics/energy.hpp"
#include "sweepdyn/io/model/native.hpp"
#include "sweepdyn/kinematics/position_projection.hpp"

namespace sweepdyn::test {
namespace {

OperatingPoint point_of(const Case& c)
{
    OperatingPoint out(c.model);
    out.q = c.q;
    return out;
}

void expect_still(const Model& model, const OperatingPoint& point, const std::string& where)
{
    Linearization lin(model);
    lin.set(point.q, point.v, point.T, point.external);
    double force = 0.0, compliance = 0.0;
    for (Index k : model.tree().base_to_tip())
        force = std::max(force, largest(dense(lin.derivatives().motion[k].f)));
    for (int i = 0; i < model.num_dofs(); ++i)
        compliance = std::max(compliance, lin.matrices().M_inverse(i, i));
    expect_equal("v_dot", where, Numbers(lin.v_dot().begin(), lin.v_dot().end()), Numbers(point.v.size()),
                 {.condition = condition_of(dense(lin.inverse_matrices().M)), .terms = force * compliance});
}

bool floats(const Model& model)
{
    for (const Hinge& hinge : model.hinges())
        if (hinge.kind == HingeKind::free && hinge.parent.empty())
            return true;
    return false;
}

TEST(Trim, ForcesHoldAnyPose)
{
    int held = 0;
    for (std::size_t i = 0; i < forest_cases().size(); i += 5) {
        const Case& c = forest_cases()[i];
        if (c.v.empty() || floats(c.model))
            continue;
        expect_still(c.model, trim_forces(c.model, point_of(c)).point, c.where);
        ++held;
    }
    EXPECT_GT(held, 5);
}

TEST(Trim, AFloatingBaseNeedsSupport)
{
    for (std::size_t i = 0; i < forest_cases().size(); ++i) {
        const Case& c = forest_cases()[i];
        if (!floats(c.model) || c.model.hinges()[0].kind != HingeKind::free ||
            c.model.tree().root.back() != 0)
            continue;
        try {
            trim_forces(c.model, point_of(c));
            FAIL() << c.where;
        } catch (const RefusedError& error) {
            EXPECT_NE(std::string(error.what())
                          .find("floating base '" + c.model.hinges()[0].child + "' needs support"),
                      std::string::npos)
                << error.what();
        }
        // Held up by a wrench on the base.
        const Trim trim =
            trim_forces(c.model, point_of(c), {.inputs = {"T:*", "wrench:" + c.model.hinges()[0].child}});
        EXPECT_EQ(trim.null_space.columns(), 0); // the wrench alone, not T of the base
        expect_still(c.model, trim.point, c.where);
        return;
    }
    FAIL() << "no forest of one floating tree";
}

TEST(Trim, AnActuatorThatIsMissingIsNamed)
{
    const Model arm = *generate_model("chain:3");
    OperatingPoint point(arm);
    point.q = {0.3, 0.7, -0.4};
    try {
        trim_forces(arm, point, {.inputs = {"T:" + arm.dof_names()[0], "T:" + arm.dof_names()[2]}});
        FAIL();
    } catch (const RefusedError& error) {
        EXPECT_NE(std::string(error.what()).find("generalized force '" + arm.dof_names()[1] + "'"),
                  std::string::npos)
            << error.what();
    }
}

// Newton finds the pose that the forces of another pose hold.
TEST(Trim, PosesForGivenForces)
{
    const Model arm = *generate_model("chain:3");
    OperatingPoint point(arm);
    point.q = {0.3, 0.7, -0.4};
    point.T = trim_forces(arm, point).point.T;
    point.q = {0.35, 0.6, -0.3};
    const Trim trim = trim_pose(arm, point);
    expect_still(arm, trim.point, "chain:3");
    EXPECT_LT(trim.iterations, 10);
    point.T = {1e6, 0.0, 0.0};
    EXPECT_THROW(trim_pose(arm, point), RefusedError);
}

// A pendulum that goes round like a cone is steady about the vertical; one that swings is not.
TEST(Trim, SteadyMotions)
{
    ModelBuilder builder("cone");
    builder.set_gravity({0, 0, -9.81});
    builder.add_body({.name = "mast", .mass = 1.0, .inertia_com = Sym3<double>::diagonal(0.1, 0.1, 0.1)})
        .add_hinge({.kind = HingeKind::revolute, .child = "mast", .axis = {0, 0, 1}})
        .add_body({.name = "bob",
                   .mass = 1.0,
                   .com = {0, 0, -1},
                   .inertia_com = Sym3<double>::diagonal(1e-3, 1e-3, 1e-3)})
        .add_hinge({.kind = HingeKind::revolute, .parent = "mast", .child = "bob", .axis = {1, 0, 0}});
    const Model cone = builder.build();
    OperatingPoint point(cone);
    point.q = {0.2, 0.5};
    point.v = {3.0, 0.0};
    const Trim trim = trim_forces(cone, point);
    expect_still(cone, trim.point, "cone");
    // without a motor at the bob: m l^2 w^2 sin cos = m g l sin, so cos(angle) = g / (l w^2)
    point.q[1] = 1.0, point.v = {4.0, 0.0}, point.T = {0.0, 0.0};
    const Trim free = trim_pose(cone, point);
    expect_equal("cos(angle)", "cone", std::cos(free.point.q[1]), 9.81 * 1.0 / (16.0 * (1.0 + 1e-3 - 1e-3)),
                 {.tolerance = 1e-9});
    point.v = {0.0, 1.0};
    EXPECT_THROW(trim_forces(cone, point), RefusedError);
}

// --- with loops -------------------------------------------------------------------------------------------------------

void close(const Model& model, Numbers& q)
{
    Kinematics<double> kin(model);
    ASSERT_LT(PositionProjection(model).positions(kin, q).after, 1e-12);
}

// The forces along the motions that the loops allow, of the largest force at play: E'(gravity - T) by the potential's kernels.
double unbalanced(const Model& model, const OperatingPoint& point)
{
    Kinematics<double> kin(model);
    EXPECT_LT(PositionProjection(model).largest_gap((update<double>(kin, point.q), kin)).first, 1e-12);
    ClosedMechanism mechanism(model);
    mechanism.set(point.q, point.v);
    Linearization tree(model);
    tree.set_at(point.q, point.v, Numbers(point.v.size()));
    double scale = 0.0, worst = 0.0;
    for (Index k : model.tree().base_to_tip())
        scale = std::max(scale, largest(dense(tree.derivatives().motion[k].f)));
    const auto n = point.v.size();
    for (int i = 0; i < mechanism.mobility(); ++i) {
        double sum = 0.0;
        for (std::size_t j = 0; j < n; ++j)
            sum += mechanism.basis()[static_cast<std::size_t>(i) * n + j] * (tree.T()[j] - point.T[j]);
        worst = std::max(worst, std::abs(sum));
    }
    return worst / scale;
}

double potential(const Model& model, const Numbers& q)
{
    Kinematics<double> kin(model);
    update<double>(kin, q);
    return potential_energy(kin);
}

// Without forces a four-bar hangs where its potential is least: no motion that its loop allows lowers it, to first order or at all.
TEST(Trim, AHangingFourBarIsAtTheLeastPotential)
{
    const ClosedGolden golden = closed_golden("four_bar");
    OperatingPoint point(golden.model);
    for (std::size_t j = 0; j < point.q.size(); ++j)
        point.q[j] = -golden.q[j]; // its image below the ground link
    const Trim trim = trim_pose(golden.model, point);
    EXPECT_LT(unbalanced(golden.model, trim.point), 1e-10);
    EXPECT_LT(trim.iterations, 12);
    const double least = potential(golden.model, trim.point.q);
    ClosedMechanism mechanism(golden.model);
    mechanism.set(trim.point.q, trim.point.v);
    for (const double h : {-1e-3, 1e-3}) {
        Numbers step(3), q = trim.point.q;
        mechanism.complete_velocities(std::array{h}, step);
        integrate<double>(golden.model, q, step, q);
        close(golden.model, q);
        // second order: the gradient would show a thousand times larger
        EXPECT_GT(potential(golden.model, q), least);
        EXPECT_LT(potential(golden.model, q) - least, 100.0 * h * h);
    }
}

// The forces of one pose hold it; from a pose beside it Newton comes back to one that they hold.
TEST(Trim, PosesOfMechanismsWithLoops)
{
    for (const char* name :
         {"four_bar", "four_bar_3d_5dof_closure", "delta", "stewart_6ups", "chain_5_four_bars",
          "gripper_mimic_gear", "two_arms_box", "coupling_polynomial", "leg_fixed", "planetary_redundant",
          "loop_universal", "hinge_spherical_independent"}) {
        const ClosedGolden golden = closed_golden(name);
        OperatingPoint point(golden.model);
        point.q = golden.q;
        point.T = trim_forces(golden.model, point).point.T;
        ASSERT_LT(unbalanced(golden.model, point), 1e-10) << name;
        ClosedMechanism mechanism(golden.model);
        mechanism.set(point.q, point.v);
        Numbers u(static_cast<std::size_t>(mechanism.mobility())), step(point.v.size());
        for (std::size_t i = 0; i < u.size(); ++i)
            u[i] = 0.02 * (i % 2 == 0 ? 1.0 : -1.0);
        mechanism.complete_velocities(u, step);
        integrate<double>(golden.model, point.q, step, point.q);
        close(golden.model, point.q);
        const Trim trim = trim_pose(golden.model, point);
        EXPECT_LT(unbalanced(golden.model, trim.point), 1e-10) << name;
        EXPECT_LE(trim.iterations, 6) << name; // the slope is exact
    }
}

TEST(Trim, ImpossiblePosesOfMechanismsWithLoopsAreRefused)
{
    const ClosedGolden golden = closed_golden("four_bar");
    const auto refusal = [&](const OperatingPoint& point) {
        try {
            trim_pose(golden.model, point);
        } catch (const RefusedError& error) {
            return std::string(error.what());
        }
        return std::string("none");
    };
    OperatingPoint point(golden.model);
    point.q = golden.q;
    point.T = {1e4, 0.0, 0.0}; // more than gravity has at any pose
    const std::string text = refusal(point);
    EXPECT_TRUE(text.starts_with("trim: found no pose that these hinge forces hold; nearest, after "))
        << text;
    EXPECT_NE(text.find(" steps, the forces missing are '"), text.npos) << text;
    EXPECT_TRUE(text.ends_with("; begin from another pose, or change the forces")) << text;
    point.T = {0.0, 0.0, 0.0};
    point.v = golden.v;
    EXPECT_EQ(refusal(point),
              "trim: model 'four_bar' has loops, and of such only a pose at rest can be held; leave v out");
    point.v = {0.0, 0.0, 0.0};
    const Model far = [] {
        nlohmann::json json = closed_json("four_bar");
        json["hinges"][2]["position_in_parent"] = {6.0, 0.0, 0.0};
        return parse_native(json.dump(), "far");
    }();
    EXPECT_THROW(trim_pose(far, point), RefusedError);
    try {
        trim_pose(far, point);
    } catch (const RefusedError& error) {
        const std::string words = error.what();
        EXPECT_TRUE(words.starts_with(
            "trim: near the first guess the loops do not close: loop 'loop0' stays open by "))
            << words;
        EXPECT_TRUE(words.ends_with(" m; assemble finds a pose that closes")) << words;
    }
}

} // namespace
} // namespace sweepdyn::test
