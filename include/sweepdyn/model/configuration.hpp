// The configuration manifold: coordinates q, and displacements in the tangent space (one number per dof, body-fixed).
// integrate(q, difference(q, r)) = r and difference(q, integrate(q, d)) = d, to round-off, for turns below pi; a planar
// hinge goes from a to b by the shorter turn, so that its angle may come out a full turn off.
#pragma once

#include <cstdint>
#include <span>

#include <Eigen/Core>

#include "sweepdyn/model/model.hpp"
#include "sweepdyn/spatial/rotation.hpp"

namespace sweepdyn {

namespace detail {
inline void require_coordinates(const Model& model, const char* function, const char* argument,
                                std::size_t size)
{
    require_size(function, argument, size, static_cast<std::size_t>(model.num_coordinates()));
}
inline void require_dofs(const Model& model, const char* function, const char* argument, std::size_t size)
{
    require_size(function, argument, size, static_cast<std::size_t>(model.num_dofs()));
}
} // namespace detail

// Compiled forms: numbers in, numbers out.
void neutral(const Model& model, std::span<double> q);
// Within the limits where there are any (beside one limit alone, within a full turn or 2 m of it); else angles in
// [-pi, pi] (universal and user hinges: [-1, 1]), slides in [-1, 1], rotations uniform.
void random_configuration(const Model& model, std::uint64_t seed, std::span<double> q);
// Quaternions to unit length. Throws UsageError for one of length zero.
void normalise(const Model& model, std::span<double> q);

// For any scalar; out may be q itself.
template <class S> void integrate(const Model& model, std::span<const S> q, std::span<const S> displacement,
                                  std::span<S> out)
{
    detail::require_coordinates(model, "integrate", "q", q.size());
    detail::require_dofs(model, "integrate", "displacement", displacement.size());
    detail::require_coordinates(model, "integrate", "out", out.size());
    const Tree& tree = model.tree();
    for (int k : tree.base_to_tip()) {
        const S* x = q.data() + tree.first_coordinate[k];
        const S* d = displacement.data() + tree.first_dof[k];
        S* y = out.data() + tree.first_coordinate[k];
        switch (model.hinges()[k].kind) {
        case HingeKind::spherical: {
            const Quaternion<S> r =
                normalized(Quaternion<S>{x[0], x[1], x[2], x[3]} * exp_quaternion(Vec3<S>{d[0], d[1], d[2]}));
            y[0] = r.w, y[1] = r.x, y[2] = r.y, y[3] = r.z;
            break;
        }
        case HingeKind::free: {
            const Motion<S> xi{{d[0], d[1], d[2]}, {d[3], d[4], d[5]}};
            const Quaternion<S> a{x[0], x[1], x[2], x[3]};
            const Vec3<S> p = Vec3<S>{x[4], x[5], x[6]} + rotation_matrix(a) * se3_exp_translation(xi);
            const Quaternion<S> r = normalized(a * exp_quaternion(xi.w));
            y[0] = r.w, y[1] = r.x, y[2] = r.y, y[3] = r.z;
            y[4] = p.x, y[5] = p.y, y[6] = p.z;
            break;
        }
        case HingeKind::planar: {
            const Vec3<S> t = se3_exp_translation(Motion<S>{{S(0), S(0), d[0]}, {d[1], d[2], S(0)}});
            S s, c;
            sincos(x[0], s, c);
            const S px = x[1] + c * t.x - s * t.y, py = x[2] + s * t.x + c * t.y;
            y[0] = x[0] + d[0], y[1] = px, y[2] = py;
            break;
        }
        default:
            for (int i = 0; i < tree.num_dofs(k); ++i)
                y[i] = x[i] + d[i];
        }
    }
}

template <class S> void difference(const Model& model, std::span<const S> from, std::span<const S> to,
                                   std::span<S> out)
{
    detail::require_coordinates(model, "difference", "from", from.size());
    detail::require_coordinates(model, "difference", "to", to.size());
    detail::require_dofs(model, "difference", "out", out.size());
    const Tree& tree = model.tree();
    for (int k : tree.base_to_tip()) {
        const S* a = from.data() + tree.first_coordinate[k];
        const S* b = to.data() + tree.first_coordinate[k];
        S* d = out.data() + tree.first_dof[k];
        switch (model.hinges()[k].kind) {
        case HingeKind::spherical: {
            const Vec3<S> w = log_quaternion(conjugate(Quaternion<S>{a[0], a[1], a[2], a[3]}) *
                                             Quaternion<S>{b[0], b[1], b[2], b[3]});
            d[0] = w.x, d[1] = w.y, d[2] = w.z;
            break;
        }
        case HingeKind::free: {
            const Quaternion<S> qa{a[0], a[1], a[2], a[3]};
            const Vec3<S> w = log_quaternion(conjugate(qa) * Quaternion<S>{b[0], b[1], b[2], b[3]});
            const Vec3<S> p =
                transpose_times(rotation_matrix(qa), Vec3<S>{b[4] - a[4], b[5] - a[5], b[6] - a[6]});
            const Vec3<S> v = se3_log_translation(w, p);
            d[0] = w.x, d[1] = w.y, d[2] = w.z, d[3] = v.x, d[4] = v.y, d[5] = v.z;
            break;
        }
        case HingeKind::planar: {
            S s, c;
            sincos(a[0], s, c);
            const S x = b[1] - a[1], y = b[2] - a[2], angle = nearest_turn(S(b[0] - a[0]));
            const Vec3<S> v =
                se3_log_translation(Vec3<S>{S(0), S(0), angle}, Vec3<S>{c * x + s * y, c * y - s * x, S(0)});
            d[0] = angle, d[1] = v.x, d[2] = v.y;
            break;
        }
        default:
            for (int i = 0; i < tree.num_dofs(k); ++i)
                d[i] = b[i] - a[i];
        }
    }
}

// The forms to write first. They are inline on purpose: memory of an Eigen vector is taken and given back in the
// user's own code, whose instruction set may differ from the library's.
namespace detail {
inline std::span<const double> view(const Eigen::VectorXd& a)
{
    return {a.data(), static_cast<std::size_t>(a.size())};
}
inline std::span<double> view(Eigen::VectorXd& a) { return {a.data(), static_cast<std::size_t>(a.size())}; }
inline std::span<double> view(Eigen::MatrixXd& A) { return {A.data(), static_cast<std::size_t>(A.size())}; }
} // namespace detail

inline Eigen::VectorXd neutral(const Model& model)
{
    Eigen::VectorXd q(model.num_coordinates());
    neutral(model, detail::view(q));
    return q;
}
inline Eigen::VectorXd random_configuration(const Model& model, std::uint64_t seed)
{
    Eigen::VectorXd q(model.num_coordinates());
    random_configuration(model, seed, detail::view(q));
    return q;
}
inline Eigen::VectorXd normalise(const Model& model, Eigen::VectorXd q)
{
    normalise(model, detail::view(q));
    return q;
}
inline Eigen::VectorXd integrate(const Model& model, const Eigen::VectorXd& q,
                                 const Eigen::VectorXd& displacement)
{
    Eigen::VectorXd out(model.num_coordinates());
    integrate<double>(model, detail::view(q), detail::view(displacement), detail::view(out));
    return out;
}
inline Eigen::VectorXd difference(const Model& model, const Eigen::VectorXd& from, const Eigen::VectorXd& to)
{
    Eigen::VectorXd out(model.num_dofs());
    difference<double>(model, detail::view(from), detail::view(to), detail::view(out));
    return out;
}
inline Eigen::VectorXd interpolate(const Model& model, const Eigen::VectorXd& from, const Eigen::VectorXd& to,
                                   double fraction)
{
    return integrate(model, from, fraction * difference(model, from, to));
}

} // namespace sweepdyn
