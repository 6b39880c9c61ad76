// Laws of the regressors: Y pi is inverse dynamics for the model's own pi and for every other, with one velocity and with two;
// parameters and models are the same thing; a payload is found from noisy forces as well as statistics allows.
#include <Eigen/Cholesky>

#include "support/time.hpp"
#include "support/truth.hpp"
#include "sweepdyn/model/edit.hpp"

namespace sweepdyn::test {
namespace {

std::string at(const Case& c, const ReferenceChoice& choice) { return c.where + ", by " + choice.name; }

MatrixXd regressor_of(Stages<double>& stages, const Numbers& v_dot)
{
    const auto n = static_cast<Eigen::Index>(stages.kin.H.size()),
               columns = static_cast<Eigen::Index>(10 * stages.kin.M.size());
    Numbers Y(static_cast<std::size_t>(n * columns));
    regressor<double>(stages.kin, v_dot, Y, stages.forces);
    return Eigen::Map<const MatrixXd>(Y.data(), n, columns);
}

// T - Ja v_dot
VectorXd without_armature(const Kinematics<double>& kin, const Numbers& T, const Numbers& v_dot)
{
    return eigen(T) - eigen(kin.armature).cwiseProduct(eigen(v_dot));
}

// The largest of the terms of each sum over pi.
double terms_of(const MatrixXd& Y, const VectorXd& pi) { return largest(Y * pi.asDiagonal()); }

// The same tree with other bodies on it.
Model with_other_bodies(const Model& model)
{
    Random random(23);
    ModelBuilder builder(model);
    for (Body& body : builder.bodies()) {
        const Body other = random_body(random, body.name);
        body.mass = other.mass, body.com = other.com, body.inertia_com = other.inertia_com;
    }
    return builder.build();
}

TEST(Regressor, IsInverseDynamicsForEveryParameter)
{
    for_every_case([](const Case& c) {
        const Model other = with_other_bodies(c.model);
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            const MatrixXd Y = regressor_of(stages, c.a);
            for (const Model& model : {c.model, other}) {
                Stages<double> its(model, choice, c.q, c.v);
                const VectorXd pi = eigen(inertial_parameters(model));
                expect_equal(model.same_as(c.model) ? "Y pi = T" : "Y pi = T, other pi", at(c, choice),
                             VectorXd(Y * pi), without_armature(its.kin, its.inverse(c.a), c.a),
                             {.terms = terms_of(Y, pi)});
            }
        }
    });
}

// Column by column: a body that has one parameter only, physical or not, needs M A + S[V] M V with that M.
TEST(Regressor, ColumnsAreTheForcesOfUnitParameters)
{
    for_every_case([](const Case& c) {
        Stages<double> stages(c.model, automatic, c.q, c.v);
        const MatrixXd Y = regressor_of(stages, c.a);
        const auto truth = dense_bodies(c.model, c.q);
        for (int k = 0; k < c.model.num_bodies(); ++k) {
            const Motion<double> V = at_origin(stages.kin, k, stages.kin.body[k].V),
                                 A = at_origin(stages.kin, k, stages.forces[k].A);
            for (int j = 0; j < c.model.num_dofs(); ++j) // hinges that do not carry the body
                if (truth[k].J.col(j).isZero(0.0)) {
                    EXPECT_TRUE(Y.row(j).segment(10 * k, 10).isZero(0.0)) << c.where;
                }
            const Pose<double> X = stages.kin.X_WB(k);
            // What a unit of anything may need; some of its forces cancel.
            const double terms =
                std::max(1.0, largest(truth[k].J)) * (largest(dense(A)) + std::pow(largest(dense(V)), 2));
            for (int i = 0; i < 10; ++i) {
                double e[10] = {};
                e[i] = 1.0;
                const Inertia<double> in_body{e[0], {e[1], e[2], e[3]}, {e[4], e[5], e[6], e[7], e[8], e[9]}},
                    M = shift(Inertia<double>{in_body.m, X.R * in_body.h, rotate(X.R, in_body.J)}, X.p);
                const VectorXd f = dense(M * A + crf(V) * (M * V)); // about the world origin
                expect_equal("column of Y", c.where, VectorXd(Y.col(10 * k + i)),
                             VectorXd(truth[k].J.transpose() * f), {.terms = terms});
            }
        }
    });
}

TEST(Regressor, WithTwoVelocities)
{
    for_every_case([](const Case& c) {
        Random random(19);
        const Numbers v_r = random_numbers(random, c.model.num_dofs(), 1.5),
                      a_r = random_numbers(random, c.model.num_dofs(), 3.0);
        const VectorXd pi = eigen(inertial_parameters(c.model));
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            ColumnRates<double> rates(c.model);
            ReferenceMotions<double> motions(c.model);
            column_rates(stages.kin, rates);
            Numbers T(c.v.size());
            MatrixXd Y(c.v.size(), pi.size());
            const std::span<double> room(Y.data(), static_cast<std::size_t>(Y.size()));
            passivity_regressor<double>(stages.kin, rates, v_r, a_r, room, motions);
            passivity_inverse_dynamics<double>(stages.kin, rates, v_r, a_r, T, motions);
            expect_equal("Y(v, v_r, a_r) pi", at(c, choice), VectorXd(Y * pi),
                         without_armature(stages.kin, T, a_r), {.terms = terms_of(Y, pi)});
            passivity_regressor<double>(stages.kin, rates, c.v, c.a, room, motions);
            expect_equal("Y(v, v, a) = Y(v, a)", at(c, choice), Y, regressor_of(stages, c.a));
        }
    });
}

TEST(Regressor, ParametersMakeTheModel)
{
    for_every_case([](const Case& c) {
        const Numbers pi = inertial_parameters(c.model);
        const Model same = with_inertial_parameters(c.model, pi), other = with_other_bodies(c.model);
        const Model back = with_inertial_parameters(other, pi);
        for (int k = 0; k < c.model.num_bodies(); ++k)
            for (const Model& model : {same, back}) {
                const Body &got = model.bodies()[k], &expected = c.model.bodies()[k];
                EXPECT_EQ(got.mass, expected.mass);
                expect_equal("com", c.where, got.com, expected.com);
                const VectorXd its = eigen(pi).segment(10 * k + 4, 6);
                expect_equal("inertia", c.where, got.inertia_com, expected.inertia_com,
                             {.terms = largest(its)});
            }
    });
}

TEST(Regressor, ParametersThatNoBodyHasAreRefusedByName)
{
    const Model model = *generate_model("chain:3");
    Numbers pi = inertial_parameters(model);
    EXPECT_EQ(inertial_parameter_names(model)[12], model.bodies()[1].name + ".my");
    pi[0] = 0.0, pi[1] = 0.5; // a first moment without mass
    pi[10] = -1.0; // a negative mass
    pi[29] = pi[27] = pi[24] = -1.0; // negative moments
    try {
        with_inertial_parameters(model, pi);
        FAIL() << "no error";
    } catch (const ModelError& error) {
        const std::string text = error.what();
        for (int k = 0; k < 3; ++k)
            EXPECT_NE(text.find("'" + model.bodies()[k].name + "'"), text.npos) << text;
        EXPECT_NE(text.find("first moment is [0.5, "), text.npos) << text;
        EXPECT_NE(text.find("without mass, expected zero"), text.npos) << text;
        EXPECT_NE(text.find("mass is -1, expected zero or more"), text.npos) << text;
        EXPECT_NE(text.find("expected none negative"), text.npos) << text;
    }
    try {
        with_inertial_parameters(model, std::span(pi).first(20));
        FAIL() << "no error";
    } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find("with_inertial_parameters: "), std::string::npos);
    }
}

// A load in the hand of a floating machine: all ten parameters can be told. Least squares on forces with independent noise of
// known size sigma are unbiased with covariance sigma^2 (W'W)^-1, so over all trials and parameters e' W'W e / sigma^2 is
// chi-square distributed with 10 x trials degrees of freedom: mean 10, standard deviation sqrt(20) per trial.
TEST(Regressor, FindsAPayloadAsWellAsStatisticsAllows)
{
    Random random(31);
    ModelBuilder builder("machine with a hand");
    std::string hand;
    for (HingeKind kind : {HingeKind::free, HingeKind::revolute, HingeKind::universal, HingeKind::prismatic,
                           HingeKind::revolute}) {
        const std::string name = "link" + std::to_string(builder.bodies().size());
        builder.add_body(random_body(random, name)).add_hinge(random_hinge(random, kind, hand, name));
        hand = name;
    }
    const Model known = builder.build();
    const int k = known.num_bodies() - 1, n = known.num_dofs();
    const Model loaded =
        add_payload(known, hand, 2.5, {0.1, -0.05, 0.2}, {0.02, 0.001, 0.002, 0.03, -0.001, 0.015});
    const VectorXd truth =
        (eigen(inertial_parameters(loaded)) - eigen(inertial_parameters(known))).segment(10 * k, 10);

    // W: the ten columns of the hand, in 100 motions; y: measured forces of the loaded machine less those of the known one.
    const int motions = 100, trials = 200;
    MatrixXd W(motions * n, 10);
    VectorXd y(motions * n);
    Stages<double> empty(known), full(loaded);
    for (int i = 0; i < motions; ++i) {
        const Case c = make_case(known, "motion", Place::random, 1000 + static_cast<std::uint64_t>(i));
        empty.set(c.q, c.v), full.set(c.q, c.v);
        W.middleRows(i * n, n) = regressor_of(empty, c.a).middleCols(10 * k, 10);
        y.segment(i * n, n) = eigen(full.inverse(c.a)) - eigen(empty.inverse(c.a));
    }
    const MatrixXd normal = W.transpose() * W;
    const Eigen::LLT<MatrixXd> solver(normal);
    ASSERT_EQ(solver.info(), Eigen::Success);
    expect_equal("without noise", "payload", VectorXd(solver.solve(W.transpose() * y)), truth,
                 {.condition = condition_of(normal)});

    const double sigma = 0.05;
    const auto normal_number = [&] { // Box and Muller
        return std::sqrt(-2.0 * std::log(1.0 - random.uniform())) * std::cos(2.0 * M_PI * random.uniform());
    };
    double chi_square = 0.0;
    VectorXd mean = VectorXd::Zero(10);
    for (int trial = 0; trial < trials; ++trial) {
        VectorXd measured = y;
        for (double& x : measured)
            x += sigma * normal_number();
        const VectorXd error = solver.solve(W.transpose() * measured) - truth;
        chi_square += error.dot(normal * error) / (sigma * sigma);
        mean += error / trials;
    }
    // Four standard deviations either way: neither worse than statistics nor better.
    EXPECT_NEAR(chi_square / trials, 10.0, 4.0 * std::sqrt(20.0 / trials));
    // And each parameter is unbiased, within its own standard error.
    const MatrixXd covariance = sigma * sigma * solver.solve(MatrixXd::Identity(10, 10));
    for (int i = 0; i < 10; ++i)
        EXPECT_LT(std::abs(mean[i]), 4.0 * std::sqrt(covariance(i, i) / trials)) << i;
}

} // namespace
} // namespace sweepdyn::test
