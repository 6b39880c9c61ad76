// Laws of frames: Jacobians, velocities, Jdot v and true accelerations in the three forms are rates of the frame's pose and
// of its velocity.
#include "sweepdyn/kinematics/frames.hpp"
#include "support/time.hpp"
#include "support/truth.hpp"

namespace sweepdyn::test {
namespace {

struct Form {
    const char* name;
    FrameAxes axes;
};
constexpr Form forms[] = {
    {"world aligned", FrameAxes::world_aligned}, {"body", FrameAxes::body}, {"spatial", FrameAxes::spatial}};

std::string at(const Case& c, const ReferenceChoice& choice, const Form& form, int frame)
{
    return c.where + ", frame " + c.model.frames()[static_cast<std::size_t>(frame)].name + ", " + form.name +
           ", by " + choice.name;
}

// From a twist in world axes about the world origin to a form, by dense matrices.
MatrixXd to_form(const Matrix4d& X_WF, FrameAxes axes)
{
    if (axes == FrameAxes::spatial)
        return MatrixXd::Identity(6, 6);
    Matrix4d X = X_WF;
    if (axes == FrameAxes::world_aligned)
        X.topLeftCorner<3, 3>().setIdentity();
    return twist_map(X).inverse();
}

// f(case, choice, form, frame) on the last frames of each model: those that the user added, the ground's and a body's.
template <class F> void for_every_frame(F f)
{
    for_every_case([&](const Case& c) {
        const int frames = static_cast<int>(c.model.frames().size());
        for (const ReferenceChoice& choice : reference_choices)
            for (const Form& form : forms)
                for (int frame = std::max(0, frames - 4); frame < frames; ++frame)
                    f(c, choice, form, frame);
    });
}

TEST(Frames, JacobiansAreThoseOfTheTruth)
{
    for_every_case([](const Case& c) {
        const auto truth = dense_bodies(c.model, c.q);
        for (const ReferenceChoice& choice : reference_choices) {
            Kinematics<double> kin = make_kinematics<double>(c.model, choice);
            update<double>(kin, c.q);
            for (int frame = 0; frame < static_cast<int>(c.model.frames().size()); ++frame) {
                const int body = c.model.frame_body({frame});
                const Matrix4d X_WF = (body == ground ? Matrix4d(Matrix4d::Identity()) : truth[body].X_WB) *
                                      numbers(c.model.frames()[frame].X_BF);
                expect_equal("frame pose", at(c, choice, forms[0], frame), frame_pose(kin, FrameId{frame}),
                             X_WF);
                const MatrixXd J_W =
                    body == ground ? MatrixXd(MatrixXd::Zero(6, c.model.num_dofs())) : truth[body].J;
                for (const Form& form : forms) {
                    Numbers J(6 * c.v.size());
                    frame_jacobian<double>(kin, {frame}, J, form.axes);
                    const MatrixXd got = Eigen::Map<const MatrixXd>(J.data(), 6, c.model.num_dofs());
                    expect_equal("J", at(c, choice, form, frame), got,
                                 MatrixXd(to_form(X_WF, form.axes) * J_W));
                }
            }
        }
    });
}

TEST(Frames, VelocityIsJvAndTheRateOfThePose)
{
    for_every_frame([](const Case& c, const ReferenceChoice& choice, const Form& form, int frame) {
        const std::string where = at(c, choice, form, frame);
        Kinematics<double> kin = make_kinematics<double>(c.model, choice);
        update<double>(kin, c.q, c.v);
        Kinematics<Time> moved = make_kinematics<Time>(c.model, choice);
        update<Time>(moved, moving(c.model, c.q, c.v), constant(c.v));
        const Motion<double> V = frame_velocity(kin, FrameId{frame}, form.axes);

        Numbers J(6 * c.v.size());
        frame_jacobian<double>(kin, {frame}, J, form.axes);
        const MatrixXd dense_J = Eigen::Map<const MatrixXd>(J.data(), 6, c.model.num_dofs());

        const Pose<Time> X = frame_pose(moved, FrameId{frame});
        const Motion<double> rate = velocity_of(X); // world aligned
        const Vec3<double> p = real(X.p);
        const Motion<double> expected = form.axes == FrameAxes::world_aligned ? rate
                                        : form.axes == FrameAxes::body
                                            ? rotate_back(real(X.R), rate)
                                            : Motion<double>{rate.w, rate.v + cross(p, rate.w)};
        const double terms = largest(numbers(rate));
        expect_equal("V = dX/dt", where, V, expected, {.terms = terms});
        expect_equal("V = J v", where, V, VectorXd(dense_J * eigen(c.v)), {.terms = terms});
    });
}

// Componentwise derivatives of the velocity in the same form; for world-aligned ones the linear part is therefore classical.
TEST(Frames, AccelerationIsTheRateOfVelocity)
{
    for_every_frame([](const Case& c, const ReferenceChoice& choice, const Form& form, int frame) {
        const std::string where = at(c, choice, form, frame);
        Kinematics<double> kin = make_kinematics<double>(c.model, choice);
        update<double>(kin, c.q, c.v);
        const FrameId id{frame};
        double terms = 0.0;
        for (const Numbers& v_dot :
             {c.a, Numbers{}}) { // empty: Jdot v, the smaller of the two by what cancels
            Kinematics<Time> moved = make_kinematics<Time>(c.model, choice);
            update<Time>(moved, moving(c.model, c.q, c.v),
                         along(c.v, v_dot.empty() ? Numbers(c.v.size(), 0.0) : v_dot));
            const Motion<double> expected = tangent(frame_velocity(moved, id, form.axes));
            terms = std::max(terms, largest(numbers(expected)));
            expect_equal(v_dot.empty() ? "Jdot v" : "acceleration", where,
                         frame_acceleration<double>(kin, id, v_dot, form.axes), expected, {.terms = terms});
        }
    });
}

TEST(Frames, TheGroundStandsStill)
{
    const Model model = *generate_model("random:5:3");
    Kinematics<double> kin(model);
    const Case c = make_case(model, "ground", Place::random, 1);
    update<double>(kin, c.q, c.v);
    const FrameId world = model.frame("world");
    EXPECT_EQ(frame_velocity(kin, world), Motion<double>{});
    EXPECT_EQ(frame_acceleration<double>(kin, world, c.a), Motion<double>{});
    EXPECT_EQ(frame_pose(kin, world), Pose<double>{});
}

} // namespace
} // namespace sweepdyn::test
