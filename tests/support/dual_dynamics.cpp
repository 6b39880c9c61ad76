#include "support/dual_dynamics.hpp"

namespace sweepdyn::test {

std::vector<DualNumber> dual(const Numbers& a, const Numbers& change)
{
    std::vector<DualNumber> out;
    for (std::size_t i = 0; i < a.size(); ++i)
        out.push_back({a[i], change.empty() ? 0.0 : change[i]});
    return out;
}

VectorXd change_of(std::span<const DualNumber> a)
{
    VectorXd out(static_cast<Eigen::Index>(a.size()));
    for (std::size_t i = 0; i < a.size(); ++i)
        out[static_cast<Eigen::Index>(i)] = a[i].tangent;
    return out;
}

VectorXd change_of(const Motion<DualNumber>& V)
{
    return change_of(std::vector<DualNumber>{V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z});
}

Numbers unit(std::size_t size, std::size_t at)
{
    Numbers out(size);
    out[at] = 1.0;
    return out;
}

DualState::DualState(const Case& c, const Numbers& dq, const Numbers& dv)
    : stages(c.model, by_hinges),
      q(dual(c.q)),
      v(dual(c.v, dv))
{
    const Numbers zero(c.v.size());
    integrate<DualNumber>(c.model, q, dual(zero, dq), q);
}

std::vector<Force<DualNumber>> DualState::external(const Case& c, bool fixed_loads) const
{
    std::vector<Force<DualNumber>> out;
    for (Index k : c.model.tree().base_to_tip()) {
        const Force<double>& w = c.wrench[static_cast<std::size_t>(k)];
        Force<DualNumber> wrench{cast<DualNumber>(w.n), cast<DualNumber>(w.f)};
        const Pose<DualNumber> X = stages.kin.X_WB(k);
        if (!fixed_loads)
            wrench = rotate(X.R, wrench);
        out.push_back(Phi<DualNumber>{X.p - stages.kin.r(k)} * wrench);
    }
    return out;
}

} // namespace sweepdyn::test
