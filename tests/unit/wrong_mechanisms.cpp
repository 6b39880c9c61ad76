// Ways to build a wrong mechanism, each with a clear answer: what, where, got, expected. Those that only show when the loops are
// closed (what cannot be assembled) belong to assembly.
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "sweepdyn/io/model/mjcf.hpp"
#include "sweepdyn/io/model/native.hpp"
#include "sweepdyn/io/model/urdf.hpp"
#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/model/edit.hpp"

namespace sweepdyn {
namespace {

// A crank, a coupler on it and a rocker on the ground; a plate is welded to the rocker, a ball turns on the plate.
ModelBuilder linkage()
{
    ModelBuilder builder("linkage");
    for (const auto& [name, parent, kind] : {std::tuple{"crank", "", HingeKind::revolute},
                                             {"coupler", "crank", HingeKind::revolute},
                                             {"rocker", "", HingeKind::revolute},
                                             {"plate", "rocker", HingeKind::weld},
                                             {"ball", "plate", HingeKind::spherical}}) {
        builder.add_body({name, 1.0, {0.1, 0, 0}, Sym3<double>::diagonal(0.1, 0.1, 0.1)});
        Hinge hinge;
        hinge.name = hinge.child = name;
        hinge.kind = kind;
        hinge.parent = parent;
        builder.add_hinge(hinge);
    }
    return builder;
}
Loop loop(LoopKind kind = LoopKind::revolute, const std::string& a = "coupler",
          const std::string& b = "rocker")
{
    Loop out;
    out.name = "pin";
    out.kind = kind;
    out.body_a = a, out.body_b = b;
    return out;
}
void build(const std::vector<Loop>& loops)
{
    ModelBuilder builder = linkage();
    for (const Loop& one : loops)
        builder.add_loop(one);
    builder.build();
}
template <class Change> Loop changed(Loop out, Change change)
{
    change(out);
    return out;
}

const std::string link_tail =
    "<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" "
    "izz=\"1\"/></inertial></link>";
std::string urdf(const std::string& inside)
{
    const auto turn = [](const std::string& name, const std::string& parent, const std::string& child) {
        return "<joint name=\"" + name + "\" type=\"continuous\"><parent link=\"" + parent +
               "\"/><child link=\"" + child + "\"/></joint>";
    };
    return "<robot name=\"r\"><link name=\"a\">" + link_tail + "<link name=\"b\">" + link_tail +
           "<link name=\"c\">" + link_tail + turn("ab", "a", "b") + turn("ac", "a", "c") + "\n" + inside +
           "</robot>";
}
std::string native(const std::string& loops)
{
    return R"({"gravity": [0, 0, 0], "bodies": [{"name": "a", "mass": 1, "com": [0, 0, 0], "inertia_com": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},
        {"name": "b", "mass": 1, "com": [0, 0, 0], "inertia_com": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}],
        "hinges": [{"kind": "revolute", "parent": -1, "child": 0, "axis": [0, 0, 1]},
                   {"kind": "revolute", "parent": 0, "child": 1, "axis": [0, 0, 1]}], "loops": [)" +
           loops + "]}";
}
std::string mjcf(const std::string& equality)
{
    return "<mujoco><worldbody><body name=\"b\"><joint name=\"j\"/><geom "
           "size=\"0.1\"/></body></worldbody><equality>\n" +
           equality + "</equality></mujoco>";
}

struct Wrong {
    const char* what;
    std::function<void()> make;
    const char* says;
};

const std::vector<Wrong>& wrong_ones()
{
    static const std::vector<Wrong> all{
        {"a loop inside one body", [] { build({loop(LoopKind::weld, "crank", "crank")}); },
         "loop 'pin' closes on itself: both its ends are on body 'crank', expected two bodies"},
        {"a loop from the ground to itself", [] { build({loop(LoopKind::ball, "", "")}); },
         "loop 'pin' closes on itself: both its ends are on the ground, expected two bodies"},
        {"a loop where nothing can move", [] { build({loop(LoopKind::ball, "plate", "rocker")}); },
         "loop 'pin' (ball) joins body 'plate' and body 'rocker', which only welds lie between: nothing can "
         "move there; "
         "remove it"},
        {"a loop to nobody", [] { build({loop(LoopKind::ball, "coupler", "rockr")}); },
         "loop 'pin', body b: unknown body 'rockr'; did you mean 'rocker'?"},
        {"two loops of one name", [] { build({loop(), loop(LoopKind::ball)}); },
         "loop name 'pin' is used 2 times"},
        {"a loop frame that is no rotation",
         [] { build({changed(loop(), [](Loop& l) { l.X_Aa.R.z = {0, 0, -1}; })}); },
         "loop 'pin', frame a: not a rotation matrix (off by 2); rows must be orthonormal and right-handed"},
        {"a loop frame nowhere", [] { build({changed(loop(), [](Loop& l) { l.X_Bb.p.y = INFINITY; })}); },
         "loop 'pin', frame b: placement has a number that is not finite"},
        {"chosen rows, and none chosen", [] { build({loop(LoopKind::rows)}); },
         "loop 'pin' has no rows, expected some of rx, ry, rz, x, y, z"},
        {"a row chosen twice",
         [] { build({changed(loop(LoopKind::rows), [](Loop& l) { l.rows = {LoopRow::rz, LoopRow::rz}; })}); },
         "loop 'pin': row rz stands there twice"},
        {"a wheel without radius", [] { build({loop(LoopKind::rolling_disc, "", "rocker")}); },
         "loop 'pin': radius is 0, expected a length above 0"},
        {"terms in a loop that is no coupling",
         [] { build({changed(loop(), [](Loop& l) { l.terms = {{"crank", {1.0}}}; })}); },
         "loop 'pin' is of kind revolute and has terms; only couplings have them"},
        {"a gear with ratio 0", [] { build({mimic("gear", "crank", "rocker", 0.0)}); },
         "coupling 'gear', dof 'rocker': its coefficient is 0, so it takes no part; expected a ratio other "
         "than 0, or remove "
         "the term"},
        {"a gear with ratio infinite", [] { build({mimic("gear", "crank", "rocker", INFINITY)}); },
         "coupling 'gear', dof 'rocker': coefficient -inf, expected a finite number"},
        {"a hinge geared to itself", [] { build({mimic("gear", "crank", "crank", 2.0)}); },
         "coupling 'gear', dof 'crank' is coupled with itself, expected another dof"},
        {"a coupling of one dof",
         [] { build({changed(mimic("gear", "crank", "rocker"), [](Loop& l) { l.terms.pop_back(); })}); },
         "coupling 'gear' has 1 term, expected 2 or more: one for each coupled dof"},
        {"a coupling of a dof that is not there", [] { build({mimic("gear", "crank", "roker")}); },
         "coupling 'gear': unknown dof 'roker'; did you mean 'rocker'?"},
        {"a coupling of a hinge with three dofs", [] { build({mimic("gear", "crank", "ball")}); },
         "coupling 'gear': hinge 'ball' has 3 dofs, expected 1, or the name of one dof"},
        {"a coupling of a rate without coordinate", [] { build({mimic("gear", "crank", "ball.wx")}); },
         "coupling 'gear': dof 'ball.wx' is of a spherical hinge, whose rates have no coordinate of their "
         "own; expected a turn or "
         "a slide"},
        {"one gear twice",
         [] { build({mimic("a", "crank", "rocker", 4.0), mimic("b", "rocker", "crank", 0.25)}); },
         "coupling 'b' ('rocker' = 0.25 'crank') says again what coupling 'a' ('crank' = 4 "
         "'rocker') says: remove one"},
        {"gears that contradict one another",
         [] { build({mimic("a", "crank", "rocker"), mimic("b", "crank", "rocker", 1.0, 0.5)}); },
         "coupling 'b' ('crank' = 1 'rocker' + 0.5) contradicts coupling 'a' ('crank' = 1 'rocker'): "
         "together they cannot hold; "
         "remove one"},
        {"gears in a circle that do not fit",
         [] {
             build({mimic("a", "crank", "coupler"), mimic("b", "coupler", "rocker"),
                    mimic("c", "rocker", "crank", 1.0, 1.0)});
         },
         "coupling 'c' ('rocker' = 1 'crank' + 1) contradicts coupling 'a' ('crank' = 1 'coupler'), coupling "
         "'b' ('coupler' = 1 "
         "'rocker'): together they cannot hold; remove one"},
        {"a body on two hinges",
         [] {
             Hinge second;
             second.name = "strut", second.parent = "crank", second.child = "rocker";
             linkage().add_hinge(second).build();
         },
         "body 'rocker' has two parents: by hinge 'rocker' and by hinge 'strut'"},
        {"bodies that hang on one another",
         [] {
             ModelBuilder builder = linkage();
             builder.hinges()[0].parent = "coupler";
             builder.build();
         },
         "cycle: the bodies 'crank', 'coupler' hang on one another and not on the ground"},
        {"a locked dof in a coupling that leaves one",
         [] {
             Loop cam = mimic("cam", "crank", "rocker");
             cam.terms[1].polynomial = {0.0, 1.0};
             const Model model = linkage().add_loop(cam).build();
             lock_hinges(model, std::vector<std::string>{"crank"},
                         std::vector<double>{0.1, 0, 0, 1, 0, 0, 0});
         },
         "coupling 'cam' ('crank' + 'rocker'^2 = 0) has one dof left, 'rocker', where the others are locked; "
         "lock its hinge "
         "too"},

        {"a file with a kind of loop that is none",
         [] { parse_native(native(R"({"kind": "bushing"})"), "f"); },
         "loops[0].kind: loop 'loop0': unknown kind of loop 'bushing'; known: weld, ball, revolute, "
         "prismatic, cylindrical, "
         "universal, planar_pin, rows, soft_finger, rolling_sphere, rolling_disc, coupling"},
        {"a file with a loop of one end",
         [] { parse_native(native(R"({"kind": "ball", "body_a": 1})"), "f"); },
         "loops[0].body_b: missing, expected a body or -1, the ground"},
        {"a file with fewer ratios than hinges",
         [] { parse_native(native(R"({"kind": "coupling", "bodies": [0, 1], "coefficients": [1]})"), "f"); },
         "loops[0].coefficients: got 1 number, expected 2 numbers"},
        {"a file that couples the ground",
         [] {
             parse_native(native(R"({"kind": "coupling", "bodies": [0, -1], "coefficients": [1, 1]})"), "f");
         },
         "loops[0].bodies[1]: loop 'loop0' (coupling): the ground hangs on no hinge, so there is nothing to "
         "couple"},

        {"URDF: a link with two parents",
         [] {
             parse_urdf(
                 urdf("<joint name=\"bc\" type=\"fixed\"><parent link=\"b\"/><child link=\"c\"/></joint>"),
                 "f");
         },
         "<link name=\"c\"> (line 1): the link has two parents: it is the child of <joint name=\"ac\"> (line "
         "1) and of <joint "
         "name=\"bc\"> (line 2); a URDF is a tree, so remove one"},
        {"URDF: a loop of a type that is none",
         [] {
             parse_urdf(urdf("<loop name=\"l\" type=\"rope\"><predecessor link=\"b\"/><successor "
                             "link=\"c\"/></loop>"),
                        "f");
         },
         "<loop name=\"l\"> (line 2): unknown loop type 'rope'; known: fixed, revolute, continuous, "
         "prismatic, cylindrical, "
         "spherical, planar"},
        {"URDF: a gear with ratio 0",
         [] {
             parse_urdf(urdf("<coupling name=\"g\"><predecessor link=\"b\"/><successor link=\"c\"/><ratio "
                             "value=\"0\"/></coupling>"),
                        "f");
         },
         "<ratio> of <coupling name=\"g\"> (line 2): value is 0, so nothing is coupled; expected a ratio "
         "other than 0"},
        {"URDF: a coupling with what only follows itself",
         [] {
             parse_urdf(urdf("<coupling name=\"g\"><predecessor link=\"b\"/><successor link=\"b\"/><ratio "
                             "value=\"2\"/></coupling>"),
                        "f");
         },
         "<coupling name=\"g\"> (line 2): predecessor and successor are both link 'b'; expected two links"},
        {"MJCF: a tendon as a constraint", [] { parse_mjcf(mjcf("<tendon tendon1=\"t\"/>"), "f"); },
         "<tendon> (line 2): this element in <equality> has no equal here"},
        {"MJCF: a joint held by itself", [] { parse_mjcf(mjcf("<joint joint1=\"j\"/>"), "f"); },
         "<joint> (line 2): without joint2 it holds joint1 at a constant, for which there is no loop; remove "
         "the joint instead"},
        {"MJCF: a connect without anchor", [] { parse_mjcf(mjcf("<connect body1=\"b\"/>"), "f"); },
         "<connect> (line 2): anchor is missing; write anchor=\"X Y Z\", in the first body"},
    };
    return all;
}

TEST(WrongMechanisms, EachHasAClearAnswer)
{
    for (const Wrong& wrong : wrong_ones()) {
        SCOPED_TRACE(wrong.what);
        try {
            wrong.make();
            ADD_FAILURE() << "was built";
        } catch (const ModelError& error) {
            EXPECT_EQ(error.faults, std::vector<std::string>{wrong.says});
        }
    }
    EXPECT_GE(wrong_ones().size(), 20u);
}

} // namespace
} // namespace sweepdyn
