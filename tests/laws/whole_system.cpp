// Laws of the whole system: the centroidal momentum matrix and its rate, momentum that is reset, the generalized Jacobian of what
// floats; against dense linear algebra, against dual numbers, and from whichever body is called the base.
#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "support/mapping.hpp"
#include "support/time.hpp"
#include "support/truth.hpp"
#include "sweepdyn/model/edit.hpp"

namespace sweepdyn::test {
namespace {

std::string at(const Case& c, const ReferenceChoice& choice) { return c.where + ", by " + choice.name; }

MatrixXd six_rows(const Numbers& a)
{
    return Eigen::Map<const MatrixXd>(a.data(), 6, static_cast<Eigen::Index>(a.size() / 6));
}
// Takes a force from the world origin to c.
MatrixXd to_point(const Vector3d& c)
{
    MatrixXd out = MatrixXd::Identity(6, 6);
    out.topRightCorner(3, 3) = -cross_matrix(c);
    return out;
}
MatrixXd centroidal(Stages<double>& stages)
{
    Numbers A(6 * stages.kin.H.size());
    centroidal_momentum_matrix<double>(stages.kin, stages.composite, A);
    return six_rows(A);
}

TEST(WholeSystem, CentroidalMomentumMatrix)
{
    for_every_case([](const Case& c) {
        if (c.model.total_mass() == 0.0)
            return;
        MatrixXd about_origin = MatrixXd::Zero(6, c.model.num_dofs());
        Vector3d first = Vector3d::Zero();
        const auto truth = dense_bodies(c.model, c.q);
        for (int k = 0; k < c.model.num_bodies(); ++k)
            if (!c.model.is_fixed(k)) {
                about_origin += truth[k].M * truth[k].J;
                first += Vector3d(truth[k].M(2, 4), truth[k].M(0, 5), truth[k].M(1, 3));
            }
        const MatrixXd expected = to_point(first / c.model.total_mass()) * about_origin;
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            const MatrixXd A = centroidal(stages);
            expect_equal("A", at(c, choice), A, expected, {.terms = largest(about_origin)});
            expect_equal("A v = h about the centre of mass", at(c, choice), VectorXd(A * eigen(c.v)),
                         momentum_about_com(stages.kin), {.terms = largest(A) * largest(eigen(c.v))});
        }
    });
}

// d/dt h = A v_dot + bias; by dual numbers, at the v_dot of the case and at none.
TEST(WholeSystem, RateOfCentroidalMomentum)
{
    for_every_case([](const Case& c) {
        if (c.model.total_mass() == 0.0)
            return;
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            const MatrixXd A = centroidal(stages);
            const VectorXd bias = dense(centroidal_bias(stages.kin, stages.forces));
            for (const Numbers& v_dot : {c.a, Numbers(c.a.size(), 0.0)}) {
                const Stages<Time> moved = moving_stages(c, choice, v_dot);
                const VectorXd driven = A * eigen(v_dot);
                const Force<double> h_dot = tangent(momentum_about_com(moved.kin));
                const double terms = largest(A) * (largest(eigen(v_dot)) + eigen(c.v).squaredNorm());
                expect_equal("dh/dt", at(c, choice), VectorXd(driven + bias), h_dot, {.terms = terms});
            }
        }
    });
}

TEST(WholeSystem, ResetMomentumGivesTheWantedOne)
{
    int floating = 0;
    for_every_case([&](const Case& c) {
        const auto base = c.model.floating_base();
        if (!base)
            return;
        ++floating;
        const int dof = c.model.tree().first_dof[*base];
        const Force<double> wanted{{1.0, -2.0, 0.5}, {3.0, 0.25, -1.5}};
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            const double condition = condition_of(dense(stages.composite.R[*base])),
                         terms = largest(numbers(momentum(stages.kin))) + 3.0;
            Numbers v = c.v;
            reset_momentum<double>(stages.kin, wanted, v);
            for (int j = 0; j < c.model.num_dofs(); ++j)
                if (j < dof || j >= dof + 6) {
                    EXPECT_EQ(v[j], c.v[j]);
                }
            stages.set(c.q, v);
            expect_equal("h as wanted", at(c, choice), momentum_about_com(stages.kin), wanted,
                         {.condition = condition, .terms = terms});
        }
    });
    EXPECT_GE(floating, 20);
}

// J_g = J_hinges - J_base A_base^-1 A_hinges, A of the base's tree; its product and its adjoint's; and the motion that it says is that of
// the frame when the momentum is nulled.
TEST(WholeSystem, GeneralizedJacobian)
{
    int floating = 0, elsewhere = 0;
    for_every_case([&](const Case& c) {
        const auto base = c.model.floating_base();
        if (!base)
            return;
        const int dof = c.model.tree().first_dof[*base], n = c.model.num_dofs();
        const auto truth = dense_bodies(c.model, c.q);
        MatrixXd A = MatrixXd::Zero(6, n);
        for (int k = 0; k < c.model.num_bodies(); ++k)
            if (c.model.tree().root[k] == *base)
                A += truth[k].M * truth[k].J;
        const MatrixXd A_base = A.middleCols(dof, 6);
        const MatrixXd giving_way = A_base.partialPivLu().solve(A);
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            const double condition = condition_of(dense(stages.composite.R[*base]));
            for (int f = 0; f < static_cast<int>(c.model.frames().size()); f += 3) {
                ++floating;
                const FrameId frame{f};
                const int body = c.model.frame_body(frame);
                elsewhere += body == ground || c.model.tree().root[body] != *base;
                Numbers J(6 * static_cast<std::size_t>(n)), J_g(J), T(static_cast<std::size_t>(n));
                frame_jacobian<double>(stages.kin, frame, J);
                generalized_jacobian<double>(stages.kin, stages.composite, frame, J_g);
                MatrixXd expected = six_rows(J) - six_rows(J).middleCols(dof, 6) * giving_way;
                expected.middleCols(dof, 6).setZero();
                const Rule rule{.condition = condition, .terms = largest(six_rows(J)) + 1.0};
                expect_equal("J_g", at(c, choice), six_rows(J_g), expected, rule);
                const Motion<double> V =
                    generalized_velocity<double>(stages.kin, stages.composite, frame, c.v);
                expect_equal("J_g v", at(c, choice), V, VectorXd(expected * eigen(c.v)),
                             {.condition = condition, .terms = rule.terms * largest(eigen(c.v))});
                const Force<double> w{{1, 2, 3}, {-4, 5, 6}};
                generalized_forces<double>(stages.kin, stages.composite, frame, w, T);
                expect_equal("J_g* w", at(c, choice), T, VectorXd(expected.transpose() * dense(w)),
                             {.condition = condition, .terms = 6.0 * rule.terms});
                for (FrameAxes axes : {FrameAxes::body, FrameAxes::spatial}) {
                    generalized_jacobian<double>(stages.kin, stages.composite, frame, J_g, axes);
                    expect_equal("J_g v in other axes", at(c, choice),
                                 generalized_velocity<double>(stages.kin, stages.composite, frame, c.v, axes),
                                 VectorXd(six_rows(J_g) * eigen(c.v)),
                                 {.condition = condition,
                                  .terms = largest(six_rows(J_g)) * largest(eigen(c.v)) + 1.0});
                }
                if (c.model.tree().root == std::vector<int>(c.model.tree().root.size(), *base)) {
                    Numbers v = c.v; // one tree: null_momentum makes its momentum zero
                    null_momentum<double>(stages.kin, v);
                    Stages<double> nulled(c.model, choice, c.q, v);
                    expect_equal("of a system without momentum", at(c, choice),
                                 frame_velocity(nulled.kin, frame), V,
                                 {.condition = condition, .terms = rule.terms * largest(eigen(c.v))});
                }
            }
        }
    });
    EXPECT_GE(floating, 100);
    EXPECT_GE(elsewhere, 10);
}

// Whichever body carries the free hinge: the same momentum, the same centroidal inertia A M^-1 A', the same motion of every body when the
// hinges move and nobody pushes. That all accelerations are the same too is in rerooting.cpp.
TEST(WholeSystem, AnyBodyMayBeTheBase)
{
    int moved = 0;
    for (int seed = 1; seed <= 30; ++seed) {
        ModelBuilder builder(*generate_model("random:8:" + std::to_string(seed)));
        bool first = true;
        for (Hinge& hinge : builder.hinges()) {
            hinge.armature.clear(), hinge.damping.clear(), hinge.friction.clear(), hinge.limits = {};
            if (hinge.parent.empty() && !first)
                hinge.parent = builder.bodies()[0].name;
            if (first)
                hinge.kind = HingeKind::free, hinge.X_CM = {};
            first = false;
        }
        const Model model = builder.build();
        const Case c =
            make_case(model, "floating " + model.name(), Place::random, static_cast<std::uint64_t>(seed));
        Stages<double> before(model, automatic, c.q, c.v);
        const auto inertia = [](Stages<double>& s) {
            const MatrixXd A = centroidal(s);
            return MatrixXd(A * mass_of(s).llt().solve(A.transpose()));
        };
        for (int k = 1; k < model.num_bodies(); ++k) {
            const Rerooted to = reroot(model, model.bodies()[k].name);
            Numbers q(c.q.size()), v(c.v.size());
            to.map_state(c.q, c.v, q, v);
            Stages<double> after(to.model, automatic, q, v);
            ++moved;
            const double condition = std::max(condition_of(mass_of(before)), condition_of(mass_of(after)));
            expect_equal("momentum", c.where, momentum_about_com(after.kin), momentum_about_com(before.kin),
                         {.terms = largest(numbers(momentum(before.kin)))});
            expect_equal("A M^-1 A'", c.where, inertia(after), inertia(before), {.condition = condition});
            for (int b = 0; b < model.num_bodies(); ++b) {
                const std::string& name = model.bodies()[b].name;
                expect_equal(
                    "J_g v", c.where + ", body " + name,
                    generalized_velocity<double>(after.kin, after.composite, to.model.frame(name), v),
                    generalized_velocity<double>(before.kin, before.composite, model.frame(name), c.v),
                    {.condition = condition, .terms = 1.0});
            }
        }
    }
    EXPECT_GT(moved, 150);
}

TEST(WholeSystem, CountsGrowExactlyLinearly)
{
    const auto counted = [&](int n, auto what) {
        ModelBuilder builder(*generate_model("chain:" + std::to_string(n)));
        builder.hinges()[0] = {.name = "base", .kind = HingeKind::free, .child = builder.bodies()[0].name};
        const Model model = builder.build();
        Numbers q(static_cast<std::size_t>(model.num_coordinates()));
        neutral(model, q);
        const std::vector<Counting> q_c(q.begin(), q.end()),
            v(static_cast<std::size_t>(model.num_dofs()), 0.3);
        std::vector<Counting> J(6 * v.size()), T = v;
        Stages<Counting> stages(model, by_hinges, q_c, v);
        const OperationCount before = Counting::count();
        what(stages, v, J, T);
        return Counting::count() - before;
    };
    const auto linear = [&](const char* name, auto what) {
        EXPECT_TRUE(counted(20, what) - counted(10, what) == counted(30, what) - counted(20, what)) << name;
        const OperationCount o = counted(7, what);
        std::printf("chain:7 floating, %-9s %5ld mul %5ld add %3ld div\n", name, o.multiplications,
                    o.additions, o.divisions);
    };
    using Vector = std::vector<Counting>;
    using At = Stages<Counting>;
    linear("cmm", [](At& s, const Vector&, Vector& J, Vector&) {
        centroidal_momentum_matrix<Counting>(s.kin, s.composite, J);
    });
    linear("cmm_bias", [](At& s, const Vector&, Vector&, Vector&) { centroidal_bias(s.kin, s.forces); });
    linear("J_g", [](At& s, const Vector&, Vector& J, Vector&) {
        generalized_jacobian<Counting>(s.kin, s.composite, {s.kin.model.num_bodies() - 1}, J);
    });
    linear("J_g v", [](At& s, const Vector& v, Vector&, Vector&) {
        generalized_velocity<Counting>(s.kin, s.composite, {s.kin.model.num_bodies() - 1}, v);
    });
    linear("J_g* w", [](At& s, const Vector&, Vector&, Vector& T) {
        generalized_forces<Counting>(s.kin, s.composite, {s.kin.model.num_bodies() - 1}, {}, T);
    });
}

TEST(WholeSystem, SaysWhatIsMissing)
{
    const Model fixed = *generate_model("chain:3");
    Stages<double> stages(fixed, automatic, Numbers(3), Numbers(3));
    Numbers three(3), J(18);
    EXPECT_THROW(reset_momentum<double>(stages.kin, {}, three), RefusedError);
    EXPECT_THROW(generalized_jacobian<double>(stages.kin, stages.composite, FrameId{0}, J), RefusedError);
    EXPECT_THROW(centroidal_momentum_matrix<double>(stages.kin, stages.composite, three), UsageError);
    update<double>(stages.kin, three, three);
    EXPECT_THROW(centroidal_momentum_matrix<double>(stages.kin, stages.composite, J), UsageError);
}

} // namespace
} // namespace sweepdyn::test
