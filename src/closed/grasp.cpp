#include "sweepdyn/closed/grasp.hpp"

#include <cmath>

#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn {

namespace {

std::vector<Contact> named(const Model& model, std::vector<Contact> contacts)
{
    int sliding = 0;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        if (contacts[i].name.empty())
            contacts[i].name = "contact" + std::to_string(i);
        for (std::size_t k = 0; k < i; ++k)
            if (contacts[k].name == contacts[i].name)
                throw UsageError("Grasp: contacts " + std::to_string(k) + " and " + std::to_string(i) +
                                 " are both called '" + contacts[i].name + "'");
        check_contact(model, contacts[i]);
        sliding += contacts[i].kind == ContactKind::sliding;
    }
    if (sliding > most_sliding_contacts)
        throw UsageError("Grasp: got " + std::to_string(sliding) + " sliding contacts, expected at most " +
                         std::to_string(most_sliding_contacts));
    return contacts;
}

std::vector<Loop> loops_of(const Model& model, const std::vector<Contact>& contacts)
{
    std::vector<Loop> out;
    for (const Contact& contact : contacts)
        out.push_back(loop_of(model, contact));
    return out;
}

// From the loop's axes to the contact's.
Force<double> in_contact_axes(ContactKind kind, const Force<double>& w)
{
    if (kind != ContactKind::line)
        return w;
    const auto turn = [](const Vec3<double>& a) { return Vec3<double>{a.z, a.x, a.y}; };
    return {turn(w.n), turn(w.f)};
}
// The row of a loop that is the normal force.
int normal_row(ContactKind kind)
{
    switch (kind) {
    case ContactKind::frictionless:
    case ContactKind::sliding: return 0;
    case ContactKind::line: return 1;
    case ContactKind::rigid: return -1;
    default: return 2;
    }
}

} // namespace

Grasp::Grasp(const Model& model, std::vector<Contact> contacts)
    : contacts_(named(model, std::move(contacts))),
      attached_(contacts_.size(), 0),
      parted_(contacts_.size(), 0),
      kin_(model),
      art_(model),
      loops_(model, loops_of(model, contacts_)),
      slip_(contacts_.size()),
      factor_(loops_.num_rows),
      idle_(loops_.num_rows),
      zeros_(static_cast<std::size_t>(model.num_dofs()), 0.0),
      step_(static_cast<std::size_t>(model.num_dofs())),
      external_(static_cast<std::size_t>(model.num_bodies())),
      scratch_(model)
{
    const auto r = static_cast<std::size_t>(loops_.num_rows), n = zeros_.size();
    rows_.reserve(r);
    J_.assign(r * n, 0.0);
    X_.assign(r * n, 0.0);
    Omega_.assign(r * r, 0.0);
    for (auto* room : {&lambda_, &rhs_, &z_, &c_, &s_, &tried_, &best_})
        room->assign(r, 0.0);
    W_.assign(r * r, 0.0);
    unique_.assign(r, 1);
    if (!model.loops().empty())
        closed_.emplace(model);
    for (const LoopOnTree<double>& on : loops_.loops)
        own_frames_.push_back({on.X_Ia, on.X_Ib});
}

std::size_t Grasp::checked(int i) const
{
    if (i < 0 || i >= static_cast<int>(contacts_.size()))
        throw UsageError("Grasp: got contact " + std::to_string(i) + ", expected 0 to " +
                         std::to_string(contacts_.size() - 1));
    return static_cast<std::size_t>(i);
}

int Grasp::contact(std::string_view wanted) const
{
    std::vector<std::string> known;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        if (contacts_[i].name == wanted)
            return static_cast<int>(i);
        known.push_back(contacts_[i].name);
    }
    throw UsageError(unknown_name("contact", wanted, known));
}

void Grasp::attach(int i)
{
    attached_[checked(i)] = 1;
    prepared_ = false;
}
void Grasp::detach(int i)
{
    LoopOnTree<double>& on = loops_.loops[checked(i)];
    const OwnFrames& own = own_frames_[static_cast<std::size_t>(i)];
    on.X_Ia = own.X_Ia, on.X_Ib = own.X_Ib;
    if (kin_.position_version != kin_.no_state)
        update_loops(kin_, loops_);
    attached_[static_cast<std::size_t>(i)] = parted_[static_cast<std::size_t>(i)] = 0;
    prepared_ = false;
}

void Grasp::attach_here(int i)
{
    require_state("attach_here");
    detach(i);
    LoopOnTree<double>& on = loops_.loops[static_cast<std::size_t>(i)];
    const Pose<double>&X_WA = kin_.body[on.a].X_WI, &X_WB = kin_.body[on.b].X_WI;
    on.X_Ia.p = transform_point(inverse(X_WA), transform_point(X_WB, on.X_Ib.p));
    on.X_Ib.R = transpose(X_WB.R) * X_WA.R * on.X_Ia.R;
    update_loops(kin_, loops_);
    attach(i);
}

void Grasp::require_state(const char* function) const
{
    detail::require_fresh(kin_.position_version != kin_.no_state, function, "Grasp::set_state");
}

void Grasp::set_state(std::span<const double> q, std::span<const double> v)
{
    update<double>(kin_, q, v);
    update_inertias(kin_);
    if (closed_)
        closed_->update(kin_);
    else
        articulate(kin_, art_);
    update_loops(kin_, loops_);
    prepared_ = false;
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

Force<double> Grasp::applied(const Row& row) const
{
    Force<double> F = loops_.A[row.loop_row];
    const Contact& contact = contacts_[row.contact];
    if (contact.kind == ContactKind::sliding) {
        const LoopOnTree<double>& on = loops_.loops[row.contact];
        const Vec3<double> friction = contact.mu * slip_[row.contact];
        F += Force<double>{cross(on.R * on.X_ab.p, friction), friction};
    }
    return F;
}

void Grasp::prepare()
{
    require_state("Grasp");
    if (prepared_)
        return;
    if (const std::span<const int> singular = closed_ ? closed_->singular() : art_.singular;
        !singular.empty())
        detail::throw_singular(kin_.model, singular, "Grasp");
    rows_.clear();
    for (bool sliding : {false, true}) {
        for (int i = 0; i < static_cast<int>(contacts_.size()); ++i)
            if (attached_[i] && (contacts_[i].kind == ContactKind::sliding) == sliding)
                for (int k = 0; k < loops_.loops[i].rows; ++k)
                    rows_.push_back({i, k, loops_.loops[i].first_row + k});
        if (!sliding)
            held_ = static_cast<int>(rows_.size());
    }
    const int r = static_cast<int>(rows_.size());
    const std::size_t n = zeros_.size();
    for (int i = held_; i < r;
         ++i) { // which way it slides: the hand's point seen from the object, along the plane
        const LoopOnTree<double>& on = loops_.loops[rows_[i].contact];
        const Motion<double> u = on.V_b - on.V_a;
        const Vec3<double> v = u.v + cross(u.w, on.R * on.X_ab.p), across = v - dot(v, on.R.z) * on.R.z;
        const double speed = norm(across);
        slip_[rows_[i].contact] = speed > 1e-9 ? (1.0 / speed) * across : Vec3<double>{};
    }
    std::fill(J_.begin(), J_.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(r) * n), 0.0);
    for (int first = 0; first < r;) {
        const LoopOnTree<double>& on = loops_.loops[rows_[first].contact];
        loop_jacobian<double>(kin_, loops_, on, [&](int k, int j, double x) {
            J_[static_cast<std::size_t>(first + k) * n + static_cast<std::size_t>(j)] += x;
        });
        first += on.rows;
    }
    for (int i = 0; i < r; ++i)
        respond_to(applied(rows_[i]), loops_.loops[rows_[i].contact],
                   {X_.data() + static_cast<std::size_t>(i) * n, n});
    for (int i = 0; i < r; ++i)
        for (int k = 0; k < r; ++k) {
            double sum = 0.0;
            for (std::size_t j = 0; j < n; ++j)
                sum += J_[static_cast<std::size_t>(i) * n + j] * X_[static_cast<std::size_t>(k) * n + j];
            Omega_[static_cast<std::size_t>(i * r + k)] = sum;
        }
    factor_.factor(Omega_.data(), held_, r);
    std::fill(unique_.begin(), unique_.end(), char(1));
    if (held_ < r)
        find_idle_forces();
    else
        factor_.unique(unique_, z_);
    prepared_ = true;
}

Existence Grasp::meet(std::span<double> x)
{
    const int r = static_cast<int>(rows_.size());
    const std::size_t n = zeros_.size();
    std::fill(parted_.begin(), parted_.end(), char(0));
    const Existence existence = held_ < r ? solve_sliding() : Existence::unique;
    // Omega lambda = -rhs, of the rows that do not slide
    for (int i = 0; i < held_; ++i) {
        z_[i] = -rhs_[i];
        for (int k = held_; k < r; ++k)
            z_[i] -= Omega_[static_cast<std::size_t>(i * r + k)] * lambda_[k];
    }
    factor_.solve(z_);
    std::copy(z_.begin(), z_.begin() + held_, lambda_.begin());
    for (int i = 0; i < r; ++i)
        for (std::size_t j = 0; j < n; ++j)
            x[j] += lambda_[i] * X_[static_cast<std::size_t>(i) * n + j];
    return existence;
}

Existence Grasp::forward_dynamics(std::span<const double> T, std::span<double> v_dot,
                                  std::span<const Force<double>> external)
{
    prepare();
    if (closed_)
        closed_->forward_dynamics(kin_, T, v_dot, external);
    else
        sweepdyn::forward_dynamics<double>(kin_, art_, T, v_dot, scratch_, external);
    const std::size_t n = zeros_.size();
    for (std::size_t i = 0; i < rows_.size(); ++i) { // J v_dot_f + gamma
        rhs_[i] = loops_.gamma[rows_[i].loop_row];
        for (std::size_t j = 0; j < n; ++j)
            rhs_[i] += J_[i * n + j] * v_dot[j];
    }
    return meet(v_dot);
}

Existence Grasp::impulse(std::span<double> v, double restitution)
{
    prepare();
    require_size("Grasp::impulse", "v", v.size(), zeros_.size());
    if (!(restitution >= 0.0 && restitution <= 1.0))
        throw UsageError("Grasp::impulse: restitution is " + number_text(restitution) + ", expected 0 to 1");
    const std::size_t n = zeros_.size();
    for (std::size_t i = 0; i < rows_.size(); ++i) { // J v-, and what bounces
        double Jv = 0.0;
        for (std::size_t j = 0; j < n; ++j)
            Jv += J_[i * n + j] * v[j];
        const bool normal = rows_[i].place == normal_row(contacts_[rows_[i].contact].kind);
        rhs_[i] = Jv + (normal ? restitution * std::min(Jv, 0.0) : 0.0);
    }
    return meet(v);
}

double Grasp::project(std::span<double> q, std::span<double> v)
{
    require_size("Grasp::project", "v", v.size(), zeros_.size());
    const std::size_t n = zeros_.size();
    const auto move = [&](std::span<double> x) { // x += M^-1 J* Omega^-1 z
        factor_.solve(z_);
        for (std::size_t i = 0; i < rows_.size(); ++i)
            for (std::size_t j = 0; j < n; ++j)
                x[j] += z_[i] * X_[i * n + j];
    };
    double largest = 0.0;
    for (int round = 0;; ++round) {
        set_state(q, zeros_);
        prepare(); // at rest nothing slips, so Omega is symmetric, of sliding rows too
        const int r = static_cast<int>(rows_.size());
        if (held_ < r)
            factor_.factor(Omega_.data(), r, r);
        largest = 0.0;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const int contact = rows_[i].contact;
            const bool holds = rows_[i].place < loops_.loops[contact].holonomic && !parted_[contact];
            z_[i] = holds ? loops_.gap[rows_[i].loop_row] : 0.0;
            largest = std::abs(z_[i]) <= largest ? largest : std::abs(z_[i]);
        }
        if (largest < 1e-14 || round == 7 || !std::isfinite(largest))
            break;
        std::fill(step_.begin(), step_.end(), 0.0);
        move(step_);
        integrate<double>(kin_.model, q, step_, q);
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        z_[i] = 0.0;
        for (std::size_t j = 0; j < n && !parted_[rows_[i].contact]; ++j)
            z_[i] -= J_[i * n + j] * v[j];
    }
    move(v);
    prepared_ = false;
    return largest;
}

double Grasp::largest_slip() const
{
    require_state("largest_slip");
    double largest = 0.0;
    for (std::size_t i = 0; i < contacts_.size(); ++i)
        if (attached_[i]) {
            const LoopOnTree<double>& on = loops_.loops[i];
            for (int k = 0; k < on.rows; ++k)
                largest = std::max(largest, std::abs(dot(on.V_a - on.V_b, loops_.A[on.first_row + k])));
        }
    return largest;
}

double Grasp::depth(int i) const
{
    require_state("depth");
    const LoopOnTree<double>& on = loops_.loops[checked(i)];
    const OwnFrames& own = own_frames_[static_cast<std::size_t>(i)];
    const Vec3<double> hand = transform_point(kin_.body[on.b].X_WI, own.X_Ib.p);
    const Vec3<double> p = transform_point(inverse(kin_.body[on.a].X_WI * own.X_Ia), hand);
    return contacts_[i].kind == ContactKind::line ? p.y : p.z;
}

Force<double> Grasp::wrench_of(int i, std::span<const double> lambda) const
{
    const LoopOnTree<double>& on = loops_.loops[checked(i)];
    Force<double> sum{};
    for (std::size_t r = 0; r < rows_.size(); ++r)
        if (rows_[r].contact == i)
            sum += lambda[r] * applied(rows_[r]);
    return in_contact_axes(contacts_[i].kind, rotate_back(on.R, sum));
}

Force<double> Grasp::wrench(int i) const
{
    return attached_[checked(i)] ? wrench_of(i, multipliers()) : Force<double>{};
}

ContactState Grasp::state(int i) const
{
    Force<double> w = wrench(i);
    const Contact& contact = contacts_[i];
    if (contact.kind == ContactKind::frictionless ||
        contact.kind == ContactKind::sliding) // about the hand's point
        w.n = {};
    ContactState out = contact_state(contact, w);
    for (std::size_t r = 0; r < rows_.size(); ++r)
        if (rows_[r].contact == i)
            out.unique = out.unique && unique_[r];
    return out;
}

Grasp::WellPosedness Grasp::well_posedness()
{
    prepare();
    const Semidefinite<double>& by = idle();
    WellPosedness out{.rows = static_cast<int>(rows_.size()), .rank = by.rank};
    out.smallest_kept = by.smallest_kept;
    out.largest_dropped = by.largest_dropped;
    for (std::size_t i = 0; i < contacts_.size(); ++i)
        for (std::size_t r = 0; r < rows_.size(); ++r)
            if (rows_[r].contact == static_cast<int>(i) && !unique_[r]) {
                out.undetermined.push_back(contacts_[i].name);
                break;
            }
    return out;
}

std::span<const double> Grasp::Omega()
{
    prepare();
    return {Omega_.data(), rows_.size() * rows_.size()};
}
int Grasp::num_rows()
{
    prepare();
    return static_cast<int>(rows_.size());
}

} // namespace sweepdyn
