#include <algorithm>
#include <unordered_map>

#include "edit_detail.hpp"
#include "sweepdyn/model/edit.hpp"

namespace sweepdyn {
namespace {

using detail::called;
using detail::quoted;

bool is_zero(const std::vector<double>& numbers)
{
    return std::all_of(numbers.begin(), numbers.end(), [](double x) { return x == 0.0; });
}

bool steps_swap(HingeKind kind) { return kind == HingeKind::universal || kind == HingeKind::user; }
bool inverts(HingeKind kind)
{
    return kind == HingeKind::planar || kind == HingeKind::spherical || kind == HingeKind::free;
}

// Whether a law that is diagonal in v is the same law in the reversed hinge's v' = -(turned, and for slides moved) v.
// A turn of all three components keeps a quadratic law with equal numbers, but no dry friction; about its normal a planar
// hinge keeps its turn; slides get the lever arm of the turn mixed in.
bool survives(const std::vector<double>& law, HingeKind kind, bool quadratic)
{
    if (is_zero(law) || !inverts(kind))
        return true;
    if (kind == HingeKind::planar)
        return law[1] == 0.0 && law[2] == 0.0;
    return quadratic && law[0] == law[1] && law[1] == law[2] && is_zero({law.begin() + 3, law.end()});
}

// Whether forces on these dofs are forces on the same dofs of the reversed hinge: those of all turns are; those of all slides
// have a lever arm, and need all turns besides.
bool survives(const std::vector<bool>& actuated, HingeKind kind)
{
    if (actuated.empty() || !inverts(kind))
        return true;
    const auto slides = actuated.begin() + (kind == HingeKind::planar ? 1 : 3);
    const auto turn = std::count(actuated.begin(), slides, true),
               slide = std::count(slides, actuated.end(), true);
    const bool all_turn = turn == slides - actuated.begin(), all_slide = slide == actuated.end() - slides;
    return (all_turn && (all_slide || slide == 0)) || (turn == 0 && slide == 0);
}

void refuse_laws(const Hinge& hinge, const std::string& why, auto&& kept, std::vector<std::string>& faults)
{
    for (auto [what, law, quadratic] : {std::tuple{"armature", &hinge.armature, true},
                                        {"damping", &hinge.damping, true},
                                        {"friction", &hinge.friction, false}})
        if (!kept(*law, quadratic)) {
            std::string numbers;
            for (double x : *law)
                numbers += (numbers.empty() ? "" : ", ") + number_text(x);
            faults.push_back(called(hinge) + ": its " + what + " [" + numbers + "] " + why);
        }
}

// Dof i of n is dof n - 1 - i of the reversed hinge: couplings follow.
void rename_dofs(const Hinge& hinge, std::vector<Loop>& loops)
{
    const std::vector<std::string> suffixes = dof_suffixes(hinge);
    for (Loop& loop : loops)
        for (CouplingTerm& term : loop.terms)
            for (std::size_t i = 0; i < suffixes.size(); ++i)
                if (term.dof == hinge.name + suffixes[i]) {
                    term.dof = hinge.name + suffixes[suffixes.size() - 1 - i];
                    break;
                }
}

// inverse(X_FM(q)) as a hinge of its own: F and M change places.
Hinge reversed(const Hinge& hinge, ModelBuilder& builder, std::vector<std::string>& faults)
{
    Hinge out = hinge;
    out.parent = hinge.child;
    out.child = hinge.parent;
    out.X_PF = hinge.X_CM;
    out.X_CM = hinge.X_PF;
    if (hinge.user)
        faults.push_back(called(hinge) +
                         ": a hinge given by functions cannot be reversed; give it as a product of steps");
    refuse_laws(
        hinge, "has no equal in the reversed hinge",
        [&](const std::vector<double>& law, bool quadratic) { return survives(law, hinge.kind, quadratic); },
        faults);
    if (!survives(hinge.actuated, hinge.kind))
        faults.push_back(called(hinge) +
                         ": some of its dofs are actuated, which has no equal in the reversed hinge");
    if (inverts(hinge.kind)) {
        if (!(hinge.limits == Limits{}))
            detail::remark(builder,
                           called(hinge) + " is reversed: its limits are gone, they have no equal there");
        out.limits = {};
        return out;
    }
    out.axis = -hinge.axis;
    out.axis2 = -hinge.axis2;
    if (!steps_swap(hinge.kind))
        return out;
    // X_FM = P1 S1 P2 S2 ... Pn Sn, so its inverse is Sn' Pn' ... P2' S1' times P1', which joins the new X_CM.
    std::swap(out.axis, out.axis2);
    const std::size_t n = hinge.steps.size();
    for (std::size_t i = 0; i < n; ++i) {
        out.steps[i] = hinge.steps[n - 1 - i];
        out.steps[i].axis = -out.steps[i].axis;
        out.steps[i].placement = i == 0 ? Pose<double>{} : inverse(hinge.steps[n - i].placement);
    }
    if (n > 0)
        out.X_CM = hinge.X_PF * hinge.steps.front().placement;
    for (std::vector<double>* numbers : {&out.limits.lower, &out.limits.upper, &out.limits.velocity,
                                         &out.limits.effort, &out.armature, &out.damping, &out.friction})
        std::reverse(numbers->begin(), numbers->end());
    std::reverse(out.actuated.begin(), out.actuated.end());
    if (num_dofs(hinge) > 1)
        detail::remark(builder, called(hinge) + " is reversed: its coordinates stand in reverse order");
    return out;
}

void write(const Pose<double>& X, double* q)
{
    const Quaternion<double> r = quaternion(X.R);
    q[0] = r.w, q[1] = r.x, q[2] = r.y, q[3] = r.z, q[4] = X.p.x, q[5] = X.p.y, q[6] = X.p.z;
}
void write(const Vec3<double>& a, double* v) { v[0] = a.x, v[1] = a.y, v[2] = a.z; }
void write(const Motion<double>& V, double* v) { write(V.w, v), write(V.v, v + 3); }

// The state of a reversed hinge: X' = inverse(X_FM), V' = -V seen from F.
void reverse_state(const Hinge& hinge, const double* q, const double* v, double* q_new, double* v_new)
{
    const Pose<double> X_MF = inverse(detail::displacement(hinge, q));
    const Motion<double> V = -detail::seen_from(X_MF, detail::twist(hinge, q, v));
    const Mat3<double> F = hinge.kind == HingeKind::planar ? frame_with_z(hinge.axis) : Mat3<double>{};
    switch (hinge.kind) {
    case HingeKind::planar:
        q_new[0] = -q[0], q_new[1] = dot(F.x, X_MF.p), q_new[2] = dot(F.y, X_MF.p);
        v_new[0] = -v[0], v_new[1] = dot(F.x, V.v), v_new[2] = dot(F.y, V.v);
        break;
    case HingeKind::free:
        q_new[4] = X_MF.p.x, q_new[5] = X_MF.p.y, q_new[6] = X_MF.p.z;
        write(V.v, v_new + 3);
        [[fallthrough]];
    case HingeKind::spherical:
        q_new[0] = q[0], q_new[1] = -q[1], q_new[2] = -q[2], q_new[3] = -q[3];
        write(V.w, v_new);
        break;
    default: break;
    }
}

} // namespace

Rerooted reroot(const Model& model, std::string_view body)
{
    Rerooted out{model, model, {}, {}};
    for (int k = model.body(body).index; k != ground; k = model.tree().parent[k])
        out.path.insert(out.path.begin(), k);
    const int old_root = out.path.front();
    const Hinge& base = model.hinges()[old_root];
    if (base.kind != HingeKind::free)
        throw UsageError("reroot to body " + quoted(body) + ": its tree hangs on the ground by " +
                         called(base) +
                         ", expected a free hinge; with_base(model, BaseKind::floating) sets a weld free");

    if (out.path.size() > 1) {
        ModelBuilder builder(model);
        std::vector<std::string> faults;
        refuse_laws(
            base, "belongs to the old root and has no equal on another",
            [](const std::vector<double>& law, bool) { return is_zero(law); }, faults);
        if (std::count(base.actuated.begin(), base.actuated.end(), true) > 0)
            faults.push_back(called(base) +
                             ": it is actuated, which belongs to the old root and has no equal "
                             "on another");
        for (std::size_t i = 1; i < out.path.size(); ++i) {
            const Hinge& hinge = model.hinges()[out.path[i]];
            builder.hinges()[out.path[i]] = reversed(hinge, builder, faults);
            if (steps_swap(hinge.kind))
                rename_dofs(hinge, builder.loops());
        }
        Hinge& moved = builder.hinges()[old_root];
        if (!(base.limits == Limits{}))
            detail::remark(builder, called(base) + " moved to body " + quoted(body) +
                                        ": its limits are gone, they were the old root's");
        moved.child = std::string(body);
        moved.X_PF = moved.X_CM = {};
        moved.limits = {};
        if (!faults.empty())
            throw ModelError("reroot to body " + quoted(body), faults);
        out.model = builder.build();
    }
    std::unordered_map<std::string, int> index;
    for (int k : out.model.tree().base_to_tip())
        index.emplace(out.model.hinges()[k].name, k);
    for (const Hinge& hinge : model.hinges())
        out.hinge_of.push_back(index.at(hinge.name));
    return out;
}

void Rerooted::map_state(std::span<const double> q, std::span<const double> v, std::span<double> q_new,
                         std::span<double> v_new) const
{
    const auto coordinates = static_cast<std::size_t>(model.num_coordinates()),
               dofs = static_cast<std::size_t>(model.num_dofs());
    require_size("map_state", "q", q.size(), coordinates);
    require_size("map_state", "v", v.size(), dofs);
    require_size("map_state", "q_new", q_new.size(), coordinates);
    require_size("map_state", "v_new", v_new.size(), dofs);

    // Hinges off the path, and those that only turned their axis, keep their numbers.
    const Tree &from = original.tree(), &to = model.tree();
    for (int k : from.base_to_tip()) {
        std::copy(q.begin() + from.first_coordinate[k], q.begin() + from.first_coordinate[k + 1],
                  q_new.begin() + to.first_coordinate[hinge_of[k]]);
        std::copy(v.begin() + from.first_dof[k], v.begin() + from.first_dof[k + 1],
                  v_new.begin() + to.first_dof[hinge_of[k]]);
    }
    if (path.size() == 1)
        return;

    // Along the path: pose and body twist of each body, X_WB and V_B, in the body's own axes.
    Pose<double> X_WB;
    Motion<double> V;
    for (int k : path) {
        const Hinge& hinge = original.hinges()[k];
        const double *q_k = q.data() + from.first_coordinate[k], *v_k = v.data() + from.first_dof[k];
        const Pose<double> X_PM = hinge.X_PF * detail::displacement(hinge, q_k), X_MC = inverse(hinge.X_CM);
        V = detail::seen_from(X_MC, detail::seen_from(X_PM, V) + detail::twist(hinge, q_k, v_k));
        X_WB = X_WB * X_PM * X_MC;
        if (k == path.front())
            continue;
        double *q_out = q_new.data() + to.first_coordinate[hinge_of[k]],
               *v_out = v_new.data() + to.first_dof[hinge_of[k]];
        if (steps_swap(hinge.kind)) {
            std::reverse(q_out, q_out + num_coordinates(hinge));
            std::reverse(v_out, v_out + num_dofs(hinge));
        } else if (inverts(hinge.kind))
            reverse_state(hinge, q_k, v_k, q_out, v_out);
    }
    const int base = hinge_of[path.front()];
    write(X_WB, q_new.data() + to.first_coordinate[base]);
    write(V, v_new.data() + to.first_dof[base]);
}

} // namespace sweepdyn
