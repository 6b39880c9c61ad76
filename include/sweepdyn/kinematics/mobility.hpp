// Singular poses: where a mechanism can move, to first order, in more ways than nearby. At a dead centre or the flat pose of a
// parallelogram rows of J depend on each other that do not elsewhere; then mobility, independent dofs and linear models are those of
// that pose alone.
//
// Each cluster's rank is compared with its ranks at a few poses nearby, on the loops, a hundredth of a radian (or of its size) away: at random,
// and along the tangents of branches, which the second derivatives of the rows that are gone tell. Where there are no such poses, as of three
// bars in one line between two fixed points, the motions are of first order only: that is tried by a small step along each.
//
// Velocities that such rows allow to first order may be those of no motion: where J g = -gamma has no g. They lie between the branches
// that meet there.
// Not a hot path. Specified by tests/unit/mobility.cpp.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sweepdyn/model/model.hpp"

namespace sweepdyn {

struct SingularPose {
    enum class Velocities { rest, of_a_branch, between_branches };

    std::vector<std::string> loops; // of one cluster
    int mobility = 0, mobility_nearby = 0; // of its hinges
    bool first_order_only = false; // then mobility_nearby counts the motions of finite size that were found
    Velocities velocities = Velocities::rest; // of its hinges
};

// q and v close the loops; no v: at rest. Empty: the mobility is what it is nearby.
std::vector<SingularPose> singular_poses(const Model& model, std::span<const double> q,
                                         std::span<const double> v = {});
// "loop 'pin': its hinges have mobility 2 here, 1 nearby"
std::string words(const SingularPose& pose);
std::string words(std::span<const SingularPose> poses); // several after each other

} // namespace sweepdyn
