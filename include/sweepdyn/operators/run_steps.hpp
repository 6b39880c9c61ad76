// The innovations steps of a Runner: instructions that come together, run as one. Included by run.hpp, and not by others.
#pragma once

namespace sweepdyn::algebra {

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

// e = x - H z, w = D^-1 e, then v_dot = w - G* y: a gather and a spread of the same three hinge vectors is M^-1 x.
template <class S> bool Runner<S>::is_mass_solve() const
{
    if (steps_.size() != 2 || steps_[0].size() != 1 || steps_[1].size() != 1)
        return false;
    const Step &in = steps_[0][0], &out = steps_[1][0];
    return in.kind == Step::Kind::gather && out.kind == Step::Kind::spread && in.base == plan_.operand() &&
           in.w >= 0 && out.base == in.w && out.e == plan_.output();
}

template <class S> void Runner<S>::solve_mass_matrix(const Stages<S>& stages, const S* T, S* v_dot)
{
    const Index n = stages.kin.tree().num_bodies();
    Six *z = bodies(steps_[0][0].body), *y = bodies(steps_[1][0].body);
    S* const e = numbers(steps_[0][0].e);
    std::fill(z - 1, z + n, Six{});
    const Slots inward{z, e, v_dot, T}, outward{y, v_dot, nullptr, v_dot};
    for (Index k = n - 1; k >= 0; --k)
        gather(stages, inward, k);
    for (Index k = 0; k < n; ++k)
        spread(stages, outward, k);
}

} // namespace sweepdyn::algebra
