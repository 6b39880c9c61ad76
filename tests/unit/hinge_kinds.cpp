// The table of hinge kinds: names, numbers of dofs and coordinates, names of the dofs.
#include <gtest/gtest.h>

#include "sweepdyn/model/errors.hpp"
#include "sweepdyn/model/hinge.hpp"

namespace sweepdyn {
namespace {

struct Row {
    HingeKind kind;
    const char* name;
    int dofs, coordinates;
    std::vector<std::string> suffixes;
};
const std::vector<Row> rows{
    {HingeKind::weld, "weld", 0, 0, {}},
    {HingeKind::revolute, "revolute", 1, 1, {""}},
    {HingeKind::continuous, "continuous", 1, 1, {""}},
    {HingeKind::prismatic, "prismatic", 1, 1, {""}},
    {HingeKind::helical, "helical", 1, 1, {""}},
    {HingeKind::cylindrical, "cylindrical", 2, 2, {".angle", ".slide"}},
    {HingeKind::universal, "universal", 2, 2, {".1", ".2"}},
    {HingeKind::planar, "planar", 3, 3, {".wz", ".vx", ".vy"}},
    {HingeKind::spherical, "spherical", 3, 4, {".wx", ".wy", ".wz"}},
    {HingeKind::free, "free", 6, 7, {".wx", ".wy", ".wz", ".vx", ".vy", ".vz"}},
};

TEST(HingeKinds, HaveNamesSizesAndDofNames)
{
    for (const Row& row : rows) {
        Hinge hinge;
        hinge.kind = row.kind;
        EXPECT_EQ(name(row.kind), row.name);
        EXPECT_EQ(hinge_kind(row.name), row.kind);
        EXPECT_EQ(num_dofs(hinge), row.dofs) << row.name;
        EXPECT_EQ(num_coordinates(hinge), row.coordinates) << row.name;
        EXPECT_EQ(dof_suffixes(hinge), row.suffixes) << row.name;
    }
    EXPECT_EQ(name(HingeKind::user), "user");
    EXPECT_EQ(hinge_kind("user"), HingeKind::user);
}

TEST(HingeKinds, AUserHingeHasADofPerStep)
{
    Hinge hinge;
    hinge.kind = HingeKind::user;
    EXPECT_EQ(num_dofs(hinge), 0);
    hinge.steps.resize(1);
    EXPECT_EQ(num_dofs(hinge), 1);
    EXPECT_EQ(dof_suffixes(hinge), std::vector<std::string>{""});
    hinge.steps.resize(3);
    EXPECT_EQ(num_dofs(hinge), 3);
    EXPECT_EQ(num_coordinates(hinge), 3);
    EXPECT_EQ(dof_suffixes(hinge), (std::vector<std::string>{".1", ".2", ".3"}));
}

TEST(HingeKinds, AnUnknownKindIsNamed)
{
    const auto words = [](const char* kind) -> std::string {
        try {
            hinge_kind(kind);
        } catch (const UsageError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(words("revolut"), "unknown hinge kind 'revolut'; did you mean 'revolute'?");
    EXPECT_EQ(words("ball and socket"),
              "unknown hinge kind 'ball and socket'; known: weld, revolute, continuous, prismatic, helical, "
              "cylindrical, universal, planar, spherical, free, user");
}

} // namespace
} // namespace sweepdyn
