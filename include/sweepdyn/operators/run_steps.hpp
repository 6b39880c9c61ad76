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
    const auto is_done = [&](std::size_t i) { // nothing is added to its target afterwards
        return std::none_of(all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end(),
                            [&](const Instruction& x) { return x.target == all[i].target; });
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
        if (first.op == Op::H && first.base >= 0 && first.c == -1.0 && is_done(i)) {
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
                return x.op == Op::D_inv && x.source == e && x.base < 0 && x.c == 1.0 &&
                       x.articulated == all[g].articulated;
            });
            taken[g] = taken[push] = 1;
            if (solve < all.size())
                taken[solve] = 1;
            const int others = uses(e) - 1 - (solve < all.size()); // who reads e besides
            at[i] = {Step::Kind::gather,  all[g],     z,
                     others > 0 ? e : -1, first.base, solve < all.size() ? all[solve].target : -1};
        }
        if (first.op == Op::G_adj && first.base >= 0 && first.c == -1.0 && uses(first.source) == 2 &&
            is_done(i)) {
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

// Hinges of other than one dof: rarer, and kept out of the way.
template <class S>
[[gnu::noinline]] Force<S> Runner<S>::gather_any(const Kinematics<S>& kin, const Slots& at, Index k,
                                                 const Force<S>& z)
{
    const BodyKinematics<S>& body = kin.body[k];
    const Index first = body.first_dof, n = body.end_dof - first;
    Force<S> up = z;
    std::array<S, 6> e;
    for (Index i = 0; i < n; ++i) {
        e[i] = at.base[first + i] - dot(kin.H[first + i], z);
        up += e[i] * at.art->G[first + i];
        if (at.e)
            at.e[first + i] = e[i];
    }
    if (at.w)
        at.art->solve_D(body, k, e.data(), at.w + first);
    return up;
}

template <class S> SWEEPDYN_INLINE void Runner<S>::gather(const Stages<S>& stages, const Slots& at, Index k)
{
    const Kinematics<S>& kin = stages.kin;
    const BodyKinematics<S>& body = kin.body[k];
    const Force<S> z = force(at.body[k]);
    Force<S> up;
    if (const Index j = body.first_dof; body.end_dof - j == 1) [[likely]] {
        const S e = at.base[j] - dot(kin.H[j], z);
        if (at.w)
            at.w[j] = at.art->D_inverse[k] * e;
        if (at.e)
            at.e[j] = e;
        up = z + e * at.art->G[j];
    } else
        up = gather_any(kin, at, k, z);
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
        const S Gy = dot(at.art->G[j], below);
        const S e = at.base[j] - Gy;
        at.e[j] = e;
        y += e * kin.H[j];
    }
    at.body[k] = six(y);
}

} // namespace sweepdyn::algebra
