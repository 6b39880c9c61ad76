#include "sweepdyn/linear/frame_derivatives.hpp"

#include "sweepdyn/spatial/rotation.hpp"

namespace sweepdyn {

namespace {

using Vec = Vec3<double>;
using Velocity = Motion<double>;

struct Sensed {
    Pose<double> X_WF;
    Vec turn; // its rotation vector
    Velocity V, A; // at the frame's origin, world axes; A spatial, with minus gravity in it
};

Sensed sense(const Kinematics<double>& kin, const ColumnDerivatives<double>& d, FrameId frame)
{
    detail::require_fresh(d.position_version == kin.position_version, "differentiate_sensor",
                          "column_derivatives");
    const Index k = kin.model.frame_body(frame);
    const Pose<double> X_WF = frame_pose(kin, frame);
    const PhiAdjoint<double> to_frame{k == ground ? Vec{} : X_WF.p - kin.r(k)};
    return {X_WF, log_rotation(X_WF.R), to_frame * kin.body[k].V,
            to_frame * (k == ground ? kin.A0 : d.motion[k].A)};
}

void put(std::vector<double>& out, std::size_t column, const Vec& top)
{
    double* to = out.data() + 3 * column;
    to[0] = top.x, to[1] = top.y, to[2] = top.z;
}
void put(std::vector<double>& out, std::size_t column, const Vec& top, const Vec& bottom)
{
    double* to = out.data() + 6 * column;
    to[0] = top.x, to[1] = top.y, to[2] = top.z, to[3] = bottom.x, to[4] = bottom.y, to[5] = bottom.z;
}

// The change of what the sensor says, from dX, th, be at the frame's origin.
void change(const Sensed& s, Sensor sensor, const Velocity& dX, const Velocity& th, const Velocity& be,
            std::vector<double>& out, std::size_t column)
{
    const Mat3<double>& R = s.X_WF.R;
    const auto& [w, v] = s.V;
    const Velocity dA = be - crm(s.V) * th; // of the spatial acceleration, seen from the body
    const Vec da = dA.v + cross(th.w, v) + cross(w, th.v); // of the classical one
    switch (sensor) {
    case Sensor::pose: return put(out, column, log_rotation_rate(s.turn, transpose_times(R, dX.w)), dX.v);
    case Sensor::velocity: return put(out, column, th.w + cross(dX.w, w), th.v + cross(dX.w, v));
    case Sensor::gyro: return put(out, column, transpose_times(R, th.w));
    case Sensor::accelerometer: return put(out, column, transpose_times(R, da));
    case Sensor::acceleration:
        return put(out, column, dA.w + cross(dX.w, s.A.w), da + cross(dX.w, s.A.v + cross(w, v)));
    }
}

} // namespace

void read_sensor(const Kinematics<double>& kin, const ColumnDerivatives<double>& d, FrameId frame,
                 Sensor sensor, std::span<double> out)
{
    require_size("read_sensor", "out", out.size(), static_cast<std::size_t>(sensor_size(sensor)));
    const Sensed s = sense(kin, d, frame);
    const Vec a = s.A.v + cross(s.V.w, s.V.v);
    std::vector<double> numbers(out.size());
    switch (sensor) {
    case Sensor::pose: put(numbers, 0, s.turn, s.X_WF.p); break;
    case Sensor::velocity: put(numbers, 0, s.V.w, s.V.v); break;
    case Sensor::gyro: put(numbers, 0, transpose_times(s.X_WF.R, s.V.w)); break;
    case Sensor::accelerometer: put(numbers, 0, transpose_times(s.X_WF.R, a)); break;
    case Sensor::acceleration: put(numbers, 0, s.A.w, a - kin.A0.v); break;
    }
    std::copy(numbers.begin(), numbers.end(), out.begin());
}

void differentiate_sensor(const Kinematics<double>& kin, const ColumnDerivatives<double>& d, FrameId frame,
                          Sensor sensor, SensorDerivatives& out)
{
    const Sensed s = sense(kin, d, frame);
    const auto size = static_cast<std::size_t>(sensor_size(sensor));
    require_size("differentiate_sensor", "out.y_q", out.y_q.size(), size * kin.H.size());
    for (auto* numbers : {&out.y_q, &out.y_v, &out.y_a, &out.y_g})
        std::fill(numbers->begin(), numbers->end(), 0.0);
    const Velocity none{};
    for (Index k = kin.model.frame_body(frame); k != ground; k = kin.body[k].parent) {
        const PhiAdjoint<double> phi{s.X_WF.p - kin.r(k)};
        for (Index j : kin.body[k].dofs()) {
            const auto column = static_cast<std::size_t>(j);
            const Velocity H = phi * kin.H[j];
            change(s, sensor, H, phi * d.Hd[j], phi * d.Hdd[j], out.y_q, column);
            change(s, sensor, none, H, phi * d.Hs[j], out.y_v, column);
            change(s, sensor, none, none, H, out.y_a, column);
        }
    }
    // True accelerations do not change with gravity itself.
    if (sensor == Sensor::accelerometer)
        for (int i = 0; i < 3; ++i) {
            Vec minus{};
            minus[i] = -1.0;
            change(s, sensor, none, none, {{}, minus}, out.y_g, static_cast<std::size_t>(i));
        }
}

void differentiate_reaction(const Kinematics<double>& kin, const CompositeInertias<double>& composite,
                            const ColumnDerivatives<double>& d, const CompositeLoads<double>& loads, int k,
                            SensorDerivatives& out)
{
    require_size("differentiate_reaction", "out.y_q", out.y_q.size(), 6 * kin.H.size());
    for (auto* numbers : {&out.y_q, &out.y_v, &out.y_a, &out.y_g})
        std::fill(numbers->begin(), numbers->end(), 0.0);
    const Mat3<double> R = kin.X_WB(k).R;
    // eta about the hinge's origin, in the child's axes, of a force about the reference point of body `of`.
    const auto write = [&](const Force<double>& eta, Index of, std::vector<double>& to, Index column) {
        const Force<double> f = rotate_back(R, Phi<double>{kin.r(of) - kin.body[k].X_WI.p} * eta);
        put(to, static_cast<std::size_t>(column), f.n, f.f);
    };
    const auto eta = [&](Index body, const Motion<double>& be, const Motion<double>& th,
                         const Motion<double>& dX) {
        const Force<double> half = loads.bias.Rbar[static_cast<std::size_t>(body)] * th;
        Force<double> sum = composite.R[static_cast<std::size_t>(body)] * be + half + half;
        if (!d.We.empty())
            sum -= loads.Rw[static_cast<std::size_t>(body)] * dX;
        return sum;
    };
    const Motion<double> none{};
    for (Index b : kin.tree().base_to_tip()) {
        Index up = b;
        while (up != ground && up != k)
            up = kin.body[up].parent;
        if (up != k || b == k)
            continue;
        for (Index j : kin.body[b].dofs()) { // outboard: what moves with the dof, handed down
            write(eta(b, d.Hdd[j], d.Hd[j], kin.H[j]) + d.Fh[j], b, out.y_q, j);
            write(eta(b, d.Hs[j], kin.H[j], none), b, out.y_v, j);
            write(eta(b, kin.H[j], none, none), b, out.y_a, j);
        }
    }
    for (Index b = k; b != ground; b = kin.body[b].parent) {
        const PhiAdjoint<double> phi{kin.r(k) - kin.r(b)};
        for (Index j : kin.body[b].dofs()) { // its own, and inboard: the whole of body k's composite moves
            const Motion<double> H = phi * kin.H[j];
            write(eta(k, phi * d.Hdd[j], phi * d.Hd[j], H), k, out.y_q, j);
            write(eta(k, phi * d.Hs[j], H, none), k, out.y_v, j);
            write(eta(k, H, none, none), k, out.y_a, j);
        }
    }
    for (int i = 0; i < 3; ++i) {
        Vec minus{};
        minus[i] = -1.0;
        write(composite.R[static_cast<std::size_t>(k)] * Motion<double>{{}, minus}, k, out.y_g, i);
    }
}

} // namespace sweepdyn
