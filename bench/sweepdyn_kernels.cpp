// Sweepdyn's side of the benchmark: PROGRAM FUNCTION ROBOTFILE REPEATS, see bench/instructions.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include "peers/robot_file.hpp"
#include "peers/states.hpp"
#include "sweepdyn/dynamics/dynamics.hpp"
#include "sweepdyn/linear/linearization.hpp"
#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/model/inertial_parameters.hpp"

using namespace sweepdyn;

static Model read_model(const std::string& path)
{
    ModelBuilder builder("bench");
    int k = 0;
    for (const bench::Body& b : bench::read_robot(path)) {
        const auto& R = b.rotation;
        const std::string name = "body" + std::to_string(k++);
        builder.add_body({.name = name,
                          .mass = b.mass,
                          .com = {b.com[0], b.com[1], b.com[2]},
                          .inertia_com = {b.inertia[0], b.inertia[1], b.inertia[2], b.inertia[3],
                                          b.inertia[4], b.inertia[5]}});
        builder.add_hinge({.kind = hinge_kind(b.kind),
                           .parent = b.parent < 0 ? "" : "body" + std::to_string(b.parent),
                           .child = name,
                           .X_PF = {{{R[0], R[3], R[6]}, {R[1], R[4], R[7]}, {R[2], R[5], R[8]}},
                                    {b.translation[0], b.translation[1], b.translation[2]}},
                           .axis = {b.axis[0], b.axis[1], b.axis[2]}});
    }
    return builder.build();
}

int main(int argc, char** argv)
{
    if (argc != 4)
        return std::fprintf(
                   stderr,
                   "usage: %s id|mass|fd|minv|coriolis|regressor|fk|jacobian|cmm|mass-rate|omega|fd4|"
                   "id-derivatives|fd-derivatives[-direct|-by-mass-matrix]|fd-vector "
                   "ROBOTFILE REPEATS\n",
                   argv[0]),
               2;
    const std::string function = argv[1];
    const Model model = read_model(argv[2]);
    const int repeats = std::atoi(argv[3]);
    const auto n = static_cast<std::size_t>(model.num_dofs());
    const auto ring = bench::random_states(model.num_dofs());

    Kinematics<double> kin(model);
    CompositeInertias<double> composite(model);
    Articulation<double> art(model);
    BodyForces<double> forces(model);
    ColumnRates<double> rates(model);
    CompositeBiasInertias<double> bias(model);
    MassMatrixInverse<double> inverse(model);
    CompositeInertiaRates<double> inertia_rates(model);
    const FrameId tip = model.frame(model.bodies().back().name);
    OperationalSpace<double> space(model, {tip});
    const std::vector<double> parameters = inertial_parameters(model);
    std::vector<double> out(n), mass(n * n), J(6 * n),
        Y(n * 10 * static_cast<std::size_t>(model.num_bodies()));

    Linearization lin(model);
    const LinearRoute route = function.ends_with("-direct")           ? LinearRoute::direct
                              : function.ends_with("-by-mass-matrix") ? LinearRoute::by_mass_matrix
                                                                      : LinearRoute::automatic;
    const auto call = [&](const bench::State& s) {
        if (function == "id") {
            update<double>(kin, s.q, s.v);
            inverse_dynamics<double>(kin, s.a, out, forces);
        } else if (function == "fd") {
            update<double>(kin, s.q, s.v);
            update_inertias(kin);
            articulate(kin, art);
            forward_dynamics<double>(kin, art, s.T, out, forces);
        } else if (function == "fd4") {
            update<double>(kin, s.q, s.v);
            update_inertias(kin);
            articulate(kin, art);
            forward_dynamics_fd4<double>(kin, art, s.T, out, forces);
        } else if (function == "minv" || function == "omega") {
            update<double>(kin, s.q);
            update_inertias(kin);
            articulate(kin, art);
            if (function == "minv")
                mass_matrix_inverse<double>(kin, art, mass, inverse);
            else
                operational_space(kin, art, space);
        } else if (function == "coriolis" || function == "mass-rate") {
            update<double>(kin, s.q, s.v);
            update_inertias(kin);
            composite_inertias(kin, composite);
            column_rates(kin, rates);
            if (function == "coriolis")
                coriolis_matrix<double>(kin, rates, composite, mass, bias);
            else
                mass_matrix_rate<double>(kin, rates, composite, mass, inertia_rates);
        } else if (function == "fk") {
            update<double>(kin, s.q);
        } else if (function == "jacobian") {
            update<double>(kin, s.q);
            frame_jacobian<double>(kin, tip, J);
        } else if (function == "cmm") {
            update<double>(kin, s.q);
            update_inertias(kin);
            composite_inertias(kin, composite);
            centroidal_momentum_matrix<double>(kin, composite, J);
        } else if (function == "id-derivatives") {
            lin.set_at(s.q, s.v, s.a);
            lin.inverse_matrices();
        } else if (function.starts_with("fd-derivatives")) {
            lin.set(s.q, s.v, s.T);
            lin.matrices(route);
        } else if (function == "fd-vector") { // one perturbation
            lin.set(s.q, s.v, s.T);
            lin.apply(s.q, s.v, s.T, out);
        } else if (function == "regressor") {
            update<double>(kin, s.q, s.v);
            regressor<double>(kin, s.a, Y, forces);
        } else {
            update<double>(kin, s.q);
            update_inertias(kin);
            composite_inertias(kin, composite);
            mass_matrix<double>(kin, composite, mass);
        }
    };
    for (int i = 0; i < repeats; ++i)
        call(ring[static_cast<std::size_t>(i) % bench::ring_size]);

    // The sum of all results over one round of the ring, to be compared with the peer's.
    double sum = 0.0;
    for (const bench::State& s : ring) {
        call(s);
        if (function == "omega")
            for (std::size_t i = 0; i < 6; ++i) // the trace is the same in any axes
                sum += space.Omega[7 * i];
        else if (function == "fk")
            for (Index k : model.tree().base_to_tip())
                sum += kin.X_WB(k).p.x + kin.X_WB(k).p.y + kin.X_WB(k).p.z;
        else if (function == "jacobian" || function == "cmm")
            for (double x : J)
                sum += x;
        else if (function == "id-derivatives") {
            for (const Matrix* m : {&lin.inverse_matrices().A_D, &lin.inverse_matrices().B_D})
                for (double x : m->values())
                    sum += x;
        } else if (function.starts_with("fd-derivatives")) {
            const auto& matrices = lin.matrices(route);
            for (const Matrix* m : {&matrices.A_C, &matrices.B_C})
                for (double x : m->values())
                    sum -= x;
        } else if (function == "mass-rate")
            for (double x : mass)
                sum += x;
        else if (function == "regressor")
            for (std::size_t i = 0; i < Y.size(); ++i) // Y pi: the order of the parameters is each one's own
                sum += Y[i] * parameters[i / n];
        else if (function == "coriolis")
            for (std::size_t i = 0; i < n; ++i) // C v: C itself is not unique
                for (std::size_t j = 0; j < n; ++j)
                    sum += mass[j * n + i] * s.v[j];
        else if (function == "mass" || function == "minv")
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = i; j < n; ++j)
                    sum += mass[i * n + j];
        else
            for (double x : out)
                sum += x;
    }
    std::printf("%.17g\n", sum);
}
