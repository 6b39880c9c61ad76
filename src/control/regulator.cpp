#include "sweepdyn/control/regulator.hpp"

#include <algorithm>

#include "sweepdyn/kinematics/frames.hpp"
#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn {
namespace {

using In = std::span<const double>;
using Out = std::span<double>;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

constexpr const char* wrench_parts[] = {".mx", ".my", ".mz", ".fx", ".fy", ".fz"};

class Feedback {
public:
    Feedback(const Model& model, const Regulator& regulator)
        : model_(model),
          regulator_(regulator),
          kin_(model),
          dofs_(at(model.num_dofs())),
          x_(2 * dofs_ + regulator.motors.size()),
          u_(regulator.inputs.size()),
          J_(6 * dofs_)
    {
        for (const Motor& motor : regulator.motors) {
            require_motor(motor);
            motor_dof_.push_back(dof_of("motor", "T:", motor.input));
            motor_input_.push_back(-1);
        }
        for (const std::string& name : regulator.states)
            state_index_.push_back(state_of(name));
        for (std::size_t i = 0; i < regulator.inputs.size(); ++i)
            add_input(regulator.inputs[i], static_cast<int>(i));
        for (std::size_t k = 0; k < motor_input_.size(); ++k) {
            const Motor& motor = regulator.motors[k];
            if (motor_input_[k] < 0)
                throw UsageError("regulator: the motor of " + motor.input +
                                 " has no input, expected command:" + motor.input.substr(2));
            rest_.push_back(motor.gear * (regulator.u0[at(motor_input_[k])] -
                                          motor.drop * motor.gear * regulator.v0[at(motor_dof_[k])]));
        }
    }

    // u = u0 - K x, z the forces of the motors
    void command(In q, In v, In z, Out u)
    {
        difference<double>(model_, regulator_.q0, q, std::span(x_).first(dofs_));
        for (std::size_t j = 0; j < dofs_; ++j)
            x_[dofs_ + j] = v[j] - regulator_.v0[j];
        for (std::size_t k = 0; k < z.size(); ++k)
            x_[2 * dofs_ + k] = z[k] - rest_[k];
        for (int i = 0; i < regulator_.K.rows(); ++i) {
            u[at(i)] = regulator_.u0[at(i)];
            for (int j = 0; j < regulator_.K.columns(); ++j)
                u[at(i)] -= regulator_.K(i, j) * x_[at(state_index_[at(j)])];
        }
    }
    // Hinge forces of the inputs that no motor stands before.
    void push(In q, In v, In u, Out T)
    {
        for (std::size_t i = 0; i < u.size(); ++i)
            if (input_dof_[i] >= 0)
                T[at(input_dof_[i])] += u[i];
        if (std::all_of(input_frame_.begin(), input_frame_.end(), [](int frame) { return frame < 0; }))
            return;
        update<double>(kin_, q, v);
        int last = -1;
        for (std::size_t i = 0; i < u.size(); ++i)
            if (const int frame = input_frame_[i]; frame >= 0) { // T = J' w
                if (frame != last)
                    frame_jacobian<double>(kin_, FrameId{frame}, J_);
                last = frame;
                for (std::size_t j = 0; j < dofs_; ++j)
                    T[j] += J_[6 * j + at(input_part_[i])] * u[i];
            }
    }
    // time_constant T_dot = gear (u - drop gear v) - T
    void respond(In v, In z, In u, Out T, Out z_dot) const
    {
        for (std::size_t k = 0; k < z.size(); ++k) {
            const Motor& motor = regulator_.motors[k];
            const std::size_t j = at(motor_dof_[k]);
            T[j] += z[k];
            z_dot[k] = (motor.gear * (u[at(motor_input_[k])] - motor.drop * motor.gear * v[j]) - z[k]) /
                       motor.time_constant;
        }
    }
    // What the motors give at the operating point.
    const std::vector<double>& rest() const { return rest_; }
    void forces(In q, In v, Out T)
    {
        command(q, v, {}, u_);
        push(q, v, u_, T);
    }

private:
    // The dof that "PREFIX:DOF" names.
    int dof_of(std::string_view what, std::string_view prefix, std::string_view name) const
    {
        const auto dofs = model_.dof_names();
        if (name.starts_with(prefix)) {
            const auto found = std::find(dofs.begin(), dofs.end(), name.substr(prefix.size()));
            if (found != dofs.end())
                return static_cast<int>(found - dofs.begin());
        }
        std::vector<std::string> known;
        for (const std::string& dof : dofs)
            known.push_back(std::string(prefix) + dof);
        throw UsageError("regulator: " + unknown_name(what, name, known));
    }
    int motor_of(std::string_view what, std::string_view prefix, std::string_view name) const
    {
        std::vector<std::string> known;
        for (std::size_t k = 0; k < regulator_.motors.size(); ++k) {
            known.push_back(std::string(prefix) + regulator_.motors[k].input.substr(2));
            if (known.back() == name)
                return static_cast<int>(k);
        }
        throw UsageError("regulator: " + unknown_name(what, name, known));
    }
    int state_of(const std::string& name) const
    {
        if (name.starts_with("motor:"))
            return 2 * model_.num_dofs() + motor_of("motor", "motor:", name);
        return name.starts_with("v:") ? model_.num_dofs() + dof_of("state", "v:", name)
                                      : dof_of("state", "q:", name);
    }
    void add_input(const std::string& name, int input)
    {
        int dof = -1, frame = -1, part = 0;
        if (name.starts_with("wrench:") && name.size() > 10) {
            const std::string end = name.substr(name.size() - 3);
            part = static_cast<int>(std::find(std::begin(wrench_parts), std::end(wrench_parts), end) -
                                    std::begin(wrench_parts));
            if (part == 6)
                throw UsageError("regulator: input '" + name +
                                 "' ends in no part of a wrench, expected .mx .my .mz .fx .fy or .fz");
            frame = model_.frame(name.substr(7, name.size() - 10)).index;
        } else if (name.starts_with("command:"))
            motor_input_[at(motor_of("motor", "command:", name))] = input;
        else if (name.starts_with("gravity.") || name.starts_with("base_accel."))
            throw UsageError("regulator: input '" + name +
                             "' is nothing that a controller can drive; expected T:DOF or wrench:FRAME");
        else
            dof = dof_of("input", "T:", name);
        input_dof_.push_back(dof), input_frame_.push_back(frame), input_part_.push_back(part);
    }

    Model model_;
    Regulator regulator_;
    Kinematics<double> kin_;
    std::size_t dofs_;
    std::vector<int> state_index_; // into x
    std::vector<int> input_dof_, input_frame_, input_part_; // -1: none
    std::vector<int> motor_dof_, motor_input_;
    std::vector<double> x_; // [difference; v - v0; motors]
    std::vector<double> u_, J_, rest_;
};

} // namespace

Controller controller(const Model& model, const Regulator& regulator, double sample_time)
{
    require_size("regulator", "rows of K", at(regulator.K.rows()), regulator.inputs.size());
    require_size("regulator", "columns of K", at(regulator.K.columns()), regulator.states.size());
    require_size("regulator", "u0", regulator.u0.size(), regulator.inputs.size());
    require_size("regulator", "q0", regulator.q0.size(), at(model.num_coordinates()));
    require_size("regulator", "v0", regulator.v0.size(), at(model.num_dofs()));
    Controller out;
    out.sample_time = sample_time;
    Feedback law(model, regulator);
    if (regulator.motors.empty())
        out.forces = [law](double, In q, In v, Out T) mutable { law.forces(q, v, T); };
    else
        out.states = {law.rest(), regulator.inputs.size(),
                      [law](double, In q, In v, In z, Out u) mutable { law.command(q, v, z, u); },
                      [law](double, In q, In v, In z, In u, Out T, Out z_dot) mutable {
                          law.push(q, v, u, T);
                          law.respond(v, z, u, T, z_dot);
                      }};
    return out;
}

} // namespace sweepdyn
