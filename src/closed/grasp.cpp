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
      open_(model.loops().empty()),
      art_(model),
      closure_(model),
      clusters_(model, closure_),
      loops_(model, loops_of(model, contacts_)),
      slip_(contacts_.size()),
      factor_(loops_.num_rows),
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
    attached_[checked(i)] = 0;
    parted_[static_cast<std::size_t>(i)] = 0;
    prepared_ = false;
}

void Grasp::attach_here(int i)
{
    require_state("attach_here");
    LoopOnTree<double>& on = loops_.loops[checked(i)];
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
    if (open_)
        articulate(kin_, art_);
    else {
        update_closure(kin_, closure_);
        articulate(kin_, closure_, clusters_);
    }
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
    if (open_)
        tip_force_correction<double>(kin_, art_, external_, v_dot, scratch_);
    else
        respond<double>(kin_, closure_, clusters_, zeros_, v_dot, scratch_, external_);
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
    if (const auto& singular = open_ ? art_.singular : clusters_.tree.singular; !singular.empty())
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
    factor_.unique(unique_, z_);
    prepared_ = true;
}

Existence Grasp::forward_dynamics(std::span<const double> T, std::span<double> v_dot,
                                  std::span<const Force<double>> external)
{
    prepare();
    if (open_)
        sweepdyn::forward_dynamics<double>(kin_, art_, T, v_dot, scratch_, external);
    else
        sweepdyn::forward_dynamics<double>(kin_, closure_, clusters_, T, v_dot, scratch_, external);
    const int r = static_cast<int>(rows_.size());
    const std::size_t n = zeros_.size();
    for (int i = 0; i < r; ++i) { // J v_dot_f + gamma
        rhs_[i] = loops_.gamma[rows_[i].loop_row];
        for (std::size_t j = 0; j < n; ++j)
            rhs_[i] += J_[static_cast<std::size_t>(i) * n + j] * v_dot[j];
    }
    std::fill(parted_.begin(), parted_.end(), char(0));
    Existence existence = Existence::unique;
    for (int i = held_; i < r; ++i)
        lambda_[i] = 0.0;
    if (held_ < r)
        existence = solve_sliding();
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
            v_dot[j] += lambda_[i] * X_[static_cast<std::size_t>(i) * n + j];
    return existence;
}

void Grasp::impulse(std::span<double> v, double restitution)
{
    prepare();
    require_size("Grasp::impulse", "v", v.size(), zeros_.size());
    if (!(restitution >= 0.0 && restitution <= 1.0))
        throw UsageError("Grasp::impulse: restitution is " + number_text(restitution) + ", expected 0 to 1");
    const std::size_t n = zeros_.size();
    std::fill(lambda_.begin(), lambda_.end(), 0.0);
    for (int i = 0; i < held_; ++i) {
        double Jv = 0.0;
        for (std::size_t j = 0; j < n; ++j)
            Jv += J_[static_cast<std::size_t>(i) * n + j] * v[j];
        const bool normal = rows_[i].place == normal_row(contacts_[rows_[i].contact].kind);
        z_[i] = -Jv - (normal ? restitution * std::min(Jv, 0.0) : 0.0);
    }
    factor_.solve(z_);
    std::copy(z_.begin(), z_.begin() + held_, lambda_.begin());
    for (int i = 0; i < held_; ++i)
        for (std::size_t j = 0; j < n; ++j)
            v[j] += lambda_[i] * X_[static_cast<std::size_t>(i) * n + j];
}

double Grasp::project(std::span<double> q)
{
    double largest = 0.0;
    for (int round = 0; round < 8; ++round) {
        set_state(q, zeros_);
        prepare();
        largest = 0.0;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const LoopOnTree<double>& on = loops_.loops[rows_[i].contact];
            z_[i] = rows_[i].place < on.holonomic ? loops_.gap[rows_[i].loop_row] : 0.0;
            largest = std::max(largest, std::abs(z_[i]));
        }
        if (largest < 1e-14 || round == 7)
            return largest;
        factor_.solve(z_);
        std::fill(step_.begin(), step_.end(), 0.0);
        for (int i = 0; i < held_; ++i)
            for (std::size_t j = 0; j < step_.size(); ++j)
                step_[j] += z_[i] * X_[static_cast<std::size_t>(i) * step_.size() + j];
        integrate<double>(kin_.model, q, step_, q);
    }
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
    return contacts_[i].kind == ContactKind::line ? on.X_ab.p.y : on.X_ab.p.z;
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
    WellPosedness out{.rows = held_, .rank = factor_.rank};
    out.smallest_kept = factor_.smallest_kept;
    out.largest_dropped = factor_.largest_dropped;
    for (std::size_t i = 0; i < contacts_.size(); ++i)
        for (int r = 0; r < held_; ++r)
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
