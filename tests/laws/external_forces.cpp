// Laws of external wrenches: by virtual work a wrench w on a frame changes T by -J' w, in any axes.
#include "support/stages.hpp"
#include "support/truth.hpp"

namespace sweepdyn::test {
namespace {

std::string at(const Case& c, const ReferenceChoice& choice) { return c.where + ", by " + choice.name; }

TEST(ExternalForces, ChangeTByTheJacobian)
{
    for_every_case([](const Case& c) {
        const int n = c.model.num_dofs(), frames = static_cast<int>(c.model.frames().size());
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            const VectorXd T = eigen(stages.inverse(c.a));
            for (int frame = std::max(0, frames - 3); frame < frames; ++frame)
                for (WrenchAxes axes : {WrenchAxes::world, WrenchAxes::frame}) {
                    const Force<double> wrench = c.wrench[0];
                    std::vector<Force<double>> w(c.wrench.size());
                    add_external_wrench<double>(stages.kin, {frame}, wrench, axes, w);
                    Numbers J(6 * static_cast<std::size_t>(n));
                    frame_jacobian<double>(stages.kin, {frame}, J,
                                           axes == WrenchAxes::world ? FrameAxes::world_aligned
                                                                     : FrameAxes::body);
                    const VectorXd work =
                        Eigen::Map<const MatrixXd>(J.data(), 6, n).transpose() * dense(wrench);
                    expect_equal("T - J'w", at(c, choice), stages.inverse(c.a, w), VectorXd(T - work),
                                 {.terms = largest(T) + largest(work)});
                }
        }
    });
}

// Gravity is nothing but weights at the centres of mass.
TEST(ExternalForces, WeightsAreGravity)
{
    for_every_case([](const Case& c) {
        for (const ReferenceChoice& choice : reference_choices) {
            Stages<double> stages(c.model, choice, c.q, c.v);
            const Numbers T = stages.inverse(c.a), v_dot = stages.forward(c.T);
            std::vector<Force<double>> weights;
            for (int k = 0; k < c.model.num_bodies(); ++k) {
                const Body& body = c.model.bodies()[k];
                const Force<double> weight{{}, body.mass * c.model.gravity()};
                weights.push_back(
                    Phi<double>{transform_point(stages.kin.X_WB(k), body.com) - stages.kin.r(k)} * weight);
            }
            stages.kin.set_gravity({});
            expect_equal("T", at(c, choice), stages.inverse(c.a, weights), T);
            expect_equal("v_dot", at(c, choice), stages.forward(c.T, weights), v_dot,
                         {.condition = condition_of(mass_of(stages))});
        }
    });
}

// What pushes on the ground moves nothing.
TEST(ExternalForces, TheGroundTakesWhatItGets)
{
    const Model model = *generate_model("chain:4");
    Kinematics<double> kin(model);
    update<double>(kin, Numbers(4, 0.3));
    std::vector<Force<double>> w(4);
    add_external_wrench<double>(kin, model.frame("world"), {{1, 2, 3}, {4, 5, 6}}, WrenchAxes::world, w);
    for (const Force<double>& each : w)
        EXPECT_EQ(each, Force<double>{});
}

} // namespace
} // namespace sweepdyn::test
