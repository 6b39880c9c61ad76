#include "sweepdyn/linear/linearization.hpp"

#include <algorithm>

#include "sweepdyn/dynamics/passive_forces.hpp"
#include "sweepdyn/dynamics/regressor.hpp"
#include "sweepdyn/dynamics/solve_mass_matrix.hpp"

namespace sweepdyn {

Linearization::Linearization(const Model& model, const PassiveForces& passive, Reference reference)
    : kin_(model, reference),
      passive_(passive),
      art_(model),
      composite_(model),
      d_(model),
      y_(model),
      direct_(model),
      by_mass_(model),
      scratch_(model),
      forces_(model),
      external_(static_cast<std::size_t>(model.num_bodies()))
{
    const int n = model.num_dofs();
    for (auto* numbers : {&v_dot_, &T_, &passive_T_, &passive_rate_, &work_})
        numbers->resize(static_cast<std::size_t>(n));
    for (Matrix* m :
         {&forward_.M_inverse, &forward_.A_C, &forward_.B_C, &inverse_.M, &inverse_.A_D, &inverse_.B_D})
        *m = Matrix(n, n);
    d_.We.reserve(external_.size());
    const auto any = [](const std::vector<double>& numbers) {
        return std::any_of(numbers.begin(), numbers.end(), [](double x) { return x != 0.0; });
    };
    passive_.damping =
        passive.damping && std::any_of(model.hinges().begin(), model.hinges().end(), [&](const Hinge& hinge) {
            return any(hinge.damping) || (passive.friction_speed > 0.0 && any(hinge.friction));
        });
}

// Kinematics, loads, articulation; what passive forces take, and how that changes with v.
void Linearization::start(std::span<const double> q, std::span<const double> v,
                          std::span<const ExternalWrench> loads)
{
    const Model& model = kin_.model;
    forward_fresh_.reset();
    inverse_fresh_ = composite_fresh_ = false;
    update<double>(kin_, q, v);
    update_inertias(kin_);

    loaded_ = !loads.empty();
    d_.We.clear();
    if (loaded_)
        std::fill(external_.begin(), external_.end(), Force<double>{});
    for (const ExternalWrench& load : loads) {
        add_external_wrench<double>(kin_, load.frame, load.wrench, load.axes, external_);
        const Index k = model.frame_body(load.frame);
        if (load.axes == WrenchAxes::world && k != ground) { // We dX = [n x d + c x (F x d); F x d], d = dX.w
            d_.We.resize(external_.size());
            const Vec3<double> c = frame_pose(kin_, load.frame).p - kin_.r(k);
            d_.We[static_cast<std::size_t>(k)] +=
                BiasInertia<double>{tilde(load.wrench.n) + tilde(c) * tilde(load.wrench.f), -load.wrench.f};
        }
    }
    if (passive_.damping) {
        passive_forces<double>(model, kin_.v, passive_.friction_speed, passive_T_);
        std::size_t j = 0;
        for (const Hinge& hinge : model.hinges())
            for (std::size_t i = 0; i < hinge.damping.size(); ++i, ++j) {
                passive_rate_[j] = hinge.damping[i];
                if (passive_.friction_speed > 0.0) {
                    const double t = tanh(kin_.v[j] / passive_.friction_speed);
                    passive_rate_[j] += hinge.friction[i] * (1.0 - t * t) / passive_.friction_speed;
                }
            }
    }
}

// Inverse dynamics needs none.
const Articulation<double>& Linearization::articulation()
{
    if (art_.position_version != kin_.position_version)
        articulate(kin_, art_);
    if (!art_.singular.empty())
        detail::throw_singular(kin_.model, art_.singular, "Linearization");
    return art_;
}

void Linearization::set(std::span<const double> q, std::span<const double> v, std::span<const double> T,
                        std::span<const ExternalWrench> loads)
{
    require_size("Linearization::set", "T", T.size(), T_.size());
    start(q, v, loads);
    std::copy(T.begin(), T.end(), T_.begin());
    for (std::size_t j = 0; j < work_.size(); ++j)
        work_[j] = T[j] - passive_T_[j];
    forward_dynamics<double>(kin_, articulation(), work_, v_dot_, forces_, external());
    column_derivatives<double>(kin_, v_dot_, d_, external());
}

void Linearization::set_at(std::span<const double> q, std::span<const double> v,
                           std::span<const double> v_dot, std::span<const ExternalWrench> loads)
{
    require_size("Linearization::set_at", "v_dot", v_dot.size(), v_dot_.size());
    start(q, v, loads);
    std::copy(v_dot.begin(), v_dot.end(), v_dot_.begin());
    column_derivatives<double>(kin_, v_dot_, d_, external());
    for (Index j = 0; j < static_cast<Index>(T_.size()); ++j) // T = H f + Ja v_dot
        T_[j] = dot(kin_.H[j], d_.motion[kin_.tree().body_of_dof[j]].f) + kin_.armature[j] * v_dot_[j] +
                passive_T_[j];
}

void Linearization::apply(std::span<const double> dq, std::span<const double> dv, std::span<const double> dT,
                          std::span<double> dv_dot)
{
    require_size("Linearization::apply", "dT", dT.size(), work_.size());
    require_size("Linearization::apply", "dv", dv.size(), work_.size());
    for (std::size_t j = 0; j < work_.size(); ++j)
        work_[j] = dT[j] - passive_rate_[j] * dv[j];
    perturb_forward_dynamics_by_articulation<double>(kin_, articulation(), d_, dq, dv, work_, dv_dot,
                                                     scratch_);
}

// dv_dot = M^-1 (dT - A_D dv - B_D dq), so with mu = M^-1 weights: mu, -A_D* mu, -B_D* mu.
void Linearization::apply_adjoint(std::span<const double> weights, std::span<double> on_dq,
                                  std::span<double> on_dv, std::span<double> on_dT)
{
    require_size("Linearization::apply_adjoint", "weights", weights.size(), work_.size());
    require_size("Linearization::apply_adjoint", "on_dT", on_dT.size(), work_.size());
    solve_mass_matrix<double>(kin_, articulation(), weights, on_dT, forces_);
    perturb_inverse_dynamics_adjoint<double>(kin_, d_, on_dT, on_dq, on_dv, work_, scratch_);
    for (std::size_t j = 0; j < work_.size(); ++j) {
        on_dq[j] = -on_dq[j];
        on_dv[j] = -on_dv[j] - passive_rate_[j] * on_dT[j];
    }
}

const CompositeInertias<double>& Linearization::composite()
{
    if (!composite_fresh_)
        composite_inertias(kin_, composite_);
    composite_fresh_ = true;
    return composite_;
}

const CompositeLoads<double>& Linearization::composite_loads()
{
    inverse_matrices();
    return by_mass_.loads;
}

const Linearization::Forward& Linearization::matrices(LinearRoute route)
{
    const int n = kin_.model.num_dofs();
    if (route == LinearRoute::automatic)
        route = n < direct_from_dofs ? LinearRoute::by_mass_matrix : LinearRoute::direct;
    if (forward_fresh_ == route)
        return forward_;
    auto& [M_inverse, A_C, B_C] = forward_;
    const Articulation<double>& art = articulation();
    if (route == LinearRoute::direct) {
        articulated_derivatives(kin_, art, d_, y_);
        differentiate_forward_dynamics<double>(kin_, art, d_, y_, M_inverse.values(), A_C.values(),
                                               B_C.values(), direct_);
    } else
        differentiate_forward_dynamics_by_mass_matrix<double>(kin_, composite(), d_, M_inverse.values(),
                                                              A_C.values(), B_C.values(), by_mass_);
    if (passive_.damping)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i)
                A_C(i, j) += passive_rate_[static_cast<std::size_t>(j)] * M_inverse(i, j);
    forward_fresh_ = route;
    return forward_;
}

const Linearization::Inverse& Linearization::inverse_matrices()
{
    if (!inverse_fresh_) {
        differentiate_inverse_dynamics<double>(kin_, composite(), d_, inverse_.M.values(),
                                               inverse_.A_D.values(), inverse_.B_D.values(), by_mass_.loads);
        for (int j = 0; j < kin_.model.num_dofs(); ++j)
            inverse_.A_D(j, j) += passive_rate_[static_cast<std::size_t>(j)];
        inverse_fresh_ = true;
    }
    return inverse_;
}

void Linearization::solve(std::span<double> column)
{
    std::copy(column.begin(), column.end(), work_.begin());
    solve_mass_matrix<double>(kin_, articulation(), work_, column, forces_);
}

// The ground accelerates with minus gravity, all that it carries with it: dT = H phi M [0; -dg].
Matrix Linearization::forces_of_gravity()
{
    Matrix out(kin_.model.num_dofs(), 3);
    for (int i = 0; i < 3; ++i) {
        Motion<double> up{};
        up.v[i] = 1.0;
        for (Index j = 0; j < out.rows(); ++j)
            out(static_cast<int>(j), i) = dot(kin_.H[j], composite().R[kin_.tree().body_of_dof[j]] * up);
    }
    return out;
}

Matrix Linearization::forces_of_wrench(FrameId frame, WrenchAxes axes)
{
    const int n = kin_.model.num_dofs();
    std::vector<double> J(6 * static_cast<std::size_t>(n));
    frame_jacobian<double>(kin_, frame, J,
                           axes == WrenchAxes::world ? FrameAxes::world_aligned : FrameAxes::body);
    Matrix out(n, 6);
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < n; ++j)
            out(j, i) = J[static_cast<std::size_t>(6 * j + i)];
    return out;
}

Matrix Linearization::by_gravity()
{
    Matrix out = forces_of_gravity();
    for (int i = 0; i < out.columns(); ++i)
        solve(out.column(i));
    return out;
}

Matrix Linearization::by_wrench(FrameId frame, WrenchAxes axes)
{
    Matrix out = forces_of_wrench(frame, axes);
    for (int i = 0; i < out.columns(); ++i)
        solve(out.column(i));
    return out;
}

// T = Y pi at fixed v_dot, so dv_dot = -M^-1 Y.
Matrix Linearization::by_inertial_parameters()
{
    Matrix out(kin_.model.num_dofs(), parameters_per_body * kin_.model.num_bodies());
    regressor<double>(kin_, v_dot_, out.values(), forces_);
    for (int j = 0; j < out.columns(); ++j) {
        for (double& entry : out.column(j))
            entry = -entry;
        solve(out.column(j));
    }
    return out;
}

// Six more dofs at rest before the hinge, H* = the frame's twists: a column of B_D each.
Matrix Linearization::forces_by_hinge_placement(int hinge)
{
    const Model& model = kin_.model;
    if (hinge < 0 || hinge >= model.num_bodies())
        throw UsageError("by_hinge_placement: there is no hinge " + std::to_string(hinge) + "; there are " +
                         std::to_string(model.num_bodies()));
    inverse_matrices();
    const Index k = hinge;
    const BodyKinematics<double>& b = kin_.body[k];
    const Pose<double> X_WF =
        (b.parent == ground ? Pose<double>{} : kin_.X_WB(b.parent)) * model.hinges()[k].X_PF;
    Motion<double> V = kin_.body[b.parent].V, A = d_.motion[b.parent].A;
    if (b.shifts)
        V = PhiAdjoint<double>{b.l} * V, A = PhiAdjoint<double>{b.l} * A;
    const bool loads = !d_.We.empty();
    const auto eta = [&](Index body, const Motion<double>& Hdd, const Motion<double>& Hd,
                         const Motion<double>& H) {
        const Force<double> half = by_mass_.loads.bias.Rbar[static_cast<std::size_t>(body)] * Hd;
        Force<double> sum = composite_.R[static_cast<std::size_t>(body)] * Hdd + half + half;
        return loads ? sum - by_mass_.loads.Rw[static_cast<std::size_t>(body)] * H : sum;
    };
    Matrix out(model.num_dofs(), 6);
    for (int i = 0; i < 6; ++i) {
        Motion<double> twist{};
        (i < 3 ? twist.w : twist.v)[i % 3] = 1.0;
        const Motion<double> H = PhiAdjoint<double>{kin_.r(k) - X_WF.p} * rotate(X_WF.R, twist);
        const Motion<double> Hd = crm(V) * H, Hdd = crm(A) * H + crm(V) * Hd;
        // Outboard, the hinge itself among them: the composite bodies move along.
        for (Index body : kin_.tree().base_to_tip()) {
            Index up = body;
            while (up != ground && up != k)
                up = kin_.body[up].parent;
            if (up != k)
                continue;
            const PhiAdjoint<double> phi{kin_.r(body) - kin_.r(k)};
            const Force<double> f = eta(body, phi * Hdd, phi * Hd, phi * H);
            for (Index j : kin_.body[body].dofs())
                out(static_cast<int>(j), i) = dot(kin_.H[j], f);
        }
        // Inboard: their force, and the force through the hinge turned.
        const Force<double> f = eta(k, Hdd, Hd, H) + crf(H) * d_.motion[k].f;
        for (Index body = b.parent; body != ground; body = kin_.body[body].parent)
            for (Index j : kin_.body[body].dofs())
                out(static_cast<int>(j), i) = dot(kin_.H[j], Phi<double>{kin_.r(k) - kin_.r(body)} * f);
    }
    return out;
}

Matrix Linearization::by_hinge_placement(int hinge)
{
    Matrix out = forces_by_hinge_placement(hinge);
    for (int i = 0; i < 6; ++i) {
        for (double& entry : out.column(i))
            entry = -entry;
        solve(out.column(i));
    }
    return out;
}

} // namespace sweepdyn
