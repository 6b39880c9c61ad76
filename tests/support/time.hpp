// Time as a dual number: a state that moves, q(t) along v and v(t) along a. What is computed from it carries its own exact
// rate of change in the tangent.
#pragma once

#include "support/stages.hpp"
#include "sweepdyn/spatial/dense.hpp"
#include "sweepdyn/spatial/dual.hpp"

namespace sweepdyn::test {

using Time = Dual<double>;

std::vector<Time> constant(const Numbers& a);
std::vector<Time> along(const Numbers& value, const Numbers& rate);
// q(t), by the manifold's own integrate.
std::vector<Time> moving(const Model& model, const Numbers& q, const Numbers& v);
Stages<Time> moving_stages(const Case& c, const ReferenceChoice& choice, const Numbers& v_dot);

Vec3<double> real(const Vec3<Time>& a);
Vec3<double> tangent(const Vec3<Time>& a);
Mat3<double> real(const Mat3<Time>& a);
Mat3<double> tangent(const Mat3<Time>& a);
Motion<double> real(const Motion<Time>& a);
Motion<double> tangent(const Motion<Time>& a);
Force<double> real(const Force<Time>& a);
Force<double> tangent(const Force<Time>& a);
Numbers real(const std::vector<Time>& a);
Numbers tangent(const std::vector<Time>& a);

// The velocity of a moving frame, world axes, of its origin: R_dot R' = w~, p_dot = v.
Motion<double> velocity_of(const Pose<Time>& X);

} // namespace sweepdyn::test
