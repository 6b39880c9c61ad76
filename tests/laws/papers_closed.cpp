// The closed-chain algorithms of 003 II and 004 by name: all of them, the tree of clusters and the dense KKT system agree, on random arms
// with rigid and other grips, and on the golden arms with a box.
#include "support/closed_arms.hpp"
#include "support/stages.hpp"
#include "sweepdyn/closed/ccfd.hpp"
#include "sweepdyn/closed/object_inertias.hpp"
#include "sweepdyn/closed/rccfd1.hpp"
#include "sweepdyn/closed/rccfd2.hpp"
#include "sweepdyn/closed/rccfd3.hpp"
#include "sweepdyn/closed/single_cut.hpp"
#include "sweepdyn/dynamics/closed_forward_dynamics.hpp"
#include "sweepdyn/robot.hpp"

using namespace sweepdyn;
using namespace sweepdyn::test;

namespace {

template <class S> std::vector<S> as(const Numbers& x) { return {x.begin(), x.end()}; }

struct Held {
    explicit Held(const ArmsCase& c, const ReferenceChoice& choice = automatic)
        : kin(make_kinematics<double>(c.open, choice)),
          art(c.open),
          arms(c.open, grips(c)),
          body(c.open.body(c.object).index)
    {
        update<double>(kin, c.q, c.v);
        update_inertias(kin);
        articulate(kin, art);
        object = held_object(kin, body);
        const double* T = c.T.data() + c.open.tree().first_dof[static_cast<std::size_t>(body)];
        object.w = rotate(object.R, Force<double>{{T[0], T[1], T[2]}, {T[3], T[4], T[5]}});
    }
    static std::vector<Grip> grips(const ArmsCase& c)
    {
        std::vector<Grip> out;
        for (std::size_t i = 0; i < c.tips.size(); ++i)
            out.push_back({c.open.frame(c.tips[i]), c.free_axes[i]});
        return out;
    }
    Kinematics<double> kin;
    Articulation<double> art;
    ArmsOnObject<double> arms;
    HeldObject<double> object;
    int body;
};

Numbers forces(const std::vector<Force<double>>& f)
{
    Numbers out;
    for (const Force<double>& each : f)
        for (double x : dense(each))
            out.push_back(x);
    return out;
}
Numbers motions(const std::vector<Motion<double>>& a)
{
    Numbers out;
    for (const Motion<double>& each : a)
        for (double x : dense(each))
            out.push_back(x);
    return out;
}

// The forces of the dense solution on the object, about the tips.
Numbers dense_forces(const ArmsCase& c, const DenseClosed& truth)
{
    Kinematics<double> kin(c.closed);
    update<double>(kin, c.q, c.v);
    Loops<double> loops(c.closed, c.closed.loops());
    update_loops(kin, loops);
    std::vector<Force<double>> f;
    for (const auto& on : loops.loops) {
        Force<double> sum{};
        for (int i = 0; i < on.rows; ++i)
            sum += truth.lambda[on.first_row + i] * loops.A[on.first_row + i];
        f.push_back(sum);
    }
    return forces(f);
}

Numbers cluster_v_dot(const ArmsCase& c)
{
    Kinematics<double> kin(c.closed);
    Closure<double> closure(c.closed);
    ClusterArticulation<double> art(c.closed, closure);
    BodyForces<double> scratch(c.closed);
    Numbers v_dot(c.v.size());
    update<double>(kin, c.q, c.v);
    update_inertias(kin);
    update_closure(kin, closure);
    articulate(kin, closure, art);
    forward_dynamics<double>(kin, closure, art, c.T, v_dot, scratch);
    return v_dot;
}

double condition_of_open(const ArmsCase& c)
{
    Robot robot(c.open);
    robot.set_state(VectorXd::Map(c.q.data(), static_cast<Eigen::Index>(c.q.size())));
    return condition_of(robot.mass_matrix());
}

std::vector<ArmsCase> cases()
{
    std::vector<ArmsCase> out;
    std::uint64_t seed = 1;
    for (GripKind kind :
         {GripKind::rigid, GripKind::hinge, GripKind::two_axes, GripKind::ball, GripKind::mixed})
        for (int arms : {2, 3, 4})
            for (int dofs : {6, 7})
                for (bool trunk : {false, true})
                    out.push_back(random_arms(seed++, arms, dofs, kind, trunk));
    return out;
}

} // namespace

TEST(PapersClosed, AgreeWithTheDenseSystemAndTheClusters)
{
    for (const ArmsCase& c : cases()) {
        const DenseClosed truth = dense_closed(c.closed, c.q, c.v, c.T);
        const Numbers f_truth = dense_forces(c, truth);
        const double cond = condition_of_open(c), sv = [&] {
            const Eigen::JacobiSVD<MatrixXd> svd(truth.J);
            return svd.singularValues()[0] / svd.singularValues()[svd.singularValues().size() - 1];
        }();
        const Rule rule{.condition = cond * std::max(1.0, 0.1 * sv * sv)};
        expect_equal("clusters", c.where, cluster_v_dot(c), truth.v_dot, rule);

        for (const ReferenceChoice& choice : {automatic, by_hinges}) {
            Held h(c, choice);
            Rccfd3<double> parts(c.open, h.arms.num_arms());
            const auto check = [&](const std::string& law, auto algorithm) {
                Numbers v_dot(c.v.size(), std::nan(""));
                algorithm(v_dot);
                put_object_rates<double>(h.kin, h.body, h.object, h.arms.alpha_C, v_dot);
                expect_equal(law + " v_dot", c.where, v_dot, truth.v_dot, rule);
                expect_equal(law + " f(0)", c.where, forces(h.arms.f), f_truth, rule);
                EXPECT_EQ(h.arms.rank(), static_cast<int>(h.arms.rows.size())) << c.where;
                std::vector<Motion<double>> alpha;
                for (const std::string& tip : c.tips)
                    alpha.push_back(frame_acceleration<double>(h.kin, c.open.frame(tip), v_dot));
                expect_equal(law + " alpha(0)", c.where, motions(h.arms.alpha), motions(alpha), rule);
                h.arms.f.assign(h.arms.f.size(), {}); // nobody reads what another left
            };
            check("CCFD", [&](Numbers& a) { ccfd<double>(h.kin, h.art, h.object, c.T, a, h.arms); });
            const std::vector<double> Omega = h.arms.Omega;
            check("RCCFD1", [&](Numbers& a) { rccfd1<double>(h.kin, h.art, h.object, c.T, a, h.arms); });
            expect_equal("Omega", c.where, h.arms.Omega, Omega, rule);
            check("RCCFD2", [&](Numbers& a) { rccfd2<double>(h.kin, h.art, h.object, c.T, a, h.arms); });
            check("RCCFD3",
                  [&](Numbers& a) { rccfd3<double>(h.kin, h.art, h.object, c.T, a, h.arms, parts); });
        }
    }
}

// The object of the model against the same one given by its mass properties.
TEST(PapersClosed, ObjectByMassProperties)
{
    const ArmsCase c = random_arms(7, 3, 6, GripKind::mixed);
    Held h(c);
    const HeldObject<double> given =
        held_object<double>(c.open.bodies()[h.body], h.kin.X_WB(h.body), h.object.V);
    Numbers v_dot(c.v.size()), w_dot(c.v.size());
    rccfd1<double>(h.kin, h.art, h.object, c.T, v_dot, h.arms);
    rccfd1<double>(h.kin, h.art, given, c.T, w_dot, h.arms);
    expect_equal("object given", c.where, w_dot, v_dot);
}

// Arms as inertias at the object; attaching and releasing without computing any arm again.
TEST(PapersClosed, ArmsAsInertiasOfTheObject)
{
    for (const ArmsCase& c : cases()) {
        if (c.open.num_bodies() > 0 && c.open.bodies()[0].name == "trunk") {
            EXPECT_THROW(ObjectInertias<double>(c.open, Held::grips(c)), UsageError);
            continue;
        }
        Held h(c);
        ObjectInertias<double> all(c.open, Held::grips(c));
        ASSERT_TRUE(reflect_arms<double>(h.kin, h.art, h.object, c.T, all)) << c.where;
        const double sv = [&] {
            double worst = 1.0;
            for (std::size_t i = 0; i < c.tips.size(); ++i) {
                MatrixXd J(6, c.open.num_dofs());
                frame_jacobian<double>(h.kin, c.open.frame(c.tips[i]),
                                       {J.data(), static_cast<std::size_t>(J.size())});
                const VectorXd s = Eigen::JacobiSVD<MatrixXd>(J).singularValues();
                worst = std::max(worst, s[0] / s[5]);
            }
            return worst;
        }();
        const Rule rule{.condition = condition_of_open(c) * sv * sv};
        for (int released = -1; released < static_cast<int>(c.tips.size()); ++released) {
            ModelBuilder fewer(c.closed);
            if (released >= 0)
                fewer.loops().erase(fewer.loops().begin() + released);
            const ArmsCase less{c.open, fewer.build(), c.q, c.v, c.T, c.tips, c.object, c.free_axes, c.where};
            const DenseClosed truth = dense_closed(less.closed, c.q, c.v, c.T);
            if (released >= 0)
                all.detach(released);
            Numbers v_dot(c.v.size());
            hold<double>(h.kin, h.art, h.object, all, v_dot);
            put_object_rates<double>(h.kin, h.body, h.object, all.arms.alpha_C, v_dot);
            expect_equal("v_dot", c.where, v_dot, truth.v_dot, rule);
            Numbers f = forces(all.arms.f);
            if (released >= 0) {
                f.erase(f.begin() + 6 * released, f.begin() + 6 * released + 6);
                all.attach(released);
            }
            expect_equal("f(0)", c.where, f, dense_forces(less, truth), rule);
        }
    }
}

TEST(PapersClosed, SingularArmIsReported)
{
    // Arms of three dofs cannot follow a rigid grip in all directions: Omega is regular thanks to the object, Lambda_i is not.
    const ArmsCase c = random_arms(3, 1, 3, GripKind::rigid);
    Held h(c);
    ObjectInertias<double> all(c.open, Held::grips(c));
    EXPECT_FALSE(reflect_arms<double>(h.kin, h.art, h.object, c.T, all));
    EXPECT_TRUE(all.arm[0].singular);
    Numbers v_dot(c.v.size());
    rccfd1<double>(h.kin, h.art, h.object, c.T, v_dot, h.arms);
    EXPECT_EQ(h.arms.rank(), 6);
    put_object_rates<double>(h.kin, h.body, h.object, h.arms.alpha_C, v_dot);
    expect_equal("v_dot", c.where, v_dot, dense_closed(c.closed, c.q, c.v, c.T).v_dot,
                 {.condition = 100.0 * condition_of_open(c)});
}

// Planar arms welded to one object: three rows of each grip say what others say, or nothing. Accelerations stay right, forces have a mask.
TEST(PapersClosed, RedundantGripsKeepTheAccelerations)
{
    for (int seed = 1; seed <= 6; ++seed) {
        const int arms = 2 + seed % 2;
        const ArmsCase c = random_arms(10 + static_cast<std::uint64_t>(seed), arms, 3 + seed % 3,
                                       GripKind::rigid, false, true);
        Held h(c);
        const DenseClosed truth = dense_closed(c.closed, c.q, c.v, c.T);
        double largest = 0.0;
        for (double a : truth.v_dot)
            largest = std::max(largest, std::abs(a));
        ASSERT_GT(largest, 1.0); // there is something left to move
        for (int which = 0; which < 4; ++which) {
            Numbers v_dot(c.v.size());
            Rccfd3<double> parts(c.open, arms);
            which == 0   ? ccfd<double>(h.kin, h.art, h.object, c.T, v_dot, h.arms)
            : which == 1 ? rccfd1<double>(h.kin, h.art, h.object, c.T, v_dot, h.arms)
            : which == 2 ? rccfd2<double>(h.kin, h.art, h.object, c.T, v_dot, h.arms)
                         : rccfd3<double>(h.kin, h.art, h.object, c.T, v_dot, h.arms, parts);
            EXPECT_EQ(h.arms.rank(), truth.rank);
            EXPECT_EQ(h.arms.rank(), 3 * arms + 3);
            EXPECT_NE(std::count(h.arms.unique.begin(), h.arms.unique.end(), 0), 0);
            put_object_rates<double>(h.kin, h.body, h.object, h.arms.alpha_C, v_dot);
            expect_equal("v_dot", c.where, v_dot, truth.v_dot, {.condition = 1e3 * condition_of_open(c)});
        }
    }
}

// One chain cut between two tips: a weld loop, spatial (regular) and planar (rank 3 of 6).
TEST(PapersClosed, SingleCut)
{
    for (int seed = 1; seed <= 10; ++seed)
        for (bool trunk : {false, true}) {
            ArmsCase c = random_arms(100 + seed, 2, 7, GripKind::rigid, trunk);
            // tip of arm 0 welded to the tip of arm 1, frames chosen to coincide now
            ModelBuilder builder(c.open);
            Kinematics<double> kin(c.open);
            update<double>(kin, c.q);
            const std::string a = "arm0_6", b = "arm1_6";
            const Pose<double> X_Aa = c.open.frame_at(c.open.frame("tip0")).X_BF;
            const Pose<double> X_Bb =
                inverse(kin.X_WB(c.open.body(b).index)) * kin.X_WB(c.open.body(a).index) * X_Aa;
            builder.add_frame({.name = "cut", .body = b, .X_BF = X_Bb});
            builder.add_loop({.name = "cut", .body_a = a, .body_b = b, .X_Aa = X_Aa, .X_Bb = X_Bb});
            c.closed = builder.build();
            builder.loops().clear();
            c.open = builder.build();
            c.v = consistent_velocity(c.closed, c.q, c.v);
            const DenseClosed truth = dense_closed(c.closed, c.q, c.v, c.T);
            Kinematics<double> open(c.open);
            update<double>(open, c.q, c.v);
            update_inertias(open);
            Articulation<double> art(c.open);
            articulate(open, art);
            SingleCut<double> cut(c.open, c.open.frame("tip0"), c.open.frame("cut"));
            Numbers v_dot(c.v.size());
            single_cut<double>(open, art, c.T, v_dot, cut);
            EXPECT_EQ(cut.factor.rank, 6);
            const Rule rule{.condition = 10.0 * condition_of_open(c)};
            expect_equal("v_dot", c.where, v_dot, truth.v_dot, rule);
            expect_equal("f", c.where, forces({cut.f}), dense_forces(c, truth), rule);
        }
}

TEST(PapersClosed, SingleCutOfAPlanarLoopIsRankThree)
{
    // Two arms of two links in one plane.
    ModelBuilder builder("planar");
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 2; ++k) {
            const std::string name = (i ? "b" : "a") + std::to_string(k);
            builder.add_body({.name = name,
                              .mass = 1.0 + 0.2 * k,
                              .com = {0.2, 0, 0},
                              .inertia_com = {0.01, 0, 0, 0.03, 0, 0.03}});
            Hinge hinge{.name = name, .kind = HingeKind::revolute, .child = name, .axis = {0, 0, 1}};
            if (k > 0)
                hinge.parent = (i ? "b" : "a") + std::to_string(k - 1), hinge.X_PF.p = {0.5, 0, 0};
            else if (i == 1)
                hinge.X_PF.p = {0.6, 0, 0};
            builder.add_hinge(hinge);
        }
    builder.set_gravity({0, -9.81, 0});
    const Model bare = builder.build();
    Numbers q{1.9, -1.0, 1.2, 0.9};
    Kinematics<double> kin(bare);
    update<double>(kin, q);
    const Pose<double> X_Aa{Mat3<double>::identity(), {0.5, 0.0, 0.0}};
    const Pose<double> X_Bb = inverse(kin.X_WB(3)) * kin.X_WB(1) * X_Aa;
    builder.add_frame({.name = "tip_a", .body = "a1", .X_BF = X_Aa});
    builder.add_frame({.name = "tip_b", .body = "b1", .X_BF = X_Bb});
    const Model open = builder.build();
    builder.add_loop({.name = "cut", .body_a = "a1", .body_b = "b1", .X_Aa = X_Aa, .X_Bb = X_Bb});
    const Model closed = builder.build();
    const Numbers v = consistent_velocity(closed, q, {1.0, -0.5, 0.3, 0.8}), T{2.0, 0.1, -0.4, 0.3};
    const DenseClosed truth = dense_closed(closed, q, v, T);
    Kinematics<double> moving(open);
    update<double>(moving, q, v);
    update_inertias(moving);
    Articulation<double> art(open);
    articulate(moving, art);
    SingleCut<double> cut(open, open.frame("tip_a"), open.frame("tip_b"));
    Numbers v_dot(4);
    single_cut<double>(moving, art, T, v_dot, cut);
    EXPECT_EQ(cut.factor.rank, 3);
    expect_equal("v_dot", "planar", v_dot, truth.v_dot, {.condition = 1e3});
    // moments about z and forces in the plane are unique, the rest means nothing
    const std::array<char, 6> expected{0, 0, 1, 1, 1, 0};
    EXPECT_EQ(cut.unique, expected);
}

TEST(PapersClosed, GoldenTwoArmsAndABox)
{
    for (const std::string name : {"two_arms_box", "two_arms_box_free"}) {
        const GoldenMechanism golden = golden_mechanism(name);
        ArmsCase c{golden.open, golden.closed, golden.q, golden.v, golden.T, {}, "box", {{}, {}}, name};
        ModelBuilder builder(golden.open);
        for (const Loop& loop : golden.closed.loops()) {
            c.tips.push_back("tip of " + loop.name);
            builder.add_frame({.name = c.tips.back(), .body = loop.body_b, .X_BF = loop.X_Bb});
        }
        c.open = builder.build();
        Held h(c);
        Rccfd3<double> parts(c.open, 2);
        ObjectInertias<double> all(c.open, Held::grips(c));
        for (int which = 0; which < 5; ++which) {
            Numbers v_dot(c.v.size());
            const ArmsOnObject<double>& arms = which == 4 ? all.arms : h.arms;
            switch (which) {
            case 0: ccfd<double>(h.kin, h.art, h.object, c.T, v_dot, h.arms); break;
            case 1: rccfd1<double>(h.kin, h.art, h.object, c.T, v_dot, h.arms); break;
            case 2: rccfd2<double>(h.kin, h.art, h.object, c.T, v_dot, h.arms); break;
            case 3: rccfd3<double>(h.kin, h.art, h.object, c.T, v_dot, h.arms, parts); break;
            default:
                ASSERT_TRUE(reflect_arms<double>(h.kin, h.art, h.object, c.T, all));
                hold<double>(h.kin, h.art, h.object, all, v_dot);
            }
            put_object_rates<double>(h.kin, h.body, h.object, arms.alpha_C, v_dot);
            expect_equal("v_dot", name, v_dot, golden.v_dot, {.tolerance = 1e-11}); // the file's own
            Numbers got, expected;
            for (std::size_t i = 0; i < 2; ++i) {
                const Mat3<double> R = h.kin.X_WB(h.body).R * golden.closed.loops()[i].X_Aa.R;
                for (double x : dense(rotate_back(R, arms.f[i])))
                    got.push_back(x);
                expected.insert(expected.end(), golden.wrench[i].begin(), golden.wrench[i].end());
            }
            expect_equal("f(0)", name, got, expected, {.tolerance = 1e-11});
        }
    }
}

// The same equations in dual numbers: the derivative of the accelerations by a hinge force is M^-1 projected.
TEST(PapersClosed, DualNumbers)
{
    using D = Dual<double>;
    const ArmsCase c = random_arms(21, 2, 6, GripKind::two_axes);
    Kinematics<D> kin(c.open);
    const auto q = as<D>(c.q), v = as<D>(c.v);
    update<D>(kin, q, v);
    update_inertias(kin);
    Articulation<D> art(c.open);
    articulate(kin, art);
    ArmsOnObject<D> arms(c.open, Held::grips(c));
    const HeldObject<D> object = held_object(kin, c.open.body("object").index);
    auto T = as<D>(c.T);
    T[2].tangent = 1.0;
    std::vector<D> v_dot(c.v.size());
    rccfd1<D>(kin, art, object, T, v_dot, arms);
    put_object_rates<D>(kin, c.open.body("object").index, object, arms.alpha_C, v_dot);
    Numbers pushed = c.T, got;
    pushed[2] += 1.0; // linear in T
    const DenseClosed a = dense_closed(c.closed, c.q, c.v, c.T), b = dense_closed(c.closed, c.q, c.v, pushed);
    for (const D& x : v_dot)
        got.push_back(x.tangent);
    expect_equal("d v_dot / d T", c.where, got, (b.v_dot - a.v_dot).eval(),
                 {.condition = 10.0 * condition_of_open(c), .terms = a.v_dot.cwiseAbs().maxCoeff()});
}
