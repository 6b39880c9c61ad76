// What editing does with loops and couplings.
#include <gtest/gtest.h>

#include "sweepdyn/kinematics/kinematics.hpp"
#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/model/edit.hpp"
#include "sweepdyn/model/merge.hpp"
#include "sweepdyn/model/random.hpp"
#include "sweepdyn/spatial/dense.hpp"

namespace sweepdyn {
namespace {

using Texts = std::vector<std::string>;

double distance(const Pose<double>& X, const Pose<double>& Y)
{
    return (dense(X.R) - dense(Y.R)).norm() + (dense(X.p) - dense(Y.p)).norm();
}
Texts remarks(const Model& model)
{
    Texts out;
    for (const Note& note : model.notes())
        if (note.kind == Note::Kind::remark)
            out.push_back(note.text);
    return out;
}
Texts faults(auto&& function)
{
    try {
        function();
    } catch (const ModelError& error) {
        return error.faults;
    }
    return {};
}

struct Link {
    const char *name, *parent;
    HingeKind kind;
};
// Bodies on random places, each on a hinge of its own name.
ModelBuilder assembled(const std::vector<Link>& links, std::uint64_t seed = 3)
{
    Random random(seed);
    ModelBuilder builder("linkage");
    for (const Link& link : links) {
        builder.add_body({link.name, 1.0, random.vector(0.1), Sym3<double>::diagonal(0.1, 0.1, 0.1)});
        Hinge hinge;
        hinge.name = hinge.child = link.name;
        hinge.parent = link.parent;
        hinge.kind = link.kind;
        hinge.axis = {0, 0, 1};
        hinge.axis2 = {1, 0, 0};
        hinge.X_PF = {random.rotation(), random.vector(0.5)};
        builder.add_hinge(hinge);
    }
    return builder;
}
Loop loop(const std::string& name, const std::string& a, const std::string& b, LoopKind kind = LoopKind::ball)
{
    Random random(5);
    Loop out;
    out.name = name;
    out.kind = kind;
    out.body_a = a, out.body_b = b;
    out.X_Aa = {random.rotation(), random.vector(0.3)};
    out.X_Bb = {random.rotation(), random.vector(0.3)};
    return out;
}
Pose<double> pose(const Kinematics<double>& kin, const Model& model, const std::string& body)
{
    return body.empty() ? Pose<double>{} : kin.X_WB(model.body(body).index);
}
// Frames a and b of every loop, in the world.
std::vector<std::pair<Pose<double>, Pose<double>>> ends(const Model& model, const std::vector<double>& q)
{
    Kinematics<double> kin(model);
    update<double>(kin, q);
    std::vector<std::pair<Pose<double>, Pose<double>>> out;
    for (const Loop& one : model.loops())
        out.emplace_back(pose(kin, model, one.body_a) * one.X_Aa, pose(kin, model, one.body_b) * one.X_Bb);
    return out;
}
constexpr auto turn = HingeKind::revolute;

ModelBuilder four_bar()
{
    ModelBuilder builder = assembled({{"crank", "", turn}, {"coupler", "crank", turn}, {"rocker", "", turn}});
    return builder.add_loop(loop("pin", "coupler", "rocker", LoopKind::planar_pin));
}

TEST(EditLoops, AttachHangsThemOnTheFrame)
{
    ModelBuilder builder = assembled({{"arm", "", turn}});
    builder.add_frame({"hand", "arm", loop("", "", "").X_Aa});
    ModelBuilder what = four_bar();
    what.add_loop(loop("stay", "coupler", ""));
    const Model both = attach(builder.build(), "hand", what.build(), "left_");
    ASSERT_EQ(both.loops().size(), 2u);
    EXPECT_EQ(both.loops()[0].name, "left_pin");
    EXPECT_EQ(both.loops()[0].body_a, "left_coupler");
    EXPECT_EQ(both.loops()[0].body_b, "left_rocker");
    EXPECT_EQ(both.loops()[1].body_b, "arm"); // where the ground of the other is
    const std::vector<double> q{0.4, 0.3, -0.7, 1.1};
    Kinematics<double> kin(both);
    update<double>(kin, q);
    const Pose<double> X_WH = kin.X_WB(0) * loop("", "", "").X_Aa;
    const auto whole = ends(both, q), alone = ends(what.build(), {0.3, -0.7, 1.1});
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_LT(distance(whole[i].first, X_WH * alone[i].first), 1e-14);
        EXPECT_LT(distance(whole[i].second, X_WH * alone[i].second), 1e-14);
    }
    EXPECT_EQ(both.topology().clusters.size(), 2u);
}

TEST(EditLoops, ExtractKeepsThoseInside)
{
    ModelBuilder builder = assembled({{"arm", "", turn},
                                      {"crank", "arm", turn},
                                      {"coupler", "crank", turn},
                                      {"rocker", "arm", turn},
                                      {"tool", "coupler", turn}});
    builder.add_loop(loop("pin", "coupler", "rocker"))
        .add_loop(loop("cable", "tool", ""))
        .add_loop(mimic("gear", "crank", "rocker"))
        .add_loop(mimic("belt", "tool", "coupler"));
    const Model whole = extract_subtree(builder.build(), "arm");
    EXPECT_EQ(whole.loops().size(), 3u);
    EXPECT_EQ(remarks(whole), Texts{"loop 'cable' is gone: one of its bodies is not below 'arm'"});
    const Model part = extract_subtree(builder.build(), "crank");
    ASSERT_EQ(part.loops().size(), 1u);
    EXPECT_EQ(part.loops()[0].name, "belt");
    EXPECT_EQ(
        remarks(part),
        (Texts{"loop 'pin' is gone: one of its bodies is not below 'crank'",
               "loop 'cable' is gone: one of its bodies is not below 'crank'",
               "coupling 'gear' ('crank' = 1 'rocker') is gone: one of its hinges is not below 'crank'"}));
    // The hinge of the new root is no longer what was coupled.
    EXPECT_TRUE(extract_subtree(builder.build(), "coupler").loops().empty());
}

TEST(EditLoops, MergingMovesFrames)
{
    ModelBuilder builder = assembled({{"base", "", HingeKind::weld},
                                      {"crank", "base", turn},
                                      {"bracket", "crank", HingeKind::weld},
                                      {"eye", "bracket", HingeKind::weld}});
    builder.add_loop(loop("pin", "eye", "base")).add_loop(loop("stay", "", "bracket"));
    const Model before = builder.build(), after = merge_welds(before);
    EXPECT_EQ(after.num_bodies(), 1);
    EXPECT_EQ(after.loops()[0].body_a, "crank");
    EXPECT_EQ(after.loops()[0].body_b, "");
    EXPECT_EQ(after.loops()[1].body_b, "crank");
    const auto expected = ends(before, {0.6}), got = ends(after, {0.6});
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_LT(distance(expected[i].first, got[i].first), 1e-14);
        EXPECT_LT(distance(expected[i].second, got[i].second), 1e-14);
    }
}

TEST(EditLoops, LockedDofsAreConstants)
{
    ModelBuilder builder =
        assembled({{"sun", "", turn}, {"ring", "", turn}, {"carrier", "", turn}, {"fan", "", turn}});
    Loop gear;
    gear.name = "gear";
    gear.kind = LoopKind::coupling;
    gear.terms = {{"sun", {1.0}}, {"ring", {2.0, 0.5}}, {"carrier", {-3.0}}};
    gear.offset = 0.1;
    builder.add_loop(gear);
    const std::vector<double> q{0.2, 0.4, 0.7, 0.0};
    const Model one = lock_hinges(builder.build(), Texts{"ring"}, q);
    ASSERT_EQ(one.loops().size(), 1u);
    EXPECT_EQ(one.loops()[0].terms.size(), 2u);
    EXPECT_NEAR(one.loops()[0].offset, 0.1 - 2.0 * 0.4 - 0.5 * 0.16, 1e-15);
    EXPECT_EQ(remarks(one), Texts{"coupling 'gear' ('sun' + 2 'ring' + 0.5 'ring'^2 - 3 'carrier' = 0.1) is "
                                  "coupling 'gear' ('sun' = 3 'carrier' - 0.78) now: some of its hinges are "
                                  "locked"});
    // Two of three: the third follows, where its equation is linear.
    const Model two = lock_hinges(builder.build(), Texts{"ring", "carrier"}, q);
    EXPECT_TRUE(two.loops().empty());
    EXPECT_EQ(two.num_dofs(), 1);
    EXPECT_EQ(remarks(two).front().substr(0, 30), "hinge 'sun' is locked too, at ");
    EXPECT_EQ(faults([&] { lock_hinges(builder.build(), Texts{"sun", "carrier"}, q); }),
              Texts{"coupling 'gear' ('sun' + 2 'ring' + 0.5 'ring'^2 - 3 'carrier' = 0.1) has one dof left, "
                    "'ring', where the others are locked; lock its hinge too"});
    // A polynomial coupling with all its hinges locked: it holds there, or is a doubt.
    const std::vector<double> fits{0.1 - 0.8 - 0.08 + 2.1, 0.4, 0.7, 0.0};
    const Model held = lock_hinges(builder.build(), Texts{"sun", "ring", "carrier"}, fits);
    EXPECT_TRUE(held.loops().empty());
    EXPECT_EQ(held.notes().size(), 1u);
    const Model off = lock_hinges(builder.build(), Texts{"sun", "ring", "carrier"}, q);
    ASSERT_EQ(off.notes().size(), 2u);
    EXPECT_EQ(off.notes()[0].kind, Note::Kind::doubt);
}

TEST(EditLoops, LoopsOfLockedHingesGo)
{
    const std::vector<double> q{0.3, -0.7, 1.1};
    const Model one = lock_hinges(four_bar().build(), Texts{"crank"}, q);
    EXPECT_EQ(one.loops().size(), 1u);
    const Model all = lock_hinges(four_bar().build(), Texts{"crank", "coupler", "rocker"}, q);
    EXPECT_TRUE(all.loops().empty());
    EXPECT_EQ(remarks(all), Texts{"loop 'pin' is gone: all hinges between its bodies are locked"});
}

TEST(EditLoops, DropCouplingsLeavesLoops)
{
    const Model model = drop_couplings(four_bar().add_loop(mimic("gear", "crank", "rocker")).build());
    ASSERT_EQ(model.loops().size(), 1u);
    EXPECT_EQ(model.loops()[0].name, "pin");
    EXPECT_EQ(remarks(model),
              Texts{"coupling 'gear' ('crank' = 1 'rocker') is dropped: its hinges move independently"});
}

// A hull with a cross joint to a nose, a screw by steps to a tail, and a loop elsewhere.
ModelBuilder ship()
{
    ModelBuilder builder = assembled({{"hull", "", HingeKind::free},
                                      {"nose", "hull", HingeKind::universal},
                                      {"eye", "nose", turn},
                                      {"tail", "hull", HingeKind::user},
                                      {"crank", "hull", turn},
                                      {"coupler", "crank", turn},
                                      {"rocker", "hull", turn}});
    builder.hinges()[0].X_PF = {};
    builder.hinges()[3].steps = {{HingeStep::Motion::turn, {0, 0, 1}},
                                 {HingeStep::Motion::slide, {1, 0, 0}},
                                 {HingeStep::Motion::turn, {0, 1, 0}}};
    return builder.add_loop(loop("pin", "coupler", "rocker"))
        .add_loop(mimic("gear", "nose.1", "crank", 2.0))
        .add_loop(mimic("belt", "nose.2", "eye", 3.0))
        .add_loop(mimic("rod", "tail.1", "tail.3", -1.0));
}

TEST(EditLoops, RerootingFollowsCoordinatesThatSwap)
{
    const Model model = ship().build();
    for (const char* root : {"eye", "tail", "rocker", "coupler"}) {
        const Rerooted rerooted = reroot(model, root);
        ASSERT_EQ(rerooted.model.loops().size(), 4u);
        std::vector<double> q(static_cast<std::size_t>(model.num_coordinates())),
            v(static_cast<std::size_t>(model.num_dofs())), q_new(q.size()), v_new(v.size());
        random_configuration(model, 7, q);
        rerooted.map_state(q, v, q_new, v_new);
        // The ends of loops are where they were; what couplings say of the coordinates is the same.
        const auto before = ends(model, q), after = ends(rerooted.model, q_new);
        EXPECT_LT(distance(before[0].first, after[0].first), 1e-13);
        EXPECT_LT(distance(before[0].second, after[0].second), 1e-13);
        const auto residual = [](const Model& of, const Loop& coupling, const std::vector<double>& at) {
            double sum = -coupling.offset;
            for (const CouplingTerm& term : coupling.terms) {
                const int j = of.dof(term.dof), k = of.tree().body_of_dof[static_cast<std::size_t>(j)];
                sum += term.polynomial[0] *
                       at[static_cast<std::size_t>(of.tree().first_coordinate[static_cast<std::size_t>(k)] +
                                                   j - of.tree().first_dof[static_cast<std::size_t>(k)])];
            }
            return sum;
        };
        for (std::size_t i = 1; i < 4; ++i)
            EXPECT_NEAR(residual(model, model.loops()[i], q),
                        residual(rerooted.model, rerooted.model.loops()[i], q_new), 1e-14)
                << root << " " << i;
    }
    const Model by_eye = reroot(model, "eye").model;
    EXPECT_EQ(equation(by_eye.loops()[1]), "'nose.2' = 2 'crank'");
    EXPECT_EQ(equation(by_eye.loops()[2]), "'nose.1' = 3 'eye'");
    EXPECT_EQ(equation(by_eye.loops()[3]), "'tail.1' = -1 'tail.3'");
    EXPECT_EQ(equation(reroot(model, "tail").model.loops()[3]), "'tail.3' = -1 'tail.1'");
}

} // namespace
} // namespace sweepdyn
