// Laws of the Jacobian family: J v, J* f, J J*, J* J and its inverse are what the dense Jacobian of the truth makes of them.
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "support/stages.hpp"
#include "support/truth.hpp"
#include "sweepdyn/functions.hpp"
#include "sweepdyn/kinematics/frame_least_squares.hpp"
#include "sweepdyn/kinematics/jacobian_jacobian_adjoint.hpp"
#include "sweepdyn/kinematics/jacobian_times.hpp"

namespace sweepdyn::test {
namespace {

MatrixXd as_matrix(const Numbers& a, Eigen::Index rows)
{
    return Eigen::Map<const MatrixXd>(a.data(), rows,
                                      rows == 0 ? 0 : static_cast<Eigen::Index>(a.size()) / rows);
}

// The rows of all frames one below the other, world axes about each frame's origin, by dense products.
MatrixXd dense_jacobian(const Case& c, std::span<const FrameId> frames)
{
    const auto truth = dense_bodies(c.model, c.q);
    MatrixXd J = MatrixXd::Zero(6 * static_cast<Eigen::Index>(frames.size()), c.model.num_dofs());
    for (std::size_t i = 0; i < frames.size(); ++i)
        if (const int body = c.model.frame_body(frames[i]); body != ground) {
            Matrix4d X = truth[body].X_WB * numbers(c.model.frame_at(frames[i]).X_BF);
            X.topLeftCorner<3, 3>().setIdentity();
            J.middleRows(6 * static_cast<Eigen::Index>(i), 6) = twist_map(X).inverse() * truth[body].J;
        }
    return J;
}

// None, the last one, a few (one of them twice, and the ground's), and all of them.
std::vector<std::vector<FrameId>> frame_sets(const Model& model)
{
    const int count = static_cast<int>(model.frames().size());
    std::vector<FrameId> few{{count - 1}, {0}, {count / 2}, {count - 1}, model.frame("world")}, every;
    for (int i = 0; i < count; ++i)
        every.push_back({i});
    return {{}, {{count - 1}}, few, every};
}

// f(case, choice, frames, dense J, where) for every case, reference point and set of frames.
template <class F> void for_every_set(F f)
{
    for_every_case([&](const Case& c) {
        for (const std::vector<FrameId>& frames : frame_sets(c.model)) {
            const MatrixXd J = dense_jacobian(c, frames);
            for (const ReferenceChoice& choice : reference_choices) {
                Kinematics<double> kin = make_kinematics<double>(c.model, choice);
                update<double>(kin, c.q);
                f(c, kin, frames, J,
                  c.where + ", " + std::to_string(frames.size()) + " frames, by " + choice.name);
            }
        }
    });
}

TEST(JacobianFamily, AppliedAndFormed)
{
    for_every_set([](const Case& c, const Kinematics<double>& kin, const std::vector<FrameId>& frames,
                     const MatrixXd& J, const std::string& where) {
        JacobianScratch<double> scratch(c.model);
        std::vector<Motion<double>> V(frames.size());
        jacobian_times<double>(kin, frames, c.v, V, scratch);
        VectorXd got(J.rows());
        for (std::size_t i = 0; i < V.size(); ++i)
            got.segment(6 * static_cast<Eigen::Index>(i), 6) = dense(V[i]);
        expect_equal("J v", where, got, VectorXd(J * eigen(c.v)), {.terms = largest(J)});

        Random random(5);
        std::vector<Force<double>> f;
        VectorXd dense_f(J.rows());
        for (std::size_t i = 0; i < frames.size(); ++i) {
            f.push_back({random.vector(5.0), random.vector(5.0)});
            dense_f.segment(6 * static_cast<Eigen::Index>(i), 6) = dense(f.back());
        }
        Numbers T(c.v.size());
        jacobian_adjoint_times<double>(kin, frames, f, T, scratch);
        expect_equal("J* f", where, T, VectorXd(J.transpose() * dense_f),
                     {.terms = largest(J) * largest(dense_f)});

        Numbers formed(static_cast<std::size_t>(J.size()));
        jacobian<double>(kin, frames, formed);
        expect_equal("J", where, as_matrix(formed, J.rows()), J.rows() == 0 ? MatrixXd(0, 0) : J);
    });
}

TEST(JacobianFamily, Squares)
{
    for_every_set([](const Case& c, const Kinematics<double>& kin, const std::vector<FrameId>& frames,
                     const MatrixXd& J, const std::string& where) {
        Numbers got(static_cast<std::size_t>(J.rows() * J.rows()));
        JacobianCompliance<double> compliance(c.model);
        jacobian_jacobian_adjoint<double>(kin, frames, got, compliance);
        expect_equal("J J*", where, as_matrix(got, J.rows()), MatrixXd(J * J.transpose()));

        // With and without weights; a weight of zero leaves turning or moving out.
        for (const auto& [angular, linear] : {std::pair{1.0, 1.0}, {0.3, 2.0}, {0.0, 1.0}, {1.0, 0.0}}) {
            std::vector<WeightedFrame<double>> weighted;
            VectorXd W(J.rows());
            for (std::size_t i = 0; i < frames.size(); ++i) {
                const double more = 1.0 + static_cast<double>(i);
                weighted.push_back({frames[i], angular * more, linear * more});
                W.segment(6 * static_cast<Eigen::Index>(i), 3).setConstant(angular * more);
                W.segment(6 * static_cast<Eigen::Index>(i) + 3, 3).setConstant(linear * more);
            }
            FrameWeights<double> weights(c.model);
            Numbers square(c.v.size() * c.v.size());
            jacobian_adjoint_jacobian<double>(kin, weighted, square, weights);
            const MatrixXd expected = J.transpose() * W.asDiagonal() * J;
            expect_equal("J* W J", where, as_matrix(square, expected.rows()), expected,
                         {.terms = J.rows() == 0 ? 0.0 : W.maxCoeff() * largest(J) * largest(J)});
        }
    });
}

// A chain of at most six dofs with hinges of random kinds, and a frame on its tip.
Model short_chain(std::uint64_t seed)
{
    Random random(seed);
    ModelBuilder builder("short chain " + std::to_string(seed));
    std::string parent;
    for (int dofs = 0, k = 0; dofs < 6; ++k) {
        const auto& kinds = hinge_kinds();
        const HingeCase& which =
            kinds[static_cast<std::size_t>(random.integer(0, static_cast<int>(kinds.size()) - 1))];
        const std::string name = "link" + std::to_string(k);
        Hinge hinge = random_hinge(random, which.kind, parent, name);
        hinge.steps = which.steps;
        hinge.user = which.user;
        if (dofs + num_dofs(hinge) > 6)
            break;
        dofs += num_dofs(hinge);
        builder.add_body(random_body(random, name)).add_hinge(hinge);
        parent = name;
    }
    builder.add_frame({"tool", parent, {random.rotation(), random.vector(0.3)}});
    return builder.build();
}

void expect_inverse(const Case& c, std::span<const FrameId> frames)
{
    const MatrixXd J = dense_jacobian(c, frames);
    std::vector<WeightedFrame<double>> weighted;
    VectorXd W(J.rows());
    for (std::size_t i = 0; i < frames.size(); ++i) {
        weighted.push_back({frames[i], 0.7, 1.5});
        W.segment(6 * static_cast<Eigen::Index>(i), 6) << 0.7, 0.7, 0.7, 1.5, 1.5, 1.5;
    }
    const MatrixXd square = J.transpose() * W.asDiagonal() * J;
    const double condition = condition_of(square);
    const MatrixXd expected = square.inverse();
    for (const ReferenceChoice& choice : reference_choices) {
        const std::string where = c.where + ", by " + choice.name;
        Kinematics<double> kin = make_kinematics<double>(c.model, choice);
        update<double>(kin, c.q);
        FrameWeights<double> weights(c.model);
        FrameLeastSquares<double> ls(c.model);
        Numbers got(c.v.size() * c.v.size());
        inverse_jacobian_adjoint_jacobian<double>(kin, weighted, got, weights, ls);
        expect_equal("(J* W J)^-1", where, as_matrix(got, expected.rows()), expected,
                     {.condition = condition});

        // With damping, and with the first dof's answer given: the other rows of the same equations.
        std::fill(ls.damping.begin(), ls.damping.end(), 0.01);
        articulate_frames(kin, weights, ls);
        const MatrixXd damped = square + 0.01 * MatrixXd::Identity(square.rows(), square.cols());
        Numbers x(c.v.size());
        solve_least_squares<double>(kin, ls, c.T, x);
        expect_equal("(J* W J + Lambda) x = T", where, x, VectorXd(damped.partialPivLu().solve(eigen(c.T))),
                     {.condition = condition_of(damped)});
        ls.held[0] = 1;
        articulate_frames(kin, weights, ls);
        x[0] = 0.4;
        solve_least_squares<double>(kin, ls, c.T, x);
        const Eigen::Index m = square.rows() - 1;
        const VectorXd rest = eigen(c.T).tail(m) - 0.4 * damped.col(0).tail(m);
        expect_equal("the same, one held", where, VectorXd(eigen(x).tail(m)),
                     VectorXd(damped.bottomRightCorner(m, m).partialPivLu().solve(rest)),
                     {.condition = condition_of(damped)});
        EXPECT_EQ(x[0], 0.4);
    }
}

TEST(JacobianFamily, InverseOnArms)
{
    int tried = 0;
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        const Model model = short_chain(seed);
        if (model.num_dofs() < 2)
            continue;
        const Case c = make_case(model, model.name(), Place::random, seed);
        const FrameId tool = model.frame("tool");
        const MatrixXd J = dense_jacobian(c, {&tool, 1});
        const VectorXd values = (J.transpose() * J).selfadjointView<Eigen::Lower>().eigenvalues();
        if (values.minCoeff() < 1e-8 * values.maxCoeff())
            continue; // near a singular pose, such as two hinges that by chance move alike
        ++tried;
        expect_inverse(c, {&tool, 1});
    }
    EXPECT_GT(tried, 80);
}

// Every body of a tree seen: then every hinge is.
TEST(JacobianFamily, InverseOnTrees)
{
    for_every_case([](const Case& c) {
        if (c.model.num_dofs() == 0)
            return;
        std::vector<FrameId> frames;
        for (int k = 0; k < c.model.num_bodies(); ++k)
            frames.push_back({k});
        const MatrixXd J = dense_jacobian(c, frames);
        const VectorXd values = (J.transpose() * J).selfadjointView<Eigen::Lower>().eigenvalues();
        if (values.minCoeff() > 1e-8 * values.maxCoeff())
            expect_inverse(c, frames);
    });
}

// --- what is refused ---------------------------------------------------------------------------------------------------
std::string refusal(const Model& model, const Numbers& q, std::vector<WeightedFrame<double>> frames)
{
    Kinematics<double> kin(model);
    update<double>(kin, q);
    FrameWeights<double> weights(model);
    FrameLeastSquares<double> ls(model);
    Numbers out(static_cast<std::size_t>(model.num_dofs() * model.num_dofs()));
    try {
        inverse_jacobian_adjoint_jacobian<double>(kin, frames, out, weights, ls);
    } catch (const RefusedError& error) {
        return error.what();
    }
    for (double x : out)
        EXPECT_TRUE(std::isfinite(x));
    return "";
}

// Three parallel hinges of an arm in a plane; stretched out they still turn the tip differently, the first two alone do not
// move it differently when its turning does not count.
Model planar_arm(int links)
{
    ModelBuilder builder("planar");
    for (int k = 0; k < links; ++k) {
        const std::string name = "link" + std::to_string(k + 1);
        builder.add_body({name, 1.0, {}, Sym3<double>::diagonal(1, 1, 1)});
        Hinge hinge;
        hinge.name = "turn" + std::to_string(k + 1);
        hinge.kind = HingeKind::revolute;
        hinge.parent = k == 0 ? "" : "link" + std::to_string(k);
        hinge.child = name;
        hinge.X_PF.p = {k == 0 ? 0.0 : 1.0, 0, 0};
        builder.add_hinge(hinge);
    }
    builder.add_frame({"tip", "link" + std::to_string(links), {Mat3<double>::identity(), {1, 0, 0}}});
    return builder.build();
}

TEST(JacobianFamily, SingularPosesAreRefusedByName)
{
    const Model two = planar_arm(2);
    EXPECT_EQ(refusal(two, {0.3, 0.4}, {{two.frame("tip")}}), "");
    EXPECT_EQ(refusal(two, {0.3, 0.4}, {{two.frame("tip"), 0.0, 1.0}}), "");
    EXPECT_EQ(
        refusal(two, {0.3, 0.0}, {{two.frame("tip"), 0.0, 1.0}}),
        "inverse_jacobian_adjoint_jacobian: J* J is singular at this configuration, for frame 'tip'; hinges "
        "'turn1' and 'turn2' move alike: some motion of them together moves no frame; change the "
        "configuration, lock one of them, or give damping to least squares");
    // Four parallel hinges are one too many for a plane; any four links are.
    const Model four = planar_arm(4);
    EXPECT_NE(refusal(four, {0.1, 0.5, -0.7, 0.9}, {{four.frame("tip")}})
                  .find("hinges 'turn1', 'turn2', 'turn3' and 'turn4' move alike"),
              std::string::npos);
    // What does not carry the frame does not move it.
    const std::string text = refusal(four, {0.1, 0.5, -0.7, 0.9}, {{four.frame("link2")}});
    EXPECT_NE(text.find("hinges 'turn3' and 'turn4' move no frame;"), std::string::npos) << text;
    // At any place, whatever round-off leaves of D; and seven dofs are always one too many.
    const Model seven = *generate_model("chain:7");
    for (std::uint64_t seed = 1; seed <= 200; ++seed)
        for (const Model& model : {four, seven}) {
            const Case c = make_case(model, model.name(), Place::random, seed);
            EXPECT_NE(refusal(model, c.q, {{FrameId{static_cast<int>(model.frames().size()) - 1}}})
                          .find(" move alike"),
                      std::string::npos)
                << c.where << ", seed " << seed;
        }
    EXPECT_NE(refusal(four, {0, 0, 0, 0}, {}).find("for no frame at all; hinges 'turn1', 'turn2', "),
              std::string::npos);
}

TEST(JacobianFamily, AsFunctions)
{
    const Model model = planar_arm(2);
    const VectorXd q = (VectorXd(2) << 0.3, 0.9).finished(), v = (VectorXd(2) << 0.5, -2.0).finished();
    const std::vector<std::string> frames{"tip", "link1"};
    const MatrixXd J = jacobian(model, q, frames);
    expect_equal("rows of the first frame", "", MatrixXd(J.topRows(6)), frame_jacobian(model, q, "tip"));
    expect_equal("rows of the second", "", MatrixXd(J.bottomRows(6)), frame_jacobian(model, q, "link1"));
    const VectorXd f = VectorXd::LinSpaced(12, -1.0, 2.0);
    expect_equal("J v", "", jacobian_times(model, q, frames, v), VectorXd(J * v));
    expect_equal("J* f", "", jacobian_adjoint_times(model, q, frames, f), VectorXd(J.transpose() * f));
    expect_equal("J J*", "", jacobian_jacobian_adjoint(model, q, frames), MatrixXd(J * J.transpose()));
    const MatrixXd square = J.transpose() * J;
    expect_equal("J* J", "", jacobian_adjoint_jacobian(model, q, frames), square);
    expect_equal("(J* J)^-1", "", inverse_jacobian_adjoint_jacobian(model, q, frames),
                 MatrixXd(square.inverse()));
    EXPECT_THROW(inverse_jacobian_adjoint_jacobian(model, q, {"link1"}), RefusedError);
    EXPECT_THROW(jacobian_adjoint_times(model, q, frames, v), UsageError);
}

} // namespace
} // namespace sweepdyn::test
