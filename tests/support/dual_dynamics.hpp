// The dynamics in dual numbers: what a small change of anything does to forces, accelerations and sensors, to the last digit.
#pragma once

#include "support/compare.hpp"
#include "support/stages.hpp"
#include "sweepdyn/spatial/dual.hpp"

namespace sweepdyn::test {

using DualNumber = Dual<double>;

std::vector<DualNumber> dual(const Numbers& a, const Numbers& change = {});
VectorXd change_of(std::span<const DualNumber> a);
VectorXd change_of(const Motion<DualNumber>& V);
Numbers unit(std::size_t size, std::size_t at);

// A state with its change; dq in the tangent space.
struct DualState {
    Stages<DualNumber> stages;
    std::vector<DualNumber> q, v;

    DualState(const Case& c, const Numbers& dq, const Numbers& dv);
    void update_all() { stages.set(q, v); }

    // The case's wrenches: of world axes that stay, or of body axes; about the origins of the body frames.
    std::vector<Force<DualNumber>> external(const Case& c, bool fixed_loads) const;
};

} // namespace sweepdyn::test
