// Which dofs are actuated: said to the builder or in a file, carried through edits, and the first choice for independent ones.
#include <gtest/gtest.h>

#include "sweepdyn/closed/contacts.hpp"
#include "sweepdyn/dynamics/closed_mechanism.hpp"
#include "sweepdyn/io/model/mjcf.hpp"
#include "sweepdyn/io/model/native.hpp"
#include "sweepdyn/linear/closed_derivatives.hpp"
#include "sweepdyn/linear/linearize.hpp"
#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/model/edit.hpp"
#include "sweepdyn/model/generate.hpp"
#include "sweepdyn/model/merge.hpp"
#include "sweepdyn/operators/block_tree.hpp"
#include "urdf_helpers.hpp"

namespace sweepdyn {
namespace {

using Texts = std::vector<std::string>;
using Flags = std::vector<bool>;

// Names; "?" where nothing is said.
Texts actuated(const Model& model)
{
    if (!model.actuated_dofs())
        return {"?"};
    Texts out;
    for (int j : *model.actuated_dofs())
        out.push_back(model.dof_names()[static_cast<std::size_t>(j)]);
    return out;
}
Texts remarks(const Model& model)
{
    Texts out;
    for (const Note& note : model.notes())
        if (note.kind == Note::Kind::remark)
            out.push_back(note.text);
    return out;
}

struct Link {
    std::string name, parent;
    HingeKind kind;
    Flags actuated{};
};
Model tree_of(const std::vector<Link>& links, const std::string& name = "m")
{
    ModelBuilder builder(name);
    for (const Link& link : links) {
        builder.add_body({link.name, 1.0, {0, 0, 0.1}, Sym3<double>::diagonal(0.25, 0.25, 0.25)});
        builder.add_hinge({.name = link.name,
                           .kind = link.kind,
                           .parent = link.parent,
                           .child = link.name,
                           .axis2 = {1, 0, 0},
                           .actuated = link.actuated});
    }
    return builder.build();
}
const std::vector<Link> legged{{"hull", "", HingeKind::free},
                               {"hip", "hull", HingeKind::universal, {true, false}},
                               {"foot", "hip", HingeKind::weld},
                               {"arm", "hull", HingeKind::revolute, {true}},
                               {"tail", "hull", HingeKind::revolute}};

TEST(ActuatedDofs, OfTheBuilder)
{
    EXPECT_EQ(actuated(*generate_model("chain:3")), Texts{"?"});
    const Model model = tree_of(legged);
    EXPECT_EQ(actuated(model), (Texts{"hip.1", "arm"}));
    EXPECT_EQ(model.hinges()[0].actuated, Flags(6, false)); // not said there, but elsewhere
    EXPECT_EQ(model.hinges()[2].actuated, Flags{});
    EXPECT_EQ(actuated(tree_of({{"a", "", HingeKind::revolute, {false}}})), Texts{});
}

TEST(ActuatedDofs, ThroughEdits)
{
    const Model model = tree_of(legged);
    std::vector<double> q(static_cast<std::size_t>(model.num_coordinates()));
    q[0] = 1.0;
    EXPECT_EQ(actuated(lock_hinges(model, Texts{"arm"}, q)), Texts{"hip.1"});
    EXPECT_EQ(actuated(lock_hinges(model, Texts{"arm", "hip"}, q)), Texts{});
    EXPECT_EQ(actuated(extract_subtree(model, "hip", HingeKind::free)),
              Texts{"?"}); // its hinge was all that was said
    EXPECT_EQ(actuated(extract_subtree(model, "hull")), (Texts{"hip.1", "arm"}));
    EXPECT_EQ(actuated(with_base(model, BaseKind::fixed)), (Texts{"hip.1", "arm"}));
    EXPECT_EQ(actuated(with_base(with_base(model, BaseKind::fixed), BaseKind::floating)),
              (Texts{"hip.1", "arm"}));
    EXPECT_EQ(actuated(merge_welds(model)), (Texts{"hip.1", "arm"}));
    EXPECT_EQ(actuated(with_gravity(model, {})), (Texts{"hip.1", "arm"}));
    EXPECT_EQ(actuated(drop_loops(model)), (Texts{"hip.1", "arm"}));
    EXPECT_EQ(actuated(add_payload(model, "foot", 1.0, {}, {})), (Texts{"hip.1", "arm"}));
    EXPECT_EQ(actuated(with_contacts(model, {})), (Texts{"hip.1", "arm"}));
}

TEST(ActuatedDofs, OfTwoModels)
{
    const Model arm = tree_of({{"a", "", HingeKind::revolute, {true}}}, "arm"),
                tool = tree_of({{"a", "", HingeKind::revolute}}, "tool"),
                plate = tree_of({{"a", "", HingeKind::weld}}, "plate");
    EXPECT_EQ(actuated(attach(arm, "a", arm, "2")), (Texts{"a", "2a"}));
    EXPECT_EQ(actuated(attach(tool, "a", tool, "2")), Texts{"?"});
    EXPECT_TRUE(remarks(attach(arm, "a", plate, "2")).empty());
    for (const Model& both : {attach(arm, "a", tool, "2"), attach(tool, "a", arm, "2")}) {
        EXPECT_EQ(actuated(both).size(), 1u);
        EXPECT_EQ(remarks(both),
                  Texts{"model 'tool' does not say which dofs are actuated; beside one that does, "
                        "none of it are"});
    }
}

TEST(ActuatedDofs, OfReversedHinges)
{
    const auto rerooted = [](HingeKind kind, const Flags& flags, const Flags& base = {}) -> Texts {
        try {
            return actuated(
                reroot(tree_of({{"a", "", HingeKind::free, base}, {"b", "a", kind, flags}}), "b").model);
        } catch (const ModelError& error) {
            return error.faults;
        }
    };
    EXPECT_EQ(rerooted(HingeKind::revolute, {true}), Texts{"b"});
    EXPECT_EQ(rerooted(HingeKind::universal, {true, false}), Texts{"b.2"}); // its axes swap
    EXPECT_EQ(rerooted(HingeKind::spherical, {false, false, false}), Texts{});
    EXPECT_EQ(rerooted(HingeKind::spherical, {true, true, true}), (Texts{"b.wx", "b.wy", "b.wz"}));
    EXPECT_EQ(rerooted(HingeKind::planar, {true, false, false}), Texts{"b.wz"});
    EXPECT_EQ(rerooted(HingeKind::planar, {true, true, true}).size(), 3u);
    for (const Flags& flags : {Flags{false, true, true}, Flags{true, true, false}})
        EXPECT_EQ(rerooted(HingeKind::planar, flags),
                  Texts{"hinge 'b' (planar): some of its dofs are actuated, which has no equal in the "
                        "reversed hinge"});
    EXPECT_EQ(
        rerooted(HingeKind::spherical, {true, true, false}).front(),
        "hinge 'b' (spherical): some of its dofs are actuated, which has no equal in the reversed hinge");
    EXPECT_EQ(
        rerooted(HingeKind::revolute, {true}, {true, false, false, false, false, false}),
        Texts{"hinge 'a' (free): it is actuated, which belongs to the old root and has no equal on another"});
}

// crank and rocker on the ground, the coupler between them.
Model four_bar(const Flags& crank, const Flags& coupler, const Flags& rocker)
{
    ModelBuilder builder("bars");
    const auto add = [&](const std::string& name, const std::string& parent, double x, double length,
                         const Flags& flags) {
        builder.add_body({name, 1.0, {0.5 * length, 0, 0}, Sym3<double>::diagonal(0.01, 0.1, 0.1)});
        builder.add_hinge({.name = name,
                           .kind = HingeKind::revolute,
                           .parent = parent,
                           .child = name,
                           .X_PF = {Mat3<double>::identity(), {x, 0, 0}},
                           .actuated = flags});
    };
    add("crank", "", 0.0, 1.0, crank), add("coupler", "crank", 1.0, 2.5, coupler),
        add("rocker", "", 3.0, 2.0, rocker);
    Loop pin{.name = "pin", .kind = LoopKind::planar_pin, .body_a = "coupler", .body_b = "rocker"};
    pin.X_Aa.p = {2.5, 0, 0}, pin.X_Bb.p = {2, 0, 0};
    return builder.add_loop(pin).build();
}

TEST(ActuatedDofs, AreIndependentWhereTheyCanBe)
{
    const std::vector<double> q{1, -0.5245105911930009, 1.68958837974869}, still(3);
    const auto all_choices = [&](const Model& model) {
        ClosedMechanism mechanism(model);
        mechanism.set(q, still);
        ClosedDerivatives derivatives(model);
        derivatives.set(q, still, still);
        const auto blocks = algebra::BlockTree::clusters_at(model, q);
        OperatingPoint point(model);
        point.q = q;
        const StateSpace system = linearize(model, point);
        const std::vector<int> first(mechanism.independent().begin(), mechanism.independent().end());
        EXPECT_EQ(first,
                  std::vector<int>(derivatives.independent().begin(), derivatives.independent().end()));
        EXPECT_EQ(first, std::vector<int>(blocks.independent().begin(), blocks.independent().end()));
        EXPECT_EQ(system.states.front(), "q:" + model.dof_names()[static_cast<std::size_t>(first.front())]);
        return first;
    };
    for (int j = 0; j < 3; ++j)
        EXPECT_EQ(all_choices(four_bar({j == 0}, {j == 1}, {j == 2})), std::vector<int>{j});
    // Too many, or none: as if nothing were said.
    const std::vector<int> best = all_choices(four_bar({}, {}, {}));
    EXPECT_EQ(all_choices(four_bar({true}, {true}, {true})), best);
    EXPECT_EQ(all_choices(four_bar({false}, {}, {})), best);
    // A wish goes before.
    ClosedMechanism mechanism(four_bar({true}, {}, {}));
    mechanism.prefer_independent(std::vector<int>{2});
    mechanism.set(q, still);
    EXPECT_EQ(mechanism.independent()[0], 2);
}

TEST(ActuatedDofs, OfNativeFiles)
{
    const Model model = tree_of(legged);
    const std::string text = write_native(model);
    EXPECT_NE(text.find("\"actuated\": [\"hip.1\", \"arm\"]"), text.npos);
    EXPECT_EQ(actuated(parse_native(text, "x")), actuated(model));
    EXPECT_EQ(write_native(*generate_model("chain:3")).find("actuated"), text.npos);
    EXPECT_EQ(actuated(parse_native(write_native(tree_of({{"a", "", HingeKind::revolute, {false}}})), "x")),
              Texts{});
    // Indices are those of the file, whatever an option makes of its base.
    std::string by_index = text;
    by_index.replace(by_index.find("[\"hip.1\", \"arm\"]"), 16, "[8, \"base.vz\"]");
    LoadOptions fixed;
    fixed.base = LoadOptions::Base::fixed;
    EXPECT_EQ(actuated(parse_native(by_index, "x")), (Texts{"base.vz", "arm"}));
    EXPECT_EQ(actuated(parse_native(by_index, "x", fixed)), Texts{"arm"});
}

using urdf_testing::joint;
using urdf_testing::link;
using urdf_testing::robot;

std::string gripper(const std::string& rest)
{
    return robot(link("palm") + link("left") + link("right") + link("skid") +
                 joint("j", "continuous", "palm", "left") +
                 joint("k", "continuous", "palm", "right", "<mimic joint=\"j\" multiplier=\"-1\"/>") +
                 joint("s", "floating", "right", "skid") + rest);
}

TEST(ActuatedDofs, OfTransmissions)
{
    const auto of = [](const std::string& rest) { return actuated(urdf_testing::parse(gripper(rest))); };
    EXPECT_EQ(of(""), Texts{"?"});
    EXPECT_EQ(of("<transmission name=\"t\"><type>simple</type></transmission>"), Texts{"?"});
    const std::string ros1 =
        "<transmission name=\"t\"><type>transmission_interface/SimpleTransmission</type>"
        "<joint name=\"j\"><hardwareInterface>EffortJointInterface</hardwareInterface></joint>"
        "<actuator name=\"m\"><mechanicalReduction>50</mechanicalReduction></actuator></transmission>";
    EXPECT_EQ(of(ros1), Texts{"j"});
    EXPECT_EQ(remarks(urdf_testing::parse(gripper(ros1))).back(),
              "read but without effect: transmission (all but its joints) x1");
    EXPECT_EQ(of("<transmission name=\"t\" type=\"pr2_mechanism_model/WristTransmission\"><rightActuator "
                 "name=\"r\"/>"
                 "<leftActuator name=\"l\"/><flexJoint name=\"j\"/><rollJoint name=\"k\"/></transmission>"),
              (Texts{"j", "k"})); // of which one follows the other
    EXPECT_EQ(of("<transmission name=\"t\"><joint name=\"s\"/></transmission>").size(), 6u);
    // Left over from a robot that had more: a doubt, and who asks for no doubts gets a fault.
    const std::string lost = gripper("<transmission name=\"t\">\n<joint name=\"jj\"/></transmission>"),
                      why = "<joint name=\"jj\"> (line 10): <transmission> names it: unknown joint 'jj'; did "
                            "you mean 'j'?";
    EXPECT_EQ(urdf_testing::doubts(lost), Texts{why});
    EXPECT_EQ(actuated(urdf_testing::parse(lost)), Texts{"?"});
    EXPECT_EQ(urdf_testing::faults(lost, {.strict = true}), Texts{why});
    EXPECT_EQ(urdf_testing::faults(gripper("<transmission name=\"t\">\n<joint/></transmission>")),
              Texts{"<joint> of <transmission name=\"t\"> (line 10): attribute name is missing; write "
                    "name=\"...\""});
}

TEST(ActuatedDofs, OfRos2Control)
{
    const auto control = [](const std::string& inside) {
        return gripper("<ros2_control name=\"c\" type=\"system\"><hardware><plugin>x</plugin></hardware>" +
                       inside + "</ros2_control>");
    };
    const std::string seen = "<state_interface name=\"position\"/>",
                      driven = "<command_interface name=\"effort\"/>" + seen;
    const auto one = [](const std::string& name, const std::string& inside) {
        return "<joint name=\"" + name + "\">" + inside + "</joint>";
    };
    const auto of = [](const std::string& text) { return actuated(urdf_testing::parse(text)); };
    EXPECT_EQ(of(control("")), Texts{"?"});
    EXPECT_EQ(of(control(one("j", driven) + one("k", seen))), Texts{"j"});
    EXPECT_EQ(of(control(one("j", seen))), Texts{}); // only observed
    EXPECT_EQ(of(control(one("j", driven) + "</ros2_control><ros2_control name=\"d\" type=\"sensor\">" +
                         one("j", seen))),
              Texts{"j"});
    EXPECT_EQ(remarks(urdf_testing::parse(control(one("j", driven)))).back(),
              "read but without effect: ros2_control (all but its joints) x1");
    EXPECT_EQ(urdf_testing::doubts(control(one("elbow", driven))).size(), 1u);
    EXPECT_EQ(remarks(urdf_testing::parse(robot(link("a") + link("b") + joint("w", "fixed", "a", "b") +
                                                "<transmission><joint name=\"w\"/></transmission>"))),
              Texts{"read but without effect: transmission (all but its joints) x1, transmission of a fixed "
                    "joint x1"});
}

std::string mjcf(const std::string& actuators)
{
    const std::string inertia = "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>";
    return "<mujoco><worldbody><site name=\"s\"/><body name=\"a\"><joint name=\"j\"/><joint name=\"k\" "
           "axis=\"1 0 0\"/>" +
           inertia + "<body name=\"b\"><joint name=\"ball\" type=\"ball\"/>" + inertia +
           "</body></body><body name=\"c\"><freejoint name=\"fly\"/>" + inertia + "</body></worldbody>\n" +
           actuators + "</mujoco>";
}

TEST(ActuatedDofs, OfMjcf)
{
    const auto read = [](const std::string& inside) {
        return parse_mjcf(mjcf("<actuator>" + inside + "</actuator>"), "m.xml");
    };
    const auto of = [&](const std::string& inside) { return actuated(read(inside)); };
    EXPECT_EQ(actuated(parse_mjcf(mjcf(""), "m.xml")), Texts{"?"});
    EXPECT_EQ(of("<motor joint=\"k\" gear=\"50\" ctrlrange=\"-1 1\"/>"), Texts{"a.2"});
    EXPECT_EQ(of("<position joint=\"j\" kp=\"3\"/><velocity joint=\"j\"/><muscle joint=\"k\"/>"),
              (Texts{"a.1", "a.2"}));
    EXPECT_EQ(of("<general jointinparent=\"j\"/>"), Texts{"a.1"});
    EXPECT_EQ(of("<motor joint=\"ball\"/>"), Texts{"ball.wx"});
    EXPECT_EQ(of("<motor joint=\"ball\" gear=\"0 0 2\"/>"), Texts{"ball.wz"});
    EXPECT_EQ(of("<motor joint=\"fly\" gear=\"0 0 0 0 1 0\"/>"), Texts{"base.wy"});
    EXPECT_EQ(remarks(read("<motor name=\"m\" joint=\"ball\" gear=\"0 1 1\"/>"))[1],
              "<motor name=\"m\"> (line 2): it drives 2 dofs by one force; here each has one of its own");
    // What is no force on dofs says nothing of them.
    for (const char* inside : {"<motor site=\"s\" gear=\"0 0 1\"/>", "<adhesion body=\"b\"/>"}) {
        EXPECT_EQ(of(inside), Texts{"?"});
        EXPECT_EQ(remarks(read(inside)).back(),
                  "read but without effect: actuator (all but its joints) x1, actuator on no joint x1");
    }
    for (const char* inside : {"<motor joint=\"fly\"/>", "<motor jointinparent=\"ball\"/>"}) {
        EXPECT_EQ(of(inside), Texts{"?"});
        EXPECT_EQ(remarks(read(inside)).back(),
                  "read but without effect: actuator (all but its joints) x1, actuator "
                  "along axes of the parent or of the world x1");
    }
    const auto faults = [&](const std::string& inside) -> Texts {
        try {
            read(inside);
        } catch (const ModelError& error) {
            return error.faults;
        }
        return {};
    };
    EXPECT_EQ(faults("<motor joint=\"jj\"/>"),
              Texts{"<motor> (line 2): joint: unknown joint 'jj'; did you mean 'j'?"});
    EXPECT_EQ(faults("<moto joint=\"j\"/>"), Texts{"<moto> (line 2): this element in "
                                                   "<actuator> has no equal here; did you mean <motor>?"});
    EXPECT_EQ(faults("<motor joint=\"j\" class=\"x\"/>"),
              Texts{"<motor> (line 2): unknown default class 'x'; known: main"});
}

} // namespace
} // namespace sweepdyn
