// Law: re-rooting changes no physics.
#include <cstdio>
#include <map>

#include <gtest/gtest.h>

#include "support/compare.hpp"
#include "sweepdyn/kinematics/kinematics.hpp"
#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/model/edit.hpp"
#include "sweepdyn/model/generate.hpp"
#include "sweepdyn/model/random.hpp"
#include "sweepdyn/model/user_hinge.hpp"
#include "sweepdyn/spatial/dense.hpp"

namespace sweepdyn {
namespace {

std::vector<HingeStep> random_steps(Random& random)
{
    std::vector<HingeStep> steps(static_cast<std::size_t>(random.integer(1, 4)));
    for (HingeStep& step : steps) {
        step.motion = static_cast<HingeStep::Motion>(random.integer(0, 2));
        step.axis = random.direction();
        step.pitch = random.uniform(-0.2, 0.2);
        step.placement = {random.rotation(), random.vector(0.2)};
    }
    return steps;
}

// A random forest whose first tree floats, with user hinges among the others, and laws that a reversed hinge can express.
Model floating_forest(int bodies, int seed)
{
    ModelBuilder builder(*generate_model("random:" + std::to_string(bodies) + ":" + std::to_string(seed)));
    Random random(static_cast<std::uint64_t>(seed));
    for (std::size_t k = 0; k < builder.hinges().size(); ++k) {
        Hinge& hinge = builder.hinges()[k];
        if (k == 0)
            hinge.kind = HingeKind::free, hinge.X_CM = {};
        else if (random.integer(0, 5) == 0) {
            hinge.kind = HingeKind::user;
            hinge.steps = random_steps(random);
        } else {
            if (hinge.kind == HingeKind::spherical || hinge.kind == HingeKind::free)
                hinge.armature.assign(3, 0.05);
            if (hinge.kind == HingeKind::free)
                hinge.armature.resize(6);
            if (hinge.kind == HingeKind::planar)
                hinge.armature = {0.05, 0.0, 0.0};
            if (hinge.kind == HingeKind::spherical || hinge.kind == HingeKind::free ||
                hinge.kind == HingeKind::planar)
                hinge.damping.clear(), hinge.friction.clear();
            continue;
        }
        hinge.armature.clear(), hinge.damping.clear(), hinge.friction.clear();
        hinge.limits = {};
    }
    return builder.build();
}

struct Physics {
    std::map<std::string, Pose<double>> pose;
    std::map<std::string, Motion<double>> velocity; // about the world origin, world axes
    double kinetic_energy = 0.0;
    Force<double> momentum; // likewise
};
Physics physics(const Model& model, const std::vector<double>& q, const std::vector<double>& v)
{
    Kinematics<double> kin(model);
    update<double>(kin, q, v);
    update_inertias(kin);
    Physics out;
    for (int k : model.tree().base_to_tip()) {
        out.pose[model.bodies()[k].name] = kin.X_WB(k);
        out.velocity[model.bodies()[k].name] = PhiAdjoint<double>{-kin.r(k)} * kin.body[k].V;
        const Force<double> h = kin.M[k] * kin.body[k].V;
        out.kinetic_energy += 0.5 * dot(h, kin.body[k].V);
        out.momentum += Phi<double>{kin.r(k)} * h;
        for (int j : model.tree().dofs(k))
            out.kinetic_energy +=
                0.5 * model.hinges()[k].armature[j - model.tree().first_dof[k]] * v[j] * v[j];
    }
    return out;
}

// Relative to the largest entry that the two have.
double error(const Physics& a, const Physics& b)
{
    double worst = std::abs(a.kinetic_energy - b.kinetic_energy) / a.kinetic_energy;
    const auto compare = [&](const auto& x, const auto& y) {
        worst = test::worse(worst, (x - y).norm() / std::max(1.0, x.norm())); // NaN stays NaN
    };
    compare(dense(a.momentum), dense(b.momentum));
    EXPECT_EQ(a.pose.size(), b.pose.size());
    for (const auto& [name, X] : a.pose) {
        compare(dense(X.R), dense(b.pose.at(name).R));
        compare(dense(X.p), dense(b.pose.at(name).p));
        compare(dense(a.velocity.at(name)), dense(b.velocity.at(name)));
    }
    return worst;
}

TEST(EditReroot, ChangesNoPhysics)
{
    std::map<HingeKind, int> reversed;
    double worst = 0.0;
    for (int seed = 1; seed <= 60; ++seed) {
        const Model model = floating_forest(12, seed);
        Random random(static_cast<std::uint64_t>(1000 + seed));
        std::vector<double> q(static_cast<std::size_t>(model.num_coordinates())),
            v(static_cast<std::size_t>(model.num_dofs()));
        random_configuration(model, static_cast<std::uint64_t>(seed), q);
        for (double& x : v)
            x = random.uniform(-1, 1);
        const Physics before = physics(model, q, v);
        for (int k : model.tree().base_to_tip()) {
            int root = k;
            while (model.tree().parent[root] != ground)
                root = model.tree().parent[root];
            if (root != 0)
                continue;
            const Rerooted rerooted = reroot(model, model.bodies()[k].name);
            std::vector<double> q_new(q.size()), v_new(v.size());
            rerooted.map_state(q, v, q_new, v_new);
            worst = test::worse(worst, error(before, physics(rerooted.model, q_new, v_new)));
            for (std::size_t i = 1; i < rerooted.path.size(); ++i)
                ++reversed[model.hinges()[rerooted.path[i]].kind];
            EXPECT_EQ(rerooted.model.hinges()[rerooted.model.body(model.bodies()[k].name).index].kind,
                      HingeKind::free);

            // And back: the old coordinates.
            const Rerooted back = reroot(rerooted.model, model.bodies()[0].name);
            std::vector<double> q_back(q.size()), v_back(v.size());
            back.map_state(q_new, v_new, q_back, v_back);
            worst = test::worse(worst, error(before, physics(back.model, q_back, v_back)));
            for (int j : model.tree().base_to_tip())
                if (const Hinge &old = model.hinges()[j],
                    &now = back.model.hinges()[back.model.hinge(old.name)];
                    j != 0) {
                    EXPECT_EQ(old.child, now.child);
                    EXPECT_EQ(old.armature, now.armature);
                    EXPECT_EQ(old.axis, now.axis);
                }
        }
    }
    EXPECT_EQ(reversed.size(), 11u) << "every kind of hinge was reversed";
    for (const auto& [kind, count] : reversed)
        EXPECT_GT(count, 20) << name(kind);
    EXPECT_LT(worst, 1e-12);
    std::printf("note: re-rooting, worst relative error of poses, velocities, energy and momentum: %.1e\n",
                worst);
}

Model two_bodies(const Hinge& between)
{
    ModelBuilder builder("pair");
    builder.add_body({"trunk", 2.0, {}, Sym3<double>::diagonal(1, 1, 1)})
        .add_body({"limb", 1.0, {0.1, 0, 0}, Sym3<double>::diagonal(1, 1, 1)});
    Hinge base;
    base.kind = HingeKind::free;
    base.name = "base";
    base.child = "trunk";
    Hinge hinge = between;
    hinge.name = "joint", hinge.parent = "trunk", hinge.child = "limb";
    return builder.add_hinge(base)
        .add_hinge(hinge)
        .add_frame({"hand", "limb", {Mat3<double>::identity(), {1, 0, 0}}})
        .build();
}

TEST(EditReroot, KeepsCoordinatesAndNames)
{
    Hinge hinge;
    hinge.kind = HingeKind::revolute;
    hinge.axis = {0, 1, 0};
    hinge.X_PF.p = {0, 0, 0.5};
    hinge.limits.lower = {-1}, hinge.limits.upper = {2};
    hinge.armature = {0.1};
    const Model model = two_bodies(hinge);
    const Rerooted limb = reroot(model, "limb");
    const Hinge& joint = limb.model.hinges()[limb.model.hinge("joint")];
    EXPECT_EQ(joint.parent, "limb");
    EXPECT_EQ(joint.child, "trunk");
    EXPECT_EQ(joint.axis, (Vec3<double>{0, -1, 0}));
    EXPECT_EQ(joint.limits, hinge.limits);
    EXPECT_EQ(joint.armature, hinge.armature);
    EXPECT_EQ(limb.model.floating_base(), 0);
    EXPECT_EQ(limb.model.bodies()[0].name, "limb");
    EXPECT_EQ(limb.model.frame_body(limb.model.frame("hand")), 0);

    std::vector<double> q{1, 0, 0, 0, 0, 0, 0, 0.3}, v{0, 0, 0, 0, 0, 0, 0.7}, q_new(8), v_new(7);
    limb.map_state(q, v, q_new, v_new);
    EXPECT_EQ(q_new[7], 0.3);
    EXPECT_EQ(v_new[6], 0.7);
    EXPECT_NEAR(q_new[6], 0.5, 1e-15); // the limb's origin
    EXPECT_NEAR(v_new[1], 0.7, 1e-15); // it turns about y

    const Rerooted same = reroot(model, "trunk");
    EXPECT_EQ(same.model.hinges()[1].parent, "trunk");
    same.map_state(q, v, q_new, v_new);
    EXPECT_EQ(q_new, q);
    EXPECT_THROW(same.map_state(q, q, q_new, v_new), UsageError);
}

TEST(EditReroot, SwapsWhatSwaps)
{
    Hinge hinge;
    hinge.kind = HingeKind::universal;
    hinge.axis = {1, 0, 0}, hinge.axis2 = {0, 1, 0};
    hinge.armature = {0.1, 0.2};
    const Rerooted limb = reroot(two_bodies(hinge), "limb");
    const Hinge& joint = limb.model.hinges()[1];
    EXPECT_EQ(joint.axis, (Vec3<double>{0, -1, 0}));
    EXPECT_EQ(joint.axis2, (Vec3<double>{-1, 0, 0}));
    EXPECT_EQ(joint.armature, (std::vector<double>{0.2, 0.1}));
    ASSERT_EQ(limb.model.notes().size(), 1u);
    EXPECT_EQ(limb.model.notes()[0].text,
              "hinge 'joint' (universal) is reversed: its coordinates stand in reverse order");
}

struct Turn {
    static constexpr int dofs = 1;
    template <class S> Pose<S> pose(std::span<const S> q) const
    {
        return exp_pose(q[0] * Motion<S>{{S(0), S(0), S(1)}, {}});
    }
    template <class S> void columns(std::span<const S>, std::span<Motion<S>> H) const
    {
        H[0] = {{S(0), S(0), S(1)}, {}};
    }
    template <class S> Motion<S> columns_rate(std::span<const S>, std::span<const S>) const { return {}; }
    template <class S> void columns_derivative(std::span<const S>, int, std::span<Motion<S>> dH) const
    {
        dH[0] = {};
    }
};

std::vector<std::string> faults_of(const Model& model)
{
    try {
        reroot(model, "limb");
    } catch (const ModelError& error) {
        return error.faults;
    }
    return {};
}

TEST(EditReroot, RefusesWhatItCannotCarryOver)
{
    Hinge hinge;
    hinge.kind = HingeKind::user;
    hinge.user = user_hinge("turn", Turn{});
    EXPECT_EQ(faults_of(two_bodies(hinge)),
              std::vector<std::string>{"hinge 'joint' (user): a hinge given by functions cannot be reversed; "
                                       "give it as a product of steps"});

    Hinge ball;
    ball.kind = HingeKind::spherical;
    ball.armature = {1, 1, 2}, ball.damping = {1, 1, 1}, ball.friction = {1, 1, 1};
    EXPECT_EQ(faults_of(two_bodies(ball)),
              (std::vector<std::string>{
                  "hinge 'joint' (spherical): its armature [1, 1, 2] has no equal in the reversed hinge",
                  "hinge 'joint' (spherical): its friction [1, 1, 1] has no equal in the reversed hinge"}));

    ModelBuilder heavy(two_bodies(Hinge{}));
    heavy.hinges()[0].armature.assign(6, 1.0);
    EXPECT_EQ(faults_of(heavy.build()),
              std::vector<std::string>{"hinge 'base' (free): its armature [1, 1, 1, 1, 1, 1] belongs to the "
                                       "old root and has no equal on another"});

    try {
        reroot(*generate_model("chain:3"), "link2");
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_STREQ(error.what(), "reroot to body 'link2': its tree hangs on the ground by hinge 'joint1' "
                                   "(revolute), expected a free "
                                   "hinge; with_base(model, BaseKind::floating) sets a weld free");
    }
    EXPECT_THROW(reroot(two_bodies(Hinge{}), "lim"), UsageError);
}

} // namespace
} // namespace sweepdyn
