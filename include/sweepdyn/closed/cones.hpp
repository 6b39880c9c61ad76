// Cones of contact forces, and the question whether any choice of forces keeps within all of them, and by how much.
//
//     cone i:    g_i(y) = mu n_i(y) - |u_i(y)|,    n_i, u_i affine in y         u: tangential force, spin moment times mu/mu_spin
//     margin:    t* = max over y of min over i of g_i(y) / w_i,    sum n_i(y) <= most
//
// Solved on the exact cones by a path of barrier centres, maximize kappa t + sum log((mu n - w t)^2 - |u|^2) + log(most - sum n), by Newton's
// method with kappa growing: it begins feasible for any y by a t that is low enough, and each centre proves t* <= t + (degree)/kappa.
//     share:     w_i z_i,  z_i = (1/kappa) d log(...)/d(mu n_i), the multiplier of cone i at the centre;    sum of all 1
// Cones with a share hold the margin back: forces that give one of them more take it from another of them.
// Directions of y that no cone feels are left out. Deterministic; nothing random, no outside solver. Small and dense: O(n^3) a step.
// Specified by tests/unit/closed_cones.cpp.
#pragma once

#include <span>
#include <vector>

namespace sweepdyn {

struct AffineForm { // constant + sum slope_k y_k
    double constant = 0.0;
    std::vector<double> slope{};
};

struct ForceCone {
    double mu = 1.0;
    AffineForm normal{};
    std::vector<AffineForm> across{}; // u, at most three; none: only n >= 0 is asked, mu = 1
    double weight = 1.0; // of the common margin
};

struct ConeAnswer {
    bool feasible = false; // t* >= 0, within the gap
    bool unlimited = false; // the margin grows as long as the forces may: limited by `most` alone
    double margin = 0.0; // t*, newtons
    double gap = 0.0; // t* is at most this much above
    std::vector<double> y{}; // forces that have it
    std::vector<double> share{}; // per cone: in holding the margin back; next to nothing where it has room
};

// most: the largest sum of normal forces; not positive: a thousand times what the constants are, then `unlimited` tells whether it counts.
ConeAnswer largest_common_margin(std::span<const ForceCone> cones, int num_unknowns, double most = 0.0);

// max t with sum n <= 1 over the slopes alone: whether the unknowns can press all contacts into their cones at once, by how much
// of each newton. Positive: force closure, as far as the cones go.
ConeAnswer largest_squeeze(std::span<const ForceCone> cones, int num_unknowns);

} // namespace sweepdyn
