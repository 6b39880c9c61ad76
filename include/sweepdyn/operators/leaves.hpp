// The leaves of the algebra: one table for C++, for text and for what explains them.
//
// Primitive leaves are what a plan runs. The others stand for an expression of them:
//     phi = inverse(I - E_phi), psi = inverse(I - E_psi), E_psi = E_phi tau_bar, K = E_phi G, tau = G H, tau_bar = I - tau,
//     Delta_psi = Delta_phi tau_bar
#pragma once

#include <span>
#include <string_view>

#include "sweepdyn/operators/spaces.hpp"

namespace sweepdyn::algebra {

enum class Leaf {
    E_phi,
    phi,
    S,
    Delta_phi,
    H,
    M,
    J_a,
    R,
    P,
    D,
    L_D,
    G,
    K,
    tau,
    tau_bar,
    E_psi,
    psi,
    Delta_psi,
    Upsilon,
    B,
    E,
    W,
    M_dot,
    R_0,
    B_cm,
    v,
    a,
    b,
    gravity,
    blocks, // a named block-diagonal operator given at run time
    vector // a named vector given at run time
};

// Which way information runs: within a body, from tip to base (causal), from base to tip (anticausal).
enum class Direction { memoryless, causal, anticausal, mixed };

// What must have been computed of a state before a leaf can act.
// In the order in which they build on each other; `columns` is the articulation of the kernels in dynamics/.
enum class Needs { poses, velocities, inertias, columns, composite, articulation, upsilon };

struct LeafFacts {
    Leaf leaf;
    std::string_view name, latex;
    Space range, domain;
    Direction direction;
    bool block_diagonal; // block k from block k alone
    bool symmetric; // adj of it is itself
    bool primitive;
    Needs needs;
    std::string_view meaning;
};

std::span<const LeafFacts> leaves();
const LeafFacts& facts(Leaf leaf);

} // namespace sweepdyn::algebra
