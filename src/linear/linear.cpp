// Instantiations, so that a user's compile stays short.
#include "sweepdyn/linear/by_mass_matrix.hpp"
#include "sweepdyn/linear/differentiate_forward_dynamics.hpp"
#include "sweepdyn/linear/perturb_forward_dynamics.hpp"

namespace sweepdyn {

template struct ColumnDerivatives<double>;
template struct ColumnDerivatives<float>;
template void column_derivatives(const Kinematics<double>&, std::span<const double>,
                                 ColumnDerivatives<double>&, std::span<const Force<double>>);
template void column_derivatives(const Kinematics<float>&, std::span<const float>, ColumnDerivatives<float>&,
                                 std::span<const Force<float>>);
template void perturb_inverse_dynamics(const Kinematics<double>&, const ColumnDerivatives<double>&,
                                       std::span<const double>, std::span<const double>,
                                       std::span<const double>, std::span<double>, Perturbations<double>&);
template void perturb_inverse_dynamics(const Kinematics<float>&, const ColumnDerivatives<float>&,
                                       std::span<const float>, std::span<const float>, std::span<const float>,
                                       std::span<float>, Perturbations<float>&);
template void perturb_inverse_dynamics_adjoint(const Kinematics<double>&, const ColumnDerivatives<double>&,
                                               std::span<const double>, std::span<double>, std::span<double>,
                                               std::span<double>, Perturbations<double>&);
template void perturb_inverse_dynamics_adjoint(const Kinematics<float>&, const ColumnDerivatives<float>&,
                                               std::span<const float>, std::span<float>, std::span<float>,
                                               std::span<float>, Perturbations<float>&);
template void differentiate_inverse_dynamics(const Kinematics<double>&, const CompositeInertias<double>&,
                                             const ColumnDerivatives<double>&, std::span<double>,
                                             std::span<double>, std::span<double>, CompositeLoads<double>&);
template void differentiate_inverse_dynamics(const Kinematics<float>&, const CompositeInertias<float>&,
                                             const ColumnDerivatives<float>&, std::span<float>,
                                             std::span<float>, std::span<float>, CompositeLoads<float>&);
template void articulated_derivatives(const Kinematics<double>&, const Articulation<double>&,
                                      const ColumnDerivatives<double>&, ArticulatedDerivatives<double>&);
template void articulated_derivatives(const Kinematics<float>&, const Articulation<float>&,
                                      const ColumnDerivatives<float>&, ArticulatedDerivatives<float>&);
template void perturb_forward_dynamics_by_articulation(const Kinematics<double>&, const Articulation<double>&,
                                                       const ColumnDerivatives<double>&,
                                                       std::span<const double>, std::span<const double>,
                                                       std::span<const double>, std::span<double>,
                                                       Perturbations<double>&);
template void perturb_forward_dynamics_by_articulation(const Kinematics<float>&, const Articulation<float>&,
                                                       const ColumnDerivatives<float>&,
                                                       std::span<const float>, std::span<const float>,
                                                       std::span<const float>, std::span<float>,
                                                       Perturbations<float>&);
template void perturb_forward_dynamics_by_columns(const Kinematics<double>&, const Articulation<double>&,
                                                  const ColumnDerivatives<double>&,
                                                  const ArticulatedDerivatives<double>&,
                                                  std::span<const double>, std::span<const double>,
                                                  std::span<const double>, std::span<double>,
                                                  Perturbations<double>&);
template void perturb_forward_dynamics_by_columns(const Kinematics<float>&, const Articulation<float>&,
                                                  const ColumnDerivatives<float>&,
                                                  const ArticulatedDerivatives<float>&,
                                                  std::span<const float>, std::span<const float>,
                                                  std::span<const float>, std::span<float>,
                                                  Perturbations<float>&);
template struct ForwardDerivatives<double>;
template struct ForwardDerivatives<float>;
template void differentiate_forward_dynamics(const Kinematics<double>&, const Articulation<double>&,
                                             const ColumnDerivatives<double>&,
                                             const ArticulatedDerivatives<double>&, std::span<double>,
                                             std::span<double>, std::span<double>,
                                             ForwardDerivatives<double>&);
template void differentiate_forward_dynamics(const Kinematics<float>&, const Articulation<float>&,
                                             const ColumnDerivatives<float>&,
                                             const ArticulatedDerivatives<float>&, std::span<float>,
                                             std::span<float>, std::span<float>, ForwardDerivatives<float>&);
template void perturb_forward_dynamics_by_mass_matrix(const Kinematics<double>&,
                                                      const CompositeInertias<double>&,
                                                      const ColumnDerivatives<double>&,
                                                      std::span<const double>, std::span<const double>,
                                                      std::span<const double>, std::span<double>,
                                                      Perturbations<double>&, ByMassMatrix<double>&);
template void perturb_forward_dynamics_by_mass_matrix(const Kinematics<float>&,
                                                      const CompositeInertias<float>&,
                                                      const ColumnDerivatives<float>&, std::span<const float>,
                                                      std::span<const float>, std::span<const float>,
                                                      std::span<float>, Perturbations<float>&,
                                                      ByMassMatrix<float>&);
template void differentiate_forward_dynamics_by_mass_matrix(const Kinematics<double>&,
                                                            const CompositeInertias<double>&,
                                                            const ColumnDerivatives<double>&,
                                                            std::span<double>, std::span<double>,
                                                            std::span<double>, ByMassMatrix<double>&);
template void differentiate_forward_dynamics_by_mass_matrix(const Kinematics<float>&,
                                                            const CompositeInertias<float>&,
                                                            const ColumnDerivatives<float>&, std::span<float>,
                                                            std::span<float>, std::span<float>,
                                                            ByMassMatrix<float>&);

// Depth first: the children of a dof in the order of their numbers.
DofForest::DofForest(const Model& model)
{
    const Tree& tree = model.tree();
    const int n = tree.num_dofs();
    std::vector<int> before_dof(static_cast<std::size_t>(n)), count(before_dof.size(), 1),
        below(before_dof.size(), 0);
    for (int j = 0; j < n; ++j) {
        int k = tree.body_of_dof[static_cast<std::size_t>(j)];
        int p = j > tree.first_dof[static_cast<std::size_t>(k)] ? j - 1 : ground;
        while (p == ground && (k = tree.parent[static_cast<std::size_t>(k)]) != ground)
            if (tree.num_dofs(k) > 0)
                p = tree.first_dof[static_cast<std::size_t>(k) + 1] - 1;
        before_dof[static_cast<std::size_t>(j)] = p;
    }
    for (int j = n - 1; j >= 0; --j)
        if (const int p = before_dof[static_cast<std::size_t>(j)]; p != ground) {
            count[static_cast<std::size_t>(p)] += count[static_cast<std::size_t>(j)];
            ++below[static_cast<std::size_t>(p)];
        }
    // A dof's place: after the one before it and after that one's earlier branches.
    int next_root = 0;
    std::vector<int> next(before_dof.size());
    place.resize(before_dof.size());
    for (auto* at_places : {&dof, &before, &end, &root, &fork})
        at_places->resize(before_dof.size());
    first.resize(before_dof.size());
    for (int j = 0; j < n; ++j) {
        const auto dof_j = static_cast<std::size_t>(j);
        const int p = before_dof[dof_j];
        int& free_place = p == ground ? next_root : next[static_cast<std::size_t>(p)];
        const auto here = static_cast<std::size_t>(free_place);
        place[dof_j] = free_place;
        free_place += count[dof_j];
        next[dof_j] = place[dof_j] + 1;
        dof[here] = j;
        before[here] = p == ground ? ground : place[static_cast<std::size_t>(p)];
        end[here] = place[dof_j] + count[dof_j];
        root[here] = p == ground ? place[dof_j] : root[static_cast<std::size_t>(before[here])];
        fork[here] = below[dof_j] > 1 ? num_forks++ : -1;
        first[here] = p == ground || before[here] + 1 == place[dof_j];
        as_numbered = as_numbered && place[dof_j] == j;
    }
}

} // namespace sweepdyn
