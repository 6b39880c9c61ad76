// What bench/expressions measures: expressions through their plans, and the same by hand.
//
//     expression_kernels KERNEL MODEL REPEATS
//
// KERNEL: hand (M^-1 T by solve_mass_matrix), plan (the same as an expression), known (the same with the registry of known plans),
// own (a quantity without a kernel). Prints the sum of the result.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "sweepdyn/dynamics/solve_mass_matrix.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/model/generate.hpp"
#include "sweepdyn/operators/op.hpp"
#include "sweepdyn/operators/run.hpp"

using namespace sweepdyn;

namespace {

// Runs `kernel` and returns the sum of its result.
template <class R> double run_plan(const algebra::Op<R, algebra::HingeForce>& op, const Model& model,
                                   const std::vector<double>& q, const std::vector<double>& T, int repeats,
                                   algebra::Registry registry)
{
    const algebra::Plan plan(*op.arena, op.node, registry);
    algebra::Stages<double> stages(model);
    algebra::Runner<double> run(plan);
    stages.update(plan, q);
    std::vector<double> out(static_cast<std::size_t>(plan.dimension(plan.range())));
    for (int i = 0; i < repeats; ++i)
        run(stages, T, out);
    double sum = 0.0;
    for (double x : out)
        sum += x;
    return sum;
}

double run_by_hand(const Model& model, const std::vector<double>& q, const std::vector<double>& T,
                   int repeats)
{
    Kinematics<double> kin(model, Reference::hinges);
    Articulation<double> art(model);
    BodyForces<double> scratch(model);
    update<double>(kin, q);
    update_inertias(kin);
    articulate(kin, art);
    std::vector<double> out(T.size());
    for (int i = 0; i < repeats; ++i)
        solve_mass_matrix<double>(kin, art, T, out, scratch);
    double sum = 0.0;
    for (double x : out)
        sum += x;
    return sum;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 4)
        return std::fprintf(stderr, "usage: expression_kernels hand|plan|known|own MODEL REPEATS\n"), 2;
    const std::string kernel = argv[1];
    const std::optional<Model> model = generate_model(argv[2]);
    if (!model)
        return std::fprintf(stderr, "no generated model: %s\n", argv[2]), 2;
    const int repeats = std::atoi(argv[3]);
    std::vector<double> q(static_cast<std::size_t>(model->num_coordinates()));
    random_configuration(*model, 1, q);
    const std::vector<double> T(static_cast<std::size_t>(model->num_dofs()), 1.0);
    if (kernel == "hand")
        return std::printf("%.12g\n", run_by_hand(*model, q, T, repeats)), 0;
    using namespace algebra;
    const Operators o(*model);
    const auto L = I - o.H * o.psi * o.K;
    if (kernel != "own")
        std::printf("%.12g\n", run_plan(adj(L) * inverse(o.D) * L, *model, q, T, repeats,
                                        kernel == "known" ? Registry::on : Registry::off));
    else
        std::printf("%.12g\n", run_plan(adj(o.B({"tip"})) * adj(o.psi) * adj(o.H) * inverse(o.D) * L, *model,
                                        q, T, repeats, Registry::off));
}
