// Runs a plan: a workspace of slots, bound to a plan once, then any number of states and vectors without allocation.
//
//     Plan plan(*o.arena, M_inv.node);
//     Stages<double> stages(model);
//     Runner<double> run(plan);
//     stages.update(plan, q, v);
//     run(stages, T, v_dot);
//
// Stages that were not computed for their own state are refused. Not for sharing between threads: one Runner each.
#pragma once

#include <algorithm>

#include "sweepdyn/operators/stages.hpp"

namespace sweepdyn::algebra {

template <class S>
class Runner {
public:
    explicit Runner(const Plan& plan);

    const Plan& plan() const { return plan_; }
    // Numbers of a vector that the expression names.
    void set(const std::string& name, std::span<const S> numbers);
    // out = expression * in; `in` is empty for an expression that is a vector.
    void operator()(const Stages<S>& stages, std::span<const S> in, std::span<S> out);

private:
    struct Six { // a motion or a force, as the instruction has it
        Vec3<S> top{}, bottom{};
    };
    static Motion<S> motion(const Six& x) { return {x.top, x.bottom}; }
    static Force<S> force(const Six& x) { return {x.top, x.bottom}; }
    static Six six(const Motion<S>& V) { return {V.w, V.v}; }
    static Six six(const Force<S>& F) { return {F.n, F.f}; }

    // Instructions that always come together, as one step with its intermediate values in registers:
    //     gather   e = base - H z,  w = D^-1 e,  z(p) += phi (z + G e)
    //     spread   y' = phi* y(p),  e = base - G* y',  y = y' + H* e
    struct Step {
        enum class Kind { plain, gather, spread } kind = Kind::plain;
        Instruction plain{};
        int body = -1, e = -1, base = -1, w = -1;
    };
    struct Slots { // of a fused step, looked up once per pass
        Six* body;
        S *e, *w;
        const S* base;
    };
    Slots slots(const Step& step)
    {
        return {bodies(step.body), numbers(step.e), step.w < 0 ? nullptr : numbers(step.w),
                numbers(step.base)};
    }
    std::vector<Step> fused(const Pass& pass) const;

    void check(const Stages<S>& stages) const;
    void load_state(const Stages<S>& stages);
    void run_pass(const Stages<S>& stages, const Pass& pass, const std::vector<Step>& steps);
    static void gather(const Stages<S>& stages, const Slots& at, Index k);
    static void spread(const Stages<S>& stages, const Slots& at, Index k);
    void run_body(const Stages<S>& stages, const Instruction& ins, Index k);
    Six* bodies(int value) { return blocks_.data() + first_[static_cast<std::size_t>(value)]; }
    S* numbers(int value) { return numbers_.data() + first_[static_cast<std::size_t>(value)]; }
    void store(Six& target, const Six* base, double c, const Six& x) const
    {
        const Six y = c == 1.0 ? x : c == -1.0 ? Six{-x.top, -x.bottom} : Six{S(c) * x.top, S(c) * x.bottom};
        target = base ? Six{base->top + y.top, base->bottom + y.bottom} : y;
    }
    void store(S& target, const S* base, double c, const S& x) const
    {
        const S y = c == 1.0 ? x : c == -1.0 ? S(-x) : S(S(c) * x);
        target = base ? S(*base + y) : y;
    }
    void copy_in(int value, std::span<const S> from);
    void copy_out(int value, std::span<S> to);

    Plan plan_;
    std::vector<std::size_t>
        first_; // of each value: in blocks_ (its body 0, the ground before it), or in numbers_
    std::vector<Six> blocks_;
    std::vector<S> numbers_;
    std::vector<std::size_t> size_; // numbers of each value
    std::vector<int> of_state_; // inputs that the state gives
    std::vector<std::vector<Step>> steps_; // of each pass
    std::vector<std::vector<std::vector<int>>> frames_on_; // per set of frames and body (last: the ground)
};

namespace detail {
[[noreturn]] void throw_wrong_model(const Model& plan, const Model& stages);
[[noreturn]] void throw_unknown_vector(const Plan& plan, const std::string& name);
[[noreturn]] void throw_singular_block(const Model& model, const char* leaf, Index body);
// Solves the symmetric A x = b, A 6 x 6 by columns. False: singular.
template <class S> bool solve_six(std::array<std::array<S, 6>, 6> A, std::array<S, 6>& x)
{
    for (int i = 0; i < 6; ++i) { // L D L*, in place
        for (int j = 0; j < i; ++j)
            for (int r = i; r < 6; ++r)
                A[r][i] -= A[r][j] * A[i][j] * A[j][j];
        if (value(abs(A[i][i])) == 0.0)
            return false;
        for (int r = i + 1; r < 6; ++r)
            A[r][i] = A[r][i] / A[i][i];
    }
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < i; ++j)
            x[i] -= A[i][j] * x[j];
    for (int i = 0; i < 6; ++i)
        x[i] = x[i] / A[i][i];
    for (int i = 5; i >= 0; --i)
        for (int r = i + 1; r < 6; ++r)
            x[i] -= A[r][i] * x[r];
    return true;
}
} // namespace detail

template <class S>
Runner<S>::Runner(const Plan& plan) : plan_(plan)
{
    const auto bodies = static_cast<std::size_t>(plan.model().num_bodies());
    std::size_t blocks = 0, numbers = 0;
    for (const Value& v : plan.values()) {
        if (v.kind == Value::Kind::input &&
            (v.leaf == Leaf::a || v.leaf == Leaf::b || v.leaf == Leaf::gravity))
            of_state_.push_back(static_cast<int>(size_.size()));
        size_.push_back(static_cast<std::size_t>(plan.dimension(v.space)));
        if (is_hinge(v.space.space)) {
            first_.push_back(numbers);
            numbers += static_cast<std::size_t>(plan.dimension(v.space));
        } else if (is_body(v.space.space)) {
            first_.push_back(blocks + 1); // the ground's block is before
            blocks += bodies + 1;
        } else {
            first_.push_back(blocks);
            blocks += static_cast<std::size_t>(plan.dimension(v.space)) / 6;
        }
    }
    blocks_.resize(blocks);
    numbers_.assign(numbers, S(0));
    for (const Pass& pass : plan.passes())
        steps_.push_back(fused(pass));
    for (const auto& set : plan.frame_sets()) {
        frames_on_.emplace_back(bodies + 1);
        for (std::size_t i = 0; i < set.size(); ++i) {
            const int body = plan.model().frame_body(set[i]);
            frames_on_.back()[body == ground ? bodies : static_cast<std::size_t>(body)].push_back(
                static_cast<int>(i));
        }
    }
}

template <class S> void Runner<S>::copy_in(int v, std::span<const S> from)
{
    const Space space = plan_.values()[static_cast<std::size_t>(v)].space.space;
    require_size("run", "the vector", from.size(), size_[static_cast<std::size_t>(v)]);
    if (is_hinge(space)) {
        std::copy(from.begin(), from.end(), numbers(v));
        return;
    }
    Six* to = bodies(v);
    for (std::size_t i = 0; i < from.size() / 6; ++i)
        to[i] = {{from[6 * i], from[6 * i + 1], from[6 * i + 2]},
                 {from[6 * i + 3], from[6 * i + 4], from[6 * i + 5]}};
}
template <class S> void Runner<S>::copy_out(int v, std::span<S> to)
{
    const Space space = plan_.values()[static_cast<std::size_t>(v)].space.space;
    if (is_hinge(space)) {
        std::copy(numbers(v), numbers(v) + to.size(), to.begin());
        return;
    }
    const Six* from = bodies(v);
    for (std::size_t i = 0; i < to.size() / 6; ++i) {
        to[6 * i] = from[i].top.x, to[6 * i + 1] = from[i].top.y, to[6 * i + 2] = from[i].top.z;
        to[6 * i + 3] = from[i].bottom.x, to[6 * i + 4] = from[i].bottom.y, to[6 * i + 5] = from[i].bottom.z;
    }
}

template <class S> void Runner<S>::set(const std::string& name, std::span<const S> numbers)
{
    bool found = false;
    for (std::size_t i = 0; i < plan_.values().size(); ++i)
        if (const Value& v = plan_.values()[i];
            v.kind == Value::Kind::input && v.leaf == Leaf::vector && v.name == name)
            copy_in(static_cast<int>(i), numbers), found = true;
    if (!found)
        detail::throw_unknown_vector(plan_, name);
}

template <class S> void Runner<S>::check(const Stages<S>& stages) const
{
    using sweepdyn::detail::require_fresh;
    const Kinematics<S>& kin = stages.kin;
    if (!plan_.model().same_as(kin.model))
        detail::throw_wrong_model(plan_.model(), kin.model);
    sweepdyn::detail::require_poses(kin, "run");
    for (Needs needs : plan_.needs())
        switch (needs) {
        case Needs::poses: break;
        case Needs::velocities:
            require_fresh(kin.velocity_version == kin.position_version, "run", "stages.update(plan, q, v)");
            [[fallthrough]];
        case Needs::inertias:
            require_fresh(kin.inertia_version == kin.position_version, "run", "stages.prepare(plan)");
            break;
        case Needs::composite:
            require_fresh(stages.composite.position_version == kin.position_version, "run",
                          "stages.prepare(plan)");
            break;
        case Needs::articulation:
            require_fresh(stages.articulation_version == kin.position_version, "run", "stages.prepare(plan)");
            break;
        case Needs::upsilon:
            require_fresh(stages.upsilon_version == kin.position_version, "run", "stages.prepare(plan)");
        }
}

// Vectors that the state gives.
template <class S> void Runner<S>::load_state(const Stages<S>& stages)
{
    const Kinematics<S>& kin = stages.kin;
    for (int i : of_state_) {
        const Value& v = plan_.values()[static_cast<std::size_t>(i)];
        Six* to = bodies(i);
        for (Index k : kin.tree().base_to_tip()) {
            const BodyKinematics<S>& body = kin.body[k];
            to[k] = v.leaf == Leaf::a   ? six(body.a)
                    : v.leaf == Leaf::b ? six(crf(body.V) * (kin.M[k] * body.V))
                                        : six(body.parent == ground ? kin.A0 : Motion<S>{});
        }
    }
}

template <class S> void Runner<S>::operator()(const Stages<S>& stages, std::span<const S> in,
                                              std::span<S> out)
{
    check(stages);
    require_size("run", "out", out.size(), size_[static_cast<std::size_t>(plan_.output())]);
    if (plan_.operand() >= 0)
        copy_in(plan_.operand(), in);
    load_state(stages);
    for (std::size_t i = 0; i < steps_.size(); ++i)
        run_pass(stages, plan_.passes()[i], steps_[i]);
    copy_out(plan_.output(), out);
}

template <class S> std::vector<typename Runner<S>::Step> Runner<S>::fused(const Pass& pass) const
{
    using Op = Instruction::Op;
    const auto& all = pass.instructions;
    std::vector<char> taken(all.size(), 0);
    const auto uses = [&](int v) { // of a value anywhere in the plan
        int count = v == plan_.output();
        for (const Pass& p : plan_.passes())
            for (const Instruction& ins : p.instructions)
                count += (ins.source == v) + (ins.base == v);
        return count;
    };
    const auto find = [&](const auto& fits) {
        for (std::size_t i = 0; i < all.size(); ++i)
            if (!taken[i] && fits(all[i]))
                return i;
        return all.size();
    };
    std::vector<Step> at(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        at[i].plain = all[i];
        const Instruction& first = all[i];
        if (first.op == Op::H && first.base >= 0 && first.c == -1.0) {
            const int z = first.source, e = first.target;
            const std::size_t g = find([&](const Instruction& x) {
                return x.op == Op::G && x.source == e && x.base == z && x.c == 1.0 && uses(x.target) == 1;
            });
            const std::size_t push = g == all.size() ? g : find([&](const Instruction& x) {
                return x.op == Op::push_phi && x.target == z && x.source == all[g].target;
            });
            if (g == all.size() || push == all.size())
                continue;
            const std::size_t solve = find([&](const Instruction& x) {
                return x.op == Op::D_inv && x.source == e && x.base < 0 && x.c == 1.0;
            });
            taken[g] = taken[push] = 1;
            if (solve < all.size())
                taken[solve] = 1;
            at[i] = {
                Step::Kind::gather, first, z, e, first.base, solve < all.size() ? all[solve].target : -1};
        }
        if (first.op == Op::G_adj && first.base >= 0 && first.c == -1.0 && uses(first.source) == 2) {
            const int below = first.source, e = first.target;
            const std::size_t pull =
                find([&](const Instruction& x) { return x.op == Op::pull_phi && x.target == below; });
            const std::size_t h = find([&](const Instruction& x) {
                return x.op == Op::H_adj && x.source == e && x.base == below && x.c == 1.0;
            });
            if (pull == all.size() || h == all.size() || all[pull].source != all[h].target)
                continue;
            taken[pull] = taken[h] = 1;
            at[i] = {Step::Kind::spread, first, all[h].target, e, first.base, -1};
        }
    }
    std::vector<Step> out;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (!taken[i])
            out.push_back(at[i]);
    return out;
}

template <class S> SWEEPDYN_INLINE void Runner<S>::gather(const Stages<S>& stages, const Slots& at, Index k)
{
    const Kinematics<S>& kin = stages.kin;
    const BodyKinematics<S>& body = kin.body[k];
    const Force<S> z = force(at.body[k]);
    Force<S> up = z;
    for (Index j : body.dofs()) {
        const S Hz = dot(kin.H[j], z);
        const S e = at.base[j] - Hz;
        at.e[j] = e;
        up += e * stages.G[j];
    }
    if (at.w)
        stages.solve_D(k, at.e + body.first_dof, at.w + body.first_dof);
    if (body.shifts)
        up = Phi<S>{body.l} * up;
    Six& parent = at.body[body.parent];
    parent = {parent.top + up.n, parent.bottom + up.f};
}

template <class S> SWEEPDYN_INLINE void Runner<S>::spread(const Stages<S>& stages, const Slots& at, Index k)
{
    const Kinematics<S>& kin = stages.kin;
    const BodyKinematics<S>& body = kin.body[k];
    Motion<S> below = motion(at.body[body.parent]);
    if (body.shifts)
        below = PhiAdjoint<S>{body.l} * below;
    Motion<S> y = below;
    for (Index j : body.dofs()) {
        const S Gy = dot(stages.G[j], below);
        const S e = at.base[j] - Gy;
        at.e[j] = e;
        y += e * kin.H[j];
    }
    at.body[k] = six(y);
}

template <class S>
void Runner<S>::run_pass(const Stages<S>& stages, const Pass& pass, const std::vector<Step>& steps)
{
    const Index n = stages.kin.tree().num_bodies();
    for (int v : pass.cleared)
        if (plan_.values()[static_cast<std::size_t>(v)].space.space == Space::world_force)
            *bodies(v) = {};
        else
            std::fill(bodies(v) - 1, bodies(v) + n, Six{});
    const auto over_bodies = [&](const auto& run) SWEEPDYN_INLINE_LAMBDA {
        if (pass.direction == Direction::causal)
            for (Index k = n - 1; k >= 0; --k)
                run(k);
        else
            for (Index k = 0; k < n; ++k)
                run(k);
    };
    if (steps.size() == 1 && steps[0].kind != Step::Kind::plain) {
        const Slots at = slots(steps[0]);
        if (steps[0].kind == Step::Kind::gather)
            over_bodies([&](Index k) SWEEPDYN_INLINE_LAMBDA { gather(stages, at, k); });
        else
            over_bodies([&](Index k) SWEEPDYN_INLINE_LAMBDA { spread(stages, at, k); });
        return;
    }
    over_bodies([&](Index k) {
        for (const Step& step : steps)
            switch (step.kind) {
            case Step::Kind::plain: run_body(stages, step.plain, k); break;
            case Step::Kind::gather: gather(stages, slots(step), k); break;
            case Step::Kind::spread: spread(stages, slots(step), k); break;
            }
    });
}

template <class S> void Runner<S>::run_body(const Stages<S>& stages, const Instruction& ins, Index k)
{
    using Op = Instruction::Op;
    const Kinematics<S>& kin = stages.kin;
    const BodyKinematics<S>& body = kin.body[k];
    const double c = ins.c;
    const auto to_body = [&](const Six& x) {
        store(bodies(ins.target)[k], ins.base < 0 ? nullptr : bodies(ins.base) + k, c, x);
    };
    const auto to_hinge = [&](Index j, const S& x) {
        store(numbers(ins.target)[j], ins.base < 0 ? nullptr : numbers(ins.base) + j, c, x);
    };
    const auto source = [&]() -> const Six& { return bodies(ins.source)[k]; };
    const auto across = [&](Index j) -> const S& { return numbers(ins.source)[j]; };
    const auto l = [&] { return body.shifts ? body.l : Vec3<S>{}; };
    const auto by_inverse = [&](const char* leaf,
                                const auto& column) { // x = A^-1 source, A given by its columns
        std::array<std::array<S, 6>, 6> A;
        for (int i = 0; i < 6; ++i) {
            Six e{};
            S* const entries[6] = {&e.top.x, &e.top.y, &e.top.z, &e.bottom.x, &e.bottom.y, &e.bottom.z};
            *entries[i] = S(1);
            const Six Ae = column(e);
            A[i] = {Ae.top.x, Ae.top.y, Ae.top.z, Ae.bottom.x, Ae.bottom.y, Ae.bottom.z};
        }
        const Six& s = source();
        std::array<S, 6> x{s.top.x, s.top.y, s.top.z, s.bottom.x, s.bottom.y, s.bottom.z};
        if (!detail::solve_six(A, x))
            detail::throw_singular_block(kin.model, leaf, k);
        to_body({{x[0], x[1], x[2]}, {x[3], x[4], x[5]}});
    };
    const auto upsilon = [&](const Six& f) {
        const auto& U = stages.Upsilon[k];
        return six(f.top.x * U[0] + f.top.y * U[1] + f.top.z * U[2] + f.bottom.x * U[3] + f.bottom.y * U[4] +
                   f.bottom.z * U[5]);
    };
    const auto lever = [&](int frame) { // from the body's reference point to the frame's origin
        const FrameId id =
            plan_.frame_sets()[static_cast<std::size_t>(ins.frames)][static_cast<std::size_t>(frame)];
        return transform_point(kin.X_WB(k), cast<S>(kin.model.frame_at(id).X_BF.p)) - kin.r(k);
    };
    const auto on_this_body = [&]() -> const std::vector<int>& {
        return frames_on_[static_cast<std::size_t>(ins.frames)][static_cast<std::size_t>(k)];
    };
    const int n = kin.tree().num_dofs(static_cast<int>(k)), first = body.first_dof;
    switch (ins.op) {
    case Op::copy_hinge:
        for (Index j : body.dofs())
            to_hinge(j, across(j));
        break;
    case Op::copy_body: to_body(source()); break;
    case Op::copy_frame:
        for (int f : on_this_body())
            store(bodies(ins.target)[f], ins.base < 0 ? nullptr : bodies(ins.base) + f, c,
                  bodies(ins.source)[f]);
        if (k == 0) // frames on the ground have no body to come with
            for (int f : frames_on_[static_cast<std::size_t>(ins.frames)].back())
                store(bodies(ins.target)[f], ins.base < 0 ? nullptr : bodies(ins.base) + f, c,
                      bodies(ins.source)[f]);
        break;
    case Op::copy_world:
        if (k == 0)
            store(*bodies(ins.target), ins.base < 0 ? nullptr : bodies(ins.base), c, *bodies(ins.source));
        break;
    case Op::H:
        for (Index j : body.dofs())
            to_hinge(j, dot(kin.H[j], force(source())));
        break;
    case Op::H_adj: {
        Motion<S> V{};
        for (Index j : body.dofs())
            V += across(j) * kin.H[j];
        to_body(six(V));
        break;
    }
    case Op::M: to_body(six(kin.M[k] * motion(source()))); break;
    case Op::R: to_body(six(stages.composite.R[k] * motion(source()))); break;
    case Op::P: to_body(six(stages.P[k] * motion(source()))); break;
    case Op::Upsilon: to_body(upsilon(source())); break;
    case Op::M_inv: by_inverse("M", [&](const Six& e) { return six(kin.M[k] * motion(e)); }); break;
    case Op::R_inv:
        by_inverse("R", [&](const Six& e) { return six(stages.composite.R[k] * motion(e)); });
        break;
    case Op::P_inv: by_inverse("P", [&](const Six& e) { return six(stages.P[k] * motion(e)); }); break;
    case Op::Upsilon_inv: by_inverse("Upsilon", upsilon); break;
    case Op::J_a:
        for (Index j : body.dofs())
            to_hinge(j, kin.armature[j] * across(j));
        break;
    case Op::J_a_inv:
        for (Index j : body.dofs()) {
            if (value(kin.armature[j]) == 0.0)
                detail::throw_singular_block(kin.model, "J_a", k);
            to_hinge(j, across(j) / kin.armature[j]);
        }
        break;
    case Op::D: {
        const S* Dk = stages.D.data() + stages.first_block[static_cast<std::size_t>(k)];
        for (int i = 0; i < n; ++i) {
            S sum(0);
            for (int j = 0; j < n; ++j)
                sum += Dk[i * n + j] * across(first + j);
            to_hinge(first + i, sum);
        }
        break;
    }
    case Op::D_inv: {
        std::array<S, 6> x;
        stages.solve_D(k, numbers(ins.source) + first, x.data());
        for (int i = 0; i < n; ++i)
            to_hinge(first + i, x[static_cast<std::size_t>(i)]);
        break;
    }
    case Op::G: {
        Force<S> f{};
        for (Index j : body.dofs())
            f += across(j) * stages.G[j];
        to_body(six(f));
        break;
    }
    case Op::G_adj:
        for (Index j : body.dofs())
            to_hinge(j, dot(stages.G[j], motion(source())));
        break;
    case Op::Delta: to_body(six(Phi<S>{l()} * force(source()))); break;
    case Op::Delta_adj: to_body(six(PhiAdjoint<S>{l()} * motion(source()))); break;
    case Op::Delta_inv: to_body(six(Phi<S>{-l()} * force(source()))); break;
    case Op::Delta_adj_inv: to_body(six(PhiAdjoint<S>{-l()} * motion(source()))); break;
    case Op::B: {
        Force<S> f{};
        for (int i : on_this_body())
            f += Phi<S>{lever(i)} * force(bodies(ins.source)[i]);
        to_body(six(f));
        break;
    }
    case Op::B_adj:
        for (int i : on_this_body())
            store(bodies(ins.target)[i], ins.base < 0 ? nullptr : bodies(ins.base) + i, c,
                  six(PhiAdjoint<S>{lever(i)} * motion(source())));
        break;
    case Op::E_adj:
        to_body(body.parent == ground ? six(PhiAdjoint<S>{kin.r(k)} * motion(*bodies(ins.source))) : Six{});
        break;
    case Op::push_phi: {
        const Six x = six(Phi<S>{l()} * force(source()));
        Six& to = bodies(ins.target)[body.parent];
        to = {to.top + x.top, to.bottom + x.bottom};
        break;
    }
    case Op::push_S: {
        Six& to = bodies(ins.target)[body.parent];
        to = {to.top + source().top, to.bottom + source().bottom};
        break;
    }
    case Op::push_E:
        if (body.parent == ground) {
            const Six x = six(Phi<S>{kin.r(k)} * force(source()));
            Six& to = *bodies(ins.target);
            to = {to.top + x.top, to.bottom + x.bottom};
        }
        break;
    case Op::pull_phi: to_body(six(PhiAdjoint<S>{l()} * motion(bodies(ins.source)[body.parent]))); break;
    case Op::pull_S: to_body(bodies(ins.source)[body.parent]); break;
    }
}

extern template class Runner<double>;

} // namespace sweepdyn::algebra
