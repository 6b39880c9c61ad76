// What it takes to hold a mechanism still, shared by both kinds of trim.
#pragma once

#include "sweepdyn/linear/trim.hpp"

namespace sweepdyn::detail {

// The forces that hold the mechanism at q, v: all loads but the inputs' counted. Of one with loops: that of its tree.
struct Need {
    std::vector<double> T;
    double scale; // the largest force at play
};
Need need_at(Linearization& lin, const OperatingPoint& point);
// Throws RefusedError where the forces needed change along the motion. Before: need_at.
void refuse_unsteady(Linearization& lin, double scale, const TrimOptions& options);
// Throws RefusedError for a mechanism with loops that moves.
void refuse_moving_loops(const Model& model, const OperatingPoint& point);

double norm_of(std::span<const double> a);
// "'elbow' 12.3, 'wrist' 0.4": the largest first, of those that count.
std::string by_dof(const Model& model, std::span<const double> forces, double above);
// "T:left - T:right, 0.5 T:a + T:b": what the columns of the null space span, in few inputs each.
std::string by_input(std::span<const std::string> names, Matrix null_space);

} // namespace sweepdyn::detail
