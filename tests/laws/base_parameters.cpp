// Laws of the base parameters: as many as the theory counts, the same forces from fewer numbers, and no fewer would do.
#include <Eigen/SVD>

#include "support/stages.hpp"
#include "support/truth.hpp"
#include "sweepdyn/dynamics/base_parameters.hpp"
#include "sweepdyn/io/model/load.hpp"

namespace sweepdyn::test {
namespace {

MatrixXd regressor_of(const Case& c)
{
    Stages<double> stages(c.model, automatic, c.q, c.v);
    MatrixXd Y(c.model.num_dofs(), 10 * c.model.num_bodies());
    regressor<double>(stages.kin, c.a, {Y.data(), static_cast<std::size_t>(Y.size())}, stages.forces);
    return Y;
}

// A chain of hinges of one kind, axes and placements at random but for the first axis.
Model chain(HingeKind first, HingeKind kind, int bodies, const Vec3<double>& first_axis)
{
    Random random(3);
    ModelBuilder builder("chain");
    for (int k = 0; k < bodies; ++k) {
        const std::string name = "b" + std::to_string(k);
        builder.add_body(random_body(random, name));
        Hinge hinge =
            random_hinge(random, k == 0 ? first : kind, k == 0 ? "" : "b" + std::to_string(k - 1), name);
        if (k == 0)
            hinge.axis = first_axis, hinge.X_PF = hinge.X_CM = {};
        builder.add_hinge(hinge);
    }
    return builder.build();
}

std::size_t count(HingeKind first, HingeKind kind, int bodies, const Vec3<double>& axis)
{
    const BaseParameters base = base_parameters(chain(first, kind, bodies, axis));
    EXPECT_LT(base.largest_dropped, 1e-12); // a cliff, not a slope
    EXPECT_GT(base.least_pivot, 1e-6);
    return base.independent.size();
}

// A revolute hinge shows 7 of its body's 10 parameters: the rest counts with the parent's. A root shows what its own motion
// tells.                                                                            [Mayeda, Yoshida and Osuka 1990]
TEST(BaseParameters, AsManyAsTheoryCounts)
{
    const Vec3<double> z{0, 0, 1}, x{1, 0, 0};
    for (int n : {1, 2, 3, 6, 7}) {
        const auto revolute = HingeKind::revolute;
        const auto N = static_cast<std::size_t>(n);
        EXPECT_EQ(count(revolute, revolute, n, x), 7 * N - 4); // 3 of the first body
        EXPECT_EQ(count(revolute, revolute, n, z), 7 * N - 6); // gravity along the axis: 1 of it
        EXPECT_EQ(count(HingeKind::free, revolute, n, x), 7 * N + 3); // all 10 of the base
    }
    EXPECT_EQ(count(HingeKind::free, HingeKind::spherical, 3, x), 10u + 2 * 9u); // a ball hides the mass only
    EXPECT_EQ(count(HingeKind::free, HingeKind::prismatic, 3, x),
              10u + 2 * 4u); // a slide shows the mass and first moment
    EXPECT_EQ(count(HingeKind::free, HingeKind::free, 3, x), 30u);
    EXPECT_EQ(count(HingeKind::prismatic, HingeKind::prismatic, 1, x), 1u);
    EXPECT_EQ(count(HingeKind::weld, HingeKind::revolute, 2, x), 3u);
    EXPECT_TRUE(base_parameters(chain(HingeKind::weld, HingeKind::weld, 2, x)).independent.empty());
}

// The Puma has 36, as is published; the arm 7 n - 6; floating machines 10 + 7 n.                  [Gautier and Khalil 1990]
TEST(BaseParameters, OfRobots)
{
    const auto count_of = [](const char* file) {
        return base_parameters(load_model(std::string(SWEEPDYN_MODELS "/") + file)).independent.size();
    };
    EXPECT_EQ(count_of("puma560.urdf"), 36u);
    EXPECT_EQ(count_of("arm7.urdf"), 7u * 7 - 6);
    EXPECT_EQ(count_of("quadruped.urdf"), 10u + 7 * 12);
}

// By hand: a pendulum about y. Only Jyy and the moments across the axis matter.
TEST(BaseParameters, OfAPendulum)
{
    ModelBuilder builder("pendulum");
    builder.add_body({"rod", 1.0, {0, 0, -0.5}, {0.08, 0, 0, 0.08, 0, 0.001}});
    builder.add_hinge({.name = "pivot", .kind = HingeKind::revolute, .child = "rod", .axis = {0, 1, 0}});
    const BaseParameters base = base_parameters(builder.build());
    EXPECT_EQ(base.names, (std::vector<std::string>{"rod.mx", "rod.mz", "rod.Jyy"}));
}

// By hand: two rods in a vertical plane, axes y, the second 2 m below the first. The second's mass counts as a point at its
// hinge: 4 kg m^2 of Jyy and -2 m of mz per kilogram.
TEST(BaseParameters, OfADoublePendulum)
{
    ModelBuilder builder("double pendulum");
    const Body rod{"rod", 1.0, {0, 0, -0.5}, {0.08, 0, 0, 0.08, 0, 0.001}};
    Body other = rod;
    other.name = "other";
    builder.add_body(rod).add_body(other);
    builder.add_hinge({.name = "pivot", .kind = HingeKind::revolute, .child = "rod", .axis = {0, 1, 0}});
    builder.add_hinge({.name = "elbow",
                       .kind = HingeKind::revolute,
                       .parent = "rod",
                       .child = "other",
                       .X_PF = {Mat3<double>::identity(), {0, 0, -2}},
                       .axis = {0, 1, 0}});
    const BaseParameters base = base_parameters(builder.build());
    EXPECT_EQ(base.names, (std::vector<std::string>{"rod.mx", "rod.mz - 2 other.m", "rod.Jyy + 4 other.m",
                                                    "other.mx", "other.mz", "other.Jyy"}));
}

// On forests with every hinge: T from beta; nothing but beta matters; and Y_b tells all of beta.
TEST(BaseParameters, SameForcesFromFewerNumbers)
{
    int models = 0;
    const auto check = [&](const Case& c) {
        if (c.model.num_bodies() > 12 || c.model.num_dofs() == 0)
            return;
        ++models;
        const BaseParameters base = base_parameters(c.model);
        EXPECT_LT(base.largest_dropped, 1e-11) << c.where;
        const MatrixXd Y = regressor_of(c), Y_b = base.columns_of(Y);
        const VectorXd pi = eigen(inertial_parameters(c.model));
        const double terms = largest(Y * pi.asDiagonal());
        expect_equal("Y_b beta = Y pi", c.where, VectorXd(Y_b * base(pi)), VectorXd(Y * pi),
                     {.terms = terms});
        expect_equal("Y_b G = Y", c.where, MatrixXd(Y_b * base.G), Y);
        EXPECT_LT(largest(base.G), 1e3) << c.where;
        // Other motions than those that base_parameters tried: the rank is the same.
        const MatrixXd W = base.columns_of(detail::random_regressors(c.model, 77));
        const MatrixXd unit = W * W.colwise().norm().cwiseInverse().asDiagonal();
        const VectorXd sigma = Eigen::JacobiSVD<MatrixXd>(unit).singularValues();
        if (sigma.size() > 0) {
            EXPECT_GT(sigma[sigma.size() - 1], 1e-7) << c.where;
        }
    };
    for (std::size_t i = 2; i < hinge_cases().size(); i += 4) // at random
        check(hinge_cases()[i]);
    for (std::size_t i = 0; i < forest_cases().size(); i += 8)
        check(forest_cases()[i]);
    for (std::size_t i = 0; i < model_cases().size(); i += 2)
        check(model_cases()[i]);
    EXPECT_GT(models, 40);
}

} // namespace
} // namespace sweepdyn::test
