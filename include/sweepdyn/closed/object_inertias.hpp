// Arms as inertias that the object carries: O(n) + O(l) while no arm is singular, and a grasp is one more term of a sum.
//
//     Lambda_i = N (N* B_i* Upsilon B_i N)^-1 N*            the arm's inertia at its tip, of what its grip can carry
//     f_i = Lambda_i (alpha_f,i - a_i - phi*(C, O_i) alpha(C))
//     (M(C) + sum phi Lambda_i phi*) alpha(C) = -b(C) + sum phi Lambda_i (alpha_f,i - a_i)
//     v_dot = v_dot_f - M^-1 J* f                                                                  [004 section 6]
//
// reflect_arms once per state; then attach and detach cost O(1), and hold a sum of l terms and one 6 x 6 solve, which give alpha(C) and all f,
// and one correction sweep over the arms, which gives v_dot: no inertia is computed again. The arms must not share moving bodies, and no
// arm may be singular in what its grip carries (arm[i].singular; then use RCCFD1). tests/laws/papers_closed_growth.cpp counts all that.
// Before: update(kin, q, v), update_inertias, articulate. No allocation. Specified by tests/laws/papers_closed.cpp.
#pragma once

#include "sweepdyn/closed/held_object.hpp"
#include "sweepdyn/dynamics/tip_force_correction.hpp"

namespace sweepdyn {

template <class S>
struct ObjectInertias {
    // Throws UsageError where arms share a body, and as ArmsOnObject does.
    ObjectInertias(const Model& model, std::vector<Grip> grips);

    struct Arm {
        bool attached = true, singular = false;
        std::array<S, 36> factor{}; // of N* B* Upsilon B N
        int first_row = 0, num_rows = 0;
        Motion<S> push{}; // alpha_f - a
        std::array<S, 36> at_C{}; // phi Lambda phi*, lower triangle
        Force<S> load{}; // phi Lambda push, about C
    };
    std::vector<Arm> arm;
    ArmsOnObject<S> arms; // f: zero where not attached; Omega is not used
    Compliances<S> compliance;
    std::array<S, 36> Lambda{}; // of object and attached arms about C, lower triangle: by hold
    std::vector<S> v_dot_free;
    std::vector<Force<S>> w;
    void attach(int i) { arm[i].attached = true; }
    void detach(int i) { arm[i].attached = false; }
};

template <class S>
ObjectInertias<S>::ObjectInertias(const Model& model, std::vector<Grip> grips)
    : arm(grips.size()),
      arms(model, std::move(grips)),
      compliance(model),
      v_dot_free(static_cast<std::size_t>(model.num_dofs())),
      w(static_cast<std::size_t>(model.num_bodies()))
{
    std::vector<int> owner(static_cast<std::size_t>(model.num_bodies()), -1);
    for (int i = 0; i < arms.num_arms(); ++i)
        for (int k = model.frame_body(arms.grips[i].tip); k != ground; k = model.tree().parent[k]) {
            if (owner[k] >= 0 && !model.is_fixed(k))
                throw UsageError("ObjectInertias: arms with tips '" +
                                 model.frame_at(arms.grips[owner[k]].tip).name + "' and '" +
                                 model.frame_at(arms.grips[i].tip).name + "' share body '" +
                                 model.bodies()[k].name + "'; use rccfd1, which needs no separate arms");
            owner[k] = i;
        }
    for (std::size_t r = 0; r < arms.rows.size(); ++r) {
        Arm& one = arm[arms.rows[r].arm];
        if (one.num_rows++ == 0)
            one.first_row = static_cast<int>(r);
    }
}

namespace detail {
// Lambda X of one arm, about its tip.
template <class S>
Force<S> arm_force(const ObjectInertias<S>& all, const typename ObjectInertias<S>::Arm& one,
                   const Motion<S>& X)
{
    std::array<S, 6> x{};
    for (int r = 0; r < one.num_rows; ++r)
        x[r] = dot(all.arms.N[one.first_row + r], X);
    solve_factored(one.factor.data(), one.num_rows, 6, x.data());
    Force<S> F{};
    for (int r = 0; r < one.num_rows; ++r)
        F += x[r] * all.arms.N[one.first_row + r];
    return F;
}
} // namespace detail

// Every arm's part, attached or not. True when no attached arm is singular.
template <class S>
bool reflect_arms(const Kinematics<S>& kin, const Articulation<S>& art, const HeldObject<S>& object,
                  std::span<const S> T, ObjectInertias<S>& all)
{
    ArmsOnObject<S>& arms = all.arms;
    detail::place_grips(kin, object, arms);
    forward_dynamics<S>(kin, art, T, all.v_dot_free, arms.scratch);
    compliances(kin, art, all.compliance);
    bool regular = true;
    for (int i = 0; i < arms.num_arms(); ++i) {
        typename ObjectInertias<S>::Arm& one = all.arm[i];
        const Index k = kin.model.frame_body(arms.grips[i].tip);
        const Phi<S> B{frame_pose(kin, arms.grips[i].tip).p - kin.r(k)};
        for (int s = 0; s < one.num_rows; ++s) {
            const Motion<S> A = all.compliance.Upsilon[k] * (B * arms.N[one.first_row + s]);
            for (int r = s; r < one.num_rows; ++r)
                one.factor[6 * r + s] = dot(B * arms.N[one.first_row + r], A);
        }
        one.singular = !detail::factor(one.factor.data(), one.num_rows, 6, omega_rank_tolerance);
        regular = regular && !(one.singular && one.attached);
        if (one.singular)
            continue;
        one.push = frame_acceleration<S>(kin, arms.grips[i].tip, all.v_dot_free) - arms.a[i];
        const Phi<S> to_C{arms.l[i]};
        one.load = to_C * detail::arm_force(all, one, one.push);
        detail::fill_symmetric6(one.at_C.data(), [&](const Motion<S>& X) {
            return to_C * detail::arm_force(all, one, adj(to_C) * X);
        });
    }
    return regular;
}

// With the arms attached now. After: v_dot of all arms, arms.f, alpha_C, Lambda.
template <class S>
void hold(const Kinematics<S>& kin, const Articulation<S>& art, const HeldObject<S>& object,
          ObjectInertias<S>& all, std::span<S> v_dot)
{
    ArmsOnObject<S>& arms = all.arms;
    require_size("hold", "v_dot", v_dot.size(), kin.v.size());
    detail::fill_symmetric6(all.Lambda.data(), [&](const Motion<S>& X) { return object.M * X; });
    Force<S> load = -arms.b;
    for (const auto& one : all.arm)
        if (one.attached && !one.singular) {
            load += one.load;
            for (std::size_t i = 0; i < 36; ++i)
                all.Lambda[i] += one.at_C[i];
        }
    std::array<S, 36> factors = all.Lambda;
    detail::factor(factors.data(), 6, 6, 0.0);
    S x[6] = {load.n.x, load.n.y, load.n.z, load.f.x, load.f.y, load.f.z};
    detail::solve_factored(factors.data(), 6, 6, x);
    arms.alpha_C = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
    for (Force<S>& each : all.w)
        each = {};
    for (int i = 0; i < arms.num_arms(); ++i) {
        const auto& one = all.arm[i];
        arms.f[i] = {};
        if (!one.attached || one.singular)
            continue;
        arms.f[i] = detail::arm_force(all, one, one.push - PhiAdjoint<S>{arms.l[i]} * arms.alpha_C);
        add_external_wrench<S>(kin, arms.grips[i].tip, -arms.f[i], WrenchAxes::world, all.w);
    }
    tip_force_correction<S>(kin, art, all.w, v_dot, arms.scratch);
    for (std::size_t j = 0; j < v_dot.size(); ++j)
        v_dot[j] += all.v_dot_free[j];
    detail::move_tips<S>(kin, v_dot, arms);
}

extern template struct ObjectInertias<double>;
extern template bool reflect_arms(const Kinematics<double>&, const Articulation<double>&,
                                  const HeldObject<double>&, std::span<const double>,
                                  ObjectInertias<double>&);
extern template void hold(const Kinematics<double>&, const Articulation<double>&, const HeldObject<double>&,
                          ObjectInertias<double>&, std::span<double>);

} // namespace sweepdyn
