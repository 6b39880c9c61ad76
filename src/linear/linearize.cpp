#include "sweepdyn/linear/linearize.hpp"

#include <algorithm>
#include <cmath>

#include "linear/signals.hpp"
#include "sweepdyn/linear/frame_derivatives.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/spatial/rotation.hpp"

namespace sweepdyn {

OperatingPoint::OperatingPoint(const Model& model)
    : q(static_cast<std::size_t>(model.num_coordinates())),
      v(static_cast<std::size_t>(model.num_dofs())),
      T(v.size())
{
    neutral(model, q);
}

// The columns of balls, planes and free steps are unit vectors in the child's axes: components are dot products there.
Matrix displacement_rate(const Kinematics<double>& kin)
{
    Matrix Cb(static_cast<int>(kin.v.size()), static_cast<int>(kin.v.size()));
    for (Index k : kin.tree().base_to_tip()) {
        const BodyKinematics<double>& b = kin.body[k];
        for (Index s = b.first_step; s < b.end_step; ++s) {
            const Step<double>& step = kin.steps[static_cast<std::size_t>(s)];
            if (step.kind != StepKind::ball && step.kind != StepKind::plane && step.kind != StepKind::free)
                continue;
            const Pose<double>& X = kin.X_WI_steps[static_cast<std::size_t>(s)];
            const auto seen = [&](int j) {
                return rotate_back(X.R,
                                   PhiAdjoint<double>{X.p - kin.r(k)} * kin.H[static_cast<std::size_t>(j)]);
            };
            Motion<double> V{};
            for (int j = step.first_dof; j < step.first_dof + step.num_dofs; ++j)
                V += kin.v[static_cast<std::size_t>(j)] * seen(j);
            for (int j = step.first_dof; j < step.first_dof + step.num_dofs; ++j)
                for (int i = step.first_dof; i < step.first_dof + step.num_dofs; ++i) {
                    const Motion<double> turned = crm(V) * seen(j);
                    Cb(i, j) = dot(seen(i).w, turned.w) + dot(seen(i).v, turned.v);
                }
        }
    }
    return Cb;
}

Matrix deviation_rate(Linearization& lin)
{
    const auto& [M_inverse, A_C, B_C] = lin.matrices();
    const Matrix Cb = displacement_rate(lin.kinematics());
    const int n = lin.model().num_dofs();
    Matrix A(2 * n, 2 * n);
    for (int j = 0; j < n; ++j) {
        A(j, n + j) = 1.0;
        for (int i = 0; i < n; ++i) {
            A(i, j) = -Cb(i, j);
            A(n + i, j) = -B_C(i, j);
            A(n + i, n + j) = -A_C(i, j);
        }
    }
    return A;
}

namespace {

using detail::Signal;
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

// What an input does: to the accelerations, and directly to sensors.
struct Input {
    Signal signal;
    Matrix on_v_dot; // dofs x its numbers
};
struct Output {
    Signal signal;
    SensorDerivatives y; // empty for q, v
};

class Assembly {
public:
    Assembly(const Model& model, const OperatingPoint& point, const LinearizeOptions& options)
        : model_(model),
          point_(point),
          n_(model.num_dofs()),
          lin_(model, options.passive)
    {
        lin_.set(point.q, point.v, point.T, point.external);
    }

    StateSpace assemble(const LinearizeOptions& options)
    {
        states();
        for (Signal& signal : detail::resolve_signals(model_, options.inputs, detail::Direction::input))
            add_input(std::move(signal));
        fill_B();
        for (Signal& signal : detail::resolve_signals(model_, options.outputs, detail::Direction::output))
            outputs_.push_back(output_of(std::move(signal)));
        fill_C_D();
        notes(options);
        return std::move(system_);
    }

private:
    const Model& model_;
    const OperatingPoint& point_;
    int n_;
    Linearization lin_;
    StateSpace system_;
    std::vector<Input> inputs_;
    std::vector<Output> outputs_;

    void states()
    {
        system_.A = deviation_rate(lin_);
        for (const char* kind : {"q:", "v:"})
            for (const std::string& dof : model_.dof_names())
                system_.states.push_back(kind + dof);
        // f0 = [v; v_dot]
        system_.f0.assign(point_.v.begin(), point_.v.end());
        system_.f0.insert(system_.f0.end(), lin_.v_dot().begin(), lin_.v_dot().end());
        std::vector<double> origin(point_.q.size());
        neutral(model_, origin);
        system_.x0.resize(static_cast<std::size_t>(n_));
        difference<double>(model_, origin, point_.q, system_.x0);
        system_.x0.insert(system_.x0.end(), point_.v.begin(), point_.v.end());
        system_.q0 = point_.q, system_.v0 = point_.v, system_.T0 = point_.T;
    }

    void add_input(Signal signal)
    {
        const auto& M_inverse = lin_.matrices().M_inverse;
        Matrix on_v_dot;
        switch (signal.kind) {
        case Kind::force:
            on_v_dot = Matrix(n_, 1);
            std::copy(M_inverse.column(signal.index).begin(), M_inverse.column(signal.index).end(),
                      on_v_dot.column(0).begin());
            system_.u0.push_back(point_.T[static_cast<std::size_t>(signal.index)]);
            break;
        case Kind::wrench: {
            on_v_dot = lin_.by_wrench(FrameId{signal.index}, WrenchAxes::world);
            Force<double> there{};
            for (const ExternalWrench& load : point_.external)
                if (load.frame.index == signal.index && load.axes == WrenchAxes::world)
                    there += load.wrench;
            for (const Vec3<double>& half : {there.n, there.f})
                system_.u0.insert(system_.u0.end(), {half.x, half.y, half.z});
            break;
        }
        default: {
            on_v_dot = lin_.by_gravity();
            const Vec3<double> g = model_.gravity();
            if (signal.kind == Kind::gravity)
                system_.u0.insert(system_.u0.end(), {g.x, g.y, g.z});
            else {
                for (double& entry : on_v_dot.values())
                    entry = -entry;
                system_.u0.insert(system_.u0.end(), 3, 0.0);
            }
        }
        }
        for (std::string& part : signal.parts())
            system_.inputs.push_back(std::move(part));
        inputs_.push_back({std::move(signal), std::move(on_v_dot)});
    }

    void fill_B()
    {
        system_.B = Matrix(2 * n_, static_cast<int>(system_.inputs.size()));
        int column = 0;
        for (const Input& input : inputs_)
            for (int j = 0; j < input.on_v_dot.columns(); ++j, ++column)
                for (int i = 0; i < n_; ++i)
                    system_.B(n_ + i, column) = input.on_v_dot(i, j);
    }

    Output output_of(Signal signal)
    {
        const auto size = signal.parts().size();
        for (std::string& part : signal.parts())
            system_.outputs.push_back(std::move(part));
        Output out{std::move(signal), SensorDerivatives(static_cast<int>(size), n_)};
        const Signal& s = out.signal;
        const auto at = static_cast<std::size_t>(s.index);
        std::vector<double> reading(size);
        switch (s.kind) {
        case Kind::position:
            reading[0] = system_.x0[at];
            out.y.y_q[at] = 1.0;
            break;
        case Kind::rate:
            reading[0] = point_.v[at];
            out.y.y_v[at] = 1.0;
            break;
        case Kind::reaction: {
            differentiate_reaction(lin_.kinematics(), lin_.composite(), lin_.derivatives(),
                                   lin_.composite_loads(), s.index, out.y);
            const Force<double> f = hinge_reaction(lin_.kinematics(), lin_.derivatives().motion, s.index);
            reading = {f.n.x, f.n.y, f.n.z, f.f.x, f.f.y, f.f.z};
            break;
        }
        default:
            differentiate_sensor(lin_.kinematics(), lin_.derivatives(), FrameId{s.index}, sensor_of(s.kind),
                                 out.y);
            read_sensor(lin_.kinematics(), lin_.derivatives(), FrameId{s.index}, sensor_of(s.kind), reading);
        }
        system_.y0.insert(system_.y0.end(), reading.begin(), reading.end());
        return out;
    }

    // y = y_q dq + y_v dv + y_a dv_dot + what inputs do directly.
    void fill_C_D()
    {
        const auto& [M_inverse, A_C, B_C] = lin_.matrices();
        system_.C = Matrix(static_cast<int>(system_.outputs.size()), 2 * n_);
        system_.D = Matrix(static_cast<int>(system_.outputs.size()), static_cast<int>(system_.inputs.size()));
        int first = 0;
        for (const Output& output : outputs_) {
            const int rows = static_cast<int>(output.signal.parts().size());
            const auto entry = [&](const std::vector<double>& y, int i, int j) {
                return y[static_cast<std::size_t>(j * rows + i)];
            };
            const auto times = [&](int i, const Matrix& of_v_dot, int column) {
                double sum = 0.0;
                for (int k = 0; k < n_; ++k)
                    sum += entry(output.y.y_a, i, k) * of_v_dot(k, column);
                return sum;
            };
            for (int i = 0; i < rows; ++i) {
                for (int j = 0; j < n_; ++j) {
                    system_.C(first + i, j) = entry(output.y.y_q, i, j) - times(i, B_C, j);
                    system_.C(first + i, n_ + j) = entry(output.y.y_v, i, j) - times(i, A_C, j);
                }
                int column = 0;
                for (const Input& input : inputs_)
                    for (int j = 0; j < input.on_v_dot.columns(); ++j, ++column)
                        system_.D(first + i, column) =
                            times(i, input.on_v_dot, j) + direct(output, i, input.signal, j, entry);
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

    void notes(const LinearizeOptions& options)
    {
        const auto largest = [&](std::span<const double> numbers) {
            return std::max_element(numbers.begin(), numbers.end(),
                                    [](double a, double b) { return std::abs(a) < std::abs(b); }) -
                   numbers.begin();
        };
        if (n_ > 0) {
            const auto at = static_cast<std::size_t>(largest(lin_.v_dot()));
            // Round-off of forces of the size that gravity asks for.
            double scale = 0.0;
            for (Index k : model_.tree().base_to_tip())
                scale = std::max(scale, norm(lin_.derivatives().motion[k].f.f) +
                                            norm(lin_.derivatives().motion[k].f.n));
            double compliance = 0.0;
            for (int i = 0; i < n_; ++i)
                compliance = std::max(compliance, lin_.matrices().M_inverse(i, i));
            if (const double a = lin_.v_dot()[at]; std::abs(a) > 1e-9 * (1e-3 + compliance * scale))
                system_.notes.push_back("not in equilibrium: '" + model_.dof_names()[at] +
                                        "' accelerates with " + number_text(a) +
                                        "; f0 holds what the mechanism does by itself");
            const auto moving = static_cast<std::size_t>(largest(point_.v));
            if (point_.v[moving] != 0.0)
                system_.notes.push_back("the operating point moves: '" + model_.dof_names()[moving] +
                                        "' with " + number_text(point_.v[moving]) +
                                        "; A, B, C, D hold at this instant, f0 holds v and v_dot");
        }
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

StateSpace linearize(const Model& model, const OperatingPoint& point, const LinearizeOptions& options)
{
    require_size("linearize", "point.q", point.q.size(), static_cast<std::size_t>(model.num_coordinates()));
    require_size("linearize", "point.v", point.v.size(), static_cast<std::size_t>(model.num_dofs()));
    require_size("linearize", "point.T", point.T.size(), static_cast<std::size_t>(model.num_dofs()));
    return Assembly(model, point, options).assemble(options);
}

namespace {

// q_dot = N(q) v of one quaternion: 1/2 [-v'; s 1 + v~], body rates.
void quaternion_rows(const double* quaternion, int first_coordinate, int first_dof, Matrix& N)
{
    const double s = quaternion[0], x = quaternion[1], y = quaternion[2], z = quaternion[3];
    const double rows[4][3] = {{-x, -y, -z}, {s, -z, y}, {z, s, -x}, {-y, x, s}};
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 3; ++j)
            N(first_coordinate + i, first_dof + j) = 0.5 * rows[i][j];
}

} // namespace

// Coordinates c instead of displacements: dc = N dq, dq = N+ dc with N+ = N' but for quaternions 4 N'.
// c_dot = N(c) v, so A(c,c) = d(N v)/dc, which for a quaternion is half the matrix of multiplying by its rate from the right.
StateSpace with_quaternion_states(const Model& model, const StateSpace& system)
{
    const int n = model.num_dofs(), m = model.num_coordinates();
    require_size("with_quaternion_states", "system.states", system.states.size(),
                 static_cast<std::size_t>(2 * n));
    Matrix N(m, n), N_plus(n, m), rate(m, m);
    std::vector<std::string> names(static_cast<std::size_t>(m));
    StateSpace out = system;
    for (int k = 0; k < model.num_bodies(); ++k) {
        const auto body = static_cast<std::size_t>(k);
        const Hinge& hinge = model.hinges()[body];
        const int c = model.tree().first_coordinate[body], d = model.tree().first_dof[body];
        const bool ball = hinge.kind == HingeKind::spherical || hinge.kind == HingeKind::free;
        if (!ball) {
            // Plane: x, y of the coordinates turn with the angle.
            const double angle =
                hinge.kind == HingeKind::planar ? system.q0[static_cast<std::size_t>(c)] : 0.0;
            for (int i = 0; i < model.tree().num_dofs(k); ++i) {
                N(c + i, d + i) = N_plus(d + i, c + i) = 1.0;
                names[static_cast<std::size_t>(c + i)] =
                    "q:" + model.dof_names()[static_cast<std::size_t>(d + i)];
            }
            if (hinge.kind == HingeKind::planar) {
                const double cosine = std::cos(angle), sine = std::sin(angle);
                const double vx = system.v0[static_cast<std::size_t>(d) + 1],
                             vy = system.v0[static_cast<std::size_t>(d) + 2];
                const double R[2][2] = {{cosine, -sine}, {sine, cosine}};
                for (int i = 0; i < 2; ++i)
                    for (int j = 0; j < 2; ++j)
                        N(c + 1 + i, d + 1 + j) = N_plus(d + 1 + j, c + 1 + i) = R[i][j];
                rate(c + 1, c) = -sine * vx - cosine * vy;
                rate(c + 2, c) = cosine * vx - sine * vy;
            }
            continue;
        }
        const double* const quaternion = system.q0.data() + c;
        const double* const w = system.v0.data() + d;
        quaternion_rows(quaternion, c, d, N);
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 3; ++j)
                N_plus(d + j, c + i) = 4.0 * N(c + i, d + j);
        const double right[4][4] = {
            {0, -w[0], -w[1], -w[2]}, {w[0], 0, w[2], -w[1]}, {w[1], -w[2], 0, w[0]}, {w[2], w[1], -w[0], 0}};
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j)
                rate(c + i, c + j) = 0.5 * right[i][j];
        static const char* const ends[] = {".qw", ".qx", ".qy", ".qz", ".px", ".py", ".pz"};
        for (int i = 0; i < (hinge.kind == HingeKind::free ? 7 : 4); ++i)
            names[static_cast<std::size_t>(c + i)] = "q:" + hinge.name + ends[i];
        if (hinge.kind == HingeKind::free) { // p_dot = R v
            const Mat3<double> R = rotation_matrix(
                Quaternion<double>{quaternion[0], quaternion[1], quaternion[2], quaternion[3]});
            const Vec3<double> v{w[3], w[4], w[5]};
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j)
                    N(c + 4 + i, d + 3 + j) = N_plus(d + 3 + j, c + 4 + i) = R(i, j);
            // d(R v) = -R v~ d(turn)
            const Mat3<double> turned = R * tilde(-v);
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 4; ++j)
                    for (int t = 0; t < 3; ++t)
                        rate(c + 4 + i, c + j) += turned(i, t) * N_plus(d + t, c + j);
        }
        out.notes.push_back("the quaternion of '" + hinge.name +
                            "' has four states for three dofs: one eigenvalue of A, zero at rest, "
                            "is that of its length and belongs to no motion");
    }
    const auto times = [](const Matrix& a, const Matrix& b) {
        Matrix product(a.rows(), b.columns());
        for (int j = 0; j < b.columns(); ++j)
            for (int k = 0; k < a.columns(); ++k)
                for (int i = 0; i < a.rows(); ++i)
                    product(i, j) += a(i, k) * b(k, j);
        return product;
    };
    const auto block = [](const Matrix& from, int row, int column, int rows, int columns) {
        Matrix part(rows, columns);
        for (int j = 0; j < columns; ++j)
            for (int i = 0; i < rows; ++i)
                part(i, j) = from(row + i, column + j);
        return part;
    };
    const auto put = [](Matrix& to, int row, int column, const Matrix& part) {
        for (int j = 0; j < part.columns(); ++j)
            for (int i = 0; i < part.rows(); ++i)
                to(row + i, column + j) = part(i, j);
    };
    const int outputs = system.num_outputs(), inputs = system.num_inputs();
    out.A = Matrix(m + n, m + n);
    put(out.A, 0, 0, rate);
    put(out.A, 0, m, N);
    put(out.A, m, 0, times(block(system.A, n, 0, n, n), N_plus));
    put(out.A, m, m, block(system.A, n, n, n, n));
    out.B = Matrix(m + n, inputs);
    put(out.B, m, 0, block(system.B, n, 0, n, inputs));
    out.C = Matrix(outputs, m + n);
    put(out.C, 0, 0, times(block(system.C, 0, 0, outputs, n), N_plus));
    put(out.C, 0, m, block(system.C, 0, n, outputs, n));
    out.states = names;
    out.states.insert(out.states.end(), system.states.begin() + n, system.states.end());
    out.x0 = system.q0;
    out.x0.insert(out.x0.end(), system.v0.begin(), system.v0.end());
    out.f0.assign(static_cast<std::size_t>(m), 0.0);
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j)
            out.f0[static_cast<std::size_t>(i)] += N(i, j) * system.v0[static_cast<std::size_t>(j)];
    out.f0.insert(out.f0.end(), system.f0.begin() + n, system.f0.end());
    return out;
}

} // namespace sweepdyn
