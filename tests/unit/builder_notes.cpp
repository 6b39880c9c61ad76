// What ModelBuilder doubts but accepts, word by word; and that strictness makes faults of doubts.
#include <gtest/gtest.h>

#include "sweepdyn/model/builder.hpp"

namespace sweepdyn {
namespace {

using Texts = std::vector<std::string>;

Hinge hinge(const std::string& child, HingeKind kind, const std::string& parent = "")
{
    Hinge out;
    out.name = child + "_hinge", out.kind = kind, out.parent = parent, out.child = child;
    return out;
}
Body solid(const std::string& name)
{
    return {name, 1.0, {0, 0, 0.1}, Sym3<double>::diagonal(0.25, 0.25, 0.25)};
}
ModelBuilder one_body(const Body& body, HingeKind kind = HingeKind::revolute)
{
    ModelBuilder builder("one");
    builder.add_body(body);
    builder.add_hinge(hinge(body.name, kind));
    return builder;
}
Texts doubts(const ModelBuilder& builder)
{
    const Model model = builder.build();
    Texts out;
    for (const Note& note : model.notes()) {
        EXPECT_EQ(note.kind, Note::Kind::doubt) << note.text;
        out.push_back(note.text);
    }
    return out;
}
Texts faults(const ModelBuilder& builder)
{
    try {
        builder.build();
    } catch (const ModelError& error) {
        return error.faults;
    }
    return {};
}
std::string no_inertia(const std::string& body)
{
    return "hinge '" + body + "_hinge' has no inertia to move: give mass and inertia to body '" + body +
           "' or to what hangs on it; forward dynamics needs it, kinematics and inverse dynamics do not";
}

TEST(BuilderNotes, NoMass)
{
    EXPECT_EQ(doubts(one_body({"link"})), (Texts{"body 'link' has no mass", no_inertia("link")}));
    // Inertia without mass.
    EXPECT_EQ(doubts(one_body({"link", 0.0, {}, Sym3<double>::diagonal(1, 1, 1)})),
              Texts{"body 'link' has no mass"});
    // What hangs on it has mass: the hinge moves.
    ModelBuilder builder = one_body({"link"});
    builder.add_body({"tip", 1.0, {1, 0, 0}, Sym3<double>::diagonal(1, 1, 1)});
    builder.add_hinge(hinge("tip", HingeKind::weld, "link"));
    EXPECT_EQ(doubts(builder), Texts{"body 'link' has no mass"});
}

TEST(BuilderNotes, NoneForWhatCannotMoveByItself)
{
    ModelBuilder builder = one_body({"base"}, HingeKind::weld);
    builder.add_body(solid("arm")).add_body({"flange"});
    builder.add_hinge(hinge("arm", HingeKind::revolute, "base"));
    builder.add_hinge(hinge("flange", HingeKind::weld, "arm"));
    EXPECT_EQ(doubts(builder), Texts{});
}

TEST(BuilderNotes, PointMass)
{
    // Beside the axis it moves, on the axis it does not.
    EXPECT_EQ(doubts(one_body({"bob", 2.0, {1, 0, 0}})),
              Texts{"body 'bob' has mass but no inertia: a point mass"});
    EXPECT_EQ(doubts(one_body({"bob", 2.0, {0, 0, 1}})),
              (Texts{"body 'bob' has mass but no inertia: a point mass", no_inertia("bob")}));
}

TEST(BuilderNotes, SemidefiniteInertia)
{
    const std::string text = "body 'rod': inertia is only semidefinite, principal moments [0, 1, 1]";
    EXPECT_EQ(doubts(one_body({"rod", 1.0, {}, Sym3<double>::diagonal(1, 1, 0)}, HingeKind::prismatic)),
              Texts{text});
    EXPECT_EQ(doubts(one_body({"rod", 1.0, {}, Sym3<double>::diagonal(1, 0, 1)})), Texts{text});
    EXPECT_EQ(doubts(one_body({"rod", 1.0, {}, Sym3<double>::diagonal(1, 1, 0)})),
              (Texts{text, no_inertia("rod")})); // about its own axis
    // Negative within round-off.
    const Texts found =
        doubts(one_body({"rod", 1.0, {}, Sym3<double>::diagonal(-0.5e-9, 0.5, 0.5)}, HingeKind::prismatic));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NE(found[0].find("only semidefinite"), std::string::npos);
}

TEST(BuilderNotes, BrokenTriangleInequality)
{
    EXPECT_EQ(doubts(one_body({"link", 1.0, {}, Sym3<double>::diagonal(1, 4, 1)})),
              Texts{"body 'link': inertia breaks the triangle inequality, principal moments [1, 1, 4]; no "
                    "rigid body has it"});
    EXPECT_EQ(doubts(one_body({"plate", 1.0, {}, Sym3<double>::diagonal(1, 2, 1)})),
              Texts{}); // a flat plate: equality
}

TEST(BuilderNotes, SingularHinges)
{
    // A ball joint on a rod, or on a point mass: no inertia about the line through the centre.
    EXPECT_EQ(doubts(one_body({"bob", 2.0, {0.3, 0.4, 0.5}}, HingeKind::spherical)),
              (Texts{"body 'bob' has mass but no inertia: a point mass", no_inertia("bob")}));
    EXPECT_EQ(doubts(one_body({"bob", 2.0, {0.3, 0.4, 0.5}}, HingeKind::free)),
              (Texts{"body 'bob' has mass but no inertia: a point mass", no_inertia("bob")}));
    EXPECT_EQ(doubts(one_body({"bob", 2.0, {0.3, 0.4, 0.5}}, HingeKind::prismatic)),
              Texts{"body 'bob' has mass but no inertia: a point mass"});
    // Steps of a user hinge that move alike.
    ModelBuilder builder = one_body(solid("link"), HingeKind::user);
    builder.hinges()[0].steps = {{}, {}};
    EXPECT_EQ(doubts(builder), Texts{no_inertia("link")});
    builder.hinges()[0].steps[1].axis = {1, 0, 0};
    EXPECT_EQ(doubts(builder), Texts{});
    // Armature is inertia.
    builder = one_body({"bob"});
    builder.hinges()[0].armature = {0.1};
    EXPECT_EQ(doubts(builder), Texts{"body 'bob' has no mass"});
    // The massless tip of a chain; the hinges below it are fine.
    builder = one_body(solid("upper"));
    builder.add_body({"tip"});
    builder.add_hinge(hinge("tip", HingeKind::revolute, "upper"));
    EXPECT_EQ(doubts(builder), (Texts{"body 'tip' has no mass", no_inertia("tip")}));
}

TEST(BuilderNotes, LimitsThatCross)
{
    ModelBuilder builder = one_body(solid("link"), HingeKind::cylindrical);
    builder.hinges()[0].limits.lower = {-1, 0.5};
    builder.hinges()[0].limits.upper = {1, -0.5};
    EXPECT_EQ(doubts(builder), Texts{"hinge 'link_hinge': lower limit 0.5 is above upper limit -0.5"});
    builder.hinges()[0].limits.upper = {-1, 0.5}; // equal is a lock, not a doubt
    EXPECT_EQ(doubts(builder), Texts{});
}

TEST(BuilderNotes, DampingThatFeedsEnergyIn)
{
    ModelBuilder builder = one_body(solid("link"));
    builder.hinges()[0].damping = {-0.1};
    builder.hinges()[0].friction = {-0.2};
    EXPECT_EQ(doubts(builder), (Texts{"hinge 'link_hinge': damping is -0.1, negative: it feeds energy in",
                                      "hinge 'link_hinge': friction is -0.2, negative: it feeds energy in"}));
}

TEST(BuilderNotes, OfAReaderComeFirst)
{
    ModelBuilder builder = one_body({"link", 0.0, {}, Sym3<double>::diagonal(1, 1, 1)});
    builder.add_note({Note::Kind::remark, "line 7 has no effect"});
    const Model model = builder.build();
    ASSERT_EQ(model.notes().size(), 2u);
    EXPECT_EQ(model.notes()[0].text, "line 7 has no effect");
    EXPECT_EQ(model.notes()[1].text, "body 'link' has no mass");
}

TEST(BuilderNotes, StrictnessMakesFaultsOfDoubtsOnly)
{
    ModelBuilder builder = one_body({"link"});
    builder.add_note({Note::Kind::remark, "a remark"}).add_note({Note::Kind::doubt, "a doubt"});
    builder.hinges()[0].limits.lower = {1};
    builder.hinges()[0].limits.upper = {-1};
    EXPECT_EQ(faults(builder), Texts{});
    builder.set_strict(true);
    const Texts expected{"a doubt", "hinge 'link_hinge': lower limit 1 is above upper limit -1",
                         "body 'link' has no mass", no_inertia("link")};
    EXPECT_EQ(faults(builder), expected);
    try {
        builder.build();
        FAIL();
    } catch (const ModelError& error) {
        EXPECT_EQ(std::string(error.what()).substr(0, 30), "model 'one' (strict): 4 faults");
    }

    // Nothing but remarks is no fault.
    builder = one_body(solid("link"));
    builder.add_note({Note::Kind::remark, "a remark"}).set_strict(true);
    EXPECT_EQ(faults(builder), Texts{});
    EXPECT_EQ(builder.build().notes().size(), 1u);
}

// Each of the doubts of a strict build, and the faults that any build would find, in one go.
TEST(BuilderNotes, StrictnessReportsFaultsAndDoubtsTogether)
{
    ModelBuilder builder = one_body({"link", 1.0, {}, Sym3<double>::diagonal(1, 4, 1)});
    builder.hinges()[0].axis = {0, 0, 0};
    builder.set_strict(true);
    EXPECT_EQ(faults(builder), (Texts{"hinge 'link_hinge': axis is [0, 0, 0], expected a direction",
                                      "body 'link': inertia breaks the triangle inequality, principal "
                                      "moments [1, 1, 4]; no rigid body has it"}));
    builder.set_strict(false);
    EXPECT_EQ(faults(builder), Texts{"hinge 'link_hinge': axis is [0, 0, 0], expected a direction"});
}

} // namespace
} // namespace sweepdyn
