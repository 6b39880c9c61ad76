// The papers' formulas, written in the algebra, against the kernels and against dense linear algebra; and their sweeps.
#include <Eigen/Cholesky>
#include <Eigen/SVD>

#include "support/stages.hpp"
#include "support/truth.hpp"
#include "sweepdyn/operators/evaluate.hpp"
#include "sweepdyn/operators/formulas/force_decompositions.hpp"
#include "sweepdyn/operators/formulas/forward_dynamics.hpp"
#include "sweepdyn/operators/formulas/jacobian_products.hpp"
#include "sweepdyn/operators/formulas/kinematics.hpp"
#include "sweepdyn/operators/formulas/operational_space.hpp"
#include "sweepdyn/operators/formulas/whole_system.hpp"
#include "sweepdyn/operators/questions.hpp"
#include "sweepdyn/operators/stacked.hpp"

namespace sweepdyn::test {
namespace {

namespace formulas = algebra::formulas;

// A vector expression at a case, with named vectors.
VectorXd number(const auto& op, algebra::Stages<double>& stages,
                std::initializer_list<std::pair<const char*, const Numbers*>> vectors = {})
{
    const algebra::Plan plan(*op.arena, op.node);
    stages.prepare(plan);
    algebra::Runner<double> run(plan);
    for (const auto& [name, numbers] : vectors)
        run.set(name, *numbers);
    VectorXd out(plan.dimension(plan.range()));
    run(stages, {}, {out.data(), static_cast<std::size_t>(out.size())});
    return out;
}

struct At {
    const Case& c;
    algebra::Operators o;
    algebra::Stages<double> stages;
    test::Stages<double> kernels;
    MatrixXd M;
    double condition;
    algebra::Vector<algebra::HingeForce> T;
    algebra::Vector<algebra::HingeMotion> v_dot;

    explicit At(const Case& of)
        : c(of),
          o(of.model),
          stages(of.model),
          kernels(of.model, by_hinges, of.q, of.v),
          M(mass_of(kernels)),
          condition(condition_of(M)),
          T(o.vector<algebra::HingeForce>("T")),
          v_dot(o.vector<algebra::HingeMotion>("v_dot"))
    {
        update<double>(stages.kin, c.q, c.v);
    }
};

template <class F> void for_moving_cases(F f)
{
    for_every_case([&](const Case& c) {
        if (!c.v.empty() && c.model.num_bodies() <= 20) {
            At at(c);
            f(at);
        }
    });
}

TEST(Formulas, InverseDynamics)
{
    for_moving_cases([](At& at) {
        const Case& c = at.c;
        expect_equal("T", c.where,
                     number(formulas::inverse_dynamics(at.o, at.v_dot), at.stages, {{"v_dot", &c.a}}),
                     eigen(at.kernels.inverse(c.a)));
        VectorXd f(6 * c.model.num_bodies());
        for (int k = 0; k < c.model.num_bodies(); ++k)
            f.segment<6>(6 * k) = dense(at.kernels.forces[k].f);
        expect_equal("f", c.where,
                     number(formulas::body_forces(at.o, at.v_dot), at.stages, {{"v_dot", &c.a}}), f);
        expect_equal("C", c.where, number(formulas::bias(at.o), at.stages),
                     eigen(at.kernels.inverse(Numbers(c.v.size(), 0.0))));
        expect_equal("C, inertially referenced", c.where,
                     number(formulas::bias_inertially_referenced(at.o), at.stages),
                     eigen(at.kernels.inverse(Numbers(c.v.size(), 0.0))));
        expect_equal("gravity", c.where, number(formulas::gravity_forces(at.o), at.stages),
                     eigen(at.kernels.gravity()), {.terms = 1.0});
    });
}

TEST(Formulas, MassMatrix)
{
    for_moving_cases([](At& at) {
        const MatrixXd truth = dense_mass_matrix(at.c.model, dense_bodies(at.c.model, at.c.q));
        expect_equal("Newton-Euler", at.c.where, algebra::dense(formulas::mass_matrix(at.o), at.stages),
                     truth);
        expect_equal("composite", at.c.where,
                     algebra::dense(formulas::mass_matrix_by_composites(at.o), at.stages), truth);
        expect_equal("innovations", at.c.where,
                     algebra::dense(formulas::mass_matrix_by_innovations(at.o), at.stages), truth,
                     {.condition = at.condition});
        const MatrixXd one = MatrixXd::Identity(truth.rows(), truth.rows());
        expect_equal("inverse", at.c.where, algebra::dense(formulas::inverse_mass_matrix(at.o), at.stages),
                     MatrixXd(Eigen::LDLT<MatrixXd>(truth).solve(one)), {.condition = at.condition});
    });
}

// Without armature beside a model that has it: other D, G and psi.
TEST(Formulas, InverseWithoutArmature)
{
    int with_armature = 0;
    for_moving_cases([&](At& at) {
        MatrixXd truth = at.M;
        for (int j = 0; j < at.c.model.num_dofs(); ++j)
            truth(j, j) -= at.stages.kin.armature[static_cast<std::size_t>(j)];
        const Eigen::VectorXd sigma = Eigen::JacobiSVD<MatrixXd>(truth).singularValues();
        const double condition = sigma[0] / sigma[sigma.size() - 1];
        if (!(condition < 1e10)) // some forests move by armature alone
            return;
        with_armature += truth != at.M;
        const auto rigid = at.o.H * at.o.phi * at.o.M * adj(at.o.phi) * adj(at.o.H);
        const MatrixXd one = MatrixXd::Identity(truth.rows(), truth.rows());
        expect_equal("inverse without armature", at.c.where,
                     algebra::dense(algebra::inverse(rigid), at.stages),
                     MatrixXd(Eigen::LDLT<MatrixXd>(truth).solve(one)), {.condition = condition});
    });
    EXPECT_GT(with_armature, 10);
}

// J W^-1 J*, J* W J, and its inverse of arms whose columns are independent.
TEST(Formulas, JacobianProducts)
{
    int inverted = 0, refused = 0;
    for_moving_cases([&](At& at) {
        const std::vector<std::string> all{at.c.model.frames().back().name, at.c.model.frames().front().name};
        for (std::size_t count : {1u, 2u}) {
            const std::vector<std::string> names(all.begin(),
                                                 all.begin() + static_cast<std::ptrdiff_t>(count));
            const MatrixXd J = algebra::dense(formulas::jacobian(at.o, names), at.stages);
            expect_equal("J W^-1 J*", at.c.where,
                         algebra::dense(formulas::jacobian_times_dual(at.o, names), at.stages),
                         MatrixXd(J * J.transpose()), {.terms = 1e-300});
            const MatrixXd JJ = J.transpose() * J;
            expect_equal("J* W J", at.c.where,
                         algebra::dense(formulas::dual_times_jacobian(at.o, names), at.stages), JJ,
                         {.terms = 1e-300});
            const Eigen::VectorXd sigma = Eigen::JacobiSVD<MatrixXd>(JJ).singularValues();
            const double condition = sigma[0] / sigma[sigma.size() - 1];
            if (condition < 1e8) {
                ++inverted;
                const MatrixXd one = MatrixXd::Identity(JJ.rows(), JJ.rows());
                expect_equal("(J* W J)^-1", at.c.where,
                             algebra::dense(formulas::inverse_dual_times_jacobian(at.o, names), at.stages),
                             MatrixXd(Eigen::LDLT<MatrixXd>(JJ).solve(one)), {.condition = condition});
            } else if (!(condition < 1e20)) {
                ++refused;
                EXPECT_THROW(algebra::dense(formulas::inverse_dual_times_jacobian(at.o, names), at.stages),
                             RefusedError)
                    << at.c.where << ", condition " << condition;
            }
        }
    });
    EXPECT_GT(inverted, 10);
    EXPECT_GT(refused, 10);
}

// Seven hinges never move one frame independently; what round-off leaves of D must not pass for weight.
TEST(Formulas, SevenHingesAreTooManyForOneFrame)
{
    const Model chain = *generate_model("chain:7");
    Kinematics<double> kin(chain, Reference::hinges);
    BlockArticulation<double> art(chain, BlockArticulation<double>::Of::frames, {chain.frame("tip")});
    Numbers q(7);
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
        random_configuration(chain, seed, q);
        update<double>(kin, q);
        update_inertias(kin);
        EXPECT_THROW(articulate(kin, art), RefusedError) << "seed " << seed;
    }
}

TEST(Formulas, ForwardDynamics)
{
    for_moving_cases([](At& at) {
        const Case& c = at.c;
        const VectorXd v_dot = eigen(at.kernels.forward(c.T));
        const algebra::Vector<algebra::HingeMotion> all[] = {
            formulas::FD1(at.o, at.T), formulas::FD3(at.o, at.T), formulas::FD4(at.o, at.T)};
        const char* const names[] = {"FD1", "FD3", "FD4"};
        for (int i = 0; i < 3; ++i)
            expect_equal(names[i], c.where, number(all[i], at.stages, {{"T", &c.T}}), v_dot,
                         {.condition = at.condition});
        at.kernels.inverse(plain(v_dot));
        VectorXd alpha(6 * c.model.num_bodies());
        for (int k = 0; k < c.model.num_bodies(); ++k)
            alpha.segment<6>(6 * k) = dense(at.kernels.forces[k].A);
        expect_equal("FD2", c.where,
                     number(formulas::FD2_accelerations(at.o, at.T), at.stages, {{"T", &c.T}}), alpha,
                     {.condition = at.condition});
        // Of frames, with the ground's fall in them: the kernel's are classical, so w x v less.
        const std::vector<std::string> frame{c.model.frames().back().name};
        const FrameId id = c.model.frame(frame.front());
        const Numbers given = plain(v_dot);
        const Motion<double> V = frame_velocity(at.kernels.kin, id);
        Motion<double> A = frame_acceleration<double>(at.kernels.kin, id, given);
        A.v -= cross(V.w, V.v);
        expect_equal(
            "frame accelerations", c.where,
            number(formulas::frame_accelerations(at.o, frame, at.v_dot), at.stages, {{"v_dot", &given}}),
            VectorXd(dense(A)), {.terms = largest(alpha)});
        if (c.model.frame_body(id) != ground) // the ground does not fall
            A.v += at.kernels.kin.A0.v;
        expect_equal("FD2, frame accelerations", c.where,
                     number(formulas::FD2_frame_accelerations(at.o, frame, at.T), at.stages, {{"T", &c.T}}),
                     VectorXd(dense(A)), {.condition = at.condition, .terms = largest(alpha)});
    });
}

// As the papers count them, and never more when fused.
TEST(Formulas, Sweeps)
{
    const algebra::Operators o(*generate_model("chain:4"));
    const auto frame = std::vector<std::string>{"tip"};
    const auto T = o.vector<algebra::HingeForce>("T");
    const auto counts = [](const auto& op) {
        return std::pair(algebra::Plan(*op.arena, op.node).sweeps(),
                         algebra::sweeps_as_written(*op.arena, op.node));
    };
    const auto expect = [](const char* name, std::pair<int, int> got, int fused, int written) {
        EXPECT_EQ(got.first, fused) << name;
        EXPECT_EQ(got.second, written) << name;
    };
    expect("FD1", counts(formulas::FD1(o, T)), 3, 4);
    expect("FD2", counts(formulas::FD2_accelerations(o, T)), 3, 4);
    expect("FD3", counts(formulas::FD3(o, T)), 3, 3);
    expect("FD4", counts(formulas::FD4(o, T)), 2, 3);
    expect("M", counts(formulas::mass_matrix(o)), 2, 2);
    expect("M^-1", counts(formulas::inverse_mass_matrix(o)), 2, 2);
    expect("Omega", counts(formulas::operational_compliance(o, {"tip"})), 2, 2);
    expect("J", counts(formulas::jacobian(o, {"tip"})), 1, 1);
    expect("h", counts(formulas::momentum(o)), 1, 1);
}

TEST(Formulas, OperationalSpace)
{
    for_moving_cases([](At& at) {
        const std::vector<std::string> names{at.c.model.frames().back().name,
                                             at.c.model.frames().front().name};
        const MatrixXd J = algebra::dense(formulas::jacobian(at.o, names), at.stages);
        const Eigen::LDLT<MatrixXd> solver(at.M);
        expect_equal("J*", at.c.where, algebra::dense(formulas::hinge_forces_of(at.o, names), at.stages),
                     MatrixXd(J.transpose()));
        expect_equal("J M^-1 J*", at.c.where,
                     algebra::dense(formulas::operational_compliance(at.o, names), at.stages),
                     MatrixXd(J * solver.solve(J.transpose())), {.condition = at.condition, .terms = 1e-300});
        expect_equal("J M^-1", at.c.where,
                     algebra::dense(formulas::frame_acceleration_of_hinge_forces(at.o, names), at.stages),
                     MatrixXd(solver.solve(J.transpose()).transpose()),
                     {.condition = at.condition, .terms = 1e-300});
        expect_equal("M^-1 J*", at.c.where,
                     algebra::dense(formulas::tip_force_correction(at.o, names), at.stages),
                     MatrixXd(solver.solve(J.transpose())), {.condition = at.condition, .terms = 1e-300});
    });
}

// f = R alpha + y and f = P alpha + z, with v_dot and T of the same motion; gravity is in alpha.
TEST(Formulas, ForceDecompositions)
{
    for_moving_cases([](At& at) {
        const Case& c = at.c;
        const Numbers T = at.kernels.inverse(c.a);
        const VectorXd f = number(formulas::body_forces(at.o, at.v_dot), at.stages, {{"v_dot", &c.a}});
        const auto alpha = formulas::accelerations(at.o, at.v_dot) + adj(at.o.phi) * at.o.gravity;
        const auto rigid = at.o.M * alpha + at.o.b + at.o.E_phi * formulas::body_forces(at.o, at.v_dot);
        expect_equal("f = M alpha + b + E_phi f", c.where, number(rigid, at.stages, {{"v_dot", &c.a}}), f);
        expect_equal("f = R alpha + y", c.where,
                     number(at.o.R * alpha + formulas::composite_residual(at.o, at.v_dot), at.stages,
                            {{"v_dot", &c.a}}),
                     f);
        expect_equal("f = P alpha + z", c.where,
                     number(at.o.P * alpha + formulas::articulated_residual(at.o, at.T), at.stages,
                            {{"v_dot", &c.a}, {"T", &T}}),
                     f, {.condition = at.condition});
    });
}

TEST(Formulas, WholeSystem)
{
    for_moving_cases([](At& at) {
        const Case& c = at.c;
        const VectorXd v = eigen(c.v), h = dense(momentum(at.kernels.kin));
        expect_equal("h = E phi R H* v", c.where, algebra::apply(formulas::momentum(at.o), at.stages, v), h,
                     {.terms = 1.0});
        expect_equal("h = E phi M phi* H* v", c.where,
                     algebra::apply(formulas::momentum_by_bodies(at.o), at.stages, v), h, {.terms = 1.0});
        double mass = 0.0; // of all bodies, those that are welded to the ground too
        Vec3<double> cm{};
        for (int k = 0; k < c.model.num_bodies(); ++k) {
            const Body& body = c.model.bodies()[static_cast<std::size_t>(k)];
            mass += body.mass;
            cm += body.mass * transform_point(at.kernels.kin.X_WB(k), body.com);
        }
        if (mass > 0.0) {
            cm = (1.0 / mass) * cm;
            const VectorXd about_cm = dense(Phi<double>{-cm} * momentum(at.kernels.kin));
            const double scale = largest(h) * (1.0 + std::sqrt(dot(cm, cm)));
            expect_equal("centroidal momentum", c.where,
                         algebra::apply(formulas::centroidal_momentum(at.o), at.stages, v), about_cm,
                         {.terms = scale});
            const auto& R = at.stages.whole;
            const double whole_condition = condition_of(dense(R));
            if (whole_condition < 1e10)
                expect_equal("velocity of the CM", c.where,
                             VectorXd(algebra::apply(formulas::cm_velocity(at.o), at.stages, v).tail<3>()),
                             VectorXd(about_cm.tail<3>() / mass),
                             {.condition = whole_condition, .terms = scale / mass});
        }
        const VectorXd nu = algebra::apply(formulas::innovations_velocity(at.o), at.stages, v);
        expect_equal("kinetic energy", c.where, 0.5 * nu.dot(algebra::apply(at.o.D, at.stages, nu)),
                     kinetic_energy(at.kernels.kin), {.condition = at.condition});
        const VectorXd diagonal = algebra::apply(formulas::diagonal_velocity(at.o), at.stages, v);
        expect_equal("kinetic energy of nu", c.where, 0.5 * diagonal.squaredNorm(),
                     kinetic_energy(at.kernels.kin), {.condition = at.condition});
        expect_equal("power of nu", c.where,
                     algebra::apply(formulas::diagonal_force(at.o), at.stages, eigen(c.T)).dot(diagonal),
                     eigen(c.T).dot(v), {.condition = at.condition, .terms = eigen(c.T).norm() * v.norm()});
        expect_equal("D = L W L*", c.where, algebra::dense(at.o.L_D * at.o.W * adj(at.o.L_D), at.stages),
                     algebra::dense(at.o.D, at.stages));
        expect_equal("L* L-*", c.where,
                     algebra::dense(adj(at.o.L_D) * algebra::inverse(adj(at.o.L_D)), at.stages),
                     MatrixXd(MatrixXd::Identity(v.size(), v.size())), {.condition = at.condition});
        EXPECT_TRUE(algebra::dense(at.o.L_D, at.stages).isLowerTriangular(0.0)) << c.where;
        // Power T v = eps nu~.
        const VectorXd eps = algebra::apply(formulas::innovations_force(at.o), at.stages, eigen(c.T));
        expect_equal("power", c.where, eps.dot(nu), eigen(c.T).dot(v),
                     {.condition = at.condition, .terms = eigen(c.T).norm() * v.norm()});
    });
}

TEST(Formulas, DiagonalTraceAndDeterminant)
{
    for_moving_cases([](At& at) {
        const std::string& where = at.c.where;
        const auto Mass = formulas::mass_matrix(at.o);
        expect_equal("trace M", where, algebra::trace(Mass, at.stages), at.M.trace());
        expect_equal("trace M by composites", where,
                     algebra::trace(at.o.H * at.o.R * adj(at.o.H) + at.o.J_a, at.stages), at.M.trace());
        const auto blocks = algebra::diagonal_blocks(Mass, at.stages);
        const Tree& tree = at.c.model.tree();
        for (std::size_t k = 0; k < blocks.size(); ++k)
            expect_equal("diagonal blocks of M", where, blocks[k],
                         MatrixXd(at.M.block(tree.first_dof[k], tree.first_dof[k], blocks[k].rows(),
                                             blocks[k].rows())),
                         {.terms = largest(at.M)});
        const auto bodies = algebra::diagonal_blocks(at.o.phi * at.o.M * adj(at.o.phi), at.stages);
        const auto R = algebra::diagonal_blocks(at.o.R, at.stages);
        for (std::size_t k = 0; k < bodies.size(); ++k)
            expect_equal("R is the diagonal of phi M phi*", where, R[k], bodies[k]);

        const double truth =
            2.0 * Eigen::LLT<MatrixXd>(at.M).matrixL().toDenseMatrix().diagonal().array().log().sum();
        const auto expect_log_det = [&](const char* name, const auto& op, double expected) {
            const auto got = algebra::log_det(op, at.stages);
            ASSERT_TRUE(got.has_value()) << name;
            expect_equal(name, where, *got, expected,
                         {.condition = at.condition, .terms = static_cast<double>(at.c.v.size())});
        };
        const auto L = algebra::I - at.o.H * at.o.psi * at.o.K;
        expect_log_det("log det M", Mass, truth);
        expect_log_det("log det M^-1", algebra::inverse(Mass), -truth);
        expect_log_det("log det of the innovations form", adj(L) * algebra::inverse(at.o.D) * L, -truth);
        expect_log_det("log det phi", at.o.phi, 0.0);
        EXPECT_FALSE(algebra::log_det(at.o.M, at.stages).has_value());
    });
}

} // namespace
} // namespace sweepdyn::test
