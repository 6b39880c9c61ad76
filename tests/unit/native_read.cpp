#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "sweepdyn/io/model/native.hpp"
#include "sweepdyn/model/generate.hpp"

namespace sweepdyn {
namespace {

const std::string data = std::string(SWEEPDYN_TEST_DATA) + "/data/native/";

std::vector<std::string> faults(const std::string& text, const LoadOptions& options = {})
{
    try {
        parse_native(text, "arm.json", options);
    } catch (const ModelError& error) {
        EXPECT_EQ(std::string(error.what()).find("arm.json"), 0u) << error.what();
        return error.faults;
    }
    return {};
}
std::vector<std::string> notes(const Model& model, Note::Kind kind)
{
    std::vector<std::string> out;
    for (const Note& note : model.notes())
        if (note.kind == kind)
            out.push_back(note.text);
    return out;
}
std::vector<std::string> remarks(const Model& model) { return notes(model, Note::Kind::remark); }
using Texts = std::vector<std::string>;

// A small file that is right; tests replace a part of it.
const std::string good = R"({
 "format": "sweepdyn-model/1",
 "name": "arm",
 "gravity": [0, 0, -9.81],
 "bodies": [
  {"name": "upper", "mass": 1, "com": [0, 0, 0.1], "inertia_com": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},
  {"name": "lower", "mass": 1, "com": [0, 0, 0.1], "inertia_com": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}
 ],
 "hinges": [
  {"name": "shoulder", "kind": "revolute", "parent": -1, "child": "upper", "axis": [0, 1, 0], "damping": 0.5},
  {"kind": "universal", "parent": 0, "child": 1, "position_in_parent": [0, 0, 0.3], "axis": [1, 0, 0], "axis2": [0, 1, 0],
   "limits": {"lower": [-1, null], "effort": [5, 6]}}
 ]
})";
std::string with(std::string part, std::string other)
{
    std::string text = good;
    const std::size_t place = text.find(part);
    EXPECT_NE(place, std::string::npos) << part;
    return text.replace(place, part.size(), other);
}

TEST(NativeRead, DefaultsAndReferences)
{
    const Model model = parse_native(good, "arm.json");
    EXPECT_TRUE(model.notes().empty());
    EXPECT_EQ(model.name(), "arm");
    EXPECT_EQ(model.hinges()[1].name, "lower");
    EXPECT_EQ(model.hinges()[1].parent, "upper");
    EXPECT_EQ(model.hinges()[0].damping, std::vector<double>{0.5});
    EXPECT_EQ(model.hinges()[1].limits.lower, (std::vector<double>{-1, -INFINITY}));
    EXPECT_EQ(model.hinges()[1].limits.effort, (std::vector<double>{5, 6}));
    EXPECT_EQ(parse_native(with("\"name\": \"arm\",", ""), "x/left arm.json").name(), "left arm");
    EXPECT_EQ(remarks(parse_native(with("\"gravity\": [0, 0, -9.81],", ""), "x")),
              Texts{"gravity is not given: it is [0, 0, -9.81]"});
    EXPECT_TRUE(faults(with("\"format\": \"sweepdyn-model/1\",", "")).empty());
    EXPECT_TRUE(faults("\xef\xbb\xbf" + good).empty());
}

TEST(NativeRead, GoldenFiles)
{
    const Model gripper = read_native(data + "gripper_mimic_gear.json", {});
    EXPECT_EQ(gripper.name(), "gripper_mimic_gear");
    EXPECT_EQ(remarks(gripper), (Texts{"read but without effect: checks, conventions, outputs",
                                       "beside the model the file carries: state, tau, independent_velocity, "
                                       "independent_position"}));
    EXPECT_EQ(gripper.actuated_dofs(), (std::vector<int>{0, 2, 3}));
    EXPECT_EQ(gripper.num_bodies(), 5);
    EXPECT_EQ(gripper.hinges()[3].kind, HingeKind::prismatic);
    ASSERT_EQ(gripper.loops().size(), 2u);
    EXPECT_EQ(gripper.loops()[0].name, "loop0");
    EXPECT_EQ(equation(gripper.loops()[0]), "'rotor' = 50 'palm'");
    EXPECT_EQ(equation(gripper.loops()[1]), "'jaw_right' = -1 'jaw_left' + 0.005");

    const Model four_bar = read_native(data + "four_bar.json", {});
    ASSERT_EQ(four_bar.loops().size(), 1u);
    const Loop& pin = four_bar.loops()[0];
    EXPECT_EQ(pin.kind, LoopKind::planar_pin);
    EXPECT_EQ(pin.body_a, "coupler");
    EXPECT_EQ(pin.body_b, "rocker");
    EXPECT_EQ(pin.X_Aa.p, (Vec3<double>{2.5, 0, 0}));
    EXPECT_EQ(pin.X_Bb.p, (Vec3<double>{2.0, 0, 0}));
}

TEST(NativeRead, Files)
{
    const auto words = [](const std::string& path) -> std::string {
        try {
            read_native(path);
        } catch (const ModelError& error) {
            return error.faults[0];
        }
        return "";
    };
    EXPECT_EQ(words(data), "is a directory, expected a file");
    EXPECT_EQ(words(data + "nothing.json"), "cannot be opened; is the name right?");
}

TEST(NativeRead, Format)
{
    EXPECT_EQ(faults(with("model/1", "model/2")),
              Texts{"format: got \"sweepdyn-model/2\", expected \"sweepdyn-model/1\""});
    EXPECT_EQ(faults(with("\"sweepdyn-model/1\"", "1")),
              Texts{"format: got 1, expected \"sweepdyn-model/1\""});
    EXPECT_EQ(faults("{}"),
              Texts{"format: missing, expected \"sweepdyn-model/1\", or at least bodies and hinges"});
    EXPECT_EQ(faults("[]"), Texts{"the file: got an empty list, expected an object"});
    EXPECT_EQ(faults(" \n"), Texts{"the file is empty, expected a JSON object"});
}

TEST(NativeRead, ParseErrorsHaveLineAndColumn)
{
    EXPECT_EQ(faults("{\n  \"a\": nan}").at(0).find("line 2, column 9: not JSON: "), 0u)
        << faults("{\n  \"a\": nan}")[0];
    EXPECT_EQ(faults("{\n\"a\": 1,\n}").at(0).find("line 3, column 1: not JSON: "), 0u)
        << faults("{\n\"a\": 1,\n}")[0];
    EXPECT_EQ(faults("<robot>").at(0).find("line 1, column 1: not JSON: "), 0u);
    EXPECT_EQ(faults(good.substr(0, good.size() - 1)).at(0).find("line 14, column 1: not JSON: "), 0u)
        << faults(good.substr(0, good.size() - 1))[0];
    EXPECT_EQ(faults("{\n\"a\": 1e999}"),
              Texts{"line 2, column 6: a: the number 1e999 is too large, expected one that a double holds"});
    EXPECT_EQ(faults(with("0.1], \"inertia_com\"", "1e999], \"inertia_com\"")),
              Texts{"line 6, column 46: bodies[0].com[2]: the number 1e999 is too large, expected one that a "
                    "double holds"});
    EXPECT_EQ(faults(with("\"mass\": 1,", "\"mass\": 1, \"mass\": 2,")),
              Texts{"bodies[0].mass: given twice, expected once"});
    EXPECT_EQ(faults(std::string(200000, '[')).size(), 1u);
    EXPECT_EQ(faults(std::string(200000, '[') + std::string(200000, ']')).size(), 1u);
}

TEST(NativeRead, AllFaultsAtOnceByPath)
{
    std::string text = good;
    const auto replace = [&](const std::string& part, const std::string& other) {
        text.replace(text.find(part), part.size(), other);
    };
    replace("[0, 0, -9.81]", "[0, 0]");
    replace("[0, 0, 0.1]", "\"x\"");
    replace("[0, 1, 0], [0, 0, 1]]},\n  {", "[0, 1], [0, 0, \"z\"]]},\n  {\"index\": 7, ");
    replace("\"damping\": 0.5", "\"damping\": [0.5, 1]");
    replace("\"axis\": [0, 1, 0]", "\"axis\": {}");
    replace("\"parent\": 0", "\"parent\": 2");
    replace("\"axis2\": [0, 1, 0]", "\"axis2\": null");
    replace("[-1, null]", "[-1, true]");
    replace("[5, 6]", "5");
    EXPECT_EQ(
        faults(text),
        (Texts{
            "gravity: got 2 numbers, expected 3 numbers",
            "bodies[0].com: got \"x\", expected 3 numbers",
            "bodies[0].inertia_com[1]: got 2 numbers, expected 3 numbers",
            "bodies[0].inertia_com[2]: got a list of 3, not all numbers, expected 3 numbers",
            "bodies[1].index: got 7, expected 1, its place in the list",
            "hinges[0].axis: got an object, expected 3 numbers",
            "hinges[0].damping: got 2 numbers, expected 1 number",
            "hinges[1].parent: got 2, expected the name of a body, its index from 0 to 1, or -1, the ground",
            "hinges[1].axis2: missing, expected 3 numbers",
            "hinges[1].limits.lower: got a list of 2, not all numbers, expected 2 numbers, one per dof",
            "hinges[1].limits.effort: got 5, expected 2 numbers, one per dof",
        }));
}

TEST(NativeRead, ReaderAndBuilderSpeakTogether)
{
    std::string text = with("\"mass\": 1,", "\"mass\": -1,");
    text.replace(text.find("[1, 0, 0], \"axis2\""), 9, "[0, 0, 0]");
    text.replace(text.find("\"com\": [0"), 9, "\"com\": [true");
    const Texts all = faults(text);
    const auto has = [&](const std::string& fault) {
        EXPECT_NE(std::find(all.begin(), all.end(), fault), all.end()) << fault;
    };
    EXPECT_EQ(all.size(), 3u);
    has("bodies[0].com: got a list of 3, not all numbers, expected 3 numbers");
    has("body 'upper': mass is -1, expected zero or more");
    has("hinge 'lower': axis is [0, 0, 0], expected a direction");
}

TEST(NativeRead, ReferencesAndKinds)
{
    EXPECT_EQ(faults(with("\"child\": \"upper\"", "\"child\": \"uper\"")),
              Texts{"hinges[0].child: unknown body 'uper'; did you mean 'upper'?"});
    EXPECT_EQ(faults(with("\"parent\": -1", "\"parent\": \"world\"")),
              Texts{"hinges[0].parent: unknown body 'world'; known: upper, lower (the ground is -1)"});
    EXPECT_EQ(faults(with("\"child\": 1", "\"child\": -1")),
              Texts{"hinges[1].child: got -1, expected a body; the ground hangs on nothing"});
    EXPECT_EQ(faults(with("\"name\": \"upper\"", "\"index\": 0.0, \"name\": \"upper\"")),
              Texts{"bodies[0].index: got 0.0, expected 0, its place in the list"});
    for (const char* index :
         {"18446744073709551615", "-2", "1.0", "1e30", "[]", "true", "-9223372036854775808"})
        EXPECT_EQ(faults(with("\"child\": 1", "\"child\": " + std::string(index))).size(), 1u) << index;
    EXPECT_EQ(faults(with("\"child\": 1", "\"child\": 0")).at(0),
              "body 'upper' has two parents: by hinge 'shoulder' and by hinge 'upper'");
    EXPECT_EQ(faults(with("\"revolute\"", "\"revolut\"")),
              Texts{"hinges[0].kind: unknown hinge kind 'revolut'; did you mean 'revolute'?"});
    EXPECT_EQ(faults(with("\"revolute\"", "\"user\"")),
              Texts{"hinges[0].kind: a user-defined hinge cannot be read from a file; it is made in C++ "
                    "(model/user_hinge.hpp)"});
    EXPECT_EQ(
        faults(with("[[1, 0, 0]", "[[1, 0.1, 0]")),
        Texts{"bodies[0].inertia_com: not symmetric: row 1, column 2 is 0.1, across the diagonal stands 0"});
    EXPECT_EQ(
        faults("{\"bodies\": {}, \"hinges\": [3]}"),
        (Texts{"bodies: got an object, expected a list of objects", "hinges[0]: got 3, expected an object"}));
}

TEST(NativeRead, UnknownKeys)
{
    EXPECT_EQ(faults(with("\"damping\": 0.5", "\"dampin\": 0.5")),
              Texts{"hinges[0] 'shoulder': unknown key 'dampin'; did you mean 'damping'?"});
    EXPECT_EQ(faults(with("\"mass\": 1", "\"mass\": 1, \"description\": \"\", \"cmo\": [1, 0, 0]")),
              Texts{"bodies[0] 'upper': unknown key 'cmo'; did you mean 'com'?"});
    EXPECT_EQ(faults(with("\"name\": \"arm\",", "\"name\": \"arm\", \"loop\": [],")),
              Texts{"unknown key 'loop'; did you mean 'loops'?"});
    // At the top; `note` is like `name`, which is there.
    const Model noted =
        parse_native(with("\"name\": \"arm\",",
                          "\"name\": \"arm\", \"author\": {\"mass\": 3}, \"note\": 1, \"state\": 1, "
                          "\"outputs\": [], \"checks\": 0, \"actuated\": [], \"description\": \"\","),
                     "x");
    EXPECT_EQ(notes(noted, Note::Kind::doubt),
              (Texts{"unknown key 'author' has no effect", "unknown key 'note' has no effect"}));
    EXPECT_EQ(remarks(noted), (Texts{"read but without effect: checks, outputs",
                                     "beside the model the file carries: state"}));
    EXPECT_EQ(remarks(parse_native(with("\"name\": \"arm\",",
                                        "\"independent_velocity\": [0], \"independent_position\": [0], "
                                        "\"tau\": [1], \"actuated\": [0],"),
                                   "x")),
              Texts{"beside the model the file carries: tau, independent_velocity, independent_position"});
    EXPECT_EQ(remarks(parse_native(with("\"damping\": 0.5", "\"pitch\": 0.5"), "x")),
              Texts{"hinges[0].pitch: has no effect on a revolute hinge"});
}

TEST(NativeRead, MassAndInertiaMayBeMissing)
{
    const auto doubts = [](const std::string& text) {
        const Model model = parse_native(text, "x");
        Texts out;
        for (const Note& note : model.notes())
            if (note.kind == Note::Kind::doubt)
                out.push_back(note.text);
        return out;
    };
    const std::string com = "\"com\": [0, 0, 0.1], ",
                      inertia = ", \"inertia_com\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},\n  {";
    EXPECT_EQ(doubts(with("\"mass\": 1, " + com, com)),
              (Texts{"bodies[0].mass: missing, so it is 0", "body 'upper' has no mass"}));
    EXPECT_EQ(doubts(with(com, "")), Texts{"bodies[0].com: missing, so it is [0, 0, 0]"});
    EXPECT_EQ(doubts(with(inertia, "},\n  {")),
              (Texts{"bodies[0].inertia_com: missing, so it is 0, a point mass",
                     "body 'upper' has mass but no inertia: a point mass"}));
    LoadOptions strict;
    strict.strict = true;
    EXPECT_EQ(faults(with(com, ""), strict), Texts{"bodies[0].com: missing, so it is [0, 0, 0]"});
}

TEST(NativeRead, NamesOfBodies)
{
    EXPECT_EQ(faults(with("\"name\": \"lower\"", "\"name\": \"\"")),
              Texts{"bodies[1].name: got \"\", expected a text that is not empty"});
    // Hinges by index go on being right; a name that is shared tells nobody which body hangs where.
    const std::string twice = "bodies[1].name: 'upper' is the name of bodies[0] already; give another";
    EXPECT_EQ(faults(with("\"name\": \"lower\"", "\"name\": \"upper\"")), Texts{twice});
    std::string by_index = with("\"child\": \"upper\"", "\"child\": 0");
    by_index.replace(by_index.find("\"lower\""), 7, "\"upper\"");
    EXPECT_EQ(faults(by_index), Texts{twice});
    by_index.replace(by_index.find("\"axis\": [0, 1, 0]"), 17, "\"axis\": [0, 0, 0]");
    EXPECT_EQ(faults(by_index), (Texts{twice, "hinge 'shoulder': axis is [0, 0, 0], expected a direction"}));
}

TEST(NativeRead, ARangeHasNoEffectOnAContinuousHinge)
{
    const Model model = parse_native(
        with("\"revolute\"", "\"continuous\", \"limits\": {\"lower\": -1, \"upper\": [1], \"effort\": 5}"),
        "x");
    EXPECT_EQ(remarks(model), (Texts{"hinges[0].limits.lower: has no effect on a continuous hinge",
                                     "hinges[0].limits.upper: has no effect on a continuous hinge"}));
    EXPECT_EQ(model.hinges()[0].limits, (Limits{{}, {}, {}, {5}}));
}

std::string with_loops(const std::string& loops)
{
    return with("\"name\": \"arm\",", "\"name\": \"arm\", \"loops\": [" + loops + "],");
}

TEST(NativeRead, Loops)
{
    const Model model = parse_native(
        with_loops(
            R"({"kind": "ball", "body_a": "lower", "body_b": -1, "position_a": [0, 0, 1], "rows": 3, "index": 0},
               {"name": "guide", "kind": "rows", "body_a": -1, "body_b": 1, "rows": ["rz", "x"],
                "rotation_a": [[0, -1, 0], [1, 0, 0], [0, 0, 1]]},
               {"kind": "rolling_sphere", "body_a": -1, "body_b": 1, "radius": 0.2},
               {"kind": "coupling", "dofs": ["lower.1", "shoulder"], "coefficients": [1, -3], "offset": 0.5},
               {"kind": "coupling", "dofs": ["lower.2", "shoulder"], "polynomials": [[1], [0, 2, -1]]})"),
        "arm.json");
    EXPECT_EQ(remarks(model), Texts{});
    ASSERT_EQ(model.loops().size(), 5u);
    EXPECT_EQ(model.loops()[0].name, "loop0");
    EXPECT_EQ(model.loops()[0].body_b, "");
    EXPECT_EQ(model.loops()[0].X_Aa.p, (Vec3<double>{0, 0, 1}));
    EXPECT_EQ(model.loops()[1].name, "guide");
    EXPECT_EQ(model.loops()[1].rows, (std::vector<LoopRow>{LoopRow::rz, LoopRow::x}));
    EXPECT_EQ(model.loops()[1].X_Aa.R.x, (Vec3<double>{0, 1, 0})); // the first column
    EXPECT_EQ(model.loops()[2].radius, 0.2);
    EXPECT_EQ(equation(model.loops()[3]), "'lower.1' = 3 'shoulder' + 0.5");
    EXPECT_EQ(equation(model.loops()[4]), "'lower.2' + 2 'shoulder'^2 - 'shoulder'^3 = 0");
    EXPECT_EQ(remarks(parse_native(with_loops(R"({"kind": "weld", "body_a": 1, "body_b": -1, "radius": 2,
                                                 "rows": ["x"]})"),
                                   "x")),
              (Texts{"loops[0].radius: has no effect on a weld loop",
                     "loops[0].rows: has no effect on a weld loop"}));
}

TEST(NativeRead, UnknownKeysOfLoops)
{
    EXPECT_EQ(faults(with_loops(R"({"name": "pin", "kind": "ball", "body_a": 1, "body_b": -1,
                                    "positon_a": [0, 0, 1]},
                                   {"kind": "coupling", "dofs": ["lower.1", "shoulder"], "coefficients": [1, -3],
                                    "ofset": 0.5})")),
              (Texts{"loops[0] 'pin': unknown key 'positon_a'; did you mean 'position_a'?",
                     "loops[1]: unknown key 'ofset'; did you mean 'offset'?"}));
}

TEST(NativeRead, FaultsOfLoops)
{
    EXPECT_EQ(
        faults(with_loops(
            R"({"name": "pin", "kind": "planar_pin"}, {"kind": "weld", "body_a": "uper", "body_b": 7},
               {"kind": "bal"}, {"name": 3}, 4, {"kind": "rows", "body_a": 0, "body_b": 1, "rows": ["x", "w"]},
               {"kind": "rolling_disc", "body_a": -1, "body_b": 1}, {"kind": 3},
               {"kind": "rows", "body_a": 0, "body_b": 1})")),
        (Texts{
            "loops[0].body_a: missing, expected a body or -1, the ground",
            "loops[0].body_b: missing, expected a body or -1, the ground",
            "loops[1].body_a: unknown body 'uper'; did you mean 'upper'?",
            "loops[1].body_b: got 7, expected the name of a body, its index from 0 to 1, or -1, the ground",
            "loops[2].kind: loop 'loop2': unknown kind of loop 'bal'; did you mean 'ball'?",
            "loops[3].name: got 3, expected a text", "loops[3].kind: missing, expected the kind of the loop",
            "loops[4]: got 4, expected an object",
            "loops[5].rows[1]: unknown row 'w'; known: rx, ry, rz, x, y, z",
            "loops[6].radius: missing, expected a length in metres",
            "loops[7].kind: got 3, expected the kind of the loop",
            "loops[8].rows: missing, expected a list of rx, ry, rz, x, y, z"}));
    const auto coupling = [](const std::string& rest) {
        return faults(with_loops("{\"name\": \"gear\", \"kind\": \"coupling\", " + rest + "}"));
    };
    EXPECT_EQ(coupling(R"("bodies": [0, 1], "coefficients": [1, 2])"),
              Texts{"loops[0].bodies[1]: loop 'gear' (coupling): hinge 'lower' (universal) has 2 dofs; name "
                    "the coupled one in dofs"});
    EXPECT_EQ(coupling(R"("bodies": [0, -1], "coefficients": [1, 2])"),
              Texts{"loops[0].bodies[1]: loop 'gear' (coupling): the ground hangs on no hinge, so there is "
                    "nothing to couple"});
    EXPECT_EQ(coupling(R"("bodies": [0, 0], "coefficients": [1, 2])"),
              Texts{"coupling 'gear', dof 'shoulder' is coupled with itself, expected another dof"});
    EXPECT_EQ(coupling(R"("dofs": ["shoulder", "lower.1"], "bodies": [0, 1], "coefficients": [1, 2])"),
              Texts{"loops[0]: loop 'gear' (coupling): dofs and bodies are both given; keep one"});
    EXPECT_EQ(
        coupling(R"("dofs": ["shoulder", "lower.1"], "coefficients": [1, 2], "polynomials": [[1], [2]])"),
        Texts{"loops[0]: loop 'gear' (coupling): coefficients and polynomials are both given; keep one"});
    EXPECT_EQ(coupling(R"("bodies": [0, 0], "coefficients": [1])"),
              Texts{"loops[0].coefficients: got 1 number, expected 2 numbers"});
    EXPECT_EQ(coupling(R"("bodies": 3)"),
              (Texts{"loops[0].bodies: got 3, expected a list of bodies",
                     "loops[0].coefficients: missing, expected numbers, one per dof"}));
    EXPECT_EQ(coupling(R"("coefficients": [1, 2])"),
              Texts{"loops[0].dofs: missing, expected names of dofs; or bodies, whose hinges have one"});
    EXPECT_EQ(coupling(R"("dofs": ["shoulder", "elbow"], "coefficients": [1, 2])"),
              Texts{"coupling 'gear': unknown dof 'elbow'; known: shoulder, lower.1, lower.2"});
    EXPECT_EQ(coupling(R"("dofs": ["shoulder", "lower"], "coefficients": [1, 2])"),
              Texts{"coupling 'gear': hinge 'lower' has 2 dofs, expected 1, or the name of one dof"});
    EXPECT_EQ(coupling(R"("dofs": ["shoulder", 3], "coefficients": [1, 2])"),
              Texts{"loops[0].dofs[1]: got 3, expected the name of a dof"});
    EXPECT_EQ(coupling(R"("dofs": ["shoulder", "lower.1"], "polynomials": [[1]])"),
              Texts{"loops[0].polynomials: got a list of 1, not all numbers, expected 2 lists of numbers"});
    EXPECT_EQ(coupling(R"("dofs": ["shoulder", "lower.1"], "polynomials": [[1], ["a"]], "offset": "b")"),
              (Texts{"loops[0].offset: got \"b\", expected a number",
                     "loops[0].polynomials[1][0]: got \"a\", expected a number"}));
    EXPECT_EQ(coupling(R"("dofs": ["shoulder", "lower.1"], "polynomials": [[1], []])"),
              Texts{"coupling 'gear', dof 'lower.1': its coefficient is 0, so it takes no part; expected a "
                    "ratio other than 0, or remove the term"});
}

TEST(NativeRead, Options)
{
    LoadOptions options;
    options.gravity = Vec3<double>{0, 0, -1.62};
    EXPECT_EQ(parse_native(good, "x", options).gravity(), *options.gravity);

    const std::string welded =
        with(R"("revolute", "parent": -1, "child": "upper", "axis": [0, 1, 0], "damping": 0.5)",
             R"("weld", "parent": -1, "child": "upper")");
    LoadOptions floating, fixed, merged, strict;
    floating.base = LoadOptions::Base::floating;
    fixed.base = LoadOptions::Base::fixed;
    merged.merge_fixed = true;
    strict.strict = true;
    const Model afloat = parse_native(welded, "x", floating);
    EXPECT_EQ(afloat.hinges()[0].name, "base");
    EXPECT_EQ(afloat.dof_names()[0], "base.wx");
    EXPECT_EQ(remarks(afloat),
              Texts{"hinge 'shoulder' was a weld and is free now, named 'base': the base floats"});
    const Model held = parse_native(write_native(afloat), "x", fixed);
    EXPECT_EQ(held.num_dofs(), 2);
    EXPECT_EQ(remarks(held), Texts{"hinge 'base' was free and is a weld now: the base is fixed"});
    EXPECT_EQ(faults(good, floating), Texts{"a floating base needs a weld to set free; on the ground hang "
                                            "'upper' by hinge 'shoulder' (revolute)"});
    EXPECT_EQ(parse_native(welded, "x", merged).num_bodies(), 1);

    const std::string light =
        with("\"mass\": 1, \"com\": [0, 0, 0.1], \"inertia_com\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},\n  {",
             "\"mass\": 0},\n  {");
    EXPECT_EQ(parse_native(light, "x").notes().size(), 1u);
    EXPECT_EQ(faults(light, strict), Texts{"body 'upper' has no mass"});
    EXPECT_TRUE(faults(good, strict).empty());
}

} // namespace
} // namespace sweepdyn
