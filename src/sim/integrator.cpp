#include "sweepdyn/sim/integrator.hpp"

#include <cmath>

#include "sweepdyn/sim/grid.hpp"

namespace sweepdyn {
namespace {

constexpr const char* shorter =
    "; take a smaller step (--step), or an adaptive (--rtol) or stiff method (--method stiff)";

} // namespace

FixedStep::FixedStep(Plant& plant, double h) : plant_(plant), h_(h)
{
    if (!(h > 0.0) || !std::isfinite(h))
        throw UsageError("FixedStep: the step is " + number_text(h) + ", expected seconds above 0");
}

bool FixedStep::step(double limit, Instant& at)
{
    double next = next_multiple(at.t, h_);
    if (next > limit - 1e-6 * h_) // what nearly is the limit is the limit
        next = limit;
    advance(next - at.t, at);
    at.t = next;
    const bool closed = plant_.project(at.t, at.q, at.v);
    for (double x : at.v)
        if (!std::isfinite(x))
            throw RefusedError("the motion grows beyond all numbers at t = " + number_text(at.t) +
                               " s: steps of " + number_text(h_) + " s are likely too long for it" + shorter);
    if (!closed) // a sign, not the cause: with shorter steps it would have stayed closed
        throw RefusedError(
            "steps of " + number_text(h_) +
            " s are likely too long for the fastest force or motion (a stiff controller, strong "
            "damping, a quick turn): " +
            plant_.open_loop_words(at.t) + shorter);
    return false;
}

} // namespace sweepdyn
