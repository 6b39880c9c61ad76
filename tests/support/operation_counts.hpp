// Operations of the linearizations of a chain of revolute hinges, part by part, counted by running them with the counting scalar
// about one pole. Kinematics is before all of it: H and M in world axes about the pole, and V, are given, as paper 000 counts.
#pragma once

#include "sweepdyn/linear/by_mass_matrix.hpp"
#include "sweepdyn/linear/differentiate_forward_dynamics.hpp"
#include "sweepdyn/linear/perturb_forward_dynamics.hpp"
#include "sweepdyn/model/generate.hpp"
#include "sweepdyn/spatial/counting.hpp"

namespace sweepdyn::test {

struct LinearCounts {
    OperationCount column_derivatives, perturb_inverse, composite_inertias, differentiate_inverse, articulate,
        articulated_derivatives, perturb_by_columns, perturb_by_articulation, differentiate_forward,
        perturb_by_mass_matrix, differentiate_by_mass_matrix;

    // Of the whole, from what kinematics gives.
    OperationCount algorithm_1() const { return sum({column_derivatives, perturb_inverse}); }
    OperationCount algorithm_2() const
    {
        return sum({column_derivatives, composite_inertias, differentiate_inverse});
    }
    OperationCount algorithm_3() const
    {
        return sum({column_derivatives, composite_inertias, perturb_by_mass_matrix});
    }
    OperationCount algorithm_4() const
    {
        return sum({column_derivatives, composite_inertias, differentiate_by_mass_matrix});
    }
    OperationCount algorithm_5() const
    {
        return sum({column_derivatives, articulate, articulated_derivatives, perturb_by_columns});
    }
    OperationCount algorithm_5b() const
    {
        return sum({column_derivatives, articulate, perturb_by_articulation});
    }
    OperationCount algorithm_6() const
    {
        return sum({column_derivatives, articulate, articulated_derivatives, differentiate_forward});
    }
    static OperationCount sum(std::initializer_list<OperationCount> parts)
    {
        OperationCount out;
        for (const OperationCount& part : parts) {
            out.multiplications += part.multiplications;
            out.additions += part.additions;
            out.divisions += part.divisions;
        }
        return out;
    }

    static LinearCounts of_chain(int n)
    {
        const Model model = *generate_model("chain:" + std::to_string(n));
        const std::vector<Counting> x(static_cast<std::size_t>(n), 0.3);
        std::vector<Counting> out(x), M(x.size() * x.size()), A(M), B(M);
        Kinematics<Counting> kin(model, Reference::pole);
        update<Counting>(kin, x, x);
        update_inertias(kin);
        ColumnDerivatives<Counting> d(model);
        CompositeInertias<Counting> composite(model);
        CompositeLoads<Counting> loads(model);
        Articulation<Counting> art(model);
        ArticulatedDerivatives<Counting> y(model);
        ForwardDerivatives<Counting> forward(model);
        ByMassMatrix<Counting> by_mass(model);
        Perturbations<Counting> work(model);
        const auto count = [](const auto& run) {
            const OperationCount before = Counting::count();
            run();
            return Counting::count() - before;
        };
        LinearCounts c;
        c.column_derivatives = count([&] { sweepdyn::column_derivatives<Counting>(kin, x, d); });
        c.perturb_inverse = count([&] { perturb_inverse_dynamics<Counting>(kin, d, x, x, x, out, work); });
        c.composite_inertias = count([&] { sweepdyn::composite_inertias(kin, composite); });
        c.differentiate_inverse =
            count([&] { differentiate_inverse_dynamics<Counting>(kin, composite, d, M, A, B, loads); });
        c.articulate = count([&] { sweepdyn::articulate(kin, art); });
        c.articulated_derivatives = count([&] { sweepdyn::articulated_derivatives(kin, art, d, y); });
        c.perturb_by_columns =
            count([&] { perturb_forward_dynamics_by_columns<Counting>(kin, art, d, y, x, x, x, out, work); });
        c.perturb_by_articulation = count(
            [&] { perturb_forward_dynamics_by_articulation<Counting>(kin, art, d, x, x, x, out, work); });
        c.differentiate_forward =
            count([&] { differentiate_forward_dynamics<Counting>(kin, art, d, y, M, A, B, forward); });
        c.perturb_by_mass_matrix = count([&] {
            perturb_forward_dynamics_by_mass_matrix<Counting>(kin, composite, d, x, x, x, out, work, by_mass);
        });
        c.differentiate_by_mass_matrix = count([&] {
            differentiate_forward_dynamics_by_mass_matrix<Counting>(kin, composite, d, M, A, B, by_mass);
        });
        return c;
    }
};

} // namespace sweepdyn::test
