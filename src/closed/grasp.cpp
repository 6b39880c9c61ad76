#include "sweepdyn/closed/grasp.hpp"

#include <array>
#include <cmath>

#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn {

namespace {

// From the loop's axes to the contact's.
Force<double> in_contact_axes(ContactKind kind, const Force<double>& w)
{
    if (kind != ContactKind::line)
        return w;
    const auto turn = [](const Vec3<double>& a) { return Vec3<double>{a.z, a.x, a.y}; };
    return {turn(w.n), turn(w.f)};
}

} // namespace

Grasp::Grasp(const Model& model, std::vector<Contact> contacts)
    : on_(model, std::move(contacts)),
      before_impact_(on_),
      parting_(on_.contacts().size(), 0.0),
      kin_(model),
      art_(model),
      factor_(on_.loops().num_rows),
      idle_(on_.loops().num_rows),
      zeros_(static_cast<std::size_t>(model.num_dofs()), 0.0),
      step_(static_cast<std::size_t>(model.num_dofs())),
      external_(static_cast<std::size_t>(model.num_bodies())),
      scratch_(model)
{
    const auto r = static_cast<std::size_t>(loops().num_rows), n = zeros_.size();
    J_.assign(r * n, 0.0);
    X_.assign(r * n, 0.0);
    Omega_.assign(r * r, 0.0);
    b_.assign(n, 0.0);
    before_.assign(n, 0.0);
    apart_.assign(n, 0.0);
    for (auto* room : {&lambda_, &rhs_, &z_, &c_, &tried_, &best_})
        room->assign(r, 0.0);
    W_.assign(r * r, 0.0);
    unique_.assign(r, 1);
    if (!model.loops().empty())
        closed_.emplace(model);
}

int Grasp::contact(std::string_view wanted) const
{
    std::vector<std::string> known;
    for (const Contact& one : contacts()) {
        if (one.name == wanted)
            return static_cast<int>(known.size());
        known.push_back(one.name);
    }
    throw UsageError(unknown_name("contact", wanted, known));
}

void Grasp::attach(int i)
{
    on_.attach(i);
    changed();
}
void Grasp::detach(int i)
{
    on_.detach(i);
    parting_[i] = 0.0;
    if (placed_)
        on_.update(kin_);
    changed();
}
void Grasp::attach_here(int i)
{
    require_state("attach_here");
    detach(i);
    on_.attach_here(kin_, i);
    changed();
}
void Grasp::stick(int i)
{
    require_state("stick");
    on_.stick(kin_, i);
    parting_[i] = 0.0;
    changed();
}
void Grasp::slide(int i, const Vec3<double>& way)
{
    require_state("slide");
    require_finite("Grasp::slide", "way", std::array{way.x, way.y, way.z});
    on_.slide(i, way);
    on_.update(kin_);
    changed();
}
void Grasp::follow(std::span<const double> q, std::span<const double> v, VelocityError error)
{
    set_state(q, v);
    on_.follow(error);
}

void Grasp::require_state(const char* function) const
{
    detail::require_fresh(placed_, function, "Grasp::set_state");
}
void Grasp::require_forces(const char* function) const
{
    detail::require_fresh(solved_, function, "Grasp::forward_dynamics or Grasp::impulse");
}
void Grasp::require_finite(const char* function, const char* argument, std::span<const double> x)
{
    for (std::size_t j = 0; j < x.size(); ++j)
        if (!std::isfinite(x[j])) [[unlikely]]
            throw UsageError(std::string(function) + ": " + argument + "[" + std::to_string(j) + "] is " +
                             number_text(x[j]) + ", expected finite numbers");
}

void Grasp::set_state(std::span<const double> q, std::span<const double> v)
{
    require_finite("Grasp::set_state", "q", q);
    require_finite("Grasp::set_state", "v", v);
    place(q, v);
}

void Grasp::place(std::span<const double> q, std::span<const double> v)
{
    update<double>(kin_, q, v);
    update_inertias(kin_);
    if (closed_)
        closed_->update(kin_);
    else
        articulate(kin_, art_);
    on_.update(kin_);
    placed_ = true;
    changed();
}

// v_dot = M^-1 of the force F on body a and -F on body b, about o.
void Grasp::respond_to(const Force<double>& F, const LoopOnTree<double>& on, std::span<double> v_dot)
{
    std::fill(external_.begin(), external_.end(), Force<double>{});
    if (on.a != ground)
        external_[on.a] += Phi<double>{on.o - kin_.r(on.a)} * F;
    if (on.b != ground)
        external_[on.b] -= Phi<double>{on.o - kin_.r(on.b)} * F;
    if (closed_)
        closed_->respond(kin_, zeros_, v_dot, external_);
    else
        tip_force_correction<double>(kin_, art_, external_, v_dot, scratch_);
}

void Grasp::prepare(bool friction)
{
    require_state("Grasp");
    if (prepared_)
        return;
    if (const std::span<const int> singular = closed_ ? closed_->singular() : art_.singular;
        !singular.empty())
        detail::throw_singular(kin_.model, singular, "Grasp");
    on_.collect(friction);
    const int r = static_cast<int>(rows().size());
    const std::size_t n = zeros_.size();
    on_.jacobian(kin_, J_);
    for (int i = 0; i < r; ++i)
        respond_to(on_.applied(rows()[i]), loops().loops[rows()[i].contact],
                   {X_.data() + static_cast<std::size_t>(i) * n, n});
    for (int i = 0; i < r; ++i)
        for (int k = 0; k < r; ++k) {
            double sum = 0.0;
            for (std::size_t j = 0; j < n; ++j)
                sum += J_[static_cast<std::size_t>(i) * n + j] * X_[static_cast<std::size_t>(k) * n + j];
            Omega_[static_cast<std::size_t>(i * r + k)] = sum;
        }
    factor_.factor(Omega_.data(), on_.num_held(), r);
    std::fill(unique_.begin(), unique_.end(), char(1));
    if (on_.num_held() < r)
        find_idle_forces();
    else
        factor_.unique(unique_, z_);
    prepared_ = true;
}

Existence Grasp::meet(std::span<double> x)
{
    const int r = static_cast<int>(rows().size()), held = on_.num_held();
    const std::size_t n = zeros_.size();
    std::fill(parting_.begin(), parting_.end(), 0.0);
    const Existence existence = held < r ? solve_sliding() : Existence::unique;
    // Omega lambda = -rhs, of the rows that do not slide
    for (int i = 0; i < held; ++i) {
        z_[i] = -rhs_[i];
        for (int k = held; k < r; ++k)
            z_[i] -= Omega_[static_cast<std::size_t>(i * r + k)] * lambda_[k];
    }
    factor_.solve(z_);
    std::copy(z_.begin(), z_.begin() + held, lambda_.begin());
    for (int i = 0; i < r; ++i)
        for (std::size_t j = 0; j < n; ++j)
            x[j] += lambda_[i] * X_[static_cast<std::size_t>(i) * n + j];
    solved_ = true;
    return existence;
}

Existence Grasp::forward_dynamics(std::span<const double> T, std::span<double> v_dot,
                                  std::span<const Force<double>> external)
{
    require_finite("Grasp::forward_dynamics", "T", T);
    for (const auto& [n, f] : external)
        require_finite("Grasp::forward_dynamics", "external force", std::array{n.x, n.y, n.z, f.x, f.y, f.z});
    prepare();
    if (closed_)
        closed_->forward_dynamics(kin_, T, v_dot, external);
    else
        sweepdyn::forward_dynamics<double>(kin_, art_, T, v_dot, scratch_, external);
    const std::size_t n = zeros_.size();
    for (std::size_t i = 0; i < rows().size(); ++i) { // J v_dot_f + gamma
        rhs_[i] = loops().gamma[rows()[i].loop_row];
        for (std::size_t j = 0; j < n; ++j)
            rhs_[i] += J_[i * n + j] * v_dot[j];
    }
    return meet(v_dot);
}

Existence Grasp::impulse(std::span<double> v, double restitution)
{
    require_size("Grasp::impulse", "v", v.size(), zeros_.size());
    require_finite("Grasp::impulse", "v", v);
    if (!(restitution >= 0.0 && restitution <= 1.0))
        throw UsageError("Grasp::impulse: restitution is " + number_text(restitution) + ", expected 0 to 1");
    const std::size_t n = zeros_.size();
    std::copy(v.begin(), v.end(), before_.begin());
    for (bool some_stick = false;; some_stick = true) {
        prepare();
        std::copy(before_.begin(), before_.end(), v.begin());
        for (std::size_t i = 0; i < rows().size(); ++i) { // J v-, and what bounces
            double Jv = 0.0;
            for (std::size_t j = 0; j < n; ++j)
                Jv += J_[i * n + j] * v[j];
            rhs_[i] = Jv + (on_.is_normal(rows()[i]) ? restitution * std::min(Jv, 0.0) : 0.0);
        }
        const Existence existence = meet(v);
        if (stop_what_turned(v, !some_stick))
            continue;
        if (!some_stick || stuck_ones_hold())
            return existence;
        on_ = before_impact_;
        changed();
        std::copy(before_.begin(), before_.end(), v.begin());
        return Existence::none;
    }
}

// Whether what has stopped within the impact keeps its cone, by any impulses where they are open.
bool Grasp::stuck_ones_hold()
{
    std::vector<int> stuck;
    for (int i = 0; i < static_cast<int>(contacts().size()); ++i)
        if (before_impact_.slides(i) && !slides(i))
            stuck.push_back(i);
    double largest = 0.0;
    for (int i = 0; i < static_cast<int>(contacts().size()); ++i)
        largest = std::max(largest, norm(wrench(i).f));
    const Feasibility best = feasibility(0.0, stuck);
    return best.unlimited || best.margin >= -1e-9 * largest;
}

// Sliding contacts whose slip all of their friction would turn round stick: friction takes a slip away, and no more. True: some did.
bool Grasp::stop_what_turned(std::span<const double> v, bool first)
{
    bool any = false;
    for (std::size_t r = static_cast<std::size_t>(on_.num_held()); r < rows().size(); ++r) {
        const int i = rows()[r].contact;
        if (!(lambda_[r] > 0.0))
            continue;
        on_.hinge_forces(kin_, i, on_.applied(rows()[r]) - loops().A[rows()[r].loop_row], b_);
        double against = 0.0, terms = 0.0; // of friction: its power
        for (std::size_t j = 0; j < b_.size(); ++j) {
            against += b_[j] * v[j];
            terms += std::abs(b_[j] * v[j]);
        }
        if (against > 1e-12 * terms) {
            if (first && !any)
                before_impact_ = on_;
            on_.stick(kin_, i);
            any = true;
        }
    }
    if (any)
        changed();
    return any;
}

Grasp::Drift Grasp::project(std::span<double> q, std::span<double> v)
{
    require_size("Grasp::project", "v", v.size(), zeros_.size());
    require_finite("Grasp::project", "q", q);
    require_finite("Grasp::project", "v", v);
    const std::size_t n = zeros_.size();
    const auto move = [&](std::span<double> x) { // x += M^-1 J* Omega^-1 z
        factor_.solve(z_);
        for (std::size_t i = 0; i < rows().size(); ++i)
            for (std::size_t j = 0; j < n; ++j)
                x[j] += z_[i] * X_[i * n + j];
    };
    Drift drift;
    for (int round = 0;; ++round) {
        place(q, zeros_);
        prepare(false); // without friction Omega is symmetric, of sliding rows too
        const int r = static_cast<int>(rows().size());
        if (on_.num_held() < r)
            factor_.factor(Omega_.data(), r, r);
        drift.after = 0.0, drift.worst = -1;
        for (std::size_t i = 0; i < rows().size(); ++i) {
            const bool holds = on_.is_holonomic(rows()[i]) && !parted(rows()[i].contact);
            z_[i] = holds ? loops().gap[rows()[i].loop_row] : 0.0;
            if (!(std::abs(z_[i]) <= drift.after))
                drift.after = std::abs(z_[i]), drift.worst = rows()[i].contact;
        }
        if (round == 0)
            drift.before = drift.after, drift.first = drift.worst;
        if (drift.after < 1e-14 || round == 7 || !std::isfinite(drift.after))
            break;
        std::fill(step_.begin(), step_.end(), 0.0);
        move(step_);
        integrate<double>(kin_.model, q, step_, q);
    }
    for (std::size_t i = 0; i < rows().size(); ++i) {
        z_[i] = 0.0;
        for (std::size_t j = 0; j < n && !parted(rows()[i].contact); ++j)
            z_[i] -= J_[i * n + j] * v[j];
    }
    move(v);
    placed_ = false; // what is here has v = 0
    changed();
    return drift;
}

double Grasp::largest_slip() const
{
    require_state("largest_slip");
    double largest = 0.0;
    for (int i = 0; i < static_cast<int>(contacts().size()); ++i)
        if (attached(i)) {
            const LoopOnTree<double>& on = loops().loops[i];
            for (int k = 0; k < on.rows; ++k)
                largest = std::max(largest, std::abs(dot(on.V_a - on.V_b, loops().A[on.first_row + k])));
        }
    return largest;
}

double Grasp::depth(int i) const
{
    require_state("depth");
    return on_.depth(kin_, i);
}

Force<double> Grasp::wrench_of(int i, std::span<const double> lambda) const
{
    require_size("Grasp::wrench_of", "lambda", lambda.size(), rows().size());
    const LoopOnTree<double>& on = loops().loops[on_.checked(i)];
    Force<double> sum{};
    for (std::size_t r = 0; r < rows().size(); ++r)
        if (rows()[r].contact == i)
            sum += lambda[r] * on_.applied(rows()[r]);
    return in_contact_axes(contacts()[i].kind, rotate_back(on.R, sum));
}

Force<double> Grasp::wrench(int i) const
{
    if (!attached(i))
        return {};
    require_forces("Grasp::wrench");
    return wrench_of(i, multipliers());
}

std::span<const double> Grasp::multipliers() const
{
    require_forces("Grasp::multipliers");
    return {lambda_.data(), rows().size()};
}

ContactState Grasp::state(int i) const
{
    if (attached(i))
        require_forces("Grasp::state");
    Force<double> w = wrench(i);
    const Contact& contact = contacts()[i];
    if (contact.kind == ContactKind::frictionless ||
        contact.kind == ContactKind::sliding) // about the hand's point
        w.n = {};
    ContactState out = contact_state(contact, w);
    for (std::size_t r = 0; r < rows().size(); ++r)
        if (rows()[r].contact == i) {
            out.unique = out.unique && unique_[r];
            out.normal_unique = out.normal_unique && (unique_[r] || !on_.is_normal(rows()[r]));
        }
    return out;
}

Grasp::WellPosedness Grasp::well_posedness()
{
    prepare();
    const Semidefinite<double>& by = idle();
    WellPosedness out{.rows = static_cast<int>(rows().size()), .rank = by.rank};
    out.smallest_kept = by.smallest_kept;
    out.largest_dropped = by.largest_dropped;
    for (std::size_t i = 0; i < contacts().size(); ++i)
        for (std::size_t r = 0; r < rows().size(); ++r)
            if (rows()[r].contact == static_cast<int>(i) && !unique_[r]) {
                out.undetermined.push_back(contacts()[i].name);
                break;
            }
    return out;
}

std::span<const double> Grasp::Omega()
{
    prepare();
    return {Omega_.data(), rows().size() * rows().size()};
}
int Grasp::num_rows()
{
    prepare();
    return static_cast<int>(rows().size());
}

std::vector<int> Grasp::independent_rows(bool holonomic)
{
    require_forces("Grasp::independent_rows");
    const std::size_t r = rows().size(), held = static_cast<std::size_t>(on_.num_held());
    const auto counts = [&](std::size_t i) { return !holonomic || on_.is_holonomic(rows()[i]); };
    std::vector<double> masked(held * held, 0.0);
    for (std::size_t i = 0; i < held; ++i)
        for (std::size_t k = 0; k < held; ++k)
            if (counts(i) && counts(k))
                masked[i * held + k] = Omega_[i * r + k];
    Semidefinite<double> factor(on_.num_held());
    factor.factor(masked.data(), on_.num_held(), on_.num_held());
    std::vector<int> out(factor.order.begin(), factor.order.begin() + factor.rank);
    for (std::size_t i = held; i < r; ++i)
        if (lambda_[i] > 0.0)
            out.push_back(static_cast<int>(i));
    return out;
}

const ContactRows& Grasp::rows_at(const Kinematics<double>& kin)
{
    on_.update(kin);
    on_.collect();
    placed_ = false;
    changed();
    return on_;
}

} // namespace sweepdyn
