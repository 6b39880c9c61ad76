// How velocities move the numbers that describe a configuration.
//
//     q_dot        of the coordinates: v for turns and slides; 1/2 q (0, w) for a quaternion; R v for a position
//     d_dot        of a displacement d from a fixed configuration, the moving one being integrate(q, d): v for turns and
//                  slides, else the inverse of the differential of exp: v + [d, v]/2 + ...
//
// O(dofs), no allocation, any scalar. Specified by tests/laws/rates.cpp.
#pragma once

#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn {

template <class S>
void coordinate_rates(const Model& model, std::span<const S> q, std::span<const S> v, std::span<S> q_dot)
{
    detail::require_coordinates(model, "coordinate_rates", "q", q.size());
    detail::require_dofs(model, "coordinate_rates", "v", v.size());
    detail::require_coordinates(model, "coordinate_rates", "q_dot", q_dot.size());
    const Tree& tree = model.tree();
    for (int k : tree.base_to_tip()) {
        const S* x = q.data() + tree.first_coordinate[k];
        const S* u = v.data() + tree.first_dof[k];
        S* rate = q_dot.data() + tree.first_coordinate[k];
        const HingeKind kind = model.hinges()[k].kind;
        switch (kind) {
        case HingeKind::spherical:
        case HingeKind::free: {
            const Quaternion<S> a{x[0], x[1], x[2], x[3]};
            const Quaternion<S> r = a * Quaternion<S>{S(0), u[0], u[1], u[2]};
            rate[0] = S(0.5) * r.w, rate[1] = S(0.5) * r.x, rate[2] = S(0.5) * r.y, rate[3] = S(0.5) * r.z;
            if (kind == HingeKind::free) {
                const Vec3<S> p = rotation_matrix(a) * Vec3<S>{u[3], u[4], u[5]};
                rate[4] = p.x, rate[5] = p.y, rate[6] = p.z;
            }
            break;
        }
        case HingeKind::planar: {
            S s, c;
            sincos(x[0], s, c);
            rate[0] = u[0], rate[1] = c * u[1] - s * u[2], rate[2] = s * u[1] + c * u[2];
            break;
        }
        default:
            for (int i = 0; i < tree.num_dofs(k); ++i)
                rate[i] = u[i];
        }
    }
}

template <class S>
void displacement_rates(const Model& model, std::span<const S> displacement, std::span<const S> v,
                        std::span<S> rates)
{
    detail::require_dofs(model, "displacement_rates", "displacement", displacement.size());
    detail::require_dofs(model, "displacement_rates", "v", v.size());
    detail::require_dofs(model, "displacement_rates", "rates", rates.size());
    const Tree& tree = model.tree();
    for (int k : tree.base_to_tip()) {
        const S* d = displacement.data() + tree.first_dof[k];
        const S* u = v.data() + tree.first_dof[k];
        S* rate = rates.data() + tree.first_dof[k];
        switch (model.hinges()[k].kind) {
        case HingeKind::spherical: {
            const Vec3<S> w = log_rotation_rate(Vec3<S>{d[0], d[1], d[2]}, Vec3<S>{u[0], u[1], u[2]});
            rate[0] = w.x, rate[1] = w.y, rate[2] = w.z;
            break;
        }
        case HingeKind::free: {
            const Motion<S> xi = log_pose_rate(Motion<S>{{d[0], d[1], d[2]}, {d[3], d[4], d[5]}},
                                               Motion<S>{{u[0], u[1], u[2]}, {u[3], u[4], u[5]}});
            rate[0] = xi.w.x, rate[1] = xi.w.y, rate[2] = xi.w.z;
            rate[3] = xi.v.x, rate[4] = xi.v.y, rate[5] = xi.v.z;
            break;
        }
        case HingeKind::planar: {
            const Motion<S> xi = log_pose_rate(Motion<S>{{S(0), S(0), d[0]}, {d[1], d[2], S(0)}},
                                               Motion<S>{{S(0), S(0), u[0]}, {u[1], u[2], S(0)}});
            rate[0] = xi.w.z, rate[1] = xi.v.x, rate[2] = xi.v.y;
            break;
        }
        default:
            for (int i = 0; i < tree.num_dofs(k); ++i)
                rate[i] = u[i];
        }
    }
}

} // namespace sweepdyn
