// Loops and couplings of the URDF+ dialect: what docs/urdf-plus.md accepts, and nothing else.
#include <gtest/gtest.h>

#include "sweepdyn/spatial/dense.hpp"
#include "urdf_helpers.hpp"

namespace sweepdyn {
namespace {

using namespace urdf_testing;

// Links a, b, c: b and c turn on a, d slides on c; the rest from line 9 on.
std::string linkage(const std::string& inside, const std::string& type = "continuous")
{
    return robot(link("a") + link("b") + link("c") + link("d") + joint("ab", type, "a", "b") +
                 joint("ac", "continuous", "a", "c") + joint("cd", "continuous", "c", "d") + inside);
}
std::string loop(const std::string& attributes, const std::string& axis = "<axis xyz=\"0 0 1\"/>")
{
    return "<loop " + attributes +
           "><predecessor link=\"b\"><origin xyz=\"1 0 0\"/></predecessor><successor link=\"d\"/>" + axis +
           "</loop>";
}
std::string coupling(const std::string& a, const std::string& b, const std::string& rest)
{
    return "<coupling name=\"gear\"><predecessor link=\"" + a + "\"/><successor link=\"" + b + "\"/>" + rest +
           "</coupling>";
}

TEST(UrdfLoops, FourBarWithARotor)
{
    const Model model = read_urdf(data("four_bar_plus.urdf"));
    ASSERT_EQ(model.loops().size(), 2u);
    const Loop& pin = model.loops()[0];
    EXPECT_EQ(pin.name, "pin");
    EXPECT_EQ(pin.kind, LoopKind::revolute);
    EXPECT_EQ(pin.body_a, "coupler");
    EXPECT_EQ(pin.body_b, "rocker");
    EXPECT_EQ(pin.X_Aa.p, (Vec3<double>{2.5, 0, 0}));
    EXPECT_EQ(pin.X_Bb.p, (Vec3<double>{2, 0, 0}));
    EXPECT_EQ(pin.X_Aa.R.z, (Vec3<double>{0, 0, 1}));
    EXPECT_EQ(equation(model.loops()[1]), "'spin' = 6 'motor'");
    EXPECT_EQ(model.topology().clusters.size(), 1u);
    EXPECT_EQ(notes(model, Note::Kind::remark), Texts{"read but without effect: independent of joint x2"});
    EXPECT_TRUE(notes(model, Note::Kind::doubt).empty());
}

TEST(UrdfLoops, Types)
{
    for (const auto& [type, kind] : {std::pair{"fixed", LoopKind::weld},
                                     {"revolute", LoopKind::revolute},
                                     {"continuous", LoopKind::revolute},
                                     {"prismatic", LoopKind::prismatic},
                                     {"cylindrical", LoopKind::cylindrical},
                                     {"spherical", LoopKind::ball},
                                     {"planar", LoopKind::rows}}) {
        const Model model = parse(linkage(loop("name=\"l\" type=\"" + std::string(type) + "\"", "")));
        EXPECT_EQ(model.loops()[0].kind, kind);
        // Without an <axis> it is x, as of joints; a loop's axis is z.
        const bool has_axis = kind != LoopKind::weld && kind != LoopKind::ball;
        EXPECT_EQ(model.loops()[0].X_Aa.R.z, (has_axis ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 0, 1}));
        EXPECT_EQ(model.loops()[0].X_Bb.R.z, model.loops()[0].X_Aa.R.z);
    }
    EXPECT_EQ(parse(linkage(loop("name=\"l\" type=\"planar\""))).loops()[0].rows,
              (std::vector<LoopRow>{LoopRow::rx, LoopRow::ry, LoopRow::z}));
    EXPECT_EQ(remarks(linkage(loop("name=\"l\" type=\"spherical\""))),
              Texts{"read but without effect: axis of a spherical loop x1"});
}

TEST(UrdfLoops, ToTheRoot)
{
    const std::string text =
        linkage("<loop name=\"l\" type=\"spherical\"><predecessor link=\"d\"/><successor "
                "link=\"a\"><origin xyz=\"0 0 1\"/></successor></loop>");
    EXPECT_EQ(parse(text).loops()[0].body_b, "a"); // a body, welded to the ground
    std::string empty = text;
    empty.replace(empty.find(link("a")), link("a").size(), "<link name=\"a\"/>\n");
    EXPECT_EQ(parse(empty).loops()[0].body_b, ""); // the ground itself
    EXPECT_EQ(parse(empty).loops()[0].X_Bb.p, (Vec3<double>{0, 0, 1}));
}

TEST(UrdfLoops, CouplingsOfChains)
{
    const auto read = [](const std::string& text) { return equation(parse(linkage(text)).loops()[0]); };
    EXPECT_EQ(read(coupling("b", "c", "<ratio value=\"-2\"/>")), "'ac' = -2 'ab'");
    EXPECT_EQ(read(coupling("b", "d", "<ratio value=\"3\"/>")), "'cd' + 'ac' - 3 'ab' = 0");
    EXPECT_EQ(read(coupling("d", "b", "<ratio value=\"3\"/>")), "'ab' - 3 'cd' - 3 'ac' = 0");
}

TEST(UrdfLoops, Faults)
{
    const std::string at = "<loop name=\"l\"> (line 9): ";
    EXPECT_EQ(faults(linkage(loop("name=\"l\" type=\"revolut\""))),
              Texts{at + "unknown loop type 'revolut'; did you mean 'revolute'?"});
    EXPECT_EQ(faults(linkage(loop("name=\"l\" type=\"universal\""))),
              Texts{at + "unknown loop type 'universal'; known: fixed, revolute, continuous, prismatic, "
                         "cylindrical, spherical, planar"});
    EXPECT_EQ(faults(linkage(loop("name=\"l\""))),
              Texts{at + "attribute type is missing; write type=\"...\""});
    EXPECT_EQ(faults(linkage(loop("type=\"fixed\""))),
              Texts{"<loop> (line 9): attribute name is missing; write name=\"...\""});
    EXPECT_EQ(faults(linkage("<loop name=\"l\" type=\"fixed\"/>")),
              (Texts{at + "<predecessor> is missing; write <predecessor link=\"...\"/>",
                     at + "<successor> is missing; write <successor link=\"...\"/>"}));
    EXPECT_EQ(
        faults(linkage("<loop name=\"l\" type=\"fixed\"><predecessor link=\"bb\"/><successor/></loop>")),
        Texts{"<successor> of <loop name=\"l\"> (line 9): attribute link is missing; write link=\"...\""});
    EXPECT_EQ(faults(linkage("<loop name=\"l\" type=\"fixed\"><predecessor link=\"bb\"/><successor "
                             "link=\"b\"/></loop>")),
              Texts{"<predecessor> of <loop name=\"l\"> (line 9): unknown link 'bb'; did you mean 'b'?"});
    EXPECT_EQ(faults(linkage("<loop name=\"l\" type=\"fixed\"><predecessor link=\"b\"/><successor "
                             "link=\"b\"/></loop>")),
              Texts{at + "predecessor and successor are both link 'b'; expected two links"});
    EXPECT_EQ(
        faults(linkage(loop("name=\"l\" type=\"revolute\"", "<axis xyz=\"0 0 0\"/>"))),
        Texts{"<axis> of <loop name=\"l\"> (line 9): xyz is \"0 0 0\", which has no direction; expected the "
              "axis that the joint moves about or along"});
    EXPECT_EQ(
        faults(linkage(loop("name=\"l\" type=\"fixed\"", "") + "\n" + loop("name=\"l\" type=\"fixed\"", "")))
            .front(),
        "<loop name=\"l\"> (line 10): the name 'l' is taken by <loop name=\"l\"> (line 9); give another");
}

// Nothing of what says how a loop closes is left out: what is not read there is a fault.
TEST(UrdfLoops, StrangersAreFaults)
{
    EXPECT_EQ(faults(linkage(loop("name=\"l\" type=\"fixed\"", "<dynamics damping=\"1\"/>"))),
              Texts{"<dynamics> of <loop name=\"l\"> (line 9): unknown element 'dynamics' in <loop>"});
    EXPECT_EQ(
        faults(linkage(loop("name=\"l\" type=\"revolute\"", "<axes xyz=\"0 1 0\"/>"))),
        Texts{
            "<axes> of <loop name=\"l\"> (line 9): unknown element 'axes' in <loop>; did you mean 'axis'?"});
    EXPECT_EQ(faults(linkage("<loop name=\"l\" type=\"fixed\"><predecessor link=\"b\"><origin pos=\"1 2 3\"/>"
                             "</predecessor><successor link=\"c\"/></loop>")),
              Texts{"<origin> of <loop name=\"l\"> (line 9): unknown attribute 'pos' in <origin>"});
    EXPECT_EQ(faults(linkage(coupling("b", "c", "<ratio value=\"2\" offset=\"1\"/>"))),
              Texts{"<ratio> of <coupling name=\"gear\"> (line 9): unknown attribute 'offset' in <ratio>"});
    EXPECT_EQ(faults(linkage(coupling("b", "c", "<ratio value=\"2\"/><offset value=\"0.3\"/>"))),
              Texts{"<offset> of <coupling name=\"gear\"> (line 9): unknown element 'offset' in <coupling>"});
    EXPECT_EQ(
        faults(linkage(coupling("b", "c", "<ratio value=\"2\"/><ratio value=\"3\"/>"))),
        Texts{"<ratio> of <coupling name=\"gear\"> (line 9): a second <ratio> in <coupling>; keep one"});
    EXPECT_EQ(
        faults(linkage("<coupling name=\"gear\"><predecessor link=\"b\"><origin xyz=\"1 2 3\"/></predecessor>"
                       "<successor link=\"c\"/><ratio value=\"2\"/></coupling>")),
        Texts{"<origin> of <coupling name=\"gear\"> (line 9): <origin> in the <predecessor> of a <coupling>, "
              "which couples "
              "displacements of hinges; remove it, or write a <loop>"});
    EXPECT_EQ(faults(linkage("<couplng name=\"gear\"/>")),
              Texts{"<couplng name=\"gear\"> (line 9): unknown element 'couplng' in <robot>; did you mean "
                    "'coupling'?"});
}

TEST(UrdfLoops, FaultsOfCouplings)
{
    const std::string at = "<coupling name=\"gear\"> (line 9): ";
    const auto nothing_moves = [](const std::string& role) {
        return Texts{"<coupling name=\"gear\"> (line 9): no joint that moves lies between the " + role +
                     " and the links' nearest common ancestor, so the ratio has nothing to act on; expected "
                     "links on two branches"};
    };
    EXPECT_EQ(faults(linkage(coupling("c", "d", "<ratio value=\"2\"/>"))), nothing_moves("predecessor"));
    EXPECT_EQ(faults(linkage(coupling("d", "a", "<ratio value=\"2\"/>"))), nothing_moves("successor"));
    EXPECT_EQ(faults(linkage(coupling("b", "c", ""))),
              Texts{at + "<ratio> is missing; write <ratio value=\"NUMBER\"/>"});
    EXPECT_EQ(
        faults(linkage(coupling("b", "c", "<ratio value=\"0\"/>"))),
        Texts{"<ratio> of <coupling name=\"gear\"> (line 9): value is 0, so nothing is coupled; expected a "
              "ratio other than 0"});
    EXPECT_EQ(
        faults(linkage(coupling("b", "c", "<ratio value=\"x\"/>"))),
        Texts{"<ratio> of <coupling name=\"gear\"> (line 9): value is \"x\", expected 1 finite number: 'x' "
              "is not a number"});
    EXPECT_EQ(faults(linkage(coupling("b", "c", "<ratio value=\"1\"/>"), "planar")),
              Texts{at + "joint 'ab' on the way has 3 dofs; expected one, or none"});
    EXPECT_EQ(faults(linkage(coupling("b", "c", "<ratio value=\"1\"/>"), "fixed")),
              nothing_moves("predecessor"));
    EXPECT_EQ(faults(linkage("<coupling name=\"gear\" type=\"belt\"><predecessor link=\"b\"/><successor "
                             "link=\"c\"/><ratio value=\"1\"/></coupling>")),
              Texts{at + "unknown coupling type 'belt'; known: rolling"});
    // The builder's faults get the lines of couplings and mimics too.
    EXPECT_EQ(
        faults(robot(link("a") + link("b") + link("c") + joint("lead", "continuous", "a", "b") +
                     joint("follow", "continuous", "a", "c", "<mimic joint=\"lead\" multiplier=\"0\"/>"))),
        Texts{"<mimic> of <joint name=\"follow\"> (line 6): coupling 'follow', dof 'lead': its coefficient "
              "is 0, so it takes no part; expected a ratio other than 0, or remove the term"});
    const std::string tiny = "coefficient -1e-300, expected 0, or a number of 1e-100 or more";
    EXPECT_EQ(faults(robot(
                  link("a") + link("b") + link("c") + joint("lead", "continuous", "a", "b") +
                  joint("follow", "continuous", "a", "c", "<mimic joint=\"lead\" multiplier=\"1e-300\"/>"))),
              Texts{"<mimic> of <joint name=\"follow\"> (line 6): coupling 'follow', dof 'lead': " + tiny});
    EXPECT_EQ(faults(linkage(coupling("b", "c", "<ratio value=\"1e-300\"/>"))),
              Texts{at + "coupling 'gear', dof 'ab': " + tiny});
    EXPECT_EQ(
        faults(robot(link("a") + link("b") + link("c") + joint("lead", "continuous", "a", "b") +
                     joint("follow", "continuous", "a", "c", "<mimic joint=\"lead\" multiplier=\"2\"/>") +
                     coupling("b", "c", "<ratio value=\"2\"/>"))),
        Texts{"<coupling name=\"gear\"> (line 7): coupling 'gear' ('follow' = 2 'lead') says again what "
              "coupling 'follow' ('follow' = 2 'lead') says: remove one"});
}

} // namespace
} // namespace sweepdyn
