#include "sweepdyn/control/lqr.hpp"

#include "control/design.hpp"
#include "sweepdyn/control/kalman.hpp"
#include "sweepdyn/control/riccati.hpp"

namespace sweepdyn {
using namespace lapack;
using namespace control;
namespace {

// The words of the regulator, and of its dual.
struct Words {
    const char* design;
    std::string unreached, reach_it, unseen, see_it;
};

struct Design {
    Riccati riccati;
    std::vector<Complex> poles;
    std::vector<std::string> warnings;
};

Design design(const StateSpace& system, const Matrix& Q, const Matrix& R, Region region, const Words& words)
{
    if (Q.rows() != system.num_states() || Q.columns() != system.num_states())
        throw UsageError(std::string(words.design) + ": the weight of the states is " +
                         std::to_string(Q.rows()) + " x " + std::to_string(Q.columns()) +
                         ", expected a row and a column per state, " + std::to_string(system.num_states()));
    Design out;
    out.warnings = refuse_lost(words.design, system, stairs_of_inputs(system, region), region,
                               words.unreached, words.reach_it);
    refuse_lost(words.design, system, stairs_of_outputs(system, Q, region), region, words.unseen,
                words.see_it);
    out.riccati = region == Region::unit_disk ? discrete_riccati(system.A, system.B, Q, R)
                                              : continuous_riccati(system.A, system.B, Q, R);
    const Matrix closed = system.A - system.B * out.riccati.K;
    out.poles = pole_values(closed);
    for (const Complex& s : out.poles)
        if (region == Region::unit_disk ? !(std::abs(s) < 1.0) : !(s.real() < 0.0))
            throw RefusedError(std::string(words.design) + ": the closed loop would have a pole at " +
                               pole_text(s) + ", not strictly stable; " + words.reach_it);
    if (out.riccati.residual > 1e-10)
        out.warnings.push_back("the Riccati equation is met to " + number_text(out.riccati.residual) +
                               " of its terms only");
    return out;
}

Gain regulator(const StateSpace& system, const Matrix& Q, const Matrix& R, Region region)
{
    require_shapes("lqr", system);
    Design done = design(system, Q, R, region,
                         {"lqr", "no input reaches it", "give it an actuator, or drop it (reduce)",
                          "Q does not see it", "give its states weight in Q, or drop it (reduce)"});
    warn_of_drift(system, done.warnings);
    return {std::move(done.riccati.K), std::move(done.poles), std::move(done.warnings)};
}

KalmanGain filter(const StateSpace& system, const Matrix& W, const Matrix& N, Region region)
{
    require_shapes("kalman", system);
    if (system.C.columns() != system.num_states())
        throw UsageError("kalman: C has " + std::to_string(system.C.columns()) +
                         " columns, expected one per state, " + std::to_string(system.num_states()));
    StateSpace dual;
    dual.A = transpose(system.A);
    dual.B = transpose(system.C);
    dual.states = system.states;
    Design done = design(dual, W, N, region,
                         {"kalman", "no output sees it", "measure it, or drop it (reduce)",
                          "no noise of W moves it", "give its states noise in W, or drop it (reduce)"});
    return {transpose(done.riccati.K), std::move(done.riccati.X), std::move(done.poles),
            std::move(done.warnings)};
}

} // namespace

Gain lqr(const StateSpace& system, const Matrix& Q, const Matrix& R)
{
    return regulator(system, Q, R, Region::left_half_plane);
}
Gain discrete_lqr(const StateSpace& sampled, const Matrix& Q, const Matrix& R)
{
    return regulator(sampled, Q, R, Region::unit_disk);
}
KalmanGain kalman(const StateSpace& system, const Matrix& W, const Matrix& N)
{
    return filter(system, W, N, Region::left_half_plane);
}
KalmanGain discrete_kalman(const StateSpace& sampled, const Matrix& W, const Matrix& N)
{
    return filter(sampled, W, N, Region::unit_disk);
}

} // namespace sweepdyn
