#include "support/time.hpp"

namespace sweepdyn::test {

std::vector<Time> constant(const Numbers& a) { return {a.begin(), a.end()}; }

std::vector<Time> along(const Numbers& value, const Numbers& rate)
{
    std::vector<Time> out;
    for (std::size_t i = 0; i < value.size(); ++i)
        out.push_back({value[i], rate[i]});
    return out;
}

std::vector<Time> moving(const Model& model, const Numbers& q, const Numbers& v)
{
    std::vector<Time> out(q.size());
    integrate<Time>(model, constant(q), along(Numbers(v.size(), 0.0), v), out);
    return out;
}

Stages<Time> moving_stages(const Case& c, const ReferenceChoice& choice, const Numbers& v_dot)
{
    return Stages<Time>(c.model, choice, moving(c.model, c.q, c.v), along(c.v, v_dot));
}

Vec3<double> real(const Vec3<Time>& a) { return {a.x.real, a.y.real, a.z.real}; }
Vec3<double> tangent(const Vec3<Time>& a) { return {a.x.tangent, a.y.tangent, a.z.tangent}; }
Mat3<double> real(const Mat3<Time>& a) { return {real(a.x), real(a.y), real(a.z)}; }
Mat3<double> tangent(const Mat3<Time>& a) { return {tangent(a.x), tangent(a.y), tangent(a.z)}; }
Motion<double> real(const Motion<Time>& a) { return {real(a.w), real(a.v)}; }
Motion<double> tangent(const Motion<Time>& a) { return {tangent(a.w), tangent(a.v)}; }
Force<double> real(const Force<Time>& a) { return {real(a.n), real(a.f)}; }
Force<double> tangent(const Force<Time>& a) { return {tangent(a.n), tangent(a.f)}; }

Numbers real(const std::vector<Time>& a)
{
    Numbers out;
    for (const Time& x : a)
        out.push_back(x.real);
    return out;
}

Numbers tangent(const std::vector<Time>& a)
{
    Numbers out;
    for (const Time& x : a)
        out.push_back(x.tangent);
    return out;
}

Motion<double> velocity_of(const Pose<Time>& X)
{
    const Matrix3<double> W = dense(tangent(X.R)) * dense(real(X.R)).transpose();
    return {{W(2, 1), W(0, 2), W(1, 0)}, tangent(X.p)};
}

} // namespace sweepdyn::test
