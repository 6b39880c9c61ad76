// Arms that hold an object, for the laws of closed chains: random ones in a state that keeps every grip closed, and the golden ones.
#pragma once

#include <Eigen/Dense>

#include "support/cases.hpp"
#include "support/compare.hpp"
#include "sweepdyn/model/model.hpp"

namespace sweepdyn::test {

struct ArmsCase {
    Model open, closed; // without the loops, and with them
    Numbers q, v, T;
    std::vector<std::string> tips; // frames
    std::string object; // body; its frame a of every loop
    std::vector<std::vector<Vec3<double>>> free_axes; // per grip, object axes
    std::string where;
};

enum class GripKind { rigid, hinge, two_axes, ball, mixed };

// dofs of each arm; arms on separate trees or all on one moving trunk.
ArmsCase random_arms(std::uint64_t seed, int arms, int dofs, GripKind kind, bool trunk = false,
                     bool planar = false);

// A golden file: the model with its loops and without, the state, and what is expected.
struct GoldenMechanism {
    Model open, closed;
    Numbers q, v, T, v_dot;
    std::vector<Numbers> wrench; // on a, axes of frame a about its origin
    std::vector<bool> unique;
};
GoldenMechanism golden_mechanism(const std::string& name);

// v with J v = 0, nearest to the one given; J of the closed model's loops at q.
Numbers consistent_velocity(const Model& closed, const Numbers& q, const Numbers& v);

// Dense truth: M, J and gamma of the loops by dense algebra, the KKT system solved by a complete orthogonal decomposition.
struct DenseClosed {
    VectorXd v_dot, lambda; // multipliers, in the order of the loops' rows
    MatrixXd J;
    int rank = 0;
};
DenseClosed dense_closed(const Model& closed, const Numbers& q, const Numbers& v, const Numbers& T);

} // namespace sweepdyn::test
