// The innovations factorization as an object: its factors multiply to M and M^-1, undo each other and are triangular in the order of
// the bodies; payloads redo the path alone; log det and covariances.
#include "sweepdyn/dynamics/innovations.hpp"

#include <Eigen/Cholesky>

#include "support/stages.hpp"
#include "support/truth.hpp"
#include "sweepdyn/model/edit.hpp"
#include "sweepdyn/spatial/counting.hpp"

namespace sweepdyn::test {
namespace {

using Apply = void (Innovations<double>::*)(const Kinematics<double>&, std::span<const double>,
                                            std::span<double>);

MatrixXd columns(Innovations<double>& f, const Kinematics<double>& kin, Apply apply)
{
    const auto n = static_cast<Eigen::Index>(kin.v.size());
    MatrixXd out(n, n);
    for (Eigen::Index j = 0; j < n; ++j) {
        Numbers x(kin.v.size(), 0.0);
        x[static_cast<std::size_t>(j)] = 1.0;
        (f.*apply)(kin, x, x); // in place
        out.col(j) = eigen(x);
    }
    return out;
}

TEST(Innovations, FactorsMultiplyToTheMassMatrix)
{
    for_every_case([](const Case& c) {
        if (c.v.empty() || c.v.size() > 40)
            return;
        const MatrixXd M = dense_mass_matrix(c.model, dense_bodies(c.model, c.q));
        const double condition = condition_of(M);
        for (const ReferenceChoice& choice : {by_hinges, by_pole}) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            Innovations<double> f(c.model);
            f.factor(stages.kin);
            const std::string where = c.where + ", by " + choice.name;
            const MatrixXd one = MatrixXd::Identity(M.rows(), M.rows());
            const MatrixXd up = columns(f, stages.kin, &Innovations<double>::innovations_to_force),
                           down = columns(f, stages.kin, &Innovations<double>::force_to_innovations);
            VectorXd D(M.rows());
            for (Eigen::Index j = 0; j < D.size(); ++j)
                D[j] = f.D(j);
            expect_equal("L D L*", where, MatrixXd(up * D.asDiagonal() * up.transpose()), M,
                         {.condition = condition});
            expect_equal("M x", where, columns(f, stages.kin, &Innovations<double>::multiply), M,
                         {.condition = condition});
            const MatrixXd inverse = Eigen::LDLT<MatrixXd>(M).solve(one);
            expect_equal("M^-1", where, columns(f, stages.kin, &Innovations<double>::solve), inverse,
                         {.condition = condition});
            const Rule factors{.condition = condition, .terms = largest(up.cwiseAbs() * down.cwiseAbs())};
            expect_equal("the factors undo each other", where, MatrixXd(up * down), one, factors);
            expect_equal("adjoint of I + H phi K", where,
                         columns(f, stages.kin, &Innovations<double>::velocity_to_innovations),
                         MatrixXd(up.transpose()), {.condition = condition});
            expect_equal("adjoint of I - H psi K", where,
                         columns(f, stages.kin, &Innovations<double>::innovations_to_velocity),
                         MatrixXd(down.transpose()), {.condition = condition});
            EXPECT_TRUE(up.isUpperTriangular(1e-300) && (up.diagonal() - VectorXd::Ones(M.rows())).isZero())
                << where;
            expect_equal("log det", where, f.log_det(),
                         2.0 *
                             Eigen::LLT<MatrixXd>(M).matrixL().toDenseMatrix().diagonal().array().log().sum(),
                         {.condition = condition, .terms = static_cast<double>(c.v.size())});
            // Covariances: the maps of independent unit normals.
            const MatrixXd velocity = columns(f, stages.kin, &Innovations<double>::sample_velocity),
                           force = columns(f, stages.kin, &Innovations<double>::sample_force);
            expect_equal("covariance M^-1", where, MatrixXd(velocity * velocity.transpose()), inverse,
                         {.condition = condition});
            expect_equal("covariance M", where, MatrixXd(force * force.transpose()), M,
                         {.condition = condition});
        }
    });
}

// The same as a factorization of the model with that body, and only the path is redone.
TEST(Innovations, PayloadsRedoThePath)
{
    for_every_case([](const Case& c) {
        if (c.v.empty())
            return;
        Stages<double> stages(c.model, by_hinges, c.q, c.v);
        const int body = c.model.num_bodies() - 1;
        const double m = 2.5;
        const Vec3<double> com{0.1, -0.2, 0.05};
        const Sym3<double> inertia = Sym3<double>::diagonal(0.02, 0.03, 0.04);
        const Inertia<double> payload = Inertia<double>::about_point(m, com, inertia);

        Innovations<double> f(c.model), anew(c.model);
        f.factor(stages.kin);
        EXPECT_EQ(f.bodies_redone(), c.model.num_bodies());
        f.set_payload(stages.kin, body, payload);
        EXPECT_EQ(f.bodies_redone(), c.model.tree().depth[static_cast<std::size_t>(body)] + 1) << c.where;

        // The mass matrix gains J* M J of the body.
        MatrixXd J(6, static_cast<Eigen::Index>(c.v.size()));
        std::vector<double> entries(6 * c.v.size());
        frame_jacobian<double>(stages.kin,
                               c.model.frame(c.model.bodies()[static_cast<std::size_t>(body)].name), entries);
        J = Eigen::Map<MatrixXd>(entries.data(), 6, J.cols());
        const Pose<double> X = stages.kin.X_WB(body);
        const Inertia<double> turned = {payload.m, X.R * payload.h, rotate(X.R, payload.J)};
        MatrixXd K(6, 6);
        for (int i = 0; i < 6; ++i) {
            VectorXd e = VectorXd::Unit(6, i);
            K.col(i) = dense(turned * Motion<double>{{e[0], e[1], e[2]}, {e[3], e[4], e[5]}});
        }
        const MatrixXd M = mass_of(stages) + J.transpose() * K * J;
        expect_equal("M with a payload", c.where, columns(f, stages.kin, &Innovations<double>::multiply), M,
                     {.condition = condition_of(M)});
        f.set_payload(stages.kin, body, {});
        anew.factor(stages.kin);
        expect_equal("and without it again", c.where, columns(f, stages.kin, &Innovations<double>::solve),
                     columns(anew, stages.kin, &Innovations<double>::solve));
    });
}

// In operations: of a quadruped-like tree the legs that did not change cost nothing.
TEST(Innovations, PayloadsCostThePath)
{
    const Model model = *generate_model("tree:127");
    Kinematics<Counting> kin(model, Reference::hinges);
    Innovations<Counting> f(model);
    const std::vector<Counting> q(static_cast<std::size_t>(model.num_coordinates()), Counting(0.3));
    update<Counting>(kin, q);
    update_inertias(kin);
    const auto cost = [](const auto& call) {
        const OperationCount before = Counting::count();
        call();
        const OperationCount spent = Counting::count() - before;
        return static_cast<double>(spent.multiplications + spent.additions);
    };
    const double all = cost([&] { f.factor(kin); });
    const int tip = model.num_bodies() - 1;
    const double one = cost([&] { f.set_payload(kin, tip, Inertia<Counting>{Counting(1.0), {}, {}}); });
    const double path = model.tree().depth[static_cast<std::size_t>(tip)] + 1,
                 share = path / model.num_bodies();
    EXPECT_LT(one, 1.6 * share * all)
        << path << " of " << model.num_bodies() << " bodies"; // the payload's turning too
}

TEST(Innovations, ManyVectorsAndFaults)
{
    const Case c = forest_cases().front();
    Stages<double> stages(c.model, by_hinges, c.q, c.v);
    Innovations<double> f(c.model);
    Numbers x(c.v.size());
    EXPECT_THROW(f.solve(stages.kin, c.T, x), UsageError); // not factored
    f.factor(stages.kin);
    Numbers T = c.T, all(2 * c.T.size()), one(c.T.size());
    T.insert(T.end(), c.a.begin(), c.a.end());
    f.solve_many(stages.kin, T, all);
    f.solve(stages.kin, c.a, one);
    EXPECT_TRUE(std::equal(one.begin(), one.end(), all.begin() + static_cast<std::ptrdiff_t>(one.size())));
    EXPECT_THROW(f.force_to_innovations(stages.kin, std::span(c.T).first(c.T.size() - 1), x), UsageError);
    EXPECT_THROW(f.set_payload(stages.kin, c.model.num_bodies(), {}), UsageError);
    stages.set(c.q, c.v);
    EXPECT_THROW(f.solve(stages.kin, c.T, x), UsageError); // of another state
}

} // namespace
} // namespace sweepdyn::test
