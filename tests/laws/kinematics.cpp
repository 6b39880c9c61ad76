// Laws of kinematics: poses are the product of the relative ones; columns, velocities and bias accelerations are rates of
// change, of poses and of velocities. For every kind of hinge, every forest and every choice of reference point.
#include "support/time.hpp"
#include "support/truth.hpp"

namespace sweepdyn::test {
namespace {

std::string at(const Case& c, const ReferenceChoice& choice) { return c.where + ", by " + choice.name; }

TEST(Kinematics, PosesAreProductsOfRelativePoses)
{
    for_every_case([](const Case& c) {
        const auto truth = dense_bodies(c.model, c.q);
        for (const ReferenceChoice& choice : reference_choices) {
            Kinematics<double> kin = make_kinematics<double>(c.model, choice);
            update<double>(kin, c.q);
            for (int k = 0; k < c.model.num_bodies(); ++k)
                expect_equal("pose", at(c, choice), kin.X_WB(k), truth[k].X_WB);
        }
    });
}

TEST(Kinematics, ColumnsAreThoseOfTheTable)
{
    for_every_case([](const Case& c) {
        const auto truth = dense_bodies(c.model, c.q);
        for (const ReferenceChoice& choice : reference_choices) {
            Kinematics<double> kin = make_kinematics<double>(c.model, choice);
            update<double>(kin, c.q);
            for (int k = 0; k < c.model.num_bodies(); ++k)
                for (Index j : c.model.tree().dofs(k))
                    expect_equal("column", at(c, choice), at_origin(kin, k, kin.H[j]), truth[k].J.col(j));
        }
    });
}

TEST(Kinematics, VelocitiesAreRatesOfPoses)
{
    for_every_case([](const Case& c) {
        const auto truth = dense_bodies(c.model, c.q);
        for (const ReferenceChoice& choice : reference_choices) {
            const Stages<Time> moved = moving_stages(c, choice, c.a);
            Kinematics<double> kin = make_kinematics<double>(c.model, choice);
            update<double>(kin, c.q, c.v);
            for (int k = 0; k < c.model.num_bodies(); ++k) {
                const Motion<double> V = at_origin(kin, k, kin.body[k].V);
                const Pose<Time> X_WB = moved.kin.X_WB(k);
                const PhiAdjoint<double> to_origin{-real(X_WB.p)};
                // Terms: a frame that turns about the origin's neighbourhood has parts that cancel.
                const double terms = largest(numbers(velocity_of(X_WB)));
                expect_equal("V = dX/dt", at(c, choice), V, to_origin * velocity_of(X_WB), {.terms = terms});
                expect_equal("V = J v", at(c, choice), V, VectorXd(truth[k].J * eigen(c.v)),
                             {.terms = terms});
            }
        }
    });
}

// A = sum of a + H* v_dot over the path to the ground, about the world origin, is the rate of V there.
TEST(Kinematics, AccelerationsAreRatesOfVelocities)
{
    for_every_case([](const Case& c) {
        for (const ReferenceChoice& choice : reference_choices)
            for (bool accelerating : {false, true}) {
                const Numbers v_dot = accelerating ? c.a : Numbers(c.a.size(), 0.0);
                const Stages<Time> moved = moving_stages(c, choice, v_dot);
                Kinematics<double> kin = make_kinematics<double>(c.model, choice);
                update<double>(kin, c.q, c.v);
                std::vector<Motion<double>> A(c.wrench.size());
                double terms = 0.0; // products of velocities, which may cancel
                for (int k = 0; k < c.model.num_bodies(); ++k) {
                    const int parent = c.model.tree().parent[k];
                    Motion<double> own = kin.body[k].a;
                    for (Index j : c.model.tree().dofs(k))
                        own += v_dot[j] * kin.H[j];
                    A[k] = at_origin(kin, k, own) + (parent == ground ? Motion<double>{} : A[parent]);
                    terms = std::max(terms, std::pow(largest(numbers(at_origin(kin, k, kin.body[k].V))), 2));
                    expect_equal(accelerating ? "A" : "bias acceleration", at(c, choice), A[k],
                                 tangent(at_origin(moved.kin, k, moved.kin.body[k].V)), {.terms = terms});
                }
            }
    });
}

// M(k) in world axes is the truth's, about the world origin.
TEST(Kinematics, InertiasTurnWithTheBodies)
{
    for_every_case([](const Case& c) {
        const auto truth = dense_bodies(c.model, c.q);
        for (const ReferenceChoice& choice : reference_choices) {
            Kinematics<double> kin = make_kinematics<double>(c.model, choice);
            update<double>(kin, c.q);
            update_inertias(kin);
            for (int k = 0; k < c.model.num_bodies(); ++k)
                expect_equal("inertia", at(c, choice), shift(kin.M[k], kin.r(k)), truth[k].M);
        }
    });
}

// NaN until computed; and poses alone do not pass for velocities.
TEST(Kinematics, StaleStagesAreRefused)
{
    const Model model = *generate_model("chain:3");
    Stages<double> stages(model);
    EXPECT_TRUE(std::isnan(stages.kin.H[0].w.x));
    EXPECT_TRUE(std::isnan(stages.kin.body[2].X_WI.p.x));
    const Numbers zero(3, 0.0);
    EXPECT_THROW(stages.inverse(zero), UsageError); // before the first state too
    EXPECT_THROW(articulate(stages.kin, stages.art), UsageError);
    stages.set(zero, zero);
    EXPECT_EQ(largest(numbers(stages.inverse(zero))), largest(numbers(stages.gravity())));
    update<double>(stages.kin, zero);
    EXPECT_THROW(stages.inverse(zero), UsageError);
    EXPECT_THROW(stages.forward(zero), UsageError);
    EXPECT_THROW(stages.mass(), UsageError);
    EXPECT_THROW(articulate(stages.kin, stages.art), UsageError);
    EXPECT_THROW(kinetic_energy(stages.kin), UsageError);
    EXPECT_THROW(momentum(stages.kin), UsageError);
    EXPECT_THROW(update<double>(stages.kin, Numbers(2)), UsageError);
}

} // namespace
} // namespace sweepdyn::test
