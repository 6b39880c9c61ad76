// What a native file carries beside the model.
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "sweepdyn/io/model/native.hpp"

namespace sweepdyn {
namespace {

using Texts = std::vector<std::string>;
using Numbers = std::vector<double>;

std::string text_of(const std::string& name)
{
    std::ifstream file(std::string(SWEEPDYN_TEST_DATA) + "/data/native/" + name);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The tip stands before its parent, so that the model's order is not the file's.
std::string file(const std::string& rest)
{
    return R"({"gravity": [0, 0, -9.81], "bodies": [
  {"name": "tip", "mass": 1, "com": [0, 0, 0.1], "inertia_com": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},
  {"name": "hull", "mass": 1, "com": [0, 0, 0.1], "inertia_com": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},
  {"name": "eye", "mass": 1, "com": [0, 0, 0.1], "inertia_com": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},
  {"name": "cap", "mass": 1, "com": [0, 0, 0.1], "inertia_com": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}],
 "hinges": [
  {"kind": "universal", "parent": "hull", "child": "tip", "axis": [1, 0, 0], "axis2": [0, 1, 0]},
  {"kind": "free", "parent": -1, "child": "hull"},
  {"kind": "spherical", "parent": "hull", "child": "eye"},
  {"kind": "weld", "parent": "eye", "child": "cap"}])" +
           (rest.empty() ? "" : ", " + rest) + "}";
}
std::optional<NativeState> state(const std::string& rest, const LoadOptions& options = {})
{
    const std::string text = file(rest);
    return read_native_state(parse_native(text, "ship.json", options), text, "ship.json");
}
Texts faults(const std::string& rest)
{
    try {
        state(rest);
    } catch (const ModelError& error) {
        EXPECT_EQ(std::string(error.what()).find("ship.json"), 0u);
        return error.faults;
    }
    return {};
}

TEST(NativeState, OfTheGoldenFiles)
{
    const std::string text = text_of("gripper_mimic_gear.json");
    const auto got = read_native_state(parse_native(text, "g"), text, "g");
    ASSERT_TRUE(got);
    EXPECT_EQ(*got->q, (Numbers{0.7, -0.4, -20.0, 0.03, -0.025}));
    EXPECT_EQ(*got->v, (Numbers{0.9, -0.6, -30.0, 0.2, -0.2}));
    EXPECT_EQ(*got->tau, (Numbers{1.5, 0.1, 0.03, -0.8, 0.4}));
    EXPECT_EQ(*got->independent_velocity, (std::vector<int>{0, 1, 3}));
    EXPECT_EQ(*got->independent_position, (std::vector<int>{0, 1, 3}));
}

// Every closed mechanism in the golden files carries a state of its own.
TEST(NativeState, OfEveryClosedMechanism)
{
    int files = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(SWEEPDYN_TEST_DATA) + "/golden/closed")) {
        std::ifstream stream(entry.path());
        const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
        if (entry.path().extension() != ".json" || text.find("\"bodies\"") == text.npos ||
            text.find("\"hinges\"") == text.npos)
            continue;
        SCOPED_TRACE(entry.path().filename());
        const Model model = parse_native(text, "m");
        const auto got = read_native_state(model, text, "m");
        ++files;
        EXPECT_FALSE(model.loops().empty());
        ASSERT_TRUE(got && got->q && got->v);
        EXPECT_EQ(got->q->size(), static_cast<std::size_t>(model.num_coordinates()));
        EXPECT_EQ(got->v->size(), static_cast<std::size_t>(model.num_dofs()));
    }
    EXPECT_GE(files, 4);
}

TEST(NativeState, FollowsTheModelsOrder)
{
    EXPECT_FALSE(state(""));
    const auto got =
        state(R"("state": {"q": [[0.1, 0.2], {"quat_wxyz": [0.6, 0, 0.8, 0], "position": [1, 2, 3]},
                                              {"quat_wxyz": [0, 0, 0, 1.0000000001]}, []],
                                        "v": [11, 12, 1, 2, 3, 4, 5, 6, 21, 22, 23]},
                              "tau": [-11, -12, -1, -2, -3, -4, -5, -6, -21, -22, -23],
                              "independent_velocity": [0, "tip.2", 8, "base.vz"])");
    ASSERT_TRUE(got);
    EXPECT_EQ(*got->q, (Numbers{0.6, 0, 0.8, 0, 1, 2, 3, 0.1, 0.2, 0, 0, 0, 1}));
    EXPECT_EQ(*got->v, (Numbers{1, 2, 3, 4, 5, 6, 11, 12, 21, 22, 23}));
    EXPECT_EQ(*got->tau, (Numbers{-1, -2, -3, -4, -5, -6, -11, -12, -21, -22, -23}));
    EXPECT_EQ(*got->independent_velocity, (std::vector<int>{6, 7, 8, 5}));
    EXPECT_FALSE(got->independent_position);
    EXPECT_EQ(parse_native(file(R"("actuated": [0, "tip.2", 8, "base.vz"])"), "x").actuated_dofs(),
              (std::vector<int>{5, 6, 7, 8}));

    // Merged bodies have nothing to say; lists will do for quaternions.
    LoadOptions merged;
    merged.merge_fixed = true;
    const auto less =
        state(R"("state": {"q": [[0.1, 0.2], [1, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0], []]})", merged);
    ASSERT_TRUE(less);
    EXPECT_EQ(less->q->size(), 13u);
    EXPECT_FALSE(less->v);
}

TEST(NativeState, Faults)
{
    EXPECT_EQ(
        faults(R"("state": 3, "tau": [1, 2], "independent_velocity": [99, "tipp.1"])"),
        (Texts{"state: got 3, expected an object", "tau: got 2 numbers, expected 11 numbers, one per dof",
               "independent_velocity[0]: got 99, expected the name of a dof, or its index from 0 to 10",
               "independent_velocity[1]: unknown dof 'tipp.1'; did you mean 'tip.1'?"}));
    EXPECT_EQ(faults(R"("actuated": [99, "tipp.1", 1.5, 0, 0])"),
              (Texts{"actuated[0]: got 99, expected the name of a dof, or its index from 0 to 10",
                     "actuated[1]: unknown dof 'tipp.1'; did you mean 'tip.1'?",
                     "actuated[2]: got 1.5, expected the name of a dof, or its index from 0 to 10",
                     "actuated[4]: dof 'tip.1' stands there twice"}));
    EXPECT_EQ(faults(R"("state": {"s": 1})"), Texts{"state: unknown key 's'; known: q, v"});
    EXPECT_EQ(faults(R"("state": {"q": [[1, 2]]})"),
              Texts{"state.q: got a list of 1, not all numbers, expected 4 entries, one per body"});
    EXPECT_EQ(
        faults(R"("state": {"q": [[1], {"quat_wxyz": [1, 0, 0, 0]}, {"quat_wxyz": [2, 0, 0, 0]}, [1]]})"),
        (Texts{"state.q[0]: got 1 number, expected 2 numbers of hinge 'tip' (universal)",
               "state.q[1].position: missing, expected 3 numbers",
               "state.q[2].quat_wxyz: the quaternion of hinge 'eye' (spherical) has length 2, expected 1 "
               "(within 1e-6), in the order w x y z",
               "state.q[3]: got 1 number, expected 0 numbers of hinge 'cap' (weld)"}));
    EXPECT_EQ(faults(R"("actuated": 3)"),
              Texts{"actuated: got 3, expected a list of dofs, by name or index"});
}

} // namespace
} // namespace sweepdyn
