// Law: another body of a floating tree may carry the free hinge; every body then accelerates as before. Poses, velocities and
// energies are compared in tests/unit/edit_reroot.cpp.
#include "support/compare.hpp"
#include "support/mapping.hpp"
#include "sweepdyn/model/edit.hpp"

namespace sweepdyn::test {
namespace {

bool inverts(HingeKind kind)
{
    return kind == HingeKind::planar || kind == HingeKind::spherical || kind == HingeKind::free;
}

// A random forest whose first tree floats; armature only where a reversed hinge can have it too.
Model floating_forest(int bodies, int seed)
{
    ModelBuilder builder(*generate_model("random:" + std::to_string(bodies) + ":" + std::to_string(seed)));
    Random random(static_cast<std::uint64_t>(seed));
    for (std::size_t k = 0; k < builder.hinges().size(); ++k) {
        Hinge& hinge = builder.hinges()[k];
        hinge.limits = {};
        hinge.damping.clear(), hinge.friction.clear();
        if (k == 0 || random.integer(0, 5) == 0)
            hinge.armature.clear();
        if (k == 0)
            hinge.kind = HingeKind::free, hinge.X_CM = {};
        else if (random.integer(0, 6) == 0) {
            hinge.kind = HingeKind::user;
            hinge.steps = hinge_kinds()[static_cast<std::size_t>(HingeKind::user)].steps;
            hinge.armature = {0.1, 0.2, 0.3, 0.4};
        }
        if (inverts(hinge.kind))
            hinge.armature.clear();
    }
    return builder.build();
}

TEST(Rerooting, ChangesNoAcceleration)
{
    int moved = 0;
    for (int seed = 1; seed <= 60; ++seed) {
        const Model model = floating_forest(9, seed);
        Case c = make_case(model, model.name(), Place::random, static_cast<std::uint64_t>(seed));
        for (int k = 0; k < model.num_bodies(); ++k) {
            int root = k;
            while (model.tree().parent[root] != ground)
                root = model.tree().parent[root];
            if (root != 0 || k == 0)
                continue;
            const Rerooted to = reroot(model, model.bodies()[k].name);
            ++moved;
            // Hinge forces: those of reversed steps stand in reverse order; where the tangent space turned, none.
            Numbers T = c.T;
            for (int b : to.path)
                if (inverts(model.hinges()[b].kind))
                    std::fill(T.begin() + model.tree().first_dof[b],
                              T.begin() + model.tree().first_dof[b + 1], 0.0);
            Numbers T_new = carry_dofs(model, to.model, T), q_new(c.q.size()), v_new(c.v.size());
            for (int b : to.path)
                if (model.hinges()[b].kind == HingeKind::universal ||
                    model.hinges()[b].kind == HingeKind::user) {
                    const int there = to.hinge_of[b];
                    std::reverse(T_new.begin() + to.model.tree().first_dof[there],
                                 T_new.begin() + to.model.tree().first_dof[there + 1]);
                }
            to.map_state(c.q, c.v, q_new, v_new);

            Stages<double> before(model, automatic, c.q, c.v), after(to.model, automatic, q_new, v_new);
            const double condition = std::max(condition_of(mass_of(before)), condition_of(mass_of(after)));
            const Numbers v_dot = before.forward(T, external_of(before.kin, c)),
                          v_dot_new = after.forward(T_new, external_by_name(after.kin, c));
            double terms = 0.0;
            for (int b = 0; b < model.num_bodies(); ++b)
                terms = std::max(terms, largest(numbers(frame_acceleration<double>(before.kin, {b}, v_dot))));
            for (int b = 0; b < model.num_bodies(); ++b) {
                const std::string& name = model.bodies()[b].name;
                expect_equal("acceleration", c.where + ", body " + name + ", root " + model.bodies()[k].name,
                             frame_acceleration<double>(after.kin, to.model.frame(name), v_dot_new),
                             frame_acceleration<double>(before.kin, model.frame(name), v_dot),
                             {.condition = condition, .terms = terms});
            }
            expect_equal("kinetic energy", c.where, kinetic_energy(after.kin), kinetic_energy(before.kin));
            expect_equal("potential energy", c.where, potential_energy(after.kin),
                         potential_energy(before.kin), {.terms = 9.81});
            expect_equal("momentum", c.where, momentum(after.kin), momentum(before.kin));
        }
    }
    EXPECT_GT(moved, 200);
}

} // namespace
} // namespace sweepdyn::test
