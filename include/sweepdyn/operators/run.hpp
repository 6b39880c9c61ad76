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

#include "sweepdyn/dynamics/gravity_forces.hpp"
#include "sweepdyn/dynamics/solve_mass_matrix.hpp"
#include "sweepdyn/operators/stages.hpp"

namespace sweepdyn::algebra {

template <class S>
class Runner {
public:
    explicit Runner(const Plan& plan);

    const Plan& plan() const { return plan_; }
    // Numbers of a vector, or of the blocks of an operator, that the expression names: of blocks body after body, column by column.
    void set(const std::string& name, std::span<const S> numbers);
    // out = expression * in; `in` is empty for an expression that is a vector.
    void operator()(const Stages<S>& stages, std::span<const S> in, std::span<S> out);
    // The same for as many vectors as `in` and `out` hold, one after the other.
    void many(const Stages<S>& stages, std::span<const S> in, std::span<S> out);
    // out += factor * expression * in
    void accumulate(const Stages<S>& stages, std::span<const S> in, std::span<S> out, const S& factor = S(1));

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
        const BlockArticulation<S>* art;
        Six* body;
        S *e, *w;
        const S* base;
    };
    Slots slots(const Stages<S>& stages, const Step& step)
    {
        return {stages.find(plan_, step.plain.articulated), bodies(step.body),
                step.e < 0 ? nullptr : numbers(step.e), step.w < 0 ? nullptr : numbers(step.w),
                numbers(step.base)};
    }
    std::vector<Step> fused(const Pass& pass) const;

    void check(const Stages<S>& stages) const;
    void load_state(const Stages<S>& stages);
    void run_mass_solve(const Stages<S>& stages, std::span<const S> in, std::span<S> out);
    void run_kernel(const Stages<S>& stages, std::span<S> out);
    void run_pass(const Stages<S>& stages, const Pass& pass, const std::vector<Step>& steps);
    static Force<S> gather_any(const Kinematics<S>& kin, const Slots& at, Index k, const Force<S>& z);
    static void gather(const Stages<S>& stages, const Slots& at, Index k);
    static void spread(const Stages<S>& stages, const Slots& at, Index k);
    void run_body(const Stages<S>& stages, const Instruction& ins, Index k);
    void run_fused(const Stages<S>& stages, const Step& step);
    void run_clusters(const Stages<S>& stages, const Pass& pass);
    void run_cluster(const Stages<S>& stages, const Instruction& ins, const BlockTree::Cluster& c);
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
    std::vector<int> unset_; // values with a name that have no numbers yet
    std::vector<std::vector<S>> given_; // per value: its blocks, where they are given
    std::vector<std::vector<Step>> steps_; // of each pass
    std::vector<S> result_; // of one vector, for accumulate
    BodyForces<S> forces_; // of a kernel
    std::vector<S> at_rest_; // accelerations of zero, for a kernel
    std::vector<std::vector<std::vector<int>>> frames_on_; // per set of frames and body (last: the ground)
    std::vector<S> x_, y_, A_; // of one cluster
};

namespace detail {
[[noreturn]] void throw_unset(const Value& value);
[[noreturn]] void throw_no_mass(const Model& model);
[[noreturn]] void throw_unknown_name(const Plan& plan, const std::string& name);
[[noreturn]] void throw_singular_block(const Model& model, const char* leaf, Index body);
// Solves the symmetric A x = b, A n x n and not negative; A is used up. False: singular, a pivot being nothing beside its diagonal.
template <class S> bool solve_symmetric(S* A, int n, S* x)
{
    for (int i = 0; i < n; ++i) { // L D L*, in place
        const S diagonal = A[i * n + i];
        for (int j = 0; j < i; ++j)
            for (int r = i; r < n; ++r)
                A[r * n + i] -= A[r * n + j] * A[i * n + j] * A[j * n + j];
        if (!(value(A[i * n + i]) > 256 * Precision<S>::epsilon * value(diagonal)))
            return false;
        for (int r = i + 1; r < n; ++r)
            A[r * n + i] = A[r * n + i] / A[i * n + i];
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j)
            x[i] -= A[i * n + j] * x[j];
    for (int i = 0; i < n; ++i)
        x[i] = x[i] / A[i * n + i];
    for (int i = n - 1; i >= 0; --i)
        for (int r = i + 1; r < n; ++r)
            x[i] -= A[r * n + i] * x[r];
    return true;
}
} // namespace detail

template <class S>
Runner<S>::Runner(const Plan& plan)
    : plan_(plan),
      forces_(plan.model()),
      at_rest_(static_cast<std::size_t>(plan.model().num_dofs()), S(0))
{
    const auto bodies = static_cast<std::size_t>(plan.model().num_bodies());
    std::size_t blocks = 0, numbers = 0;
    for (const Value& v : plan.values()) {
        if (v.kind == Value::Kind::input &&
            (v.leaf == Leaf::v || v.leaf == Leaf::a || v.leaf == Leaf::b || v.leaf == Leaf::gravity))
            of_state_.push_back(static_cast<int>(size_.size()));
        if (plan.is_named(v))
            unset_.push_back(static_cast<int>(size_.size()));
        given_.emplace_back(v.leaf == Leaf::blocks ? static_cast<std::size_t>(plan.dimension(v)) : 0);
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
    if (plan.over().by_clusters()) {
        std::size_t most = 0;
        for (const BlockTree::Cluster& c : plan.over().clusters())
            most = std::max({most, 6 * c.bodies.size(), c.columns.size()});
        x_.resize(most), y_.resize(most), A_.resize(most * most);
    }
    for (const Pass& pass : plan.passes())
        steps_.push_back(fused(pass));
    result_.resize(size_[static_cast<std::size_t>(plan.output())]);
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
        if (const Value& v = plan_.values()[i]; plan_.is_named(v) && v.name == name) {
            if (v.kind == Value::Kind::apply) {
                require_size("run", "the operator's blocks", numbers.size(), given_[i].size());
                std::copy(numbers.begin(), numbers.end(), given_[i].begin());
            } else
                copy_in(static_cast<int>(i), numbers);
            std::erase(unset_, static_cast<int>(i)), found = true;
        }
    if (!found)
        detail::throw_unknown_name(plan_, name);
}

template <class S> void Runner<S>::check(const Stages<S>& stages) const
{
    using sweepdyn::detail::require_fresh;
    const Kinematics<S>& kin = stages.kin;
    detail::require_same(plan_, stages);
    sweepdyn::detail::require_poses(kin, "run");
    const bool by_clusters = stages.clusters.has_value();
    if (by_clusters)
        require_fresh(stages.clusters->position_version == kin.position_version &&
                          stages.clusters->velocity_version == kin.velocity_version,
                      "run", "stages.prepare(plan)");
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
            require_fresh((by_clusters ? stages.clusters->inertia_version
                                       : stages.composite.position_version) == kin.position_version,
                          "run", "stages.prepare(plan)");
            break;
        case Needs::columns:
            require_fresh(stages.columns.position_version == kin.position_version, "run",
                          "stages.prepare(plan)");
            break;
        case Needs::articulation:
            for (Articulated of : plan_.articulated()) {
                const BlockArticulation<S>* art = by_clusters ? nullptr : stages.find(plan_, of);
                const ClusterGains<S>* gains = by_clusters ? stages.find_gains(plan_, of) : nullptr;
                require_fresh((art && art->position_version == kin.position_version) ||
                                  (gains && gains->position_version == kin.position_version),
                              "run", "stages.prepare(plan)");
            }
            break;
        case Needs::upsilon:
            require_fresh((by_clusters ? stages.clusters->upsilon_version : stages.upsilon_version) ==
                              kin.position_version,
                          "run", "stages.prepare(plan)");
        }
}

// Vectors that the state gives.
template <class S> void Runner<S>::load_state(const Stages<S>& stages)
{
    const Kinematics<S>& kin = stages.kin;
    for (int i : of_state_) {
        const Value& v = plan_.values()[static_cast<std::size_t>(i)];
        if (v.leaf == Leaf::v) {
            if (stages.clusters)
                std::copy(stages.clusters->u.begin(), stages.clusters->u.end(), numbers(i));
            else
                std::copy(kin.v.begin(), kin.v.end(), numbers(i));
            continue;
        }
        Six* to = bodies(i);
        for (Index k : kin.tree().base_to_tip()) {
            const BodyKinematics<S>& body = kin.body[k];
            const int base = stages.clusters ? plan_.over().base(static_cast<int>(k)) : body.parent;
            to[k] = v.leaf == Leaf::a   ? six(stages.clusters ? stages.clusters->a[k] : body.a)
                    : v.leaf == Leaf::b ? six(crf(body.V) * (kin.M[k] * body.V))
                                        : six(base == ground ? kin.A0 : Motion<S>{});
        }
    }
}

template <class S> void Runner<S>::operator()(const Stages<S>& stages, std::span<const S> in,
                                              std::span<S> out)
{
    if (plan_.kernel() == Kernel::solve_mass_matrix) [[likely]]
        return run_mass_solve(stages, in, out);
    check(stages);
    require_size("run", "out", out.size(), size_[static_cast<std::size_t>(plan_.output())]);
    if (plan_.kernel() != Kernel::none)
        return run_kernel(stages, out);
    if (!unset_.empty())
        detail::throw_unset(plan_.values()[static_cast<std::size_t>(unset_.front())]);
    if (plan_.operand() >= 0)
        copy_in(plan_.operand(), in);
    else
        require_size("run", "the vector, which this expression does not take,", in.size(), 0);
    load_state(stages);
    for (std::size_t i = 0; i < steps_.size(); ++i)
        run_pass(stages, plan_.passes()[i], steps_[i]);
    copy_out(plan_.output(), out);
}

// The kernel checks all else.
template <class S>
void Runner<S>::run_mass_solve(const Stages<S>& stages, std::span<const S> in, std::span<S> out)
{
    detail::require_same(plan_, stages);
    sweepdyn::detail::require_fresh(stages.columns.position_version == stages.kin.position_version, "run",
                                    "stages.prepare(plan)");
    solve_mass_matrix<S>(stages.kin, stages.columns, in, out, forces_);
}
template <class S> void Runner<S>::run_kernel(const Stages<S>& stages, std::span<S> out)
{
    if (plan_.kernel() == Kernel::inverse_dynamics)
        inverse_dynamics<S>(stages.kin, at_rest_, out, forces_);
    else
        gravity_forces<S>(stages.kin, out, forces_);
}

template <class S> void Runner<S>::many(const Stages<S>& stages, std::span<const S> in, std::span<S> out)
{
    const std::size_t rows = size_[static_cast<std::size_t>(plan_.output())],
                      cols = plan_.operand() < 0 ? 0 : size_[static_cast<std::size_t>(plan_.operand())];
    const std::size_t count = rows == 0 ? 0 : out.size() / rows;
    require_size("run", "out", out.size(), count * rows);
    require_size("run", "the vectors", in.size(), count * cols);
    for (std::size_t i = 0; i < count; ++i)
        (*this)(stages, in.subspan(i * cols, cols), out.subspan(i * rows, rows));
}

template <class S>
void Runner<S>::accumulate(const Stages<S>& stages, std::span<const S> in, std::span<S> out, const S& factor)
{
    require_size("run", "out", out.size(), result_.size());
    (*this)(stages, in, result_);
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] += factor * result_[i];
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
    if (stages.clusters) [[unlikely]]
        return run_clusters(stages, pass);
    if (steps.size() == 1 && steps[0].kind != Step::Kind::plain)
        return run_fused(stages, steps[0]);
    const auto run = [&](Index k) {
        for (const Step& step : steps)
            switch (step.kind) {
            case Step::Kind::plain: run_body(stages, step.plain, k); break;
            case Step::Kind::gather: gather(stages, slots(stages, step), k); break;
            case Step::Kind::spread: spread(stages, slots(stages, step), k); break;
            }
    };
    if (pass.direction == Direction::causal)
        for (Index k = n - 1; k >= 0; --k)
            run(k);
    else
        for (Index k = 0; k < n; ++k)
            run(k);
}

// A pass that is one fused step: a loop of its own, small enough for the compiler to take its conditions out.
template <class S>
[[gnu::noinline]] void Runner<S>::run_fused(const Stages<S>& stages, const Step& step)
{
    const Index n = stages.kin.tree().num_bodies();
    const Slots at = slots(stages, step);
    // gather adds to the parent, so from tip to base; spread reads the parent
    if (step.kind == Step::Kind::gather)
        for (Index k = n - 1; k >= 0; --k)
            gather(stages, at, k);
    else
        for (Index k = 0; k < n; ++k)
            spread(stages, at, k);
}

extern template class Runner<double>;

} // namespace sweepdyn::algebra

#include "sweepdyn/operators/run_clusters.hpp"
#include "sweepdyn/operators/run_instructions.hpp"
#include "sweepdyn/operators/run_steps.hpp"
