// Laws of singular states: where a hinge has no inertia to move, every algorithm that divides by D names it, and what runs on
// regardless gives numbers, never NaN; where only a Jacobian loses rank, all but the inverse of Omega work on.
#include <Eigen/LU>

#include "support/stages.hpp"
#include "support/truth.hpp"
#include "sweepdyn/dynamics/operational_dynamics.hpp"
#include "sweepdyn/robot.hpp"

namespace sweepdyn::test {
namespace {

struct SingularModel {
    Model model;
    std::string hinge; // that has no inertia to move
};

Hinge hinge_of(HingeKind kind, const std::string& parent, const std::string& child, const Vec3<double>& axis,
               const Vec3<double>& p = {})
{
    Hinge hinge;
    hinge.name = child + "_hinge", hinge.kind = kind, hinge.parent = parent, hinge.child = child;
    hinge.axis = axis, hinge.X_PF.p = p;
    return hinge;
}

std::vector<SingularModel> singular_models()
{
    std::vector<SingularModel> out;
    Random random(9);
    const auto add = [&](const char* name, const std::string& hinge, auto build) {
        ModelBuilder builder(name);
        builder.add_body(random_body(random, "arm"))
            .add_hinge(random_hinge(random, HingeKind::revolute, "", "arm"));
        builder.add_body(random_body(random, "side"))
            .add_hinge(random_hinge(random, HingeKind::spherical, "arm", "side"));
        build(builder);
        builder
            .add_body(random_body(random, "other")) // a branch that is whole
            .add_hinge(random_hinge(random, HingeKind::prismatic, "arm", "other"));
        out.push_back({builder.build(), hinge});
    };
    add("a massless tip", "last_hinge", [&](ModelBuilder& builder) {
        builder.add_body({"last"}).add_hinge(random_hinge(random, HingeKind::revolute, "arm", "last"));
    });
    add("two hinges with one axis and nothing between", "between_hinge", [&](ModelBuilder& builder) {
        const Vec3<double> axis = random.direction();
        builder.add_body({"between"})
            .add_hinge(hinge_of(HingeKind::revolute, "arm", "between", axis, random.vector(0.3)))
            .add_body(random_body(random, "last"))
            .add_hinge(hinge_of(HingeKind::revolute, "between", "last", axis));
    });
    add("a ball joint on a point", "last_hinge", [&](ModelBuilder& builder) {
        builder.add_body({"last", 2.0, {}, {}})
            .add_hinge(hinge_of(HingeKind::spherical, "arm", "last", {0, 0, 1}, random.vector(0.3)));
    });
    add("a rod turned about itself", "last_hinge", [&](ModelBuilder& builder) {
        builder.add_body({"last", 1.0, {0, 0, 0.5}, Sym3<double>::diagonal(0.083, 0.083, 0.0)})
            .add_hinge(hinge_of(HingeKind::revolute, "arm", "last", {0, 0, 1}, random.vector(0.3)));
    });
    return out;
}

void expect_finite(const char* what, const std::string& where, const Numbers& got)
{
    for (double x : got)
        if (!std::isfinite(x)) {
            ADD_FAILURE() << what << " is not finite, " << where;
            return;
        }
}
template <class F> void expect_named(const char* what, const SingularModel& m, const std::string& where, F f)
{
    try {
        f();
        ADD_FAILURE() << what << " is not refused, " << where;
    } catch (const RefusedError& error) {
        EXPECT_NE(std::string(error.what()).find("'" + m.hinge + "'"), std::string::npos)
            << what << ", " << where << ": " << error.what();
    }
}

TEST(Singular, KernelsGiveNumbersAndTheHinge)
{
    for (const SingularModel& m : singular_models())
        for (const ReferenceChoice& choice : reference_choices)
            for (Place place : {Place::neutral, Place::random}) {
                const Case c = make_case(m.model, m.model.name(), place, 4);
                const std::string where = c.where + ", by " + choice.name;
                Stages<double> s(m.model, choice, c.q, c.v);
                EXPECT_EQ(s.art.singular, std::vector<int>{m.model.hinge(m.hinge)}) << where;
                const auto n = c.v.size();
                Numbers out(n), C(n), square(n * n);
                std::vector<Motion<double>> alpha(static_cast<std::size_t>(m.model.num_bodies()));
                const auto finite = [&](const char* what) { expect_finite(what, where, out); };
                forward_dynamics_fd1<double>(s.kin, s.art, c.T, out, C, s.forces), finite("FD1");
                forward_dynamics_fd2<double>(s.kin, s.art, c.T, out, C, alpha, s.forces), finite("FD2");
                forward_dynamics_fd3<double>(s.kin, s.art, c.T, out, s.forces), finite("FD3");
                forward_dynamics_fd4<double>(s.kin, s.art, c.T, out, s.forces), finite("FD4");
                solve_mass_matrix<double>(s.kin, s.art, c.T, out, s.forces), finite("M^-1 T");
                tip_force_correction<double>(s.kin, s.art, external_of(s.kin, c), out, s.forces),
                    finite("M^-1 J* f");
                MassMatrixInverse<double> inverse(m.model);
                mass_matrix_inverse<double>(s.kin, s.art, square, inverse);
                expect_finite("M^-1", where, square);
                OperationalSpace<double> space(m.model, {m.model.frame("last"), m.model.frame("other")});
                operational_space(s.kin, s.art, space);
                expect_finite("Omega", where, space.Omega);

                Innovations<double> factors(m.model);
                expect_named("Innovations::factor", m, where, [&] { factors.factor(s.kin); });
                EXPECT_THROW(factors.solve(s.kin, c.T, out), UsageError) << where; // and nothing was factored
                DiagonalDynamics<double> diagonal(m.model);
                expect_named("diagonalize", m, where, [&] { diagonalize(s.kin, diagonal); });
                EXPECT_THROW(nu_of_v<double>(s.kin, diagonal, c.v, out), UsageError) << where;
                EXPECT_THROW(eps_of_T<double>(s.kin, diagonal, c.T, out), UsageError) << where;
                OperationalDynamics task(m.model, std::vector<std::string>{"other"});
                expect_named("Lambda", m, where, [&] { task.set(s.kin, s.art); });
            }
}

// What a Robot gives is never made from a hinge without inertia.
TEST(Singular, RobotsNameTheHinge)
{
    for (const SingularModel& m : singular_models()) {
        const Case c = make_case(m.model, m.model.name(), Place::random, 5);
        Robot robot(m.model);
        robot.set_state(eigen(c.q), eigen(c.v));
        const auto named = [&](const char* what, auto f) { expect_named(what, m, c.where, f); };
        named("forward_dynamics", [&] { robot.forward_dynamics(eigen(c.T)); });
        named("mass_matrix_inverse", [&] { robot.mass_matrix_inverse(); });
        named("log_det_mass_matrix", [&] { robot.log_det_mass_matrix(); });
        named("operational_compliance", [&] { robot.operational_compliance({"other"}); });
        named("diagonal_velocity", [&] { robot.diagonal_velocity(); });
        named("velocity_of_diagonal", [&] { robot.velocity_of_diagonal(eigen(c.v)); });
        named("diagonal_forces", [&] { robot.diagonal_forces(eigen(c.T)); });
        named("forces_of_diagonal", [&] { robot.forces_of_diagonal(eigen(c.T)); });
        named("diagonal_coriolis", [&] { robot.diagonal_coriolis(); });
        EXPECT_TRUE(robot.inverse_dynamics(eigen(c.a)).allFinite()) << c.where; // needs no D
        EXPECT_TRUE(robot.mass_matrix().allFinite()) << c.where;
    }
}

// Stretched straight, and two hinges with one axis that both carry mass: M is as regular as ever.
TEST(Singular, JacobiansThatLoseRankAreNoMatterToM)
{
    Random random(2);
    ModelBuilder builder("straight");
    const int bodies = 8; // about y and z in turns at first, then twice about one axis
    for (int k = 0; k < bodies; ++k) {
        const std::string name = "b" + std::to_string(k);
        Body body = random_body(random, name);
        builder.add_body(body).add_hinge(
            hinge_of(HingeKind::revolute, k == 0 ? "" : "b" + std::to_string(k - 1), name,
                     k % 2 == 0 || k > 5 ? Vec3<double>{0, 0, 1} : Vec3<double>{0, 1, 0}, {0, 0, 0.3}));
    }
    const Model model = builder.build();
    const Case c = make_case(model, "straight", Place::neutral, 1);
    const MatrixXd M = dense_mass_matrix(model, dense_bodies(model, c.q));
    const Rule rule{.condition = condition_of(M)};
    const MatrixXd inverse = M.inverse(), J = dense_bodies(model, c.q).back().J;
    ASSERT_LT(Eigen::FullPivLU<MatrixXd>(J).rank(), 6);
    for (const ReferenceChoice& choice : reference_choices) {
        Stages<double> s(model, choice, c.q, c.v);
        EXPECT_TRUE(s.art.singular.empty());
        const auto n = c.v.size();
        Numbers out(n * n), C(n);
        MassMatrixInverse<double> work(model);
        mass_matrix_inverse<double>(s.kin, s.art, out, work);
        expect_equal("M^-1", c.where, square(out), inverse, rule);
        Numbers v_dot(n);
        for (int fd : {1, 3, 4}) {
            if (fd == 1)
                forward_dynamics_fd1<double>(s.kin, s.art, c.T, v_dot, C, s.forces);
            else if (fd == 3)
                forward_dynamics_fd3<double>(s.kin, s.art, c.T, v_dot, s.forces);
            else
                forward_dynamics_fd4<double>(s.kin, s.art, c.T, v_dot, s.forces);
            expect_equal("ID(FD(T)) = T", c.where, s.inverse(v_dot), c.T, rule);
        }
        OperationalDynamics task(model, std::vector<std::string>{"b7"});
        task.set(s.kin, s.art);
        EXPECT_LT(task.rank(), 6);
        EXPECT_TRUE(task.Lambda().allFinite());
        EXPECT_NE(task.singular(s.kin).find("'b7_hinge'"), std::string::npos) << task.singular(s.kin);
    }
}

} // namespace
} // namespace sweepdyn::test
