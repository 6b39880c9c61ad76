// Hinges: how a child body may move relative to its parent.
//
// Hinge frame F sits in the parent (X_PF), frame M in the child (X_CM, the identity unless said otherwise).
// The displacement X_FM(q) is the identity at neutral; the relative twist of M in F, in the axes of M, is H* v.
//
//   kind         q                    v                      X_FM
//   weld         -                    -                      1
//   revolute     angle                rate                   rot(axis, q)
//   continuous   angle                rate                   rot(axis, q), no limits
//   prismatic    slide                rate                   move(axis q)
//   helical      angle                rate                   rot(axis, q), move(pitch q axis)
//   cylindrical  angle slide          rates                  rot(axis, q0), move(q1 axis)
//   universal    angle1 angle2        rates                  rot(axis, q0) rot(axis2, q1)
//   planar       angle x y            wz vx vy, M's axes     move(x, y in F) rot(axis, q0)
//   spherical    quaternion w x y z   w in M's axes          R(quaternion)
//   free         quaternion, x y z    [w; v] in M's axes     move(p in F) R(quaternion)
//   user         see UserHinge
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sweepdyn/spatial/spatial.hpp"

namespace sweepdyn {

enum class HingeKind {
    weld,
    revolute,
    continuous,
    prismatic,
    helical,
    cylindrical,
    universal,
    planar,
    spherical,
    free,
    user
};

std::string_view name(HingeKind kind);
// Throws UsageError naming the known kinds.
HingeKind hinge_kind(std::string_view name);

// One step of a user-defined hinge: a constant placement, then a turn, a slide or a screw about an axis that is
// constant in the frame that it moves. A hinge is the product of its steps.
struct HingeStep {
    enum class Motion { turn, slide, screw };
    Motion motion = Motion::turn;
    Vec3<double> axis{0, 0, 1};
    double pitch = 0.0; // metres per radian, of a screw
    Pose<double> placement{};
};

class UserHinge;

// One number per dof; empty where the file says nothing.
struct Limits {
    std::vector<double> lower, upper, velocity, effort;
    friend bool operator==(const Limits&, const Limits&) = default;
};

struct Hinge {
    std::string name{}; // empty: the child body's name
    HingeKind kind = HingeKind::weld;
    std::string parent{}; // name of a body; empty: the ground
    std::string child;
    Pose<double> X_PF{};
    Pose<double> X_CM{};
    Vec3<double> axis{0, 0, 1}; // of unit length once built
    Vec3<double> axis2{0, 0, 1};
    double pitch = 0.0; // metres per radian, right-handed positive
    Limits limits{};
    std::vector<double> armature{}, damping{}, friction{}; // per dof; empty while building: zero
    std::vector<bool> actuated{}; // per dof; empty, once built at all hinges: nothing is said
    std::vector<HingeStep> steps{}; // of a user hinge given as a product of steps
    std::shared_ptr<const UserHinge> user{}; // of a user hinge given by its functions
};

int num_dofs(const Hinge& hinge);
int num_coordinates(const Hinge& hinge);
// Whether its coordinates begin with a quaternion: spherical, free.
bool has_quaternion(const Hinge& hinge);
// What follows NAME in the names of the dofs: "" for one dof, ".wx" and so on for several.
std::vector<std::string> dof_suffixes(const Hinge& hinge);

} // namespace sweepdyn
