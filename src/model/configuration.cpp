#include "sweepdyn/model/configuration.hpp"

#include <algorithm>

#include "sweepdyn/model/random.hpp"

namespace sweepdyn {

void neutral(const Model& model, std::span<double> q)
{
    detail::require_coordinates(model, "neutral", "q", q.size());
    std::fill(q.begin(), q.end(), 0.0);
    for (int k : model.tree().base_to_tip())
        if (const HingeKind kind = model.hinges()[k].kind;
            kind == HingeKind::spherical || kind == HingeKind::free)
            q[model.tree().first_coordinate[k]] = 1.0;
}

void random_configuration(const Model& model, std::uint64_t seed, std::span<double> q)
{
    detail::require_coordinates(model, "random_configuration", "q", q.size());
    Random random(seed);
    const auto limited = [&](const Hinge& hinge, std::size_t dof, double size) {
        const Limits& l = hinge.limits;
        const double low = dof < l.lower.size() ? l.lower[dof] : -INFINITY,
                     high = dof < l.upper.size() ? l.upper[dof] : INFINITY;
        const bool has_low = std::isfinite(low), has_high = std::isfinite(high);
        if (has_low && has_high && low <= high)
            return random.uniform(low, high);
        if (has_low != has_high)
            return has_low ? random.uniform(low, low + 2 * size) : random.uniform(high - 2 * size, high);
        return random.uniform(-size, size);
    };
    constexpr double pi = 3.141592653589793;
    for (int k : model.tree().base_to_tip()) {
        const Hinge& hinge = model.hinges()[k];
        double* x = q.data() + model.tree().first_coordinate[k];
        switch (hinge.kind) {
        case HingeKind::weld: break;
        case HingeKind::spherical:
        case HingeKind::free: {
            const Quaternion<double> r = random.quaternion();
            x[0] = r.w, x[1] = r.x, x[2] = r.y, x[3] = r.z;
            if (hinge.kind == HingeKind::free)
                for (int i = 4; i < 7; ++i)
                    x[i] = random.uniform(-1, 1);
            break;
        }
        case HingeKind::planar:
            x[0] = limited(hinge, 0, pi), x[1] = limited(hinge, 1, 1), x[2] = limited(hinge, 2, 1);
            break;
        case HingeKind::cylindrical: x[0] = limited(hinge, 0, pi), x[1] = limited(hinge, 1, 1); break;
        case HingeKind::prismatic: x[0] = limited(hinge, 0, 1); break;
        case HingeKind::continuous: x[0] = random.uniform(-pi, pi); break;
        case HingeKind::revolute:
        case HingeKind::helical: x[0] = limited(hinge, 0, pi); break;
        case HingeKind::universal:
        case HingeKind::user:
            for (int i = 0; i < num_dofs(hinge); ++i)
                x[i] = limited(hinge, static_cast<std::size_t>(i), 1);
        }
    }
}

void normalise(const Model& model, std::span<double> q)
{
    detail::require_coordinates(model, "normalise", "q", q.size());
    for (int k : model.tree().base_to_tip())
        if (const HingeKind kind = model.hinges()[k].kind;
            kind == HingeKind::spherical || kind == HingeKind::free) {
            double* x = q.data() + model.tree().first_coordinate[k];
            const double length = norm(Quaternion<double>{x[0], x[1], x[2], x[3]});
            if (!(length > 0.0) || !std::isfinite(length))
                throw UsageError("normalise: the quaternion of hinge '" + model.hinges()[k].name +
                                 "' has length " + number_text(length) + ", expected more than zero");
            if (std::abs(length - 1.0) > 1e-15)
                for (int i = 0; i < 4; ++i)
                    x[i] /= length;
        }
}

} // namespace sweepdyn
