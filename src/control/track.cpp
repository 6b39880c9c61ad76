#include "sweepdyn/control/track.hpp"

#include <memory>

#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn {

TrajectoryGains tvlqr_along(const Model& model, std::span<const TrajectoryPoint> points, const Matrix& Q,
                            const Matrix& R, const Matrix& Qf, const PassiveForces& passive)
{
    std::vector<TrajectorySample> samples;
    const std::vector<StateSpace> systems = linearize_along(model, points, {.passive = passive});
    for (std::size_t i = 0; i < points.size(); ++i)
        samples.push_back({points[i].t, systems[i].A, systems[i].B});
    return tvlqr(samples, Q, R, Qf);
}

Controller track(const Model& model, std::vector<TrajectoryPoint> points, TrajectoryGains gains)
{
    const auto n = static_cast<std::size_t>(model.num_dofs());
    for (const Matrix& K : gains.K) {
        require_size("track", "rows of K", static_cast<std::size_t>(K.rows()), n);
        require_size("track", "columns of K", static_cast<std::size_t>(K.columns()), 2 * n);
    }
    for (const TrajectoryPoint& point : points)
        require_size("track", "T of a point (set_feedforward gives it)", point.T.size(), n);
    struct Motion {
        Model model;
        std::vector<TrajectoryPoint> points;
        TrajectoryGains gains;
    };
    auto motion = std::make_shared<const Motion>(Motion{model, std::move(points), std::move(gains)});
    return {[motion, n](double t, std::span<const double> q, std::span<const double> v, std::span<double> T) {
                const TrajectoryPoint at = point_at(motion->model, motion->points, t);
                const Matrix K = motion->gains.gain_at(t);
                std::vector<double> x(n);
                difference<double>(motion->model, at.q, q, x);
                for (std::size_t i = 0; i < n; ++i)
                    x.push_back(v[i] - at.v[i]);
                for (std::size_t i = 0; i < n; ++i) {
                    T[i] = at.T[i];
                    for (std::size_t j = 0; j < 2 * n; ++j)
                        T[i] -= K(static_cast<int>(i), static_cast<int>(j)) * x[j];
                }
            },
            0.0};
}

} // namespace sweepdyn
