#include "sweepdyn/operators/leaves.hpp"

#include <iterator>

namespace sweepdyn::algebra {
namespace {

using enum Space;
using D = Direction;
using N = Needs;

// In the order of Leaf.
constexpr LeafFacts table[] = {
    {Leaf::E_phi, "E_phi", "\\mathcal{E}_\\phi", body_force, body_force, D::causal, false, false, true,
     N::poses, "a body's force to its parent, phi(p,k)"},
    {Leaf::phi, "phi", "\\phi", body_force, body_force, D::causal, false, false, false, N::poses,
     "inverse(I - E_phi): gathers, tip to base"},
    {Leaf::S, "S", "\\mathcal{S}", body_force, body_force, D::causal, false, false, true, N::poses,
     "a body's block to its parent, as it is"},
    {Leaf::Delta_phi, "Delta_phi", "\\Delta_\\phi", body_force, body_force, D::memoryless, true, false, true,
     N::poses, "phi(p,k), kept at body k"},
    {Leaf::H, "H", "H", hinge_force, body_force, D::memoryless, true, false, true, N::poses,
     "the part of a force that a hinge feels"},
    {Leaf::M, "M", "M", body_force, body_motion, D::memoryless, true, true, true, N::inertias,
     "body inertias"},
    {Leaf::J_a, "J_a", "J_a", hinge_force, hinge_motion, D::memoryless, true, true, true, N::poses,
     "armature"},
    {Leaf::R, "R", "\\mathcal{R}", body_force, body_motion, D::memoryless, true, true, true, N::composite,
     "composite inertias: all outboard rigid"},
    {Leaf::P, "P", "P", body_force, body_motion, D::memoryless, true, true, true, N::articulation,
     "articulated inertias: all outboard free"},
    {Leaf::D, "D", "D", hinge_force, hinge_motion, D::memoryless, true, true, true, N::articulation,
     "H P adj(H) + J_a"},
    {Leaf::L_D, "L_D", "L_D", hinge_force, hinge_force, D::memoryless, true, false, true, N::articulation,
     "Cholesky factor: D = L_D W adj(L_D)"},
    {Leaf::G, "G", "G", body_force, hinge_force, D::memoryless, true, false, true, N::articulation,
     "P adj(H) inverse(D)"},
    {Leaf::K, "K", "K", body_force, hinge_force, D::causal, false, false, false, N::articulation, "E_phi G"},
    {Leaf::tau, "tau", "\\tau", body_force, body_force, D::memoryless, true, false, false, N::articulation,
     "G H"},
    {Leaf::tau_bar, "tau_bar", "\\overline{\\tau}", body_force, body_force, D::memoryless, true, false, false,
     N::articulation, "I - G H"},
    {Leaf::E_psi, "E_psi", "\\mathcal{E}_\\psi", body_force, body_force, D::causal, false, false, false,
     N::articulation, "E_phi tau_bar = E_phi - K H"},
    {Leaf::psi, "psi", "\\psi", body_force, body_force, D::causal, false, false, false, N::articulation,
     "inverse(I - E_psi)"},
    {Leaf::Delta_psi, "Delta_psi", "\\Delta_\\psi", body_force, body_force, D::memoryless, true, false, false,
     N::articulation, "Delta_phi tau_bar"},
    {Leaf::Upsilon, "Upsilon", "\\Upsilon", body_motion, body_force, D::memoryless, true, true, true,
     N::upsilon, "diagonal of adj(H psi) inverse(D) H psi"},
    {Leaf::B, "B", "B", body_force, frame_force, D::memoryless, false, false, true, N::poses,
     "forces on frames, to their bodies"},
    {Leaf::E, "E", "E", world_force, body_force, D::causal, false, false, true, N::poses,
     "sum over root bodies, about the origin"},
    {Leaf::W, "W", "W", hinge_force, hinge_motion, D::memoryless, true, true, true, N::poses,
     "unit weights; W[F,...] of frames"},
    {Leaf::M_dot, "M_dot", "\\dot{M}", body_force, body_motion, D::memoryless, true, true, true,
     N::velocities, "rate of M: S[V] M + M adj(S[V])"},
    {Leaf::R_0, "R_0", "\\mathcal{R}_0", world_force, world_motion, D::memoryless, true, true, true,
     N::composite, "E R adj(E): all bodies as one"},
    {Leaf::B_cm, "B_cm", "B_{cm}", world_force, world_force, D::memoryless, true, false, true, N::composite,
     "forces at the mass centre, to the origin"},
    {Leaf::v, "v", "v", hinge_motion, one, D::memoryless, false, false, true, N::velocities,
     "the state's velocities"},
    {Leaf::a, "a", "a", body_motion, one, D::memoryless, false, false, true, N::velocities,
     "accelerations at v_dot = 0, per hinge"},
    {Leaf::b, "b", "b", body_force, one, D::memoryless, false, false, true, N::velocities,
     "gyroscopic forces S[V] M V"},
    {Leaf::gravity, "gravity", "a_g", body_motion, one, D::memoryless, false, false, true, N::poses,
     "minus gravity, at the root bodies"},
    {Leaf::blocks, "X", "X", one, one, D::memoryless, true, false, true, N::poses, "given when a plan runs"},
    {Leaf::vector, "x", "x", one, one, D::memoryless, false, false, true, N::poses, "given when a plan runs"},
};
static_assert(std::size(table) == static_cast<std::size_t>(Leaf::vector) + 1);

} // namespace

std::span<const LeafFacts> leaves() { return table; }
const LeafFacts& facts(Leaf leaf) { return table[static_cast<std::size_t>(leaf)]; }

} // namespace sweepdyn::algebra
