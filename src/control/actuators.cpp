#include "sweepdyn/control/actuators.hpp"

#include <algorithm>
#include <cmath>

#include "control/design.hpp"

namespace sweepdyn {
using namespace lapack;

void require_motor(const Motor& motor)
{
    if (!(motor.time_constant > 0.0) || motor.gear == 0.0 ||
        !std::isfinite(motor.gear / motor.time_constant) || !std::isfinite(motor.drop))
        throw UsageError("the motor of " + motor.input + " has the time constant " +
                         number_text(motor.time_constant) + " s, the gear " + number_text(motor.gear) +
                         " and the drop " + number_text(motor.drop) +
                         "; expected finite numbers, the time constant above zero, the gear not zero");
}

StateSpace with_actuators(const StateSpace& system, const std::vector<Motor>& motors)
{
    control::require_shapes("with_actuators", system);
    const int n = system.num_states(), more = static_cast<int>(motors.size());
    StateSpace out = system;
    out.A = Matrix(n + more, n + more);
    out.B = Matrix(n + more, system.num_inputs());
    out.C = Matrix(system.num_outputs(), n + more);
    set_block(out.A, 0, 0, system.A);
    set_block(out.B, 0, 0, system.B);
    set_block(out.C, 0, 0, system.C);
    for (int k = 0; k < more; ++k) {
        const Motor& motor = motors[static_cast<std::size_t>(k)];
        const auto found = std::find(system.inputs.begin(), system.inputs.end(), motor.input);
        if (found == system.inputs.end())
            throw UsageError("with_actuators: " + unknown_name("input", motor.input, system.inputs));
        const std::string name = motor.input.substr(motor.input.find(':') + 1);
        require_motor(motor);
        const auto j = static_cast<std::size_t>(found - system.inputs.begin());
        if (out.inputs[j] != motor.input)
            throw UsageError("with_actuators: " + motor.input + " has two motors, expected one");
        const int input = static_cast<int>(j), state = n + k;
        for (int i = 0; i < n; ++i) { // T was an input, and is a state
            out.A(i, state) = system.B(i, input);
            out.B(i, input) = 0.0;
        }
        for (int i = 0; i < system.num_outputs(); ++i) {
            out.C(i, state) = system.D(i, input);
            out.D(i, input) = 0.0;
        }
        out.A(state, state) = -1.0 / motor.time_constant;
        out.B(state, input) = motor.gear / motor.time_constant;
        double v0 = 0.0;
        if (motor.drop != 0.0) {
            const auto rate = std::find(system.states.begin(), system.states.end(), "v:" + name);
            if (rate == system.states.end())
                throw UsageError("with_actuators: the motor of " + motor.input +
                                 " drops with speed, but there is no state v:" + name);
            const auto v = static_cast<int>(rate - system.states.begin());
            out.A(state, v) = -motor.gear * motor.gear * motor.drop / motor.time_constant;
            v0 = system.x0.empty() ? 0.0 : system.x0[static_cast<std::size_t>(v)];
        }
        const double T0 = system.u0.empty() ? 0.0 : system.u0[j];
        out.states.push_back("motor:" + name);
        out.inputs[j] = "command:" + name;
        out.f0.push_back(0.0);
        out.x0.push_back(T0);
        if (!out.u0.empty())
            out.u0[j] = T0 / motor.gear + motor.drop * motor.gear * v0;
    }
    return out;
}

} // namespace sweepdyn
