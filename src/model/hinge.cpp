#include "sweepdyn/model/hinge.hpp"

#include <array>

#include "sweepdyn/model/errors.hpp"
#include "sweepdyn/model/user_hinge.hpp"

namespace sweepdyn {
namespace {

struct Row {
    HingeKind kind;
    std::string_view name;
    int dofs, coordinates;
};
constexpr std::array<Row, 11> table{{{HingeKind::weld, "weld", 0, 0},
                                     {HingeKind::revolute, "revolute", 1, 1},
                                     {HingeKind::continuous, "continuous", 1, 1},
                                     {HingeKind::prismatic, "prismatic", 1, 1},
                                     {HingeKind::helical, "helical", 1, 1},
                                     {HingeKind::cylindrical, "cylindrical", 2, 2},
                                     {HingeKind::universal, "universal", 2, 2},
                                     {HingeKind::planar, "planar", 3, 3},
                                     {HingeKind::spherical, "spherical", 3, 4},
                                     {HingeKind::free, "free", 6, 7},
                                     {HingeKind::user, "user", 0, 0}}};
const Row& row(HingeKind kind) { return table[static_cast<std::size_t>(kind)]; }

} // namespace

std::string_view name(HingeKind kind) { return row(kind).name; }

HingeKind hinge_kind(std::string_view name)
{
    std::vector<std::string> known;
    for (const Row& r : table) {
        if (r.name == name)
            return r.kind;
        known.emplace_back(r.name);
    }
    throw UsageError(unknown_name("hinge kind", name, known));
}

int num_dofs(const Hinge& hinge)
{
    if (hinge.kind == HingeKind::user)
        return hinge.user ? hinge.user->dofs() : static_cast<int>(hinge.steps.size());
    return row(hinge.kind).dofs;
}

bool has_quaternion(const Hinge& hinge)
{
    return hinge.kind == HingeKind::spherical || hinge.kind == HingeKind::free;
}

int num_coordinates(const Hinge& hinge)
{
    return hinge.kind == HingeKind::user ? num_dofs(hinge) : row(hinge.kind).coordinates;
}

std::vector<std::string> dof_suffixes(const Hinge& hinge)
{
    switch (hinge.kind) {
    case HingeKind::cylindrical: return {".angle", ".slide"};
    case HingeKind::planar: return {".wz", ".vx", ".vy"};
    case HingeKind::spherical: return {".wx", ".wy", ".wz"};
    case HingeKind::free: return {".wx", ".wy", ".wz", ".vx", ".vy", ".vz"};
    default: break;
    }
    const int n = num_dofs(hinge);
    if (n == 1)
        return {""};
    std::vector<std::string> suffixes;
    for (int i = 1; i <= n; ++i)
        suffixes.push_back("." + std::to_string(i));
    return suffixes;
}

} // namespace sweepdyn
