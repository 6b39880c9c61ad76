#include "sweepdyn/control/held_object_forces.hpp"

#include <algorithm>
#include <numeric>

namespace sweepdyn {
namespace {

Vec3<double> lever(const Kinematics<double>& kin, const HeldObject<double>& object, const MotionAndForce& c,
                   std::size_t i)
{
    return frame_pose(kin, c.space.frames[i]).p - object.C;
}

// P f: without the moments about the turns that are left free.
Force<double> carried(const HeldObject<double>& object, const Grip& grip, Force<double> f)
{
    std::array<Vec3<double>, 3> spanned{};
    std::size_t axes = 0;
    for (const Vec3<double>& free : grip.free_axes) {
        Vec3<double> axis = object.R * free;
        for (std::size_t k = 0; k < axes; ++k)
            axis -= dot(axis, spanned[k]) * spanned[k];
        axis = (1.0 / norm(axis)) * axis;
        f.n -= dot(axis, f.n) * axis;
        spanned[axes++] = axis;
    }
    return f;
}

} // namespace

void held_object_forces(const Kinematics<double>& kin, const HeldObject<double>& object,
                        const Motion<double>& alpha_C, std::span<const double> share,
                        std::span<const Force<double>> internal, MotionAndForce& c)
{
    require_size("held_object_forces", "share", share.size(), c.x_dd.size());
    require_size("held_object_forces", "internal", internal.size(), c.x_dd.size());
    const Vec3<double>& w = object.V.w;
    // w(C) = M(C) (alpha + A0) + [w x J w; w x (w x h)] - external
    Force<double> load = object.M * (alpha_C + kin.A0) +
                         Force<double>{cross(w, object.M.J * w), cross(w, cross(w, object.M.h))} - object.w;
    for (std::size_t i = 0; i < share.size(); ++i)
        if (!(share[i] >= 0.0))
            throw UsageError("held_object_forces: share[" + std::to_string(i) + "] is " +
                             number_text(share[i]) + ", expected 0 or more");
    const double all = std::accumulate(share.begin(), share.end(), 0.0);
    if (!(all > 0.0))
        throw UsageError("held_object_forces: the shares sum to " + number_text(all) + ", expected above 0");
    for (std::size_t i = 0; i < share.size(); ++i) // what the internal forces would move is part of the load
        load -= Phi<double>{lever(kin, object, c, i)} * internal[i];
    for (std::size_t i = 0; i < share.size(); ++i) {
        const Vec3<double> l = lever(kin, object, c, i);
        c.w[i] = -(Phi<double>{-l} * ((share[i] / all) * load) + internal[i]);
        c.x_dd[i] = PhiAdjoint<double>{l} * alpha_C;
        c.x_dd[i].v += cross(w, cross(w, l));
    }
}

void held_object_forces(const Kinematics<double>& kin, const HeldObject<double>& object,
                        const Motion<double>& alpha_C, std::span<const double> share,
                        std::span<const Force<double>> internal, std::span<const Grip> grips,
                        MotionAndForce& c)
{
    require_size("held_object_forces", "grips", grips.size(), c.x_dd.size());
    held_object_forces(kin, object, alpha_C, share, internal, c);
    const Vec3<double>& w = object.V.w;
    double length = 0.0;
    Force<double> missing{}, wanted{};
    for (std::size_t i = 0; i < grips.size(); ++i) {
        const Vec3<double> l = lever(kin, object, c, i);
        const Force<double> f = -c.w[i];
        c.w[i] = -carried(object, grips[i], f);
        missing += Phi<double>{l} * (f + c.w[i]);
        wanted += Phi<double>{l} * f;
        length = std::max(length, norm(l));
        // d/dt (V(object) - V(tip)) = [w x w_rel; 0], with H0* W_dot = 0
        if (!grips[i].free_axes.empty())
            c.x_dd[i].w -= cross(w, w - frame_velocity(kin, c.space.frames[i]).w);
    }
    // S x = missing, S = sum of weight_i phi P_i phi*, moments counted by the length of the levers
    const double all = std::accumulate(share.begin(), share.end(), 0.0);
    const double per_length = length > 0.0 ? 1.0 / length : 1.0;
    const auto size = [&](const Force<double>& f) { return norm(f.f) + per_length * norm(f.n); };
    const auto unit = [&](int k) {
        return k < 3 ? Motion<double>{per_length * detail::unit3<double>(k), {}}
                     : Motion<double>{{}, detail::unit3<double>(k - 3)};
    };
    // By their shares; what those with a share cannot carry, by all alike.
    for (const bool by_share : {true, false}) {
        const auto part = [&](std::size_t i, const Motion<double>& x) { // of grip i, about its tip
            const Motion<double> at_tip = PhiAdjoint<double>{lever(kin, object, c, i)} * x;
            return (by_share ? share[i] / all : 1.0) * carried(object, grips[i], {at_tip.w, at_tip.v});
        };
        const auto together = [&](const Motion<double>& x) {
            Force<double> sum{};
            for (std::size_t i = 0; i < grips.size(); ++i)
                sum += Phi<double>{lever(kin, object, c, i)} * part(i, x);
            return sum;
        };
        std::array<double, 36> S{};
        std::array<double, 6> x{};
        for (int k = 0; k < 6; ++k) {
            const Force<double> column = together(unit(k));
            for (int m = 0; m < 6; ++m)
                S[static_cast<std::size_t>(6 * m + k)] = dot(unit(m), column);
            x[static_cast<std::size_t>(k)] = dot(unit(k), missing);
        }
        c.of_object.factor(S.data(), 6, 6);
        c.of_object.solve(x);
        Motion<double> by{};
        for (int k = 0; k < 6; ++k)
            by += x[static_cast<std::size_t>(k)] * unit(k);
        for (std::size_t i = 0; i < grips.size(); ++i)
            c.w[i] -= part(i, by);
        missing -= together(by);
        if (size(missing) <= 1e-9 * size(wanted))
            return;
    }
    throw RefusedError("held_object_forces: the grips cannot carry what the object needs: a moment of " +
                       number_text(norm(missing.n)) +
                       " N m is left, about turns that they leave free; hold it "
                       "at more places, or by grips that carry moments");
}

} // namespace sweepdyn
