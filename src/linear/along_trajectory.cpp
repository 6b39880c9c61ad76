#include "sweepdyn/linear/along_trajectory.hpp"

#include <algorithm>
#include <cmath>

#include "linear/lapack.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/model/rates.hpp"

namespace sweepdyn {

namespace {

void check(const Model& model, std::span<const TrajectoryPoint> points, const char* function)
{
    for (std::size_t i = 0; i < points.size(); ++i) {
        require_size(function, "q of a point", points[i].q.size(),
                     static_cast<std::size_t>(model.num_coordinates()));
        require_size(function, "v of a point", points[i].v.size(),
                     static_cast<std::size_t>(model.num_dofs()));
        if (!points[i].v_dot.empty())
            require_size(function, "v_dot of a point", points[i].v_dot.size(), points[i].v.size());
        if (!points[i].T.empty())
            require_size(function, "T of a point", points[i].T.size(), points[i].v.size());
        if (!std::isfinite(points[i].t) || (i > 0 && !(points[i].t > points[i - 1].t)))
            throw UsageError(std::string(function) + ": times of a trajectory must rise, got " +
                             (i > 0 ? number_text(points[i - 1].t) + " and then " : "") +
                             number_text(points[i].t) + " at point " + std::to_string(i));
    }
}

// Hermite's cubic at the part s of an interval of length h: of numbers, and its rate.
double cubic(double s, double h, double a, double a_rate, double b, double b_rate)
{
    const double r = 1.0 - s;
    return r * r * (1.0 + 2.0 * s) * a + s * s * (3.0 - 2.0 * s) * b + h * s * r * (r * a_rate - s * b_rate);
}
double cubic_rate(double s, double h, double a, double a_rate, double b, double b_rate)
{
    const double r = 1.0 - s;
    return 6.0 * s * r * (b - a) / h + r * (1.0 - 3.0 * s) * a_rate + s * (3.0 * s - 2.0) * b_rate;
}

TrajectoryPoint between(const Model& model, const TrajectoryPoint& a, const TrajectoryPoint& b, double t)
{
    const double h = b.t - a.t, s = (t - a.t) / h;
    const std::size_t n = a.v.size();
    std::vector<double> d(n), d_rate(n), step(n);
    difference<double>(model, a.q, b.q, d);
    displacement_rates<double>(model, d, b.v, d_rate);
    TrajectoryPoint out{t, a.q, a.v, {}, {}};
    for (std::size_t i = 0; i < n; ++i)
        step[i] = cubic(s, h, 0.0, a.v[i], d[i], d_rate[i]);
    integrate<double>(model, a.q, step, out.q);
    const bool accelerations = !a.v_dot.empty() && !b.v_dot.empty();
    for (std::size_t i = 0; i < n; ++i)
        out.v[i] = accelerations ? cubic(s, h, a.v[i], a.v_dot[i], b.v[i], b.v_dot[i])
                                 : (1.0 - s) * a.v[i] + s * b.v[i];
    if (accelerations)
        for (std::size_t i = 0; i < n; ++i)
            out.v_dot.push_back(cubic_rate(s, h, a.v[i], a.v_dot[i], b.v[i], b.v_dot[i]));
    if (!a.T.empty() && !b.T.empty())
        for (std::size_t i = 0; i < n; ++i)
            out.T.push_back((1.0 - s) * a.T[i] + s * b.T[i]);
    return out;
}

Matrix rate_at(Linearization& lin, const TrajectoryPoint& at)
{
    const std::vector<double> none(at.v.size());
    lin.set(at.q, at.v, at.T.empty() ? std::span<const double>(none) : std::span<const double>(at.T));
    return deviation_rate(lin);
}

} // namespace

void set_feedforward(const Model& model, std::span<TrajectoryPoint> points, const PassiveForces& passive)
{
    check(model, points, "set_feedforward");
    Linearization lin(model, passive);
    for (TrajectoryPoint& point : points) {
        require_size("set_feedforward", "v_dot of a point", point.v_dot.size(), point.v.size());
        lin.set_at(point.q, point.v, point.v_dot);
        point.T.assign(lin.T().begin(), lin.T().end());
    }
}

TrajectoryPoint point_at(const Model& model, std::span<const TrajectoryPoint> points, double t)
{
    if (points.empty())
        throw UsageError("point_at: the trajectory has no points");
    if (t <= points.front().t)
        return points.front();
    if (t >= points.back().t)
        return points.back();
    const auto after =
        std::upper_bound(points.begin(), points.end(), t,
                         [](double time, const TrajectoryPoint& point) { return time < point.t; });
    return between(model, *(after - 1), *after, t);
}

std::vector<StateSpace> linearize_along(const Model& model, std::span<const TrajectoryPoint> points,
                                        const LinearizeOptions& options)
{
    check(model, points, "linearize_along");
    std::vector<StateSpace> out;
    OperatingPoint at(model);
    for (const TrajectoryPoint& point : points) {
        at.q = point.q, at.v = point.v;
        if (!point.T.empty())
            at.T = point.T;
        out.push_back(linearize(model, at, options));
    }
    return out;
}

std::vector<Matrix> transition_matrices(const Model& model, std::span<const TrajectoryPoint> points,
                                        const PassiveForces& passive)
{
    using namespace lapack;
    check(model, points, "transition_matrices");
    Linearization lin(model, passive);
    std::vector<TrajectoryPoint> moving(points.begin(), points.end());
    std::vector<Matrix> A;
    for (TrajectoryPoint& point : moving) {
        A.push_back(rate_at(lin, point));
        point.v_dot.assign(lin.v_dot().begin(), lin.v_dot().end());
    }
    std::vector<Matrix> out;
    const Matrix one = Matrix::identity(2 * model.num_dofs());
    for (std::size_t i = 0; i + 1 < moving.size(); ++i) {
        const double h = moving[i + 1].t - moving[i].t;
        const Matrix middle =
            rate_at(lin, between(model, moving[i], moving[i + 1], 0.5 * (moving[i].t + moving[i + 1].t)));
        const Matrix k1 = A[i], k2 = middle * (one + 0.5 * h * k1), k3 = middle * (one + 0.5 * h * k2),
                     k4 = A[i + 1] * (one + h * k3);
        out.push_back(one + (h / 6.0) * (k1 + 2.0 * (k2 + k3) + k4));
    }
    return out;
}

} // namespace sweepdyn
