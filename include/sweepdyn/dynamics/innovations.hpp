// The innovations factorization of the mass matrix, as an object: articulate once, then apply its factors to any number of vectors.
//
//     M = (I + H phi K) D (I + H phi K)*,   M^-1 = (I - H psi K)* D^-1 (I - H psi K)                        [003 theorem 4.1, 004]
//
// One number of D per dof: the columns of a hinge are eliminated one by one, as in forward_dynamics. Each application is one sweep,
// O(bodies + dofs); in and out may be the same. A payload on a body changes the articulation only from there to the ground.
// No allocation after construction. Before: update(kin, q), update_inertias. Specified by tests/laws/innovations.cpp.
#pragma once

#include <cmath>

#include "sweepdyn/dynamics/solve_mass_matrix.hpp"

namespace sweepdyn {

template <class S>
class Innovations {
public:
    explicit Innovations(const Model& model);

    // Everything anew, at the state of kin. Throws RefusedError, naming the hinge, where there is no inertia to move.
    void factor(const Kinematics<S>& kin);
    // What a body carries besides itself, body axes, about the body frame's origin; it stays until it is set anew.
    // Redoes the articulation on the path to the ground. Before: factor at this state.
    void set_payload(const Kinematics<S>& kin, int body, const Inertia<S>& payload);
    int bodies_redone() const { return redone_; } // by the last of these calls

    void solve(const Kinematics<S>& kin, std::span<const S> T, std::span<S> x); // x = M^-1 T
    void multiply(const Kinematics<S>& kin, std::span<const S> x, std::span<S> T); // T = M x
    void force_to_innovations(const Kinematics<S>& kin, std::span<const S> T,
                              std::span<S> e); // (I - H psi K) T
    void innovations_to_force(const Kinematics<S>& kin, std::span<const S> e,
                              std::span<S> T); // (I + H phi K) e
    void velocity_to_innovations(const Kinematics<S>& kin, std::span<const S> v,
                                 std::span<S> n); // (I + H phi K)* v
    void innovations_to_velocity(const Kinematics<S>& kin, std::span<const S> n,
                                 std::span<S> v); // (I - H psi K)* n
    // Of columns one after the other, as many as there are.
    void solve_many(const Kinematics<S>& kin, std::span<const S> T, std::span<S> x);

    S D(Index dof) const { return S(1) / art_.D_inverse[dof]; }
    S log_det() const; // of M
    // From independent standard normal numbers, one per dof: a velocity of covariance M^-1, a hinge force of covariance M.
    void sample_velocity(const Kinematics<S>& kin, std::span<const S> normal, std::span<S> v);
    void sample_force(const Kinematics<S>& kin, std::span<const S> normal, std::span<S> T);

    const Articulation<S>& articulation() const { return art_; }

private:
    void redo(const Kinematics<S>& kin, Index k);
    void check(const Kinematics<S>& kin, std::size_t in, std::size_t out) const;

    Articulation<S> art_; // but for P_plus, which is not of the sums over children here:
    std::vector<ArticulatedInertia<S>> P_up_; // per body: phi P+ phi*, what it adds to its parent
    std::vector<Inertia<S>> payload_; // body axes, about the body frame's origin
    std::vector<int> first_child_, next_sibling_;
    BodyForces<S> scratch_;
    int redone_ = 0;
};

template <class S>
Innovations<S>::Innovations(const Model& model)
    : art_(model),
      P_up_(static_cast<std::size_t>(model.num_bodies())),
      payload_(P_up_.size()),
      first_child_(P_up_.size(), -1),
      next_sibling_(P_up_.size(), -1),
      scratch_(model)
{
    for (Index k : model.tree().tip_to_base())
        if (const int p = model.tree().parent[k]; p != ground) {
            next_sibling_[k] = first_child_[p];
            first_child_[p] = static_cast<int>(k);
        }
}

template <class S> void Innovations<S>::redo(const Kinematics<S>& kin, Index k)
{
    const BodyKinematics<S>& b = kin.body[k];
    ArticulatedInertia<S> P(kin.M[k]);
    if (const Inertia<S>& load = payload_[k]; value(load.m) != 0.0 || value(load.J.trace()) != 0.0) {
        const Pose<S> X = kin.X_WB(k);
        const Inertia<S> turned{load.m, X.R * load.h, rotate(X.R, load.J)};
        P += shift(turned, X.p - kin.r(k));
    }
    for (int c = first_child_[k]; c != -1; c = next_sibling_[static_cast<std::size_t>(c)])
        P += P_up_[static_cast<std::size_t>(c)];
    if (!detail::free_hinge(kin, k, P, art_))
        art_.singular.push_back(static_cast<int>(k));
    P_up_[k] = b.shifts ? shift(P, b.l) : P;
    ++redone_;
}

template <class S> void Innovations<S>::factor(const Kinematics<S>& kin)
{
    detail::require_fresh(kin.inertia_version == kin.position_version, "Innovations::factor",
                          "update_inertias");
    require_size("Innovations::factor", "kin", P_up_.size(), kin.M.size());
    redone_ = 0;
    art_.singular.clear();
    art_.position_version = 0;
    if (art_.any_at_risk)
        composite_inertias(kin, art_.R);
    for (Index k : kin.tree().tip_to_base())
        redo(kin, k);
    if (!art_.singular.empty())
        detail::throw_singular(kin.model, art_.singular, "Innovations::factor");
    art_.position_version = kin.position_version;
}

template <class S> void Innovations<S>::set_payload(const Kinematics<S>& kin, int body,
                                                    const Inertia<S>& payload)
{
    detail::require_fresh(art_.position_version == kin.position_version, "Innovations::set_payload",
                          "factor");
    if (body < 0 || body >= kin.model.num_bodies())
        throw UsageError("Innovations::set_payload: no body of number " + std::to_string(body));
    redone_ = 0;
    payload_[static_cast<std::size_t>(body)] = payload;
    for (Index k = body; k != ground; k = kin.body[k].parent)
        redo(kin, k);
    if (!art_.singular.empty()) {
        art_.position_version = 0;
        detail::throw_singular(kin.model, art_.singular, "Innovations::set_payload");
    }
}

template <class S> void Innovations<S>::check(const Kinematics<S>& kin, std::size_t in, std::size_t out) const
{
    detail::require_fresh(art_.position_version == kin.position_version, "Innovations", "factor");
    require_size("Innovations", "the vector given", in, kin.v.size());
    require_size("Innovations", "the vector wanted", out, kin.v.size());
}

template <class S> void Innovations<S>::solve(const Kinematics<S>& kin, std::span<const S> T, std::span<S> x)
{
    solve_mass_matrix<S>(kin, art_, T, x, scratch_);
}
template <class S> void Innovations<S>::multiply(const Kinematics<S>& kin, std::span<const S> x,
                                                 std::span<S> T)
{
    velocity_to_innovations(kin, x, T);
    for (std::size_t j = 0; j < T.size(); ++j)
        T[j] = T[j] / art_.D_inverse[j];
    innovations_to_force(kin, T, T);
}

// z+ = z + G e is what crosses, whichever of the two is given: T = e + H z.
template <class S>
void Innovations<S>::force_to_innovations(const Kinematics<S>& kin, std::span<const S> T, std::span<S> e)
{
    check(kin, T.size(), e.size());
    for (Index k : kin.tree().base_to_tip())
        scratch_[k].f = {};
    for (Index k : kin.tree().tip_to_base()) {
        const BodyKinematics<S>& b = kin.body[k];
        Force<S> z = scratch_[k].f;
        for (Index j : b.dofs_reversed()) {
            e[j] = T[j] - dot(kin.H[j], z);
            z += e[j] * art_.G[j];
        }
        scratch_[b.parent].f += b.shifts ? Phi<S>{b.l} * z : z;
    }
}
template <class S>
void Innovations<S>::innovations_to_force(const Kinematics<S>& kin, std::span<const S> e, std::span<S> T)
{
    check(kin, e.size(), T.size());
    for (Index k : kin.tree().base_to_tip())
        scratch_[k].f = {};
    for (Index k : kin.tree().tip_to_base()) {
        const BodyKinematics<S>& b = kin.body[k];
        Force<S> z = scratch_[k].f;
        for (Index j : b.dofs_reversed()) {
            const S given = e[j], Hz = dot(kin.H[j], z);
            T[j] = given + Hz;
            z += given * art_.G[j];
        }
        scratch_[b.parent].f += b.shifts ? Phi<S>{b.l} * z : z;
    }
}
// V += H* v is what crosses: n = v + G* V.
template <class S>
void Innovations<S>::velocity_to_innovations(const Kinematics<S>& kin, std::span<const S> v, std::span<S> n)
{
    check(kin, v.size(), n.size());
    scratch_[ground].A = {};
    for (Index k : kin.tree().base_to_tip()) {
        const BodyKinematics<S>& b = kin.body[k];
        Motion<S> V = b.shifts ? PhiAdjoint<S>{b.l} * scratch_[b.parent].A : scratch_[b.parent].A;
        for (Index j : b.dofs()) {
            const S given = v[j], GV = dot(art_.G[j], V);
            n[j] = given + GV;
            V += given * kin.H[j];
        }
        scratch_[k].A = V;
    }
}
template <class S>
void Innovations<S>::innovations_to_velocity(const Kinematics<S>& kin, std::span<const S> n, std::span<S> v)
{
    check(kin, n.size(), v.size());
    scratch_[ground].A = {};
    for (Index k : kin.tree().base_to_tip()) {
        const BodyKinematics<S>& b = kin.body[k];
        Motion<S> V = b.shifts ? PhiAdjoint<S>{b.l} * scratch_[b.parent].A : scratch_[b.parent].A;
        for (Index j : b.dofs()) {
            v[j] = n[j] - dot(art_.G[j], V);
            V += v[j] * kin.H[j];
        }
        scratch_[k].A = V;
    }
}

template <class S> void Innovations<S>::solve_many(const Kinematics<S>& kin, std::span<const S> T,
                                                   std::span<S> x)
{
    const std::size_t n = kin.v.size(), columns = n == 0 ? 0 : T.size() / n;
    require_size("Innovations::solve_many", "T", T.size(), columns * n);
    require_size("Innovations::solve_many", "x", x.size(), T.size());
    for (std::size_t c = 0; c < columns; ++c)
        solve(kin, T.subspan(c * n, n), x.subspan(c * n, n));
}

template <class S> S Innovations<S>::log_det() const
{
    using std::log;
    S sum(0);
    for (const S& inverse : art_.D_inverse)
        sum -= log(inverse);
    return sum;
}

template <class S>
void Innovations<S>::sample_velocity(const Kinematics<S>& kin, std::span<const S> normal, std::span<S> v)
{
    check(kin, normal.size(), v.size());
    for (std::size_t j = 0; j < v.size(); ++j)
        v[j] = normal[j] * sqrt(art_.D_inverse[j]);
    innovations_to_velocity(kin, v, v);
}
template <class S>
void Innovations<S>::sample_force(const Kinematics<S>& kin, std::span<const S> normal, std::span<S> T)
{
    check(kin, normal.size(), T.size());
    for (std::size_t j = 0; j < T.size(); ++j)
        T[j] = normal[j] / sqrt(art_.D_inverse[j]);
    innovations_to_force(kin, T, T);
}

extern template class Innovations<double>;
extern template class Innovations<float>;

} // namespace sweepdyn
