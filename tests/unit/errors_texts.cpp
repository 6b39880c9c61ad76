// How the library says no.
#include <gtest/gtest.h>

#include <limits>

#include "sweepdyn/model/errors.hpp"
#include "sweepdyn/model/random.hpp"

namespace sweepdyn {
namespace {

using Names = std::vector<std::string>;

TEST(NearestName, FindsASlipOfTheFinger)
{
    const Names known{"shoulder", "elbow", "wrist_roll", "gripper"};
    EXPECT_EQ(nearest_name("elbo", known), "elbow");       // one missing
    EXPECT_EQ(nearest_name("ellbow", known), "elbow");     // one too many
    EXPECT_EQ(nearest_name("elbaw", known), "elbow");      // one wrong
    EXPECT_EQ(nearest_name("elobw", known), "elbow");      // two swapped
    EXPECT_EQ(nearest_name("ELBOW", known), "elbow");      // case
    EXPECT_EQ(nearest_name("elbow", known), "elbow");      // right after all
    EXPECT_EQ(nearest_name("Wrist_Rol", known), "wrist_roll");
    EXPECT_EQ(nearest_name("shuolderr", known), "shoulder"); // a third of the letters may be wrong
}

TEST(NearestName, FindsNothingWhereNothingIsNear)
{
    const Names known{"shoulder", "elbow"};
    EXPECT_EQ(nearest_name("knee", known), "");
    EXPECT_EQ(nearest_name("completely_different", known), "");
    EXPECT_EQ(nearest_name("elbow", {}), "");
    EXPECT_EQ(nearest_name("", known), "");
}

TEST(NearestName, FindsAPartOfAName)
{
    const std::vector<std::string> known{"left_elbow_pitch", "elbow_pitch", "wrist"};
    EXPECT_EQ(nearest_name("elbow", known), "elbow_pitch");
    EXPECT_EQ(nearest_name("Elbow", known), "elbow_pitch");
    EXPECT_EQ(nearest_name("right_wrist_joint", known), "wrist");
    EXPECT_EQ(nearest_name("el", known), ""); // too little to go by
}

TEST(NearestName, PrefersTheNearestThenTheFirst)
{
    EXPECT_EQ(nearest_name("joint3", Names{"joint12", "joint", "joint1", "joint2"}), "joint");
    EXPECT_EQ(nearest_name("joint2", Names{"joint1", "joint2"}), "joint2");
    EXPECT_EQ(nearest_name("joint_x", Names{"joint_xyz", "joint_x1"}), "joint_x1");
}

TEST(UnknownName, SuggestsOrLists)
{
    EXPECT_EQ(unknown_name("hinge", "elbo", Names{"shoulder", "elbow"}),
              "unknown hinge 'elbo'; did you mean 'elbow'?");
    EXPECT_EQ(unknown_name("hinge", "knee", Names{"shoulder", "elbow"}),
              "unknown hinge 'knee'; known: shoulder, elbow");
    EXPECT_EQ(unknown_name("frame", "tip", {}), "unknown frame 'tip'; there is none");
    EXPECT_EQ(unknown_name("body", "", Names{"shoulder"}), "unknown body ''; known: shoulder");
}

TEST(UnknownName, ListsTwentyAtMost)
{
    Names known;
    std::string list;
    for (int i = 0; i < 20; ++i) {
        known.push_back("body" + std::to_string(100 + i));
        list += (i > 0 ? ", " : "") + known.back();
    }
    EXPECT_EQ(unknown_name("body", "something", known), "unknown body 'something'; known: " + list);
    known.push_back("last");
    known.push_back("more");
    EXPECT_EQ(unknown_name("body", "something", known),
              "unknown body 'something'; known: " + list + ", and 2 more");
}

TEST(ModelError, ListsEveryFault)
{
    const ModelError one("model 'arm'", {"a fault"});
    EXPECT_STREQ(one.what(), "model 'arm': 1 fault\n  - a fault");
    const ModelError two("model 'arm'", {"a fault", "another"});
    EXPECT_STREQ(two.what(), "model 'arm': 2 faults\n  - a fault\n  - another");
    EXPECT_EQ(two.faults, (Names{"a fault", "another"}));
}

TEST(RequireSize, SaysWhatWhereGotExpected)
{
    EXPECT_NO_THROW(require_size("update", "q", 3, 3));
    try {
        require_size("update", "q", 3, 7);
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_STREQ(error.what(), "update: q has size 3, expected 7");
    }
}

TEST(NumberText, IsTheShortestThatReadsBack)
{
    EXPECT_EQ(number_text(0.1), "0.1");
    EXPECT_EQ(number_text(1.0), "1");
    EXPECT_EQ(number_text(-2.5), "-2.5");
    EXPECT_EQ(number_text(0.0), "0");
    EXPECT_EQ(number_text(1e300), "1e300");
    EXPECT_EQ(number_text(-1e16), "-1e16");
    EXPECT_EQ(number_text(3e-4), "3e-4");
    EXPECT_EQ(number_text(-1.5e-10), "-1.5e-10");
    EXPECT_EQ(number_text(1e100), "1e100");
    EXPECT_EQ(number_text(5e-324), "5e-324");
    EXPECT_EQ(number_text(1.0 / 3.0), "0.3333333333333333");
    EXPECT_EQ(number_text(0.1 + 0.2), "0.30000000000000004");
    EXPECT_EQ(number_text(std::numeric_limits<double>::infinity()), "inf");
    EXPECT_EQ(number_text(std::numeric_limits<double>::quiet_NaN()), "nan");
    Random random(1);
    for (int i = 0; i < 1000; ++i) {
        const double number = random.uniform(-1, 1) * std::exp(random.uniform(-300, 300));
        EXPECT_EQ(std::stod(number_text(number)), number);
    }
}

} // namespace
} // namespace sweepdyn
