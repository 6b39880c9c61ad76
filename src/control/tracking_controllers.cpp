#include "sweepdyn/control/tracking_controllers.hpp"

#include <memory>

#include "linear/lapack.hpp"
#include "sweepdyn/control/pd_gravity.hpp"
#include "sweepdyn/linear/poles.hpp"

namespace sweepdyn {
namespace {

void require_gains(const char* function, const Model& model, const TrackingGainValues& gains)
{
    detail::require_dofs(model, function, "gains.kp", gains.kp.size());
    detail::require_dofs(model, function, "gains.kd", gains.kd.size());
}

using Law = void (*)(const Kinematics<double>&, const TrackingTarget&, const TrackingGains&,
                     std::span<double>, TrackingScratch&);

Controller controller_of(const Model& model, TrackedMotion target, TrackingGainValues gains, Law law)
{
    struct Work {
        TrackedMotion target;
        TrackingGainValues gains;
        Kinematics<double> kin;
        TrackingScratch scratch;
    };
    auto work = std::make_shared<Work>(
        Work{std::move(target), std::move(gains), Kinematics<double>(model), TrackingScratch(model)});
    return {[work, law](double t, std::span<const double> q, std::span<const double> v, std::span<double> T) {
        const TrackingReference to = work->target(t);
        update<double>(work->kin, q, v);
        update_inertias(work->kin);
        law(work->kin, {to.q, to.v, to.a}, {work->gains.kp, work->gains.kd}, T, work->scratch);
    }};
}

} // namespace

Controller computed_torque_controller(const Model& model, TrackedMotion target, TrackingGainValues gains)
{
    require_gains("computed_torque_controller", model, gains);
    return controller_of(model, std::move(target), std::move(gains),
                         [](const Kinematics<double>& kin, const TrackingTarget& to, const TrackingGains& by,
                            std::span<double> T,
                            TrackingScratch& scratch) { computed_torque(kin, to, by, T, scratch); });
}

Controller pd_gravity_controller(const Model& model, TrackedMotion target, TrackingGainValues gains)
{
    require_gains("pd_gravity_controller", model, gains);
    return controller_of(model, std::move(target), std::move(gains),
                         [](const Kinematics<double>& kin, const TrackingTarget& to, const TrackingGains& by,
                            std::span<double> T,
                            TrackingScratch& scratch) { pd_gravity(kin, to, by, T, scratch); });
}

std::vector<std::complex<double>> computed_torque_poles(const TrackingGainValues& gains)
{
    require_size("computed_torque_poles", "gains.kd", gains.kd.size(), gains.kp.size());
    std::vector<std::complex<double>> out;
    for (std::size_t j = 0; j < gains.kp.size(); ++j) {
        const double half = 0.5 * gains.kd[j];
        const std::complex<double> root = std::sqrt(std::complex<double>(half * half - gains.kp[j]));
        // The root that adds no digits away, and the other by their product kp.
        const std::complex<double> far = half < 0.0 ? -half + root : -half - root;
        out.push_back(far);
        out.push_back(root.imag() != 0.0 ? std::conj(far) : far == 0.0 ? far : gains.kp[j] / far);
    }
    return out;
}

std::vector<std::complex<double>> pd_gravity_poles(const Model& model, std::span<const double> q,
                                                   const TrackingGainValues& gains,
                                                   const PassiveForces& passive)
{
    using namespace lapack;
    require_gains("pd_gravity_poles", model, gains);
    Linearization lin(model, passive);
    const int n = model.num_dofs();
    const std::vector<double> still(static_cast<std::size_t>(n));
    lin.set_at(q, still, still);
    Matrix pull(n, 2 * n); // [kp, kd + damping]
    std::vector<double> damping(still.size());
    lin.damping_rates(damping);
    for (int j = 0; j < n; ++j) {
        const auto at = static_cast<std::size_t>(j);
        pull(j, j) = -gains.kp[at];
        pull(j, n + j) = -gains.kd[at] - damping[at];
    }
    Matrix A(2 * n, 2 * n);
    set_block(A, 0, n, Matrix::identity(n));
    set_block(A, n, 0, lin.dense().M_inverse * pull);
    return pole_values(A);
}

} // namespace sweepdyn
