#include <cmath>

#include "sweepdyn/kinematics/coordinate_names.hpp"
#include "sweepdyn/linear/linearize.hpp"
#include "sweepdyn/spatial/rotation.hpp"

namespace sweepdyn {
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
// c_dot = N(c) v, so A(c,c) = d(N v)/dc, which for a quaternion is half the matrix of multiplying by its rate from the right. Its length
// means nothing, so c_dot is taken at c / |c|: then A c = 0, and the eigenvalue that is too many is zero in any motion.
StateSpace with_quaternion_states(const Model& model, const StateSpace& system)
{
    if (!model.topology().is_open())
        throw RefusedError("quaternions as states: model " + detail::quoted(model.name()) +
                           " has loops, whose states are its independent dofs; leave quaternions out");
    const int n = model.num_dofs(), m = model.num_coordinates();
    require_size("with_quaternion_states", "system.states", system.states.size(),
                 static_cast<std::size_t>(2 * n));
    Matrix N(m, n), N_plus(n, m), rate(m, m);
    StateSpace out = system;
    for (int k = 0; k < model.num_bodies(); ++k) {
        const auto body = static_cast<std::size_t>(k);
        const Hinge& hinge = model.hinges()[body];
        const int c = model.tree().first_coordinate[body], d = model.tree().first_dof[body];
        const bool ball = has_quaternion(hinge);
        if (!ball) {
            // Plane: x, y of the coordinates turn with the angle.
            const double angle =
                hinge.kind == HingeKind::planar ? system.q0[static_cast<std::size_t>(c)] : 0.0;
            for (int i = 0; i < model.tree().num_dofs(k); ++i)
                N(c + i, d + i) = N_plus(d + i, c + i) = 1.0;
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
                for (int t = 0; t < 4; ++t) // right (1 - c c')
                    rate(c + i, c + j) +=
                        0.5 * right[i][t] * ((t == j ? 1.0 : 0.0) - quaternion[t] * quaternion[j]);
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
        out.notes.push_back(
            "the quaternion of '" + hinge.name +
            "' has four states for three dofs: one eigenvalue of A, 0, is that of its length and "
            "belongs to no motion");
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
    out.states.clear();
    for (const std::string& name : coordinate_names(model)) // as simulate records them
        out.states.push_back("q:" + name);
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
