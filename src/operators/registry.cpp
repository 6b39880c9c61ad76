// Expressions that are known by heart, and the kernels of dynamics/ that they are.
#include "sweepdyn/operators/parse.hpp"
#include "sweepdyn/operators/plan.hpp"

namespace sweepdyn::algebra {
namespace {

struct Known {
    Kernel kernel;
    std::string_view name, expression;
    Needs needs;
};
constexpr Known table[] = {
    {Kernel::solve_mass_matrix, "solve_mass_matrix", "inverse(H*phi*M*adj(phi)*adj(H) + J_a)",
     Needs::columns},
    {Kernel::inverse_dynamics, "inverse_dynamics", "H*phi*(M*adj(phi)*(a + gravity) + b)", Needs::velocities},
    {Kernel::gravity_forces, "gravity_forces", "H*phi*M*adj(phi)*gravity", Needs::poses},
};
const Known* find(Kernel kernel)
{
    for (const Known& known : table)
        if (known.kernel == kernel)
            return &known;
    return nullptr;
}

} // namespace

Kernel known_kernel(Arena& arena, const Node* expression)
{
    if (arena.over().by_clusters()) // the kernels are of trees
        return Kernel::none;
    const Node* expanded = expand(arena, expression);
    for (const Known& known : table)
        if (expand(arena, parse(arena, known.expression)) == expanded)
            return known.kernel;
    return Kernel::none;
}
std::string_view name(Kernel kernel) { return kernel == Kernel::none ? "" : find(kernel)->name; }
Needs needs_of(Kernel kernel) { return find(kernel)->needs; }

} // namespace sweepdyn::algebra
