#include "quantities.hpp"

#include <fmt/format.h>

namespace sweepdyn::app {
namespace {

using Of = Quantity::Of;

std::vector<double> list(const Vec3<double>& a) { return {a.x, a.y, a.z}; }
std::vector<double> list(const Vec3<double>& a, const Vec3<double>& b)
{
    return {a.x, a.y, a.z, b.x, b.y, b.z};
}
std::vector<double> list(const Motion<double>& V) { return list(V.w, V.v); }
std::vector<double> list(const Force<double>& F) { return list(F.n, F.f); }

ResultValue mass_matrix_rows(Evaluation& e, const Target&)
{
    const int n = e.model.num_dofs();
    return ResultMatrix{n, n, e.mass_matrix()};
}

// What the kernels give column by column, as rows.
ResultMatrix rows_of(int rows, int columns, const std::vector<double>& by_columns)
{
    ResultMatrix out{rows, columns, std::vector<double>(by_columns.size())};
    const auto m = static_cast<std::size_t>(rows), n = static_cast<std::size_t>(columns);
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j)
            out.entries[i * n + j] = by_columns[m * j + i];
    return out;
}

ResultValue jacobian_rows(Evaluation& e, const Target& frame)
{
    const int n = e.model.num_dofs();
    std::vector<double> columns(6 * static_cast<std::size_t>(n));
    frame_jacobian<double>(e.kin, FrameId{frame}, columns);
    return rows_of(6, n, columns);
}

ResultValue regressor_rows(Evaluation& e, const Target&)
{
    const auto dofs = e.model.dof_names();
    std::vector<std::string> parameters = inertial_parameter_names(e.model);
    ResultMatrix rows = rows_of(e.model.num_dofs(), static_cast<int>(parameters.size()), e.regressor());
    return LabelledMatrix{{dofs.begin(), dofs.end()}, std::move(parameters), std::move(rows)};
}

ResultValue mass_matrix_inverse_rows(Evaluation& e, const Target&)
{
    const int n = e.model.num_dofs();
    return ResultMatrix{n, n, e.mass_matrix_inverse()};
}

std::vector<FrameId> frames_of(const Target& target)
{
    std::vector<FrameId> out;
    for (int index : target.indices)
        out.push_back(FrameId{index});
    return out;
}
ResultValue omega_rows(Evaluation& e, const Target& frames)
{
    const int n = 6 * static_cast<int>(frames.indices.size());
    return ResultMatrix{n, n, e.operational_compliance(frames_of(frames))};
}
ResultValue lambda_rows(Evaluation& e, const Target& frames)
{
    const int n = 6 * static_cast<int>(frames.indices.size());
    return ResultMatrix{n, n, e.operational_inertia(frames_of(frames))};
}

ResultMatrix rows_of(const Matrix& m, double sign = 1.0)
{
    ResultMatrix out{m.rows(), m.columns(), {}};
    for (int i = 0; i < m.rows(); ++i)
        for (int j = 0; j < m.columns(); ++j)
            out.entries.push_back(sign * m(i, j));
    return out;
}

// What is of trees alone would be wrong on a mechanism with loops, and says what is right there.
Evaluation& tree(Evaluation& e, std::string_view instead)
{
    if (e.closed())
        throw RefusedError(fmt::format("is of trees, and model '{}' has {}; {}, or look at the tree that is "
                                       "left when the loops are cut with --loops cut",
                                       e.model.name(), e.model.loops().size() == 1 ? "a loop" : "loops",
                                       instead));
    return e;
}
constexpr const char *get_qdd = "--get qdd is enough", *get_linear = "--get dqdd_dq_ind,dqdd_dv_ind",
                     *get_mass = "--get M_ind";

template <int which> ResultValue by_name(Evaluation& e, const Target&)
{
    return tree(e, get_qdd).forward_dynamics(which);
}

// Rows, columns or both of the independent dofs, in the order that was asked for.
ResultMatrix in_order(Evaluation& e, const ResultMatrix& m, bool rows, bool columns)
{
    if (!e.closed())
        return m;
    const std::vector<int> place = e.closed()->places();
    ResultMatrix out = m;
    for (int i = 0; i < m.rows; ++i)
        for (int j = 0; j < m.columns; ++j) {
            const int from_row = rows ? place[static_cast<std::size_t>(i)] : i,
                      from_column = columns ? place[static_cast<std::size_t>(j)] : j;
            out.entries[static_cast<std::size_t>(i * m.columns + j)] =
                m.entries[static_cast<std::size_t>(from_row * m.columns + from_column)];
        }
    return out;
}

std::vector<std::string> independent_names(Evaluation& e)
{
    std::vector<std::string> names;
    for (int j : e.independent())
        names.push_back(e.model.dof_names()[static_cast<std::size_t>(j)]);
    return names;
}
ResultValue independent_mass_rows(Evaluation& e, const Target& none)
{
    const auto m = static_cast<int>(e.independent().size());
    return e.closed() ? in_order(e, {m, m, e.closed()->mechanism().mass_matrix()}, true, true)
                      : mass_matrix_rows(e, none);
}
ResultValue independent_jacobian_rows(Evaluation& e, const Target& frame)
{
    if (!e.closed())
        return jacobian_rows(e, frame);
    ClosedMechanism& mechanism = e.closed()->mechanism();
    std::vector<double> J(6 * static_cast<std::size_t>(mechanism.mobility()));
    mechanism.frame_jacobian(FrameId{frame}, J);
    return in_order(e, rows_of(6, mechanism.mobility(), J), false, true);
}
ResultValue floating_jacobian_rows(Evaluation& e, const Target& frame)
{
    for (const Loop& loop : e.model.loops())
        if (loop.kind != LoopKind::coupling && (loop.body_a.empty() || loop.body_b.empty()))
            tree(e, fmt::format("loop '{}' holds it to the ground, so that no momentum is kept: --get J",
                                loop.name));
    return rows_of(6, e.model.num_dofs(), e.generalized_jacobian(FrameId{frame}));
}

const Quantity table[] = {
    {"T", Of::system, "inverse dynamics: hinge forces at q, v, a",
     [](Evaluation& e, const Target&) -> ResultValue { return e.hinge_forces(); }},
    {"bias", Of::system, "T at a = 0",
     [](Evaluation& e, const Target&) -> ResultValue {
         return e.inverse_dynamics(std::vector<double>(e.state().v.size(), 0.0));
     }},
    {"gravity", Of::system, "T at v = a = 0, without external wrenches",
     [](Evaluation& e, const Target&) -> ResultValue { return e.gravity_forces(); }},
    {"qdd", Of::system, "forward dynamics: accelerations at q, v, T",
     [](Evaluation& e, const Target&) -> ResultValue { return e.forward_dynamics(); }},
    {"qdd:fd1", Of::system, "the same by FD1; so are fd2, fd3, fd4", by_name<1>},
    {"qdd:fd2", Of::system, "", by_name<2>},
    {"qdd:fd3", Of::system, "", by_name<3>},
    {"qdd:fd4", Of::system, "", by_name<4>},
    {"M", Of::system, "mass matrix, as rows", mass_matrix_rows},
    {"mass_matrix", Of::system, "the same", mass_matrix_rows},
    {"M_inv", Of::system, "its inverse, as rows", mass_matrix_inverse_rows},
    {"mass_matrix_inverse", Of::system, "the same", mass_matrix_inverse_rows},
    {"log_det_M", Of::system, "logarithm of its determinant",
     [](Evaluation& e, const Target&) -> ResultValue { return tree(e, get_mass).log_det_mass_matrix(); }},
    {"Omega", Of::frames, "J M^-1 J*, 6 x 6 per pair of frames", omega_rows},
    {"Lambda", Of::frames, "its inverse", lambda_rows},
    {"M_dot", Of::system, "rate of the mass matrix at q, v, as rows",
     [](Evaluation& e, const Target&) -> ResultValue {
         return ResultMatrix{e.model.num_dofs(), e.model.num_dofs(), e.mass_matrix_rate()};
     }},
    {"coriolis", Of::system, "C of T = M a + C v + gravity, M_dot = C + C', as rows",
     [](Evaluation& e, const Target&) -> ResultValue {
         return rows_of(e.model.num_dofs(), e.model.num_dofs(), e.coriolis_matrix());
     }},
    {"dT_dq", Of::system, "dT/dq at fixed v, a, as rows; q displaced along its dofs",
     [](Evaluation& e, const Target&) -> ResultValue {
         return rows_of(tree(e, get_linear).inverse_linearization().inverse_matrices().B_D);
     }},
    {"dT_dv", Of::system, "dT/dv at fixed q, a",
     [](Evaluation& e, const Target&) -> ResultValue {
         return rows_of(tree(e, get_linear).inverse_linearization().inverse_matrices().A_D);
     }},
    {"dqdd_dq", Of::system, "dqdd/dq at fixed v, T",
     [](Evaluation& e, const Target&) -> ResultValue {
         return rows_of(tree(e, get_linear).forward_linearization().matrices().B_C, -1.0);
     }},
    {"dqdd_dv", Of::system, "dqdd/dv at fixed q, T",
     [](Evaluation& e, const Target&) -> ResultValue {
         return rows_of(tree(e, get_linear).forward_linearization().matrices().A_C, -1.0);
     }},
    {"regressor", Of::system, "{\"rows\", \"cols\", \"matrix\"}: Y of T = Y pi at a, see below",
     regressor_rows},
    {"mass", Of::system, "of all that can move",
     [](Evaluation& e, const Target&) -> ResultValue { return e.model.total_mass(); }},
    {"com", Of::system, "centre of mass, in the world",
     [](Evaluation& e, const Target&) -> ResultValue { return list(center_of_mass(e.kin)); }},
    {"kinetic_energy", Of::system, "armature included",
     [](Evaluation& e, const Target&) -> ResultValue { return kinetic_energy(e.kin); }},
    {"potential_energy", Of::system, "-sum m g.p, zero at the world origin",
     [](Evaluation& e, const Target&) -> ResultValue { return potential_energy(e.kin); }},
    {"momentum", Of::system, "[angular; linear] about the world origin",
     [](Evaluation& e, const Target&) -> ResultValue { return list(momentum(e.kin)); }},
    {"momentum_com", Of::system, "the same about the centre of mass",
     [](Evaluation& e, const Target&) -> ResultValue { return list(momentum_about_com(e.kin)); }},
    {"cmm", Of::system, "centroidal momentum matrix: momentum_com = cmm v",
     [](Evaluation& e, const Target&) -> ResultValue {
         return rows_of(6, e.model.num_dofs(), e.centroidal_momentum_matrix());
     }},
    {"cmm_bias", Of::system, "rate of momentum_com at a = 0, without gravity",
     [](Evaluation& e, const Target&) -> ResultValue { return list(e.centroidal_bias()); }},
    {"nu", Of::system, "diagonal velocities: nu'nu/2 is the kinetic energy",
     [](Evaluation& e, const Target&) -> ResultValue { return tree(e, get_mass).nu(); }},
    {"eps", Of::system, "diagonal forces at T: d nu/dt + C_nu = eps",
     [](Evaluation& e, const Target&) -> ResultValue { return tree(e, get_qdd).eps(); }},
    {"C_nu", Of::system, "diagonal Coriolis, gravity and external forces",
     [](Evaluation& e, const Target&) -> ResultValue { return tree(e, get_qdd).C_nu(); }},
    {"pose", Of::frame, "{\"R\": rows, \"p\"} of a link or frame in the world",
     [](Evaluation& e, const Target& frame) -> ResultValue { return frame_pose(e.kin, FrameId{frame}); }},
    {"J", Of::frame, "Jacobian, 6 x dofs; it and the next four: world axes", jacobian_rows},
    {"J_floating", Of::frame, "the same while a floating base gives way, no momentum",
     floating_jacobian_rows},
    {"velocity", Of::frame, "[angular; linear] about the frame's origin",
     [](Evaluation& e, const Target& frame) -> ResultValue {
         return list(frame_velocity(e.kin, FrameId{frame}));
     }},
    {"acceleration", Of::frame, "true, classical at the point; at a, see below",
     [](Evaluation& e, const Target& frame) -> ResultValue {
         return list(frame_acceleration<double>(e.kin, FrameId{frame}, e.accelerations()));
     }},
    {"Jdot_v", Of::frame, "acceleration at a = 0",
     [](Evaluation& e, const Target& frame) -> ResultValue {
         return list(frame_acceleration<double>(e.kin, FrameId{frame}, {}));
     }},
    {"reaction", Of::hinge, "[moment; force] on the child, about the hinge, child axes",
     [](Evaluation& e, const Target& k) -> ResultValue { return list(e.reaction(k)); }},
    {"loop_wrench", Of::system, "{\"loops\"}: what each carries at q, v, T; see below",
     [](Evaluation& e, const Target&) -> ResultValue {
         return e.closed() ? e.closed()->loop_forces() : std::vector<LoopForce>{};
     }},
    {"T_null", Of::system, "forces of the actuated dofs that do nothing, a row each",
     [](Evaluation& e, const Target&) -> ResultValue {
         const Actuation out = e.closed() ? e.closed()->actuation() : Actuation{};
         return ResultMatrix{out.null_columns, e.model.num_dofs(), out.null_space};
     }},
    {"independent", Of::system, "names of the independent dofs",
     [](Evaluation& e, const Target&) -> ResultValue { return independent_names(e); }},
    {"mobility", Of::system, "how many they are",
     [](Evaluation& e, const Target&) -> ResultValue { return static_cast<double>(e.independent().size()); }},
    {"M_ind", Of::system, "mass matrix of the independent dofs", independent_mass_rows},
    {"J_ind", Of::frame, "J per independent dof, the loops closed", independent_jacobian_rows},
    {"dqdd_dq_ind", Of::system, "dqdd/dq of the independent dofs at fixed v, T",
     [](Evaluation& e, const Target&) -> ResultValue {
         if (e.closed()) {
             ResultMatrix m = rows_of(e.closed()->linearization().w_dot_u);
             return in_order(e, m, true,
                             m.rows == m.columns); // with rows of velocities only q has columns of its own
         }
         return rows_of(e.forward_linearization().matrices().B_C, -1.0);
     }},
    {"dqdd_dv_ind", Of::system, "dqdd/dv of the independent dofs at fixed q, T",
     [](Evaluation& e, const Target&) -> ResultValue {
         return e.closed() ? in_order(e, rows_of(e.closed()->linearization().w_dot_w), true, true)
                           : rows_of(e.forward_linearization().matrices().A_C, -1.0);
     }},
    {"dqdd_dT_ind", Of::system, "dqdd/dT: a row per independent dof, all columns",
     [](Evaluation& e, const Target& none) -> ResultValue {
         if (!e.closed())
             return mass_matrix_inverse_rows(e, none);
         const Matrix unit = Matrix::identity(e.model.num_dofs());
         return in_order(e, rows_of(e.closed()->linearization().by_forces(unit)), true, false);
     }},
    {"passive", Of::system, "damping v + friction tanh(v / v_s)",
     [](Evaluation& e, const Target&) -> ResultValue { return e.passive_forces(); }},
};

} // namespace

std::span<const Quantity> quantities() { return table; }

} // namespace sweepdyn::app
