// Forward dynamics of a whole mechanism: the tree of clusters, and on top of it the distant couplings that no cluster holds.
//
//     Y = respond(Jd'),  S = Jd Y                  a column per distant coupling: what its force alone does   [12.1 of 003 II: Omega]
//     v_dot = FD + Y lambda,   S lambda = -(gamma_d + Jd FD)
//
// S is factored with pivots, a coupling that the rest already keeps drops out. O(sum of clusters) per distant coupling, no allocation.
// Before: update(kin, q, v), update_inertias. Specified by tests/laws/closed_simulation.cpp.
#pragma once

#include "sweepdyn/dynamics/closed_forward_dynamics.hpp"
#include "sweepdyn/kinematics/semidefinite.hpp"

namespace sweepdyn {

class ClosedDynamics {
public:
    explicit ClosedDynamics(const Model& model, Elimination choice = Elimination::basis);

    // Closure, articulation, responses of distant couplings.
    void update(const Kinematics<double>& kin);
    // Hinges that have nothing to move, of the last update.
    std::span<const int> singular() const { return art_.tree.singular; }

    void forward_dynamics(const Kinematics<double>& kin, std::span<const double> T, std::span<double> v_dot,
                          std::span<const Force<double>> external = {});
    // What forces cause by themselves, in a mechanism at rest without gravity.
    void respond(const Kinematics<double>& kin, std::span<const double> T, std::span<double> v_dot,
                 std::span<const Force<double>> external = {});

    // d, any change of velocities that closes the clusters again, becomes the least one in the mass metric that closes v + d, distant
    // couplings too: d - respond(M d) + Y lambda. M d as hinge forces (armature) and forces on the bodies.
    void make_least(const Kinematics<double>& kin, std::span<const double> v, std::span<const double> M_d,
                    std::span<const Force<double>> M_d_bodies, std::span<double> d);

    const Closure<double>& closure() const { return closure_; }
    const ClusterArticulation<double>& articulation() const { return art_; }

private:
    // x += Y lambda such that Jd x = rhs, whose numbers are in lambda_.
    void meet_distant(std::span<double> x);

    Closure<double> closure_;
    ClusterArticulation<double> art_;
    BodyForces<double> scratch_;
    std::size_t dofs_;
    std::vector<double> Jd_, Y_; // a row of dofs per distant coupling
    std::vector<double> lambda_, response_;
    std::vector<double> S_;
    Semidefinite<double> S_factor_;
};

} // namespace sweepdyn
