// Laws of invariance: what is chosen for convenience (reference point, units, root, world frame, order of siblings, bodies
// that are welded) changes no physics.
#include <numeric>

#include "support/compare.hpp"
#include "support/mapping.hpp"
#include "sweepdyn/model/edit.hpp"
#include "sweepdyn/model/merge.hpp"

namespace sweepdyn::test {
namespace {

TEST(Invariance, ToTheReferencePoint)
{
    for_every_case([](const Case& c) {
        Stages<double> truth(c.model, by_hinges, c.q, c.v);
        const auto w = external_of(truth.kin, c);
        const double condition = condition_of(mass_of(truth));
        const Numbers T = truth.inverse(c.a, w), v_dot = truth.forward(c.T, w), M = truth.mass();
        for (const ReferenceChoice& choice : {by_pole, automatic, renewed_by_three}) {
            const std::string where = c.where + ", by " + choice.name;
            Stages<double> other(c.model, choice, c.q, c.v);
            const auto w_other = external_of(other.kin, c);
            expect_equal("T", where, other.inverse(c.a, w_other), T);
            expect_equal("M", where, other.mass(), M);
            expect_equal("v_dot", where, other.forward(c.T, w_other), v_dot, {.condition = condition});
        }
    });
}

// The whole world moved and turned, gravity with it.
TEST(Invariance, ToTheWorldFrame)
{
    for_every_case([](const Case& c) {
        Random random(17);
        const Pose<double> X{random.rotation(), random.vector(2.0)};
        ModelBuilder builder(c.model);
        builder.set_gravity(X.R * c.model.gravity());
        for (Hinge& hinge : builder.hinges())
            if (hinge.parent.empty())
                hinge.X_PF = X * hinge.X_PF;
        const Model moved = builder.build();
        Case d = c;
        for (Force<double>& w : d.wrench)
            w = rotate(X.R, w);
        for (const ReferenceChoice& choice : reference_choices) {
            const std::string where = c.where + ", by " + choice.name;
            Stages<double> here(c.model, choice, c.q, c.v), there(moved, choice, c.q, c.v);
            const auto w = external_of(here.kin, c), w_moved = external_of(there.kin, d);
            expect_equal("T", where, there.inverse(c.a, w_moved), here.inverse(c.a, w));
            expect_equal("M", where, there.mass(), here.mass());
            expect_equal("v_dot", where, there.forward(c.T, w_moved), here.forward(c.T, w),
                         {.condition = condition_of(mass_of(here))});
        }
    });
}

// Lengths in millimetres. One number per dof: 1 where it turns, 1000 where it slides; forces accordingly.
constexpr double mm = 1000.0;
Numbers dof_units(const Model& model)
{
    Numbers out;
    for (const Hinge& hinge : model.hinges()) {
        Numbers units(static_cast<std::size_t>(num_dofs(hinge)), 1.0);
        switch (hinge.kind) {
        case HingeKind::prismatic: units[0] = mm; break;
        case HingeKind::cylindrical: units[1] = mm; break;
        case HingeKind::planar: units[1] = units[2] = mm; break;
        case HingeKind::free: units[3] = units[4] = units[5] = mm; break;
        default:
            for (std::size_t i = 0; i < hinge.steps.size(); ++i)
                units[i] = hinge.steps[i].motion == HingeStep::Motion::slide ? mm : 1.0;
        }
        out.insert(out.end(), units.begin(), units.end());
    }
    return out;
}
Model in_millimetres(const Model& model)
{
    ModelBuilder builder(model);
    builder.set_gravity(mm * model.gravity());
    for (Body& body : builder.bodies())
        body.com = mm * body.com, body.inertia_com = (mm * mm) * body.inertia_com;
    const Numbers units = dof_units(model);
    std::size_t j = 0;
    for (Hinge& hinge : builder.hinges()) {
        hinge.X_PF.p = mm * hinge.X_PF.p, hinge.X_CM.p = mm * hinge.X_CM.p, hinge.pitch *= mm;
        for (HingeStep& step : hinge.steps)
            step.placement.p = mm * step.placement.p, step.pitch *= mm;
        for (double& armature : hinge.armature)
            armature *= mm * mm / (units[j] * units[j]), ++j;
    }
    return builder.build();
}

TEST(Invariance, ToUnits)
{
    for_every_case([](const Case& c) {
        for (const Hinge& hinge : c.model.hinges())
            if (hinge.user)
                return; // its functions have lengths of their own
        const Model model = in_millimetres(c.model);
        const Numbers units = dof_units(c.model);
        const auto times = [&](Numbers a, auto factor) {
            for (std::size_t j = 0; j < a.size(); ++j)
                a[j] *= factor(units[j]);
            return a;
        };
        const auto motion = [](double u) { return u; };
        const auto motion_back = [](double u) { return 1.0 / u; };
        const auto force = [](double u) { return mm * mm / u; };
        const auto force_back = [](double u) { return u / (mm * mm); };
        Numbers q = c.q;
        for (int k = 0; k < c.model.num_bodies(); ++k) {
            const int first = c.model.tree().first_coordinate[k], dof = c.model.tree().first_dof[k];
            const bool quaternion = c.model.hinges()[k].kind == HingeKind::free ||
                                    c.model.hinges()[k].kind == HingeKind::spherical;
            for (int i = quaternion ? 4 : 0; i < num_coordinates(c.model.hinges()[k]); ++i)
                q[first + i] *= units[dof + i - (quaternion ? 1 : 0)];
        }
        Case d = c;
        for (Force<double>& w : d.wrench)
            w = {(mm * mm) * w.n, mm * w.f};
        for (const ReferenceChoice& choice : reference_choices) {
            const std::string where = c.where + ", by " + choice.name;
            Stages<double> metres(c.model, choice, c.q, c.v),
                millimetres(model, choice, q, times(c.v, motion));
            const auto w = external_of(metres.kin, c), w_mm = external_of(millimetres.kin, d);
            expect_equal("T", where, times(millimetres.inverse(times(c.a, motion), w_mm), force_back),
                         metres.inverse(c.a, w));
            expect_equal("v_dot", where, times(millimetres.forward(times(c.T, force), w_mm), motion_back),
                         metres.forward(c.T, w), {.condition = condition_of(mass_of(metres))});
            expect_equal("kinetic energy", where, kinetic_energy(millimetres.kin) / (mm * mm),
                         kinetic_energy(metres.kin));
        }
    });
}

TEST(Invariance, ToTheOrderOfSiblings)
{
    for (const Case& c : forest_cases()) {
        // Bodies in another order, parents first; the builder numbers them as they come.
        Random random(23);
        const int n = c.model.num_bodies();
        std::vector<int> waiting(static_cast<std::size_t>(n)), order;
        std::iota(waiting.begin(), waiting.end(), 0);
        while (!waiting.empty()) {
            const int pick = random.integer(0, static_cast<int>(waiting.size()) - 1), k = waiting[pick];
            const int parent = c.model.tree().parent[k];
            if (parent == ground || std::find(order.begin(), order.end(), parent) != order.end()) {
                order.push_back(k);
                waiting.erase(waiting.begin() + pick);
            }
        }
        ModelBuilder builder("shuffled");
        builder.set_gravity(c.model.gravity());
        for (int k : order)
            builder.add_body(c.model.bodies()[k]).add_hinge(c.model.hinges()[k]);
        const Model shuffled = builder.build();
        Stages<double> here(c.model, automatic, c.q, c.v);
        Stages<double> there(shuffled, automatic, carry_coordinates(c.model, shuffled, c.q),
                             carry_dofs(c.model, shuffled, c.v));
        const auto w = external_of(here.kin, c), w_there = external_by_name(there.kin, c);
        const Numbers T = there.inverse(carry_dofs(c.model, shuffled, c.a), w_there),
                      v_dot = there.forward(carry_dofs(c.model, shuffled, c.T), w_there);
        expect_equal("T", c.where, carry_dofs(shuffled, c.model, T), here.inverse(c.a, w));
        expect_equal("v_dot", c.where, carry_dofs(shuffled, c.model, v_dot), here.forward(c.T, w),
                     {.condition = condition_of(mass_of(here))});
        expect_equal("potential energy", c.where, potential_energy(there.kin), potential_energy(here.kin),
                     {.terms = 1.0});
    }
}

TEST(Invariance, ToLumpingWelds)
{
    int merged_bodies = 0;
    for_every_case([&](const Case& c) {
        const Model lumped = merge_welds(c.model);
        if (c.v.empty())
            return;
        merged_bodies += c.model.num_bodies() - lumped.num_bodies();
        ASSERT_EQ(lumped.num_dofs(), c.model.num_dofs());
        Stages<double> here(c.model, automatic, c.q, c.v);
        Stages<double> there(lumped, automatic, carry_coordinates(c.model, lumped, c.q),
                             carry_dofs(c.model, lumped, c.v));
        const auto w = external_of(here.kin, c), w_there = external_by_name(there.kin, c);
        // Welds carry no dofs, so dof numbers keep their order.
        expect_equal("T", c.where, there.inverse(c.a, w_there), here.inverse(c.a, w));
        expect_equal("M", c.where, there.mass(), here.mass());
        expect_equal("v_dot", c.where, there.forward(c.T, w_there), here.forward(c.T, w),
                     {.condition = condition_of(mass_of(here))});
        expect_equal("kinetic energy", c.where, kinetic_energy(there.kin), kinetic_energy(here.kin));
        expect_equal("momentum", c.where, momentum(there.kin), momentum(here.kin));
    });
    EXPECT_GT(merged_bodies, 100 / forest_step);
}

} // namespace
} // namespace sweepdyn::test
