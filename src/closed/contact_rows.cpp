#include "sweepdyn/closed/contact_rows.hpp"

#include <algorithm>
#include <cmath>

namespace sweepdyn {

namespace {

constexpr double blurred = 100.0; // times the error that an integrator lets pass in one step: what many leave

bool is_sliding(const Contact& contact) { return contact.kind == ContactKind::sliding; }

std::vector<Contact> named(const Model& model, std::vector<Contact> contacts)
{
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        if (contacts[i].name.empty())
            contacts[i].name = "contact" + std::to_string(i);
        for (std::size_t k = 0; k < i; ++k)
            if (contacts[k].name == contacts[i].name)
                throw UsageError("Grasp: contacts " + std::to_string(k) + " and " + std::to_string(i) +
                                 " are both called '" + contacts[i].name + "'");
        for (const Loop& loop : model.loops())
            if (loop.name == contacts[i].name)
                throw UsageError("Grasp: contact " + std::to_string(i) + " is called '" + loop.name +
                                 "' as a loop of model '" + model.name() + "'; expected another name");
        check_contact(model, contacts[i]);
    }
    if (const auto sliding = std::count_if(contacts.begin(), contacts.end(), is_sliding);
        sliding > most_sliding_contacts)
        throw UsageError("Grasp: got " + std::to_string(sliding) + " sliding contacts, expected at most " +
                         std::to_string(most_sliding_contacts));
    return contacts;
}

// As they hold, or as they slide.
std::vector<Loop> loops_of(const Model& model, std::vector<Contact> contacts, ContactKind as)
{
    std::vector<Loop> out;
    for (Contact& contact : contacts) {
        if (contact.kind == ContactKind::point || contact.kind == ContactKind::sliding)
            contact.kind = as;
        out.push_back(loop_of(model, contact));
    }
    return out;
}

} // namespace

ContactRows::ContactRows(const Model& model, std::vector<Contact> contacts)
    : contacts_(named(model, std::move(contacts))),
      attached_(contacts_.size(), 0),
      loops_(model, loops_of(model, contacts_, ContactKind::point)),
      other_(Loops<double>(model, loops_of(model, contacts_, ContactKind::sliding)).loops),
      course_(contacts_.size()),
      slip_(contacts_.size())
{
    rows_.reserve(static_cast<std::size_t>(loops_.num_rows));
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        other_[i].first_row = loops_.loops[i].first_row;
        if (is_sliding(contacts_[i]))
            std::swap(loops_.loops[i], other_[i]);
        own_.push_back({contacts_[i].kind, loops_.loops[i].X_Ia, loops_.loops[i].X_Ib});
    }
}

std::size_t ContactRows::checked(int i) const
{
    if (i < 0 || i >= static_cast<int>(contacts_.size()))
        throw UsageError("Grasp: got contact " + std::to_string(i) + ", expected 0 to " +
                         std::to_string(contacts_.size() - 1));
    return static_cast<std::size_t>(i);
}

// A point what slides, or the other way round.
void ContactRows::become(int i, ContactKind kind)
{
    Contact& contact = contacts_[checked(i)];
    if (contact.kind == kind)
        return;
    if (kind == ContactKind::sliding &&
        std::count_if(contacts_.begin(), contacts_.end(), is_sliding) == most_sliding_contacts)
        throw RefusedError("contact '" + contact.name + "' would slide beside " +
                           std::to_string(most_sliding_contacts) +
                           " others that do, expected at most that many at a time; hold fewer contacts, or "
                           "stop where they slip");
    contact.kind = kind;
    LoopOnTree<double>&now = loops_.loops[i], &other = other_[i];
    other.X_Ia = now.X_Ia, other.X_Ib = now.X_Ib;
    std::swap(now, other);
}

void ContactRows::detach(int i)
{
    const Own& own = own_[checked(i)];
    become(i, own.kind);
    loops_.loops[i].X_Ia = own.X_Ia, loops_.loops[i].X_Ib = own.X_Ib;
    attached_[i] = 0;
    course_[i] = {};
}

void ContactRows::move_to_hand(const Kinematics<double>& kin, int i)
{
    LoopOnTree<double>& on = loops_.loops[i];
    const Pose<double>&X_WA = kin.body[on.a].X_WI, &X_WB = kin.body[on.b].X_WI;
    on.X_Ia.p = transform_point(inverse(X_WA), transform_point(X_WB, on.X_Ib.p));
    on.X_Ib.R = transpose(X_WB.R) * X_WA.R * on.X_Ia.R;
    update(kin);
}

void ContactRows::attach_here(const Kinematics<double>& kin, int i)
{
    detach(i);
    move_to_hand(kin, i);
    attach(i);
}

void ContactRows::stick(const Kinematics<double>& kin, int i)
{
    const Contact& contact = contacts_[checked(i)];
    if (contact.kind != ContactKind::sliding)
        throw UsageError("Grasp::stick: contact '" + contact.name + "' is " +
                         std::string(name(contact.kind)) + ", expected sliding");
    become(i, ContactKind::point);
    course_[i] = {};
    for (Course& other : course_)
        other.stops = begins(other);
    move_to_hand(kin, i);
}

void ContactRows::slide(int i, const Vec3<double>& way)
{
    const Contact& contact = contacts_[checked(i)];
    if (contact.kind != ContactKind::point)
        throw UsageError("Grasp::slide: contact '" + contact.name + "' is " +
                         std::string(name(contact.kind)) + ", expected point");
    become(i, ContactKind::sliding);
    const double size = std::hypot(way.x, way.y);
    course_[i] = size > 0.0 ? Course{.way = {way.x / size, way.y / size, 0.0}} : Course{};
}

void ContactRows::collect(bool friction)
{
    rows_.clear();
    for (bool sliding : {false, true}) {
        for (int i = 0; i < static_cast<int>(contacts_.size()); ++i)
            if (attached_[i] && is_sliding(contacts_[i]) == sliding)
                for (int k = 0; k < loops_.loops[i].rows; ++k)
                    rows_.push_back({i, k, loops_.loops[i].first_row + k});
        if (!sliding)
            held_ = static_cast<int>(rows_.size());
    }
    for (std::size_t r = static_cast<std::size_t>(held_); r < rows_.size(); ++r)
        slip_[rows_[r].contact] = friction ? slip(rows_[r].contact).way : Vec3<double>{};
}

// The hand's point seen from the object, along the plane.
Vec3<double> ContactRows::slip_velocity(int i) const
{
    const LoopOnTree<double>& on = loops_.loops[i];
    const Motion<double> u = on.V_b - on.V_a;
    const Vec3<double> v = u.v + cross(u.w, on.R * on.X_ab.p);
    return v - dot(v, on.R.z) * on.R.z;
}

// Seen from where the step began: ahead, and across it.
ContactRows::Slip ContactRows::slip(int i) const
{
    const Course& course = course_[i];
    const Vec3<double> v = slip_velocity(i), way = loops_.loops[i].R * course.way;
    const double speed = norm(v), ahead = dot(v, way);
    if (speed <= slowest_slip)
        return {way, ahead};
    // What has turned back counts as if it had gone on. What has only begun, ahead or back by an error, is slowed across its way all the same.
    const bool turned = ahead < 0.0 && !begins(course), back = ahead < 0.0 && begins(course);
    const double sign = turned ? -1.0 : 1.0;
    if (!back && (speed >= course.slow || !(norm(way) > 0.0)))
        return {(sign / speed) * v, ahead};
    const Vec3<double> across = (sign / std::max(speed, course.slow)) * (v - ahead * way);
    return {std::sqrt(std::max(1.0 - dot(across, across), 0.0)) * way + across, ahead};
}

void ContactRows::follow(VelocityError error)
{
    for (int i = 0; i < static_cast<int>(contacts_.size()); ++i)
        if (attached_[i] && slides(i)) {
            Course& course = course_[i];
            const LoopOnTree<double>& on = loops_.loops[i];
            course.stops = false;
            course.blur = blurred * (error.relative * (norm(on.V_a.v) + norm(on.V_b.v)) + error.absolute);
            const Vec3<double> v = slip_velocity(i);
            const double speed = norm(v);
            if (!(speed > slowest_slip))
                continue;
            const Slip now = slip(i);
            const bool turned = now.ahead < (begins(course) ? -unresolved(course) : 0.0);
            course.moves = !begins(course) || turned || now.ahead > unresolved(course);
            course.way = transpose(on.R) * (turned ? (1.0 / speed) * v : now.way);
        }
}

double ContactRows::doubt(int i) const
{
    const Course& course = course_[checked(i)];
    return course.blur / std::max({norm(slip_velocity(i)), course.slow, course.blur});
}

double ContactRows::slip_ahead(int i) const
{
    const Course& course = course_[checked(i)];
    if (course.moves)
        return slip(i).ahead - slowest_slip;
    if (begins(course) && !(course.stops && norm(slip_velocity(i)) <= slowest_slip))
        return slip(i).ahead + unresolved(course);
    return norm(slip_velocity(i)) -
           slowest_slip; // it stands, and nobody has said that it slides, or others hold it
}

double ContactRows::depth(const Kinematics<double>& kin, int i) const
{
    const Own& own = own_[checked(i)];
    const LoopOnTree<double>& on = loops_.loops[i];
    const Vec3<double> hand = transform_point(kin.body[on.b].X_WI, own.X_Ib.p);
    const Vec3<double> p = transform_point(inverse(kin.body[on.a].X_WI * own.X_Ia), hand);
    return contacts_[i].kind == ContactKind::line ? p.y : p.z;
}

bool ContactRows::is_normal(const Row& row) const
{
    switch (contacts_[row.contact].kind) {
    case ContactKind::frictionless:
    case ContactKind::sliding: return row.place == 0;
    case ContactKind::line: return row.place == 1;
    case ContactKind::rigid: return false;
    default: return row.place == 2;
    }
}

Force<double> ContactRows::applied(const Row& row) const
{
    Force<double> F = loops_.A[row.loop_row];
    const Contact& contact = contacts_[row.contact];
    if (contact.kind == ContactKind::sliding)
        F += through_hand(row.contact, contact.mu * slip_[row.contact]);
    return F;
}

Force<double> ContactRows::through_hand(int i, const Vec3<double>& f) const
{
    return {cross(loops_.loops[i].R * loops_.loops[i].X_ab.p, f), f};
}

void ContactRows::jacobian(const Kinematics<double>& kin, std::span<double> J) const
{
    const auto n = static_cast<std::size_t>(kin.model.num_dofs());
    std::fill_n(J.begin(), rows_.size() * n, 0.0);
    for (std::size_t first = 0; first < rows_.size();) {
        const LoopOnTree<double>& on = loops_.loops[rows_[first].contact];
        loop_jacobian<double>(kin, loops_, on, [&](int k, int j, double x) {
            J[(first + static_cast<std::size_t>(k)) * n + static_cast<std::size_t>(j)] += x;
        });
        first += static_cast<std::size_t>(on.rows);
    }
}

// H phi F
void ContactRows::hinge_forces(const Kinematics<double>& kin, int i, const Force<double>& F,
                               std::span<double> T) const
{
    const LoopOnTree<double>& on = loops_.loops[i];
    std::fill(T.begin(), T.end(), 0.0);
    const auto side = [&](const std::vector<int>& bodies, double sign) {
        for (int k : bodies) {
            const Force<double> at_k = Phi<double>{on.o - kin.r(k)} * F;
            for (Index j : kin.body[k].dofs())
                T[static_cast<std::size_t>(j)] += sign * dot(kin.H[j], at_k);
        }
    };
    side(on.up_a, 1.0);
    side(on.up_b, -1.0);
}

void ContactRows::forces(const Kinematics<double>& kin, std::span<double> B) const
{
    const auto n = static_cast<std::size_t>(kin.model.num_dofs());
    for (std::size_t r = 0; r < rows_.size(); ++r)
        hinge_forces(kin, rows_[r].contact, applied(rows_[r]), B.subspan(r * n, n));
}

} // namespace sweepdyn
