// Inverse kinematics, one descent: errors, their linearisation, and damped steps within the limits.
#include <algorithm>

#include "sweepdyn/kinematics/inverse_kinematics.hpp"

namespace sweepdyn {

// F at q. A turn is the rotation vector that is still missing; its rate is -w along itself, and -w at no error, so that
// J* W e is the gradient exactly and J the derivative at the solution.
double InverseKinematics::evaluate(Kinematics<double>& kin, std::span<const double> q,
                                   std::vector<Errors>& errors) const
{
    update<double>(kin, q);
    double F = 0.0;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
        const FrameTask& task = tasks_[i];
        const Pose<double> X_WF = kin.body[places_[i].body].X_WI * places_[i].X_IF;
        Errors& e = errors[i];
        e = {};
        e.p = X_WF.p;
        if (task.kind == FrameTask::Kind::pose || task.kind == FrameTask::Kind::orientation)
            e.turn = X_WF.R * log_rotation(transpose(X_WF.R) * task.target.R);
        if (task.kind == FrameTask::Kind::pose || task.kind == FrameTask::Kind::position)
            e.move = task.target.p - X_WF.p;
        if (task.kind == FrameTask::Kind::look_at) { // the shortest turn from the axis u to the line of sight
            const Vec3<double> to = task.target.p - X_WF.p, u = X_WF.R * task.axis;
            e.nearness = 1.0 / std::max(norm(to), 1e-9);
            e.sight = e.nearness * to;
            const Vec3<double> n = cross(u, e.sight);
            const double sine = norm(n), angle = std::atan2(sine, dot(u, e.sight));
            e.turn = sine > 1e-12 ? (angle / sine) * n : angle * frame_with_z(u).x;
        }
        F += 0.5 * (dot(e.turn, e.turn) + per_metre_ * dot(e.move, e.move));
    }
    return F;
}

double InverseKinematics::largest_error(const std::vector<Errors>& errors) const
{
    double largest = 0.0;
    for (const Errors& e : errors)
        largest = std::max({largest, norm(e.turn), norm(e.move)});
    return largest;
}

// W(k) = phi(k,F) W phi*(k,F), and pull = J* W e, at q_.
void InverseKinematics::linearise()
{
    for (Index k : ls_.bodies) {
        weights_.W[k] = {};
        forces_[k] = {};
    }
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
        const Errors& e = errors_[i];
        const FrameTask::Kind kind = tasks_[i].kind;
        const Index k = places_[i].body;
        const Vec3<double> l = e.p - kin_.r(k);
        Force<double> f{e.turn, per_metre_ * e.move};
        if (kind == FrameTask::Kind::look_at) {
            // The frame turns beside its line of sight by N (w + s x v / d), N = 1 - s s': W = [N, s~/d; ., N/d^2]
            const auto& s = e.sight;
            const double d = e.nearness;
            const Sym3<double> N{1 - s.x * s.x, -s.x * s.y, -s.x * s.z,
                                 1 - s.y * s.y, -s.y * s.z, 1 - s.z * s.z};
            weights_.W[k] += shift(ArticulatedInertia<double>{N, d * tilde(s), (d * d) * N}, l);
            f.f = d * cross(e.turn, s);
        } else {
            const double a = kind == FrameTask::Kind::position ? 0.0 : 1.0,
                         b = kind == FrameTask::Kind::orientation ? 0.0 : per_metre_;
            weights_.W[k] += Inertia<double>::about_point(b, l, Sym3<double>::diagonal(a, a, a));
        }
        forces_[k] += Phi<double>{l} * f;
    }
    for (auto at = ls_.bodies.rbegin(); at != ls_.bodies.rend(); ++at) {
        const BodyKinematics<double>& b = kin_.body[*at];
        for (Index j : b.dofs())
            pull_[j] = dot(kin_.H[j], forces_[*at]);
        forces_[b.parent] += b.shifts ? Phi<double>{b.l} * forces_[*at] : forces_[*at];
    }
}

// (J* W J + lambda) delta = pull. Dofs that the pull holds against their limits stay; those that would pass a limit go just
// there and the others step again, knowing it.
void InverseKinematics::step(double lambda, Within within)
{
    for (Index k : ls_.bodies)
        for (Index j : kin_.body[k].dofs()) {
            ls_.damping[j] = lambda;
            ls_.held[j] = locked_[j];
            delta_[j] = 0.0;
        }
    if (within == Within::limits)
        for (const Limit& limit : limits_) {
            const double x = q_[limit.coordinate], pull = pull_[limit.dof];
            const bool held = (x <= limit.lower && pull < 0.0) || (x >= limit.upper && pull > 0.0);
            ls_.held[limit.dof] = limit.alone && held;
        }
    constexpr int rounds = 4;
    for (int round = 0, stopped = 1; round < rounds && stopped > 0; ++round) {
        articulate_frames(kin_, weights_, ls_);
        solve_least_squares<double>(kin_, ls_, pull_, delta_);
        stopped = 0;
        if (within == Within::limits)
            for (const Limit& limit : limits_) {
                const double x = q_[limit.coordinate];
                const double room = std::clamp(x + delta_[limit.dof], limit.lower, limit.upper) - x;
                if (limit.alone && !ls_.held[limit.dof] && std::abs(room) < std::abs(delta_[limit.dof])) {
                    delta_[limit.dof] = room;
                    ls_.held[limit.dof] = 1;
                    ++stopped;
                }
            }
    }
}

// F after the step, if errors were linear: lambda of the solve is the motion of each body.
double InverseKinematics::predicted() const
{
    double F = 0.0;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
        const Errors& e = errors_[i];
        const Index k = places_[i].body;
        Motion<double> V{};
        if (k != ground)
            V = PhiAdjoint<double>{e.p - kin_.r(k)} * ls_.lambda[k];
        switch (tasks_[i].kind) {
        case FrameTask::Kind::pose: break;
        case FrameTask::Kind::position: V.w = {}; break;
        case FrameTask::Kind::orientation: V.v = {}; break;
        case FrameTask::Kind::look_at:
            V.w = V.w + e.nearness * cross(e.sight, V.v);
            V = {V.w - dot(V.w, e.sight) * e.sight, {}};
        }
        const Vec3<double> turn = e.turn - V.w, move = e.move - V.v;
        F += 0.5 * (dot(turn, turn) + per_metre_ * dot(move, move));
    }
    return F;
}

// From q_, downhill until the tasks are met, which is told, or there is little to gain. Keeps the best that is within limits.
bool InverseKinematics::descend(Within within, double shrinking)
{
    constexpr double least_damping = 1e-12; // beside squares of rad per rad: redundant hinges have no other
    constexpr int patience = 8; // steps in which F must shrink
    if (within == Within::limits)
        clamp(q_);
    double F = evaluate(kin_, q_, errors_), F_then = F, mu = 1.0, nu = 2.0;
    bool met = largest_error(errors_) <= options_.tolerance, moved = true;
    for (int i = 1; i <= options_.iterations && !met; ++i) {
        ++result_.iterations;
        if (moved)
            linearise();
        step(mu * F + least_damping, within);
        integrate<double>(model(), q_, delta_, trial_);
        if (within == Within::limits)
            clamp(trial_);
        const double F_trial = evaluate(trial_kin_, trial_, trial_errors_);
        moved = F_trial < F;
        if (moved) { // mu by the gain: a third where the prediction held, up to twice where hardly anything came of it
            const double x = 2 * (F - F_trial) / (F - predicted()) - 1;
            mu *= std::max(1.0 / 3, 1 - x * x * x);
            nu = 2.0;
            std::swap(q_, trial_);
            std::swap(kin_, trial_kin_);
            std::swap(errors_, trial_errors_);
            F = F_trial;
            met = largest_error(errors_) <= options_.tolerance;
        } else {
            mu *= nu;
            nu *= 2.0;
        }
        if (i % patience == 0) {
            if (F > shrinking * F_then)
                break;
            F_then = F;
        }
    }
    if ((within == Within::limits || limits_.empty()) && (met || F < best_F_)) {
        best_F_ = F;
        std::copy(q_.begin(), q_.end(), best_.begin());
        std::copy(errors_.begin(), errors_.end(), best_errors_.begin());
    }
    return met;
}

} // namespace sweepdyn
