// Sweepdyn's side of bench/closed: PROGRAM fd|fd-derivatives MECHANISMFILE REPEATS, or fd by the other elimination: fd-multipliers.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "peers/mechanism_file.hpp"
#include "sweepdyn/dynamics/closed_forward_dynamics.hpp"
#include "sweepdyn/linear/closed_derivatives.hpp"
#include "sweepdyn/model/builder.hpp"

using namespace sweepdyn;

static Pose<double> pose_of(const bench::Placement& p)
{
    const auto& R = p.rotation;
    const auto& t = p.translation;
    return {{{R[0], R[3], R[6]}, {R[1], R[4], R[7]}, {R[2], R[5], R[8]}}, {t[0], t[1], t[2]}};
}

static Model model_of(const bench::Mechanism& mechanism)
{
    const auto vector = [](const std::array<double, 3>& x) { return Vec3<double>{x[0], x[1], x[2]}; };
    const auto body_name = [](int k) { return k < 0 ? std::string() : "body" + std::to_string(k); };
    ModelBuilder builder("bench");
    int k = 0;
    for (const bench::JointedBody& b : mechanism.bodies) {
        const std::string name = body_name(k++);
        builder.add_body({.name = name,
                          .mass = b.mass,
                          .com = vector(b.com),
                          .inertia_com = {b.inertia[0], b.inertia[1], b.inertia[2], b.inertia[3],
                                          b.inertia[4], b.inertia[5]}});
        builder.add_hinge({.kind = hinge_kind(b.kind),
                           .parent = body_name(b.parent),
                           .child = name,
                           .X_PF = pose_of(b.placement),
                           .axis = vector(b.axis),
                           .axis2 = vector(b.axis2)});
    }
    for (const bench::CutLoop& l : mechanism.loops)
        builder.add_loop({.kind = loop_kind(l.kind),
                          .body_a = body_name(l.a),
                          .body_b = body_name(l.b),
                          .X_Aa = pose_of(l.in_a),
                          .X_Bb = pose_of(l.in_b)});
    return builder.build();
}

static int run(const std::string& function, const std::string& file, int repeats)
{
    const bench::Mechanism mechanism = bench::read_mechanism(file);
    const Model model = model_of(mechanism);
    const std::vector<double>&q = mechanism.q, &v = mechanism.v, &T = mechanism.T;
    double sum = 0, on_forces = 0;
    if (function == "fd-derivatives") {
        ClosedDerivatives derivatives(model);
        derivatives.prefer_independent(mechanism.independent);
        for (int i = 0; i <= repeats; ++i) // once for the sums
            derivatives.set(q, v, T);
        const int m = derivatives.size();
        const auto at = [&](std::span<const double> M, int i, int j) {
            return M[static_cast<std::size_t>(j * m + i)];
        };
        for (int i = 0; i < m; ++i) {
            double jerk = 0; // what the accelerations change along the motion
            for (int j = 0; j < m; ++j) {
                const auto dof =
                    static_cast<std::size_t>(derivatives.independent()[static_cast<std::size_t>(j)]);
                jerk -= at(derivatives.B_C(), i, j) * v[dof] +
                        at(derivatives.A_C(), i, j) * derivatives.v_dot()[dof];
                on_forces += at(derivatives.M_inverse(), i, j) * at(derivatives.M_inverse(), i, j);
            }
            sum += jerk * jerk;
        }
    } else {
        if (function != "fd" && function != "fd-multipliers")
            return std::fprintf(stderr, "unknown function %s\n", function.c_str()), 2;
        Kinematics<double> kin(model);
        Closure<double> closure(model);
        closure.with_gaps = false;
        ClusterArticulation<double> art(model, closure,
                                        function == "fd" ? Elimination::basis : Elimination::multipliers);
        BodyForces<double> scratch(model);
        std::vector<double> v_dot(v.size());
        for (int i = 0; i <= repeats; ++i) {
            update<double>(kin, q, v);
            update_inertias(kin);
            update_closure(kin, closure);
            articulate(kin, closure, art);
            forward_dynamics<double>(kin, closure, art, T, v_dot, scratch);
        }
        for (double x : v_dot)
            sum += x * x;
    }
    std::printf("%.17g %.17g\n", sum, on_forces);
    return 0;
}

int main(int argc, char** argv)
{
    if (argc != 4)
        return std::fprintf(stderr, "usage: %s fd|fd-multipliers|fd-derivatives MECHANISMFILE REPEATS\n",
                            argv[0]),
               2;
    try {
        return run(argv[1], argv[2], std::atoi(argv[3]));
    } catch (const std::exception& error) {
        return std::fprintf(stderr, "%s\n", error.what()), 1;
    }
}
