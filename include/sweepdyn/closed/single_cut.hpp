// A closed chain by one cut: two tips that are one body.
//
//     Lambda_c^-1 = Lambda_1^-1 + Lambda_2^-1 (less the cross blocks where the arms share bodies)
//     f = Lambda_c (alpha_2f - alpha_1f),   f on tip 1, -f on tip 2
//     v_dot = v_dot_f + M^-1 (J_1 - J_2)* f                                                              [004 (5.6)-(5.11)]
//
// Where the loop is over-constrained (a planar one welded), Lambda_c^-1 has no inverse: accelerations are right all the same, and
// `unique` says which components of f are. O(n). Before: update(kin, q, v), update_inertias, articulate; the tips move as one.
// No allocation. Specified by tests/laws/papers_closed.cpp.
#pragma once

#include "sweepdyn/dynamics/operational_space.hpp"
#include "sweepdyn/dynamics/tip_force_correction.hpp"
#include "sweepdyn/kinematics/semidefinite.hpp"

namespace sweepdyn {

template <class S>
struct SingleCut {
    SingleCut(const Model& model, FrameId tip_1, FrameId tip_2)
        : space(model, {tip_1, tip_2}),
          dv_dot(static_cast<std::size_t>(model.num_dofs())),
          w(static_cast<std::size_t>(model.num_bodies())),
          scratch(model)
    {
    }
    OperationalSpace<S> space;
    std::array<S, 36> Lambda_inverse{}; // of the chain, at the cut
    Force<S> f{detail::poison3<S>(), detail::poison3<S>()}; // on tip 1, about the cut, world axes
    std::array<char, 6> unique{};
    Semidefinite<S> factor{6};
    std::vector<S> dv_dot;
    std::vector<Force<S>> w;
    BodyForces<S> scratch;
};

template <class S>
void single_cut(const Kinematics<S>& kin, const Articulation<S>& art, std::span<const S> T,
                std::span<S> v_dot, SingleCut<S>& cut)
{
    forward_dynamics<S>(kin, art, T, v_dot, cut.scratch);
    const FrameId tip_1 = cut.space.frames[0], tip_2 = cut.space.frames[1];
    const Motion<S> gap = frame_acceleration<S>(kin, tip_2, v_dot) - frame_acceleration<S>(kin, tip_1, v_dot);
    operational_space(kin, art, cut.space);
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) {
            const auto at = [&](int a, int b) {
                return cut.space.Omega[static_cast<std::size_t>((6 * b + j) * 12 + 6 * a + i)];
            };
            cut.Lambda_inverse[6 * i + j] = at(0, 0) + at(1, 1) - at(0, 1) - at(1, 0);
        }
    cut.factor.factor(cut.Lambda_inverse.data(), 6, 6);
    std::array<S, 6> x{}, z{};
    cut.factor.unique(cut.unique, z);
    for (int i = 0; i < 3; ++i) {
        x[i] = gap.w[i];
        x[3 + i] = gap.v[i];
    }
    cut.factor.solve(x);
    cut.f = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
    for (Force<S>& each : cut.w)
        each = {};
    add_external_wrench<S>(kin, tip_1, cut.f, WrenchAxes::world, cut.w);
    add_external_wrench<S>(kin, tip_2, -cut.f, WrenchAxes::world, cut.w);
    tip_force_correction<S>(kin, art, cut.w, cut.dv_dot, cut.scratch);
    for (std::size_t j = 0; j < v_dot.size(); ++j)
        v_dot[j] += cut.dv_dot[j];
}

extern template void single_cut(const Kinematics<double>&, const Articulation<double>&,
                                std::span<const double>, std::span<double>, SingleCut<double>&);

} // namespace sweepdyn
