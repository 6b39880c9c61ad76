// What trim says of inputs that cannot hold a pose, or can in more ways than one: forces by dof, inputs by name.
#include <gtest/gtest.h>

#include "support/linear.hpp"
#include "sweepdyn/io/model/load.hpp"
#include "sweepdyn/linear/trim.hpp"

namespace sweepdyn::test {
namespace {

Model two_link() { return load_model(std::string(SWEEPDYN_MODELS) + "/two_link.urdf"); }

OperatingPoint bent(const Model& model)
{
    OperatingPoint out(model);
    out.q = {0.5, 0.3};
    return out;
}

TEST(TrimTexts, InputsThatBalanceEachOtherAreNamed)
{
    // In the plane a wrench at the tip has three numbers that push and three that the hinges take.
    const Model model = two_link();
    const Trim trim = trim_forces(model, bent(model), {.inputs = {"T:*", "wrench:tip"}});
    ASSERT_EQ(trim.null_space.columns(), 6);
    ASSERT_EQ(trim.notes.size(), 1u);
    for (const char* part :
         {"inputs that move nothing, alone or together: ", "wrench:tip.mx", "wrench:tip.mz", "wrench:tip.fy",
          "T:elbow", "; of the rest those of least norm are taken"})
        EXPECT_NE(trim.notes[0].find(part), std::string::npos) << trim.notes[0];
    EXPECT_TRUE(trim_forces(model, bent(model)).notes.empty());
}

TEST(TrimTexts, WhatIsRefusedIsCarried)
{
    const Model model = two_link();
    try {
        trim_forces(model, bent(model), {.inputs = {"wrench:upper_link"}});
        FAIL() << "a wrench on the first link does not hold the second";
    } catch (const TrimRefused& refused) {
        const std::string text = refused.what();
        EXPECT_NE(text.find("no input balances the generalized force 'elbow' "), std::string::npos) << text;
        EXPECT_NE(text.find("inputs that move nothing, alone or together: "), std::string::npos) << text;
        EXPECT_NE(text.find("wrench:upper_link.mx"), std::string::npos) << text;
        ASSERT_EQ(refused.unbalanced.size(), 2u);
        EXPECT_NEAR(refused.unbalanced[0], 0.0, 1e-9);
        EXPECT_GT(std::abs(refused.unbalanced[1]), 1.0);
        EXPECT_EQ(refused.inputs.size(), 6u);
        EXPECT_EQ(refused.null_space.columns(), 5);
    }
}

} // namespace
} // namespace sweepdyn::test
