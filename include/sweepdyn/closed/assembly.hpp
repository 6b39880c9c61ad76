// Assembly: a configuration that closes all loops, from a guess; or why there is none, by loop, in metres and radians.
//
// A descent minimises F = 1/2 sum of squared gaps c(q), rotation vectors for turns, by steps of Levenberg and Marquardt on the manifold,
//     min |C d - c|^2 + lambda |d|^2,      q <- q exp(d),      C = -dc/dq, exact at any distance from closed,
// lambda = mu 2F, so the end is Newton's, of least norm where the mechanism may still move (Yamashita and Fukushima 2001). Lengths
// count in units of the mechanism's size. Dofs may be held; hinge limits stop a dof, and let it go again when its pull turns round.
//
// A descent that ends open has found a local minimum of the gap: from there, no small motion closes the loops further. Then others start
// nearby and at random, the same every time. Asked for several branches, it looks for other ways to close with the same held dofs
// and, of a mechanism that can still move, the same independent ones as the first: those asked for, then the best conditioned.
//
// Loops that share no hinge close one after the other. Redundant rows of rounded numbers contradict each other a little: where no motion
// closes what is left, and that is below widest_contradiction, it counts as closed, and is told.
//
// Not a hot path: dense algebra on all loops that close together. Specified by tests/laws/assembly.cpp.
#pragma once

#include <string>
#include <vector>

#include "sweepdyn/kinematics/loop_gap.hpp"

namespace sweepdyn {

struct AssemblyOptions {
    std::vector<std::string> hold{}; // dofs, or hinges with all of theirs, that stay as guessed
    int branches = 1; // how many configurations are wanted
    std::vector<std::string>
        independent{}; // dofs that other branches keep where the rest can follow; none: those that are actuated
    int starts = 40; // how many descents may be tried, for the first and again for the others
    int iterations = 300; // of one descent
    double tolerance = 1e-13; // of the loop's size, and in rad
    bool limits = true; // of turns and slides; spherical, free and in-plane motion has none
    std::uint64_t random_seed = 1;
};

struct Assembly {
    struct OpenLoop {
        int loop = 0;
        LoopGap gap;
    };
    struct ActiveLimit {
        int dof = 0;
        bool upper = false;
        double limit = 0.0;
    };

    std::vector<std::vector<double>>
        branches; // configurations that close; the first is the one nearest to the guess
    std::vector<OpenLoop> contradictions{}; // what stays open there, worst first
    int starts = 0; // tried, at most, of loops that close together
    // Where none closes: the best that was found.
    std::vector<double> nearest{};
    std::vector<OpenLoop> open{}; // worst first
    bool at_minimum = false; // of the gap; else the descent ran out of iterations, or of finite numbers
    std::vector<ActiveLimit> limits{}; // that stop it
    std::vector<int> held{}; // dofs

    bool closed() const { return !branches.empty(); }
};

// The dofs of these names: of dofs, or of hinges with all of theirs; ascending. Throws UsageError.
std::vector<int> held_dofs(const Model& model, const std::vector<std::string>& names);

// Throws UsageError: sizes, names, numbers that are not finite.
Assembly assemble(const Model& model, std::span<const double> guess, const AssemblyOptions& options = {});
// As above, or throws RefusedError with words().
std::vector<double> assembled(const Model& model, std::span<const double> guess,
                              const AssemblyOptions& options = {});

// What came of it: "loop 'pin' stays open by 0.31 m ...".
std::string words(const Model& model, const Assembly& assembly);

} // namespace sweepdyn
