// Operating points: nothing accelerates there, by forward dynamics; impossible ones are refused with what is left over.
#include "sweepdyn/linear/trim.hpp"

#include "support/stages.hpp"
#include "support/truth.hpp"

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

} // namespace
} // namespace sweepdyn::test
