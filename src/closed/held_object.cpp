#include "sweepdyn/closed/held_object.hpp"

namespace sweepdyn::detail {

std::vector<Vec3<double>> kept_directions(const std::vector<Vec3<double>>& free_axes, const char* where)
{
    std::vector<Vec3<double>> spanned, kept;
    const auto rest = [&](Vec3<double> v, const std::vector<Vec3<double>>& of) {
        for (const Vec3<double>& e : of)
            v -= dot(v, e) * e;
        return v;
    };
    for (const Vec3<double>& axis : free_axes) {
        const double length = norm(axis);
        const Vec3<double> new_part = rest(length > 0.0 ? (1.0 / length) * axis : axis, spanned);
        if (!(norm(new_part) > 1e-9))
            throw UsageError(
                std::string(where) + ": free axis " + std::to_string(spanned.size()) +
                " is zero or lies in the span of those before it; expected at most three independent axes");
        spanned.push_back((1.0 / norm(new_part)) * new_part);
    }
    while (spanned.size() + kept.size() < 3) { // the unit vector that the rest shortens least
        Vec3<double> best{};
        for (int i = 0; i < 3; ++i)
            if (const Vec3<double> v = rest(rest(unit3<double>(i), spanned), kept); norm(v) > norm(best))
                best = v;
        kept.push_back((1.0 / norm(best)) * best);
    }
    return kept;
}

} // namespace sweepdyn::detail
