// B, C, D of a mechanism near an operating point, from what its inputs do to it and what its sensors see of it.
#include <algorithm>
#include <cmath>

#include "linear/near_point.hpp"
#include "linear/signals.hpp"
#include "sweepdyn/linear/frame_derivatives.hpp"

namespace sweepdyn::detail {
namespace {

using Kind = Signal::Kind;

Sensor sensor_of(Kind kind)
{
    switch (kind) {
    case Kind::pose: return Sensor::pose;
    case Kind::velocity: return Sensor::velocity;
    case Kind::acceleration: return Sensor::acceleration;
    case Kind::gyro: return Sensor::gyro;
    default: return Sensor::accelerometer;
    }
}

bool outboard(const Tree& tree, int body, int of)
{
    while (body != ground && body != of)
        body = tree.parent[static_cast<std::size_t>(body)];
    return body == of;
}

// What an input does: as generalized forces, and directly to sensors.
struct Input {
    Signal signal;
    Matrix forces; // dofs x its numbers
};
struct Output {
    Signal signal;
    SensorDerivatives y; // of the tree
    ForceChange loops; // what loops add
};

class Assembly {
public:
    Assembly(const Model& model, const OperatingPoint& point, NearPoint& near)
        : model_(model),
          point_(point),
          n_(model.num_dofs()),
          near_(near),
          lin_(near.tree())
    {
    }

    StateSpace assemble(const LinearizeOptions& options)
    {
        states();
        for (Signal& signal : resolve_signals(model_, options.inputs, Direction::input))
            add_input(std::move(signal));
        respond();
        for (Signal& signal : resolve_signals(model_, options.outputs, Direction::output))
            outputs_.push_back(output_of(std::move(signal)));
        fill_C_D();
        notes(options);
        return std::move(system_);
    }

private:
    const Model& model_;
    const OperatingPoint& point_;
    int n_;
    NearPoint& near_;
    Linearization& lin_;
    StateSpace system_;
    std::vector<double> displacement_; // of q from neutral
    std::vector<Input> inputs_;
    Matrix on_v_dot_; // dofs x inputs
    std::vector<Output> outputs_;

    void states()
    {
        system_.A = near_.A;
        system_.states = near_.states;
        system_.f0 = near_.f0;
        system_.x0 = near_.x0;
        system_.notes = near_.notes;
        displacement_ = displacement_of(model_, point_);
        system_.q0 = point_.q, system_.v0 = point_.v, system_.T0 = point_.T;
    }

    void add_input(Signal signal)
    {
        Matrix forces;
        switch (signal.kind) {
        case Kind::force:
            forces = Matrix(n_, 1);
            forces(signal.index, 0) = 1.0;
            system_.u0.push_back(point_.T[static_cast<std::size_t>(signal.index)]);
            break;
        case Kind::wrench: {
            forces = lin_.forces_of_wrench(FrameId{signal.index}, WrenchAxes::world);
            Force<double> there{};
            for (const ExternalWrench& load : point_.external)
                if (load.frame.index == signal.index && load.axes == WrenchAxes::world)
                    there += load.wrench;
            for (const Vec3<double>& half : {there.n, there.f})
                system_.u0.insert(system_.u0.end(), {half.x, half.y, half.z});
            break;
        }
        default: {
            forces = lin_.forces_of_gravity();
            const Vec3<double> g = model_.gravity();
            if (signal.kind == Kind::gravity)
                system_.u0.insert(system_.u0.end(), {g.x, g.y, g.z});
            else {
                for (double& entry : forces.values())
                    entry = -entry;
                system_.u0.insert(system_.u0.end(), 3, 0.0);
            }
        }
        }
        for (std::string& part : signal.parts())
            system_.inputs.push_back(std::move(part));
        inputs_.push_back({std::move(signal), std::move(forces)});
    }

    // To all inputs at once: B, and the accelerations.
    void respond()
    {
        Matrix forces(n_, static_cast<int>(system_.inputs.size()));
        auto to = forces.values().begin();
        for (const Input& input : inputs_)
            to = std::copy(input.forces.values().begin(), input.forces.values().end(), to);
        system_.B = near_.on_states(forces);
        on_v_dot_ = near_.response(forces);
    }

    Output output_of(Signal signal)
    {
        const auto size = signal.parts().size();
        for (std::string& part : signal.parts())
            system_.outputs.push_back(std::move(part));
        Output out{std::move(signal), SensorDerivatives(static_cast<int>(size), n_), {}};
        const Signal& s = out.signal;
        const auto at = static_cast<std::size_t>(s.index);
        std::vector<double> reading(size);
        switch (s.kind) {
        case Kind::position:
            reading[0] = displacement_[at];
            out.y.y_q[at] = 1.0;
            break;
        case Kind::rate:
            reading[0] = point_.v[at];
            out.y.y_v[at] = 1.0;
            break;
        case Kind::reaction: {
            differentiate_reaction(lin_.kinematics(), lin_.composite(), lin_.derivatives(),
                                   lin_.composite_loads(), s.index, out.y);
            out.loops = near_.reaction_change(s.index);
            const Force<double> f = hinge_reaction(lin_.kinematics(), lin_.derivatives().motion, s.index);
            reading = {f.n.x, f.n.y, f.n.z, f.f.x, f.f.y, f.f.z};
            break;
        }
        case Kind::loop:
            out.loops = near_.loop_force_change(s.index);
            reading = near_.loop_force(s.index);
            break;
        default:
            differentiate_sensor(lin_.kinematics(), lin_.derivatives(), FrameId{s.index}, sensor_of(s.kind),
                                 out.y);
            read_sensor(lin_.kinematics(), lin_.derivatives(), FrameId{s.index}, sensor_of(s.kind), reading);
        }
        system_.y0.insert(system_.y0.end(), reading.begin(), reading.end());
        return out;
    }

    // y = y_q dq + y_v dv + y_a dv_dot + what loops carry + what inputs do directly.
    void fill_C_D()
    {
        system_.C = Matrix(static_cast<int>(system_.outputs.size()), system_.A.columns());
        system_.D = Matrix(static_cast<int>(system_.outputs.size()), static_cast<int>(system_.inputs.size()));
        int first = 0;
        for (const Output& output : outputs_) {
            const int rows = static_cast<int>(output.signal.parts().size());
            const auto entry = [&](const std::vector<double>& y, int i, int j) {
                return y[static_cast<std::size_t>(j * rows + i)];
            };
            const bool by_loops = output.loops.on_x.rows() > 0;
            for (int i = 0; i < rows; ++i) {
                // Only dofs that the sensor sees.
                for (int k = 0; k < n_; ++k) {
                    const double y_q = entry(output.y.y_q, i, k), y_v = entry(output.y.y_v, i, k),
                                 y_a = entry(output.y.y_a, i, k);
                    if (y_q == 0.0 && y_v == 0.0 && y_a == 0.0)
                        continue;
                    for (int j = 0; j < system_.A.columns(); ++j)
                        system_.C(first + i, j) +=
                            y_q * near_.Q(k, j) + y_v * near_.V(k, j) + y_a * near_.W(k, j);
                    for (int column = 0; y_a != 0.0 && column < on_v_dot_.columns(); ++column)
                        system_.D(first + i, column) += y_a * on_v_dot_(k, column);
                }
                for (int j = 0; by_loops && j < system_.A.columns(); ++j)
                    system_.C(first + i, j) += output.loops.on_x(i, j);
                int column = 0;
                for (const Input& input : inputs_)
                    for (int j = 0; j < input.forces.columns(); ++j, ++column) {
                        system_.D(first + i, column) += direct(output, i, input.signal, j, entry);
                        for (int k = 0; by_loops && k < n_; ++k)
                            system_.D(first + i, column) += output.loops.on_T(i, k) * input.forces(k, j);
                    }
            }
            first += rows;
        }
    }

    template <class Entry>
    double direct(const Output& output, int i, const Signal& input, int j, const Entry& entry) const
    {
        switch (input.kind) {
        case Kind::gravity: return entry(output.y.y_g, i, j);
        case Kind::base_acceleration: return -entry(output.y.y_g, i, j);
        case Kind::wrench: {
            const int body = model_.frame_body(FrameId{input.index});
            if (output.signal.kind != Kind::reaction || !outboard(model_.tree(), body, output.signal.index))
                return 0.0;
            // f = ... - w: a unit of it, about the hinge's origin in the child's axes
            const Kinematics<double>& kin = lin_.kinematics();
            Force<double> w{};
            (j < 3 ? w.n : w.f)[j % 3] = 1.0;
            const Vec3<double> arm =
                frame_pose(kin, FrameId{input.index}).p - kin.body[output.signal.index].X_WI.p;
            const Force<double> f = rotate_back(kin.X_WB(output.signal.index).R, Phi<double>{arm} * w);
            return -(i < 3 ? f.n : f.f)[i % 3];
        }
        default: return 0.0;
        }
    }

    // A rotation vector ends at half a turn and goes on from the other side.
    void note_half_turns()
    {
        std::size_t first = 0;
        for (const Output& output : outputs_) {
            const double* y = system_.y0.data() + first;
            first += output.signal.parts().size();
            if (output.signal.kind != Kind::pose)
                continue;
            if (const double turn = norm(Vec3<double>{y[0], y[1], y[2]}); turn > M_PI - 0.01)
                system_.notes.push_back("the rotation vector of '" + output.signal.name + "' is " +
                                        number_text(turn) +
                                        " long, near pi, where it jumps to the opposite one: C holds on this "
                                        "side of the jump only");
        }
    }

    void note_undetermined()
    {
        std::string names;
        for (const Output& output : outputs_) {
            const std::vector<bool> known =
                output.signal.kind == Kind::loop       ? near_.loop_force_determined(output.signal.index)
                : output.signal.kind == Kind::reaction ? near_.reaction_determined(output.signal.index)
                                                       : std::vector<bool>{};
            const std::vector<std::string> parts = output.signal.parts();
            for (std::size_t i = 0; i < known.size(); ++i)
                if (!known[i])
                    names += (names.empty() ? "" : ", ") + parts[i];
        }
        if (!names.empty())
            system_.notes.push_back(
                "not determined by the motion, for rows of the loops are redundant and may "
                "share these forces in any way: " +
                names + "; rows of C and D and y0 are those of one choice");
    }

    void notes(const LinearizeOptions& options)
    {
        const auto largest = [&](std::span<const double> numbers) {
            return std::max_element(numbers.begin(), numbers.end(),
                                    [](double a, double b) { return std::abs(a) < std::abs(b); }) -
                   numbers.begin();
        };
        if (n_ > 0) {
            const auto at = static_cast<std::size_t>(largest(near_.v_dot));
            // Round-off of forces of the size that gravity asks for.
            double scale = 0.0;
            for (Index k : model_.tree().base_to_tip())
                scale = std::max(scale, norm(lin_.derivatives().motion[k].f.f) +
                                            norm(lin_.derivatives().motion[k].f.n));
            double compliance = 0.0;
            const Matrix response = near_.response(Matrix::identity(n_));
            for (int j = 0; j < n_; ++j)
                compliance = std::max(compliance, response(j, j));
            if (const double a = near_.v_dot[at]; std::abs(a) > 1e-9 * (1e-3 + compliance * scale))
                system_.notes.push_back("not in equilibrium: '" + model_.dof_names()[at] +
                                        "' accelerates with " + number_text(a) +
                                        "; f0 holds what the mechanism does by itself");
            const auto moving = static_cast<std::size_t>(largest(point_.v));
            if (point_.v[moving] != 0.0)
                system_.notes.push_back("the operating point moves: '" + model_.dof_names()[moving] +
                                        "' with " + number_text(point_.v[moving]) +
                                        "; A, B, C, D hold at this instant, f0 holds v and v_dot");
        }
        note_half_turns();
        note_undetermined();
        if (options.passive.damping && options.passive.friction_speed <= 0.0)
            for (const Hinge& hinge : model_.hinges())
                if (std::any_of(hinge.friction.begin(), hinge.friction.end(),
                                [](double f) { return f != 0.0; })) {
                    system_.notes.push_back(
                        "dry friction is left out (it has no slope at rest); give the speed that "
                        "smooths it to take it in");
                    break;
                }
    }
};

} // namespace

StateSpace system_near_point(const Model& model, const OperatingPoint& point, const LinearizeOptions& options,
                             NearPoint& near)
{
    return Assembly(model, point, near).assemble(options);
}

} // namespace sweepdyn::detail
