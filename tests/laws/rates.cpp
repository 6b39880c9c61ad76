// Laws of the rates of a configuration's numbers: the coordinates' own, and those of a displacement from a fixed place, are what
// the manifold's integrate does in time, by dual numbers.
#include "sweepdyn/model/rates.hpp"
#include "support/compare.hpp"
#include "support/time.hpp"

namespace sweepdyn::test {
namespace {

TEST(Rates, OfCoordinatesAreThoseOfTheMotion)
{
    for_every_case([](const Case& c) {
        Numbers q_dot(c.q.size());
        coordinate_rates<double>(c.model, c.q, c.v, q_dot);
        const Numbers expected = tangent(moving(c.model, c.q, c.v));
        expect_equal("q_dot", c.where, q_dot, expected, {.terms = 1.0});
    });
}

// integrate(q, d(t)), d_dot = displacement_rates(d, v), moves with the velocity v: all bodies do.
TEST(Rates, OfDisplacementsGiveTheVelocity)
{
    for (double size : {1e-9, 1e-3, 0.19, 0.21, 1.0, 2.0})
        for (const Case& c : hinge_cases()) {
            if (c.v.empty())
                continue;
            Random random(5);
            const Numbers d = random_numbers(random, c.model.num_dofs(), size / std::sqrt(3.0));
            Numbers d_dot(d.size()), there(c.q.size());
            displacement_rates<double>(c.model, d, c.v, d_dot);
            std::vector<Time> q(c.q.size());
            integrate<Time>(c.model, constant(c.q), along(d, d_dot), q);
            integrate<double>(c.model, c.q, d, there);

            Kinematics<Time> moved(c.model);
            Kinematics<double> kin(c.model);
            update<Time>(moved, q);
            update<double>(kin, there, c.v);
            for (int k = 0; k < c.model.num_bodies(); ++k)
                expect_equal("V", c.where + ", displaced by " + std::to_string(size),
                             velocity_of(frame_pose(moved, FrameId{k})), frame_velocity(kin, FrameId{k}),
                             {.terms = 1.0});
        }
}

} // namespace
} // namespace sweepdyn::test
