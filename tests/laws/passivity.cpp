// Laws of the Coriolis matrix and the rate of the mass matrix: what they are by dual numbers and particle by particle, the
// product rule M_dot = C + C', and the inverse dynamics that keeps two velocities apart.
#include <Eigen/Eigenvalues>

#include "support/time.hpp"
#include "support/truth.hpp"

namespace sweepdyn::test {
namespace {

std::string at(const Case& c, const ReferenceChoice& choice) { return c.where + ", by " + choice.name; }

// The stages of this page on top of the others.
struct Passivity : Stages<double> {
    ColumnRates<double> rates;
    CompositeBiasInertias<double> bias;
    CompositeInertiaRates<double> inertia_rates;
    ReferenceMotions<double> motions;

    Passivity(const Case& c, const ReferenceChoice& choice)
        : Stages<double>(c.model, choice, c.q, c.v),
          rates(c.model),
          bias(c.model),
          inertia_rates(c.model),
          motions(c.model)
    {
        column_rates(kin, rates);
    }
    MatrixXd coriolis()
    {
        Numbers C(kin.H.size() * kin.H.size());
        coriolis_matrix<double>(kin, rates, composite, C, bias);
        return square(C);
    }
    MatrixXd mass_rate()
    {
        Numbers M_dot(kin.H.size() * kin.H.size());
        mass_matrix_rate<double>(kin, rates, composite, M_dot, inertia_rates);
        return square(M_dot);
    }
    Numbers inverse_apart(const Numbers& v_r, const Numbers& a_r,
                          std::span<const Force<double>> external = {})
    {
        Numbers T(v_r.size());
        passivity_inverse_dynamics<double>(kin, rates, v_r, a_r, T, motions, external);
        return T;
    }
};

TEST(Passivity, ColumnRatesAreTheRatesOfColumns)
{
    for_every_case([](const Case& c) {
        for (const ReferenceChoice& choice : reference_choices) {
            const Passivity stages(c, choice);
            const Stages<Time> moved = moving_stages(c, choice, c.a);
            for (Index k : c.model.tree().base_to_tip()) {
                Motion<double> a{};
                for (Index j : c.model.tree().dofs(static_cast<int>(k))) {
                    const Motion<Time> H = at_origin(moved.kin, k, moved.kin.H[j]);
                    expect_equal("H_dot", at(c, choice), at_origin(stages.kin, k, stages.rates.H_dot[j]),
                                 tangent(H), {.terms = largest(dense(real(H)))});
                    a += c.v[j] * stages.rates.H_dot[j];
                }
                expect_equal("H_dot v = a", at(c, choice), a, stages.kin.body[k].a,
                             {.terms = largest(dense(stages.kin.body[k].V))});
            }
        }
    });
}

TEST(Passivity, MassMatrixRateIsTheRateOfTheMassMatrix)
{
    for_every_case([](const Case& c) {
        for (const ReferenceChoice& choice : reference_choices) {
            Passivity stages(c, choice);
            const MatrixXd M_dot = stages.mass_rate();
            expect_equal("M_dot", at(c, choice), M_dot, square(tangent(moving_stages(c, choice, c.a).mass())),
                         {.terms = largest(mass_of(stages))});
            EXPECT_EQ(M_dot, M_dot.transpose());
        }
    });
}

// C + C' = M_dot, so x' (M_dot - 2C) x = 0 for every x; and unrelated branches have none of it.
TEST(Passivity, MassMatrixRateIsCoriolisAndItsTranspose)
{
    for_every_case([](const Case& c) {
        for (const ReferenceChoice& choice : reference_choices) {
            Passivity stages(c, choice);
            const MatrixXd C = stages.coriolis(), M_dot = stages.mass_rate();
            expect_equal("C + C' = M_dot", at(c, choice), MatrixXd(C + C.transpose()), M_dot,
                         {.terms = std::max(largest(C), largest(mass_of(stages)))});
            const auto& body = c.model.tree().body_of_dof;
            const auto carries = [&](int a, int b) {
                while (b > a)
                    b = c.model.tree().parent[b];
                return a == b;
            };
            for (int i = 0; i < C.rows(); ++i)
                for (int j = 0; j < i; ++j)
                    if (!carries(body[j], body[i])) {
                        EXPECT_EQ(C(i, j), 0.0);
                        EXPECT_EQ(C(j, i), 0.0);
                        EXPECT_EQ(M_dot(i, j), 0.0);
                    }
        }
    });
}

// Six particles have the mass, the centre and the inertia of a body: m/6 at +-sqrt(3 s/m) from the centre along each axis of
// the tensor sum dm r r' = 1/2 tr(Jc) 1 - Jc with its eigenvalue s. A massless body has none.
std::vector<Vec3<double>> particles(const Body& body)
{
    if (body.mass == 0.0)
        return {};
    const Matrix3<double> J = dense(body.inertia_com);
    const Eigen::SelfAdjointEigenSolver<Matrix3<double>> axes(
        Matrix3<double>(0.5 * J.trace() * Matrix3<double>::Identity() - J));
    std::vector<Vec3<double>> out;
    for (int i = 0; i < 3; ++i)
        for (double sign : {-1.0, 1.0}) {
            const Vector3d r =
                sign * std::sqrt(3.0 * axes.eigenvalues()[i] / body.mass) * axes.eigenvectors().col(i);
            out.push_back(body.com + Vec3<double>{r.x(), r.y(), r.z()});
        }
    return out;
}

// C(i,j) = sum over particles dm J_i . dJ_j/dt
TEST(Passivity, CoriolisMatrixIsTheParticles)
{
    for_every_case([](const Case& c) {
        const Stages<Time> moved = moving_stages(c, automatic, c.a);
        const Tree& tree = c.model.tree();
        MatrixXd truth = MatrixXd::Zero(tree.num_dofs(), tree.num_dofs());
        for (Index k : tree.base_to_tip())
            for (const Vec3<double>& r : particles(c.model.bodies()[k])) {
                const Vec3<Time> p = transform_point(moved.kin.X_WB(k), cast<Time>(r));
                MatrixXd J = MatrixXd::Zero(3, tree.num_dofs()), J_dot = J;
                for (Index body = k; body != ground; body = tree.parent[body])
                    for (Index j : tree.dofs(static_cast<int>(body))) {
                        const Motion<Time>& H = moved.kin.H[j];
                        const Vec3<Time> velocity = H.v + cross(H.w, p - moved.kin.r(body));
                        J.col(j) = dense(real(velocity));
                        J_dot.col(j) = dense(tangent(velocity));
                    }
                truth += c.model.bodies()[k].mass / 6.0 * J.transpose() * J_dot;
            }
        for (const ReferenceChoice& choice : reference_choices) {
            Passivity stages(c, choice);
            expect_equal("C = sum dm J' J_dot", at(c, choice), stages.coriolis(), truth,
                         {.terms = largest(mass_of(stages))});
        }
    });
}

// Where v = q_dot: C(i,j) = sum over k of 1/2 (dM(i,j)/dq(k) + dM(i,k)/dq(j) - dM(j,k)/dq(i)) v(k)
TEST(Passivity, CoriolisMatrixIsChristoffels)
{
    int models = 0;
    for_every_case([&](const Case& c) {
        const int n = c.model.num_dofs();
        if (n == 0 || n != c.model.num_coordinates() || n > 25)
            return;
        for (const Hinge& hinge : c.model.hinges())
            if (hinge.kind == HingeKind::planar)
                return;
        ++models;
        std::vector<MatrixXd> dM;
        for (int k = 0; k < n; ++k)
            dM.push_back(square(tangent(
                Stages<Time>(c.model, automatic, along(c.q, plain(VectorXd::Unit(n, k))), constant(c.v))
                    .mass())));
        MatrixXd truth = MatrixXd::Zero(n, n);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                for (int k = 0; k < n; ++k)
                    truth(i, j) += 0.5 * (dM[k](i, j) + dM[j](i, k) - dM[i](j, k)) * c.v[k];
        Passivity stages(c, automatic);
        expect_equal("C by Christoffel", c.where, stages.coriolis(), truth,
                     {.terms = largest(mass_of(stages))});
    });
    EXPECT_GT(models, 100);
}

TEST(Passivity, CoriolisForcesAreTheBias)
{
    for_every_case([](const Case& c) {
        if (c.v.empty())
            return;
        for (const ReferenceChoice& choice : reference_choices) {
            Passivity stages(c, choice);
            const VectorXd bias = eigen(stages.inverse(Numbers(c.v.size(), 0.0))),
                           gravity = eigen(stages.gravity()), Cv = stages.coriolis() * eigen(c.v);
            expect_equal("C v + g = bias", at(c, choice), VectorXd(Cv + gravity), bias,
                         {.terms = std::max(largest(Cv), largest(gravity))});
        }
    });
}

TEST(Passivity, IsInverseDynamicsAtTheVelocityItself)
{
    for_every_case([](const Case& c) {
        for (const ReferenceChoice& choice : reference_choices) {
            Passivity stages(c, choice);
            const auto w = external_of(stages.kin, c);
            expect_equal("T(v, a) = T", at(c, choice), stages.inverse_apart(c.v, c.a, w),
                         stages.inverse(c.a, w));
        }
    });
}

// T = M a_r + C v_r + g, v_r and a_r being anything.
TEST(Passivity, KeepsTwoVelocitiesApart)
{
    for_every_case([](const Case& c) {
        if (c.v.empty())
            return;
        Random random(17);
        const Numbers v_r = random_numbers(random, c.model.num_dofs(), 1.5),
                      a_r = random_numbers(random, c.model.num_dofs(), 3.0);
        for (const ReferenceChoice& choice : reference_choices) {
            Passivity stages(c, choice);
            const VectorXd inertial = mass_of(stages) * eigen(a_r), gravity = eigen(stages.gravity()),
                           gyroscopic = stages.coriolis() * eigen(v_r);
            expect_equal("M a_r + C v_r + g", at(c, choice), stages.inverse_apart(v_r, a_r),
                         VectorXd(inertial + gyroscopic + gravity),
                         {.terms = std::max({largest(inertial), largest(gyroscopic), largest(gravity)})});
        }
    });
}

} // namespace
} // namespace sweepdyn::test
