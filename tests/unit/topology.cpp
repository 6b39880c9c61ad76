// Clusters of hinges that move together, and how the order of the bodies carries over to them.
#include <gtest/gtest.h>

#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/model/generate.hpp"

namespace sweepdyn {
namespace {

using Numbers = std::vector<int>;

// Bodies 0, 1, ... named "0", "1", ...; body k hangs on parents[k] by a revolute hinge of its name.
ModelBuilder forest(const Numbers& parents, HingeKind kind = HingeKind::revolute)
{
    ModelBuilder builder("forest");
    for (std::size_t k = 0; k < parents.size(); ++k) {
        Body body{std::to_string(k), 1.0, {0.1, 0, 0}, Sym3<double>::diagonal(0.1, 0.1, 0.1)};
        builder.add_body(body);
        Hinge hinge;
        hinge.name = body.name;
        hinge.kind = kind;
        hinge.parent = parents[k] == ground ? "" : std::to_string(parents[k]);
        hinge.child = body.name;
        hinge.axis = {0, 0, 1};
        hinge.X_PF.p = {1, 0, 0};
        builder.add_hinge(hinge);
    }
    return builder;
}
Loop loop(const std::string& name, int a, int b, LoopKind kind = LoopKind::planar_pin)
{
    Loop out;
    out.name = name;
    out.kind = kind;
    out.body_a = a == ground ? "" : std::to_string(a);
    out.body_b = b == ground ? "" : std::to_string(b);
    return out;
}
Loop coupling(const std::string& name, const Numbers& dofs)
{
    Loop out;
    out.name = name;
    out.kind = LoopKind::coupling;
    for (int dof : dofs)
        out.terms.push_back({std::to_string(dof), {1.0 + dof}});
    return out;
}

// "base: bodies (loops)" of each cluster.
std::vector<std::string> shown(const Topology& topology)
{
    std::vector<std::string> out;
    for (const Cluster& cluster : topology.clusters) {
        std::string text = std::to_string(cluster.base) + ":";
        for (int k : cluster.bodies)
            text += " " + std::to_string(k);
        if (!cluster.loops.empty()) {
            text += " (";
            for (int i : cluster.loops)
                text += (text.back() == '(' ? "" : " ") + std::to_string(i);
            text += ")";
        }
        out.push_back(text);
    }
    return out;
}
// What every topology keeps to.
void check(const Model& model)
{
    const Topology& topology = model.topology();
    const Tree& tree = model.tree();
    int bodies = 0, dofs = 0;
    for (std::size_t c = 0; c < topology.clusters.size(); ++c) {
        const Cluster& cluster = topology.clusters[c];
        bodies += static_cast<int>(cluster.bodies.size());
        dofs += static_cast<int>(cluster.dofs.size());
        EXPECT_TRUE(std::is_sorted(cluster.bodies.begin(), cluster.bodies.end()));
        if (cluster.base != ground) {
            EXPECT_LT(topology.cluster_of[static_cast<std::size_t>(cluster.base)], static_cast<int>(c));
        }
        Numbers expected;
        for (int k : cluster.bodies) {
            EXPECT_EQ(topology.cluster_of[static_cast<std::size_t>(k)], static_cast<int>(c));
            const int parent = tree.parent[static_cast<std::size_t>(k)];
            EXPECT_TRUE(parent == cluster.base ||
                        topology.cluster_of[static_cast<std::size_t>(parent)] == static_cast<int>(c));
            for (Index j : tree.dofs(k))
                expected.push_back(static_cast<int>(j));
        }
        EXPECT_EQ(cluster.dofs, expected);
    }
    EXPECT_EQ(bodies, model.num_bodies());
    EXPECT_EQ(dofs, model.num_dofs());
}
std::vector<std::string> clusters(const ModelBuilder& builder)
{
    const Model model = builder.build();
    check(model);
    return shown(model.topology());
}
using Texts = std::vector<std::string>;

TEST(Topology, PlainTreesHaveOneClusterPerHinge)
{
    for (const char* spec : {"chain:7", "tree:15", "random:20:3"}) {
        const Model model = *generate_model(spec);
        check(model);
        EXPECT_TRUE(model.topology().is_open());
        ASSERT_EQ(static_cast<int>(model.topology().clusters.size()), model.num_bodies());
        for (int k = 0; k < model.num_bodies(); ++k) {
            EXPECT_EQ(model.topology().clusters[static_cast<std::size_t>(k)].bodies, Numbers{k});
            EXPECT_EQ(model.topology().clusters[static_cast<std::size_t>(k)].base,
                      model.tree().parent[static_cast<std::size_t>(k)]);
        }
    }
}

TEST(Topology, FourBarOnTheGround)
{
    ModelBuilder builder = forest({-1, 0, -1});
    builder.add_loop(loop("pin", 1, 2));
    EXPECT_EQ(clusters(builder), Texts{"-1: 0 1 2 (0)"});
    EXPECT_FALSE(builder.build().topology().is_open());
    EXPECT_EQ(builder.build().topology().body_a, Numbers{1});
    EXPECT_EQ(builder.build().topology().body_b, Numbers{2});

    // Closed on the ground itself: as a chain of three whose tip is held.
    builder = forest({-1, 0, 1, 2});
    builder.add_loop(loop("pin", ground, 2));
    EXPECT_EQ(clusters(builder), (Texts{"-1: 0 1 2 (0)", "2: 3"}));
}

TEST(Topology, AFourBarInsideATree)
{
    // An arm, a four-bar on it, a tool on the coupler, and a bystander.
    ModelBuilder builder = forest({-1, 0, 1, 0, 2, -1});
    builder.add_loop(loop("pin", 2, 3));
    EXPECT_EQ(clusters(builder), (Texts{"-1: 0", "0: 1 2 3 (0)", "2: 4", "-1: 5"}));
}

TEST(Topology, LoopsThatShareAHinge)
{
    ModelBuilder builder = forest({-1, 0, 0, -1});
    builder.add_loop(loop("left", 1, 3)).add_loop(loop("right", 2, 3));
    EXPECT_EQ(clusters(builder), Texts{"-1: 0 1 2 3 (0 1)"});
    // By way of a third: none of the two shares a hinge with the other.
    builder = forest({-1, 0, 0, -1, -1});
    builder.add_loop(loop("a", 1, 3)).add_loop(loop("b", 2, 4));
    EXPECT_EQ(clusters(builder), Texts{"-1: 0 1 2 3 4 (0 1)"});
}

TEST(Topology, LoopsThatShareABodyOnly)
{
    // Two four-bars in a row: the second hangs on the coupler of the first.
    ModelBuilder builder = forest({-1, 0, -1, 1, 3, 1});
    builder.add_loop(loop("first", 1, 2)).add_loop(loop("second", 4, 5));
    EXPECT_EQ(clusters(builder), (Texts{"-1: 0 1 2 (0)", "1: 3 4 5 (1)"}));
    // Two on the ground.
    builder = forest({-1, 0, -1, -1, 3, -1});
    builder.add_loop(loop("second", 4, 5)).add_loop(loop("first", 1, 2));
    EXPECT_EQ(clusters(builder), (Texts{"-1: 0 1 2 (1)", "-1: 3 4 5 (0)"}));
}

TEST(Topology, CouplingsOfAncestorAndDescendant)
{
    // All hinges between them belong to it; those before and behind do not.
    ModelBuilder builder = forest({-1, 0, 1, 2, 3});
    builder.add_loop(coupling("gear", {3, 1}));
    EXPECT_EQ(clusters(builder), (Texts{"-1: 0", "0: 1 2 3 (0)", "3: 4"}));
    EXPECT_EQ(builder.build().topology().dofs, (std::vector<Numbers>{{3, 1}}));
}

TEST(Topology, CouplingsOfSiblings)
{
    ModelBuilder builder = forest({-1, 0, 0, 0, 2});
    builder.add_loop(coupling("jaws", {1, 3}));
    EXPECT_EQ(clusters(builder), (Texts{"-1: 0", "0: 1 3 (0)", "0: 2", "2: 4"}));
    // Of two trees.
    builder = forest({-1, -1});
    builder.add_loop(coupling("jaws", {1, 0}));
    EXPECT_EQ(clusters(builder), Texts{"-1: 0 1 (0)"});
}

TEST(Topology, Differentials)
{
    // Two sides and a carrier on one body, one equation among the three.
    ModelBuilder builder = forest({-1, 0, 0, 0});
    builder.add_loop(coupling("differential", {1, 2, 3}));
    EXPECT_EQ(clusters(builder), (Texts{"-1: 0", "0: 1 2 3 (0)"}));
    // A dof of a hinge with two.
    builder = forest({-1, 0, 0}, HingeKind::universal);
    for (Hinge& hinge : builder.hinges())
        hinge.axis2 = {1, 0, 0};
    builder.add_loop(mimic("gear", "1.2", "2.1"));
    EXPECT_EQ(clusters(builder), (Texts{"-1: 0", "0: 1 2 (0)"}));
    EXPECT_EQ(builder.build().topology().dofs, (std::vector<Numbers>{{3, 4}}));
}

TEST(Topology, DistantCouplings)
{
    // 24 dofs are one cluster, 25 are too many.
    Numbers parents;
    for (int k = 0; k < 30; ++k)
        parents.push_back(k - 1);
    ModelBuilder builder = forest(parents);
    builder.add_loop(mimic("near", "23", "0"));
    EXPECT_EQ(builder.build().topology().clusters.front().bodies.size(), 24u);
    EXPECT_TRUE(builder.build().topology().distant.empty());
    builder.loops()[0] = mimic("far", "24", "0", 2.0);
    const Model model = builder.build();
    check(model);
    EXPECT_EQ(model.topology().distant, Numbers{0});
    EXPECT_EQ(model.topology().clusters.size(), 30u);
    ASSERT_EQ(model.notes().size(), 1u);
    EXPECT_EQ(
        model.notes()[0].text,
        "coupling 'far' ('24' = 2 '0') ties hinges far apart: as one cluster they would have more than 24 "
        "dofs, so its multiplier is found globally (Delassus)");
    EXPECT_EQ(model.notes()[0].kind, Note::Kind::remark);

    // Couplings that are small each, but would grow together.
    builder = forest(parents);
    builder.add_loop(mimic("a", "12", "0")).add_loop(mimic("b", "28", "12"));
    EXPECT_EQ(builder.build().topology().distant, Numbers{1});
    // A coupling inside one large loop costs no more: it belongs to its cluster.
    builder = forest(parents);
    builder.add_loop(mimic("far", "28", "0")).add_loop(loop("closed", 29, ground, LoopKind::ball));
    EXPECT_EQ(clusters(builder).size(), 1u);
    EXPECT_TRUE(builder.build().topology().distant.empty());
}

TEST(Topology, BodiesAddedTipFirst)
{
    // The builder puts them base first; loops follow by name.
    ModelBuilder sorted = forest({-1, 0, -1, 1}), builder("forest");
    for (std::size_t k : {3u, 1u, 2u, 0u})
        builder.add_body(sorted.bodies()[k]).add_hinge(sorted.hinges()[k]);
    builder.add_loop(loop("pin", 1, 2));
    const Model model = builder.build();
    check(model);
    const Cluster& cluster = model.topology().clusters.front();
    ASSERT_EQ(cluster.bodies.size(), 3u);
    EXPECT_EQ(model.bodies()[static_cast<std::size_t>(model.topology().body_a[0])].name, "1");
    EXPECT_EQ(model.bodies()[static_cast<std::size_t>(model.topology().body_b[0])].name, "2");
}

} // namespace
} // namespace sweepdyn
