#include <map>

#include <gtest/gtest.h>

#include "sweepdyn/model/generate.hpp"

namespace sweepdyn {
namespace {

TEST(Generate, Chain)
{
    const Model chain = *generate_model("chain:7");
    EXPECT_EQ(chain.name(), "chain:7");
    EXPECT_EQ(chain.num_bodies(), 7);
    EXPECT_EQ(chain.num_dofs(), 7);
    EXPECT_TRUE(chain.notes().empty());
    for (int k : chain.tree().base_to_tip())
        EXPECT_EQ(chain.tree().parent[k], k - 1);
    EXPECT_EQ(chain.dof_names()[6], "joint7");
    EXPECT_FALSE(chain.hinges()[0].axis == chain.hinges()[1].axis);
    EXPECT_EQ(chain.frame_body(chain.frame("tip")), 6);
    EXPECT_EQ(generate_model("chain:100000")->num_dofs(), 100000);
}

TEST(Generate, BinaryTree)
{
    const Model tree = *generate_model("tree:15");
    EXPECT_EQ(tree.num_dofs(), 15);
    EXPECT_TRUE(tree.notes().empty());
    for (int k = 1; k < 15; ++k)
        EXPECT_EQ(tree.tree().parent[k], (k - 1) / 2);
    EXPECT_EQ(tree.tree().depth[14], 3);
}

TEST(Generate, RandomHasEverything)
{
    std::map<HingeKind, int> kinds;
    int roots = 0, branches = 0, armatures = 0, dampings = 0, limits = 0, frames = 0;
    for (int seed = -20; seed < 20; ++seed) {
        const Model model = *generate_model("random:30:" + std::to_string(seed));
        EXPECT_EQ(model.num_bodies(), 30);
        EXPECT_TRUE(model.notes().empty()) << model.notes()[0].text;
        frames += static_cast<int>(model.frames().size()) - 31;
        for (int k : model.tree().base_to_tip()) {
            const Hinge& hinge = model.hinges()[k];
            ++kinds[hinge.kind];
            roots += model.tree().parent[k] == ground;
            branches += model.tree().parent[k] != k - 1;
            limits += !hinge.limits.lower.empty();
            for (double x : hinge.armature)
                armatures += x > 0.0;
            for (double x : hinge.damping)
                dampings += x > 0.0;
        }
    }
    EXPECT_EQ(kinds.size(), 10u);
    for (const auto& [kind, count] : kinds)
        EXPECT_GT(count, 60) << name(kind);
    EXPECT_GT(roots, 50);
    EXPECT_GT(branches, 200);
    EXPECT_GT(armatures, 100);
    EXPECT_GT(dampings, 100);
    EXPECT_GT(limits, 100);
    EXPECT_GT(frames, 100);
}

TEST(Generate, RandomIsTheSameEverywhere)
{
    // Numbers written down once: a change here changes everybody's random models.
    const Model model = *generate_model("random:3:1");
    EXPECT_DOUBLE_EQ(model.bodies()[0].mass, 2.3644543931567528);
    EXPECT_DOUBLE_EQ(model.hinges()[2].X_PF.R.x.x, 0.65267959089524752);
    const Model other = *generate_model("random:3:2");
    EXPECT_NE(model.bodies()[0].mass, other.bodies()[0].mass);
}

TEST(Generate, LetsFileNamesPass)
{
    for (const char* name : {"arm.urdf", "chain", "chains:3", "./chain:3", "", ":3", "Chain:3"})
        EXPECT_FALSE(generate_model(name)) << name;
}

TEST(Generate, RefusesByTheExpectedForm)
{
    const auto text = [](const char* spec) -> std::string {
        try {
            generate_model(spec);
        } catch (const UsageError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(text("chain:x"), "model 'chain:x': expected chain:N, N from 1 to 100000, as in chain:12");
    EXPECT_EQ(
        text("random:5"),
        "model 'random:5': expected random:N:SEED, N from 1 to 100000, SEED an integer, as in random:12:1");
    for (const char* spec :
         {"chain:", "chain:0", "chain:-1", "chain:100001", "chain:3:1", "chain: 3", "chain:3.0", "chain:+3",
          "tree:99999999999999", "random:3:", "random::1", "random:3:x", "random:3:1:1", "random:3:1.5",
          "random:0:1", "random:3:99999999999999999999"})
        EXPECT_FALSE(text(spec).empty()) << spec;
}

} // namespace
} // namespace sweepdyn
