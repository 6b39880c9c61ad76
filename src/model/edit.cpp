#include "sweepdyn/model/edit.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "edit_detail.hpp"

namespace sweepdyn {
namespace {

using detail::quoted;
using detail::remark;

std::string called(const Loop& loop)
{
    return loop.kind == LoopKind::coupling ? "coupling " + quoted(loop.name) + " (" + equation(loop) + ")"
                                           : "loop " + quoted(loop.name);
}

// The bare joint between the same bodies: all that belongs to a kind is gone.
Hinge hinge_like(const Hinge& hinge, HingeKind kind, const Pose<double>& X_PF, const Pose<double>& X_CM)
{
    Hinge out;
    out.name = hinge.name;
    out.kind = kind;
    out.parent = hinge.parent;
    out.child = hinge.child;
    out.X_PF = X_PF;
    out.X_CM = X_CM;
    return out;
}

std::string names_of_roots(const Model& model)
{
    std::string names;
    for (int k : model.tree().base_to_tip())
        if (model.tree().parent[k] == ground)
            names += (names.empty() ? "" : ", ") + quoted(model.bodies()[k].name) + " by " +
                     detail::called(model.hinges()[k]);
    return names;
}

} // namespace

Model lock_hinges(const Model& model, std::span<const std::string> hinge_names, std::span<const double> q)
{
    require_size("lock_hinges", "q", q.size(), static_cast<std::size_t>(model.num_coordinates()));
    const Tree& tree = model.tree();
    ModelBuilder builder(model);

    // Where each locked hinge is held.
    std::vector<std::optional<std::vector<double>>> held(static_cast<std::size_t>(model.num_bodies()));
    for (const std::string& name : hinge_names) {
        const int k = model.hinge(name);
        held[k].emplace(q.begin() + tree.first_coordinate[k], q.begin() + tree.first_coordinate[k + 1]);
    }
    // What is left of each coupling once its locked dofs are constants.
    const auto at = [&](const CouplingTerm& term) -> std::optional<double> {
        const int j = model.dof(term.dof), k = tree.body_of_dof[j];
        return held[k] ? std::optional((*held[k])[j - tree.first_dof[k]]) : std::nullopt;
    };
    const auto left_of = [&](const Loop& coupling) {
        Loop left = coupling;
        left.terms.clear();
        for (const CouplingTerm& term : coupling.terms) {
            if (const auto q_held = at(term)) {
                double power = *q_held;
                for (double c : term.polynomial) {
                    left.offset -= c * power;
                    power *= *q_held;
                }
            } else
                left.terms.push_back(term);
        }
        return left;
    };
    // One dof left in a linear coupling is locked by it, and may lock others, until none has anything to pass on.
    for (bool passed = true; passed;) {
        passed = false;
        for (const Loop& loop : model.loops()) {
            if (loop.kind != LoopKind::coupling)
                continue;
            const Loop left = left_of(loop);
            if (left.terms.size() != 1 || left.terms.size() == loop.terms.size() ||
                left.terms[0].polynomial.size() != 1)
                continue;
            const int k = tree.body_of_dof[model.dof(left.terms[0].dof)];
            if (tree.num_dofs(k) != 1)
                continue;
            held[k] = std::vector<double>{left.offset / left.terms[0].polynomial[0]};
            remark(builder, "hinge " + quoted(model.hinges()[k].name) + " is locked too, at " +
                                number_text(held[k]->front()) + ": " + called(loop) + " asks for it");
            passed = true;
        }
    }
    // A coupling of locked hinges has nothing left to say, unless they were locked against it.
    std::vector<Loop> kept;
    for (const Loop& loop : model.loops()) {
        const Loop left = loop.kind == LoopKind::coupling ? left_of(loop) : loop;
        if (loop.kind != LoopKind::coupling || left.terms.size() == loop.terms.size()) {
            kept.push_back(loop);
            continue;
        }
        if (left.terms.size() > 1) {
            kept.push_back(left);
            remark(builder, called(loop) + " is " + called(left) + " now: some of its hinges are locked");
            continue;
        }
        if (left.terms.size() == 1)
            builder.add_fault(called(loop) + " has one dof left, " + quoted(left.terms[0].dof) +
                              ", where the others are locked; lock its hinge too");
        else if (!(std::abs(left.offset) <= 1e-9 * std::max(1.0, std::abs(loop.offset))))
            builder.add_note({Note::Kind::doubt,
                              called(loop) + " does not hold where its hinges are locked: it is off by " +
                                  number_text(-left.offset)});
        remark(builder, called(loop) + " is gone: its hinges are locked");
    }
    // A loop between bodies that no longer move against one another holds, or never will.
    const auto can_move = [&](int a, int b) {
        bool moves = false;
        while (a != b) {
            int& up = a > b ? a : b;
            moves = moves || (!held[up] && tree.num_dofs(up) > 0);
            up = tree.parent[up];
        }
        return moves;
    };
    std::erase_if(kept, [&](const Loop& loop) {
        const int i = model.loop(loop.name);
        if (loop.kind == LoopKind::coupling ||
            can_move(model.topology().body_a[i], model.topology().body_b[i]))
            return false;
        remark(builder, called(loop) + " is gone: all hinges between its bodies are locked");
        return true;
    });
    builder.loops() = std::move(kept);

    for (int k : tree.base_to_tip())
        if (held[k]) {
            const Hinge& hinge = model.hinges()[k];
            builder.hinges()[k] =
                hinge_like(hinge, HingeKind::weld, hinge.X_PF * detail::displacement(hinge, held[k]->data()),
                           hinge.X_CM);
        }
    return builder.build();
}

Model extract_subtree(const Model& model, std::string_view body, HingeKind root_hinge)
{
    if (root_hinge != HingeKind::weld && root_hinge != HingeKind::free)
        throw UsageError("extract_subtree: the root's hinge is " + std::string(name(root_hinge)) +
                         ", expected weld or free");
    const int root = model.body(body).index;
    ModelBuilder builder(model.name() + ":" + std::string(body));
    builder.set_gravity(model.gravity());
    for (const Note& note : model.notes())
        if (!note.derived)
            builder.add_note(note);

    std::vector<char> inside(static_cast<std::size_t>(model.num_bodies()), 0);
    std::set<std::string> hinges_inside;
    for (int k : model.tree().base_to_tip()) {
        const int parent = model.tree().parent[k];
        inside[k] = k == root || (parent != ground && inside[parent]);
        if (!inside[k])
            continue;
        builder.add_body(model.bodies()[k]);
        builder.add_hinge(model.hinges()[k]);
        hinges_inside.insert(model.hinges()[k].name);
    }
    builder.hinges().front() = hinge_like(model.hinges()[root], root_hinge, {}, {});
    builder.hinges().front().parent.clear();
    ModelBuilder whole(model); // knows which frames go without saying
    for (const Frame& frame : whole.frames())
        if (!frame.body.empty() && inside[model.body(frame.body).index])
            builder.add_frame(frame);
    const std::string& own = model.hinges()[root].name; // no longer what it was
    for (const Loop& loop : model.loops()) {
        std::size_t ends = 0, in = 0;
        bool own_hinge = false;
        const auto count = [&](int k) {
            ++ends;
            in += k != ground && inside[k];
        };
        for (const CouplingTerm& term : loop.terms) {
            const int k = model.tree().body_of_dof[model.dof(term.dof)];
            own_hinge = own_hinge || model.hinges()[k].name == own;
            count(k);
        }
        if (loop.kind != LoopKind::coupling) {
            count(model.topology().body_a[model.loop(loop.name)]);
            count(model.topology().body_b[model.loop(loop.name)]);
        }
        if (in == ends && !own_hinge)
            builder.add_loop(loop);
        else if (in > 0)
            remark(builder, called(loop) + " is gone: one of its " +
                                (loop.kind == LoopKind::coupling ? "hinges" : "bodies") + " is not below " +
                                quoted(body));
    }
    return builder.build();
}

Model attach(const Model& onto, std::string_view frame, const Model& what, std::string_view prefix)
{
    const FrameId place = onto.frame(frame);
    const int carrier = onto.frame_body(place);
    const std::string parent = carrier == ground ? "" : onto.bodies()[carrier].name;
    const Pose<double>& X_BF = onto.frame_at(place).X_BF;
    const auto prefixed = [&](const std::string& name) { return std::string(prefix) + name; };
    // What hung on the ground of `what` hangs on the frame.
    const auto hang = [&](std::string& on, Pose<double>& X) {
        if (on.empty())
            on = parent, X = X_BF * X;
        else
            on = prefixed(on);
    };

    ModelBuilder builder(onto);
    ModelBuilder added(what);
    for (Body& body : added.bodies()) {
        body.name = prefixed(body.name);
        builder.add_body(std::move(body));
    }
    for (Hinge& hinge : added.hinges()) {
        hinge.name = prefixed(hinge.name);
        hinge.child = prefixed(hinge.child);
        hang(hinge.parent, hinge.X_PF);
        builder.add_hinge(std::move(hinge));
    }
    for (Frame& other : added.frames()) {
        other.name = prefixed(other.name);
        hang(other.body, other.X_BF);
        builder.add_frame(std::move(other));
    }
    for (Loop& loop : added.loops()) {
        loop.name = prefixed(loop.name);
        for (CouplingTerm& term : loop.terms)
            term.dof = prefixed(term.dof);
        if (loop.kind != LoopKind::coupling) {
            hang(loop.body_a, loop.X_Aa);
            hang(loop.body_b, loop.X_Bb);
        }
        builder.add_loop(std::move(loop));
    }
    for (const Note& note : what.notes())
        if (!note.derived)
            builder.add_note({note.kind, "model " + quoted(what.name()) + ": " + note.text});
    if (const Model& silent = onto.actuated_dofs() ? what : onto;
        silent.num_dofs() > 0 && onto.actuated_dofs().has_value() != what.actuated_dofs().has_value())
        remark(builder, "model " + quoted(silent.name()) +
                            " does not say which dofs are actuated; beside one that does, none of it are");
    if (!(what.gravity() == onto.gravity()))
        remark(builder, "gravity is that of model " + quoted(onto.name()) + "; model " + quoted(what.name()) +
                            " had another");
    return builder.build();
}

Model add_payload(const Model& model, std::string_view frame, double mass, const Vec3<double>& com,
                  const Sym3<double>& inertia_com)
{
    const FrameId place = model.frame(frame);
    const int k = model.frame_body(place);
    if (k == ground)
        throw UsageError("add_payload: frame " + quoted(frame) +
                         " is on the ground, expected a frame of a body");
    // The load alone must be a body that can be; its sum with the carrier might hide that it is not.
    ModelBuilder("payload on " + std::string(frame))
        .add_body({"payload", mass, com, inertia_com})
        .add_hinge({"", HingeKind::weld, "", "payload"})
        .build();

    ModelBuilder builder(model);
    detail::add_rigidly(builder.bodies()[k], {"", mass, com, inertia_com}, model.frame_at(place).X_BF);
    return builder.build();
}

Model with_gravity(const Model& model, const Vec3<double>& gravity)
{
    return ModelBuilder(model).set_gravity(gravity).build();
}

Model as_strict(const Model& model) { return ModelBuilder(model).set_strict(true).build(); }

Model drop_couplings(const Model& model)
{
    ModelBuilder builder(model);
    for (const Loop& loop : model.loops())
        if (loop.kind == LoopKind::coupling)
            remark(builder, called(loop) + " is dropped: its hinges move independently");
    std::erase_if(builder.loops(), [](const Loop& loop) { return loop.kind == LoopKind::coupling; });
    return builder.build();
}

Model drop_loops(const Model& model)
{
    ModelBuilder builder(model);
    for (const Loop& loop : model.loops())
        remark(builder, called(loop) + " is cut");
    builder.loops().clear();
    return builder.build();
}

Model with_base(const Model& model, BaseKind base)
{
    std::vector<int> roots, free_roots;
    for (int k : model.tree().base_to_tip())
        if (model.tree().parent[k] == ground) {
            roots.push_back(k);
            if (model.hinges()[k].kind == HingeKind::free)
                free_roots.push_back(k);
        }
    const auto refuse = [&](const std::string& text) {
        return ModelError("model " + quoted(model.name()),
                          {text + "; on the ground hang " + names_of_roots(model)});
    };
    if (free_roots.size() == (base == BaseKind::floating ? 1 : 0))
        return model;
    ModelBuilder builder(model);
    if (base == BaseKind::fixed) {
        if (free_roots.size() > 1)
            throw refuse("a fixed base needs just one free hinge to fix, got " +
                         std::to_string(free_roots.size()));
        const int k = free_roots.front();
        const Hinge& hinge = model.hinges()[k];
        builder.hinges()[k] = hinge_like(hinge, HingeKind::weld, hinge.X_PF, hinge.X_CM);
        remark(builder, "hinge " + quoted(hinge.name) + " was free and is a weld now: the base is fixed");
    } else {
        if (roots.size() > 1)
            throw refuse("a floating base needs just one body on the ground, got " +
                         std::to_string(roots.size()));
        const Hinge& hinge = model.hinges()[roots.front()];
        if (hinge.kind != HingeKind::weld)
            throw refuse("a floating base needs a weld to set free");
        // M on the body frame: the base's twist is in the base body's axes about its origin.
        if (std::any_of(model.hinges().begin(), model.hinges().end(),
                        [&](const Hinge& other) { return &other != &hinge && other.name == "base"; }))
            throw refuse(
                "a floating base names its hinge 'base', but a hinge has that name already; rename it");
        Hinge& freed = builder.hinges()[roots.front()];
        freed = hinge_like(hinge, HingeKind::free, hinge.X_PF * inverse(hinge.X_CM), {});
        freed.name = "base";
        remark(builder,
               "hinge " + quoted(hinge.name) + " was a weld and is free now, named 'base': the base floats");
    }
    return builder.build();
}

} // namespace sweepdyn
