// Time as a dual number: a state that moves, q(t) along v and v(t) along a. What is computed from it carries its own exact
// rate of change in the tangent.
#pragma once

#include "support/stages.hpp"
#include "sweepdyn/spatial/dense.hpp"
#include "sweepdyn/spatial/dual.hpp"

namespace sweepdyn::test {

using Time = Dual<double>;

inline std::vector<Time> constant(const Numbers& a) { return {a.begin(), a.end()}; }
inline std::vector<Time> along(const Numbers& value, const Numbers& rate)
{
    std::vector<Time> out;
    for (std::size_t i = 0; i < value.size(); ++i)
        out.push_back({value[i], rate[i]});
    return out;
}
// q(t), by the manifold's own integrate.
inline std::vector<Time> moving(const Model& model, const Numbers& q, const Numbers& v)
{
    std::vector<Time> out(q.size());
    integrate<Time>(model, constant(q), along(Numbers(v.size(), 0.0), v), out);
    return out;
}
inline Stages<Time> moving_stages(const Case& c, const ReferenceChoice& choice, const Numbers& v_dot)
{
    return Stages<Time>(c.model, choice, moving(c.model, c.q, c.v), along(c.v, v_dot));
}

inline Vec3<double> real(const Vec3<Time>& a) { return {a.x.real, a.y.real, a.z.real}; }
inline Vec3<double> tangent(const Vec3<Time>& a) { return {a.x.tangent, a.y.tangent, a.z.tangent}; }
inline Mat3<double> real(const Mat3<Time>& a) { return {real(a.x), real(a.y), real(a.z)}; }
inline Mat3<double> tangent(const Mat3<Time>& a) { return {tangent(a.x), tangent(a.y), tangent(a.z)}; }
inline Motion<double> real(const Motion<Time>& a) { return {real(a.w), real(a.v)}; }
inline Motion<double> tangent(const Motion<Time>& a) { return {tangent(a.w), tangent(a.v)}; }
inline Force<double> real(const Force<Time>& a) { return {real(a.n), real(a.f)}; }
inline Force<double> tangent(const Force<Time>& a) { return {tangent(a.n), tangent(a.f)}; }
inline Numbers real(const std::vector<Time>& a)
{
    Numbers out;
    for (const Time& x : a)
        out.push_back(x.real);
    return out;
}
inline Numbers tangent(const std::vector<Time>& a)
{
    Numbers out;
    for (const Time& x : a)
        out.push_back(x.tangent);
    return out;
}

// The velocity of a moving frame, world axes, of its origin: R_dot R' = w~, p_dot = v.
inline Motion<double> velocity_of(const Pose<Time>& X)
{
    const Matrix3<double> W = dense(tangent(X.R)) * dense(real(X.R)).transpose();
    return {{W(2, 1), W(0, 2), W(1, 0)}, tangent(X.p)};
}

} // namespace sweepdyn::test
