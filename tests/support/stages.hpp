// All workspaces of one state together, and the choices of reference point that every law is tried with.
#pragma once

#include "support/cases.hpp"
#include "sweepdyn/dynamics/dynamics.hpp"
#include "sweepdyn/spatial/dual.hpp"

namespace sweepdyn {

// The sweeps in dual numbers that the laws share: compiled once, in stages.cpp.
extern template struct Kinematics<Dual<double>>;
extern template void update(Kinematics<Dual<double>>&, std::span<const Dual<double>>);
extern template void update(Kinematics<Dual<double>>&, std::span<const Dual<double>>,
                            std::span<const Dual<double>>);
extern template void integrate(const Model&, std::span<const Dual<double>>, std::span<const Dual<double>>,
                               std::span<Dual<double>>);

namespace test {

// The library's three, and poles renewed at every third body: a mixture that shallow trees would not show.
struct ReferenceChoice {
    const char* name;
    Reference reference;
    int renewed = 0; // every so many bodies of depth
};
inline constexpr ReferenceChoice by_hinges{"hinges", Reference::hinges}, by_pole{"pole", Reference::pole},
    automatic{"automatic", Reference::automatic}, renewed_by_three{"renewed by 3", Reference::pole, 3};
inline constexpr ReferenceChoice reference_choices[] = {by_hinges, by_pole, automatic, renewed_by_three};

template <class S> Kinematics<S> make_kinematics(const Model& model, const ReferenceChoice& choice)
{
    Kinematics<S> kin(model, choice.reference);
    if (choice.renewed > 0)
        for (Index k : model.tree().base_to_tip()) {
            BodyKinematics<S>& b = kin.body[k];
            const bool renew =
                b.parent == ground || model.tree().depth[static_cast<std::size_t>(k)] % choice.renewed == 0;
            b.reference = renew ? k : kin.body[b.parent].reference;
            b.shifts = b.reference != kin.body[b.parent].reference;
        }
    return kin;
}

template <class S> struct Stages {
    Kinematics<S> kin;
    CompositeInertias<S> composite;
    Articulation<S> art;
    BodyForces<S> forces;

    explicit Stages(const Model& model, const ReferenceChoice& choice = automatic);
    Stages(const Model& model, const ReferenceChoice& choice, std::span<const S> q, std::span<const S> v);

    void set(std::span<const S> q, std::span<const S> v);
    std::vector<S> inverse(std::span<const S> v_dot, std::span<const Force<S>> external = {});
    std::vector<S> forward(std::span<const S> T, std::span<const Force<S>> external = {});
    std::vector<S> mass();
    std::vector<S> gravity();
};

template <class S>
Stages<S>::Stages(const Model& model, const ReferenceChoice& choice)
    : kin(make_kinematics<S>(model, choice)),
      composite(model),
      art(model),
      forces(model)
{
}
template <class S>
Stages<S>::Stages(const Model& model, const ReferenceChoice& choice, std::span<const S> q,
                  std::span<const S> v)
    : Stages(model, choice)
{
    set(q, v);
}
template <class S> void Stages<S>::set(std::span<const S> q, std::span<const S> v)
{
    update<S>(kin, q, v);
    update_inertias(kin);
    composite_inertias(kin, composite);
    articulate(kin, art);
}
template <class S>
std::vector<S> Stages<S>::inverse(std::span<const S> v_dot, std::span<const Force<S>> external)
{
    std::vector<S> T(v_dot.size());
    inverse_dynamics<S>(kin, v_dot, T, forces, external);
    return T;
}
template <class S>
std::vector<S> Stages<S>::forward(std::span<const S> T, std::span<const Force<S>> external)
{
    std::vector<S> v_dot(T.size());
    forward_dynamics<S>(kin, art, T, v_dot, forces, external);
    return v_dot;
}
template <class S> std::vector<S> Stages<S>::mass()
{
    std::vector<S> M(kin.H.size() * kin.H.size());
    mass_matrix<S>(kin, composite, M);
    return M;
}
template <class S> std::vector<S> Stages<S>::gravity()
{
    std::vector<S> T(kin.H.size());
    gravity_forces<S>(kin, T, forces);
    return T;
}

extern template struct Stages<double>; // compiled once, in stages.cpp
extern template struct Stages<Dual<double>>;

inline Eigen::Map<const Eigen::VectorXd> eigen(const Numbers& a)
{
    return {a.data(), static_cast<Eigen::Index>(a.size())};
}
inline Numbers plain(const Eigen::VectorXd& a) { return {a.data(), a.data() + a.size()}; }
Eigen::MatrixXd square(const Numbers& a);
Eigen::MatrixXd mass_of(Stages<double>& stages);

// The wrenches of a case as the sweeps want them: about each body's reference point.
template <class S> std::vector<Force<S>> external_of(const Kinematics<S>& kin, const Case& c)
{
    std::vector<Force<S>> out;
    for (Index k : kin.tree().base_to_tip()) {
        const Force<double>& w = c.wrench[static_cast<std::size_t>(k)];
        out.push_back(Phi<S>{kin.X_WB(k).p - kin.r(k)} * Force<S>{cast<S>(w.n), cast<S>(w.f)});
    }
    return out;
}

// From a body's reference point to the world origin, where the laws compare.
template <class S> Motion<S> at_origin(const Kinematics<S>& kin, Index k, const Motion<S>& V)
{
    return PhiAdjoint<S>{-kin.r(k)} * V;
}
template <class S> Force<S> at_origin(const Kinematics<S>& kin, Index k, const Force<S>& f)
{
    return Phi<S>{kin.r(k)} * f;
}

} // namespace test
} // namespace sweepdyn
