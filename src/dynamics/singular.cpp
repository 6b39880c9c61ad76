// Which hinges may lack inertia, and how that is said.
#include <Eigen/Eigenvalues>

#include "sweepdyn/dynamics/forward_dynamics.hpp"
#include "sweepdyn/dynamics/momentum.hpp"
#include "sweepdyn/spatial/dense.hpp"

namespace sweepdyn::detail {

std::vector<char> bodies_at_risk(const Model& model)
{
    std::vector<char> risk;
    for (int k : model.tree().base_to_tip()) {
        const Body& body = model.bodies()[k];
        const Hinge& hinge = model.hinges()[k];
        const Matrix3<double> J = dense(body.inertia_com);
        // D >= H M H* > 0 when the body's own inertia is positive definite and its columns are independent.
        const auto moments =
            Eigen::SelfAdjointEigenSolver<Matrix3<double>>(J, Eigen::EigenvaluesOnly).eigenvalues();
        const bool definite = body.mass > 0.0 && moments[0] > 1e-9 * moments[2];
        const bool independent = hinge.kind != HingeKind::user || num_dofs(hinge) == 1;
        risk.push_back(num_dofs(hinge) > 0 && !(definite && independent));
    }
    return risk;
}

void throw_singular(const Model& model, std::span<const int> singular_hinges, const char* function)
{
    std::string hinges, links;
    for (int k : singular_hinges)
        hinges += (hinges.empty() ? "'" : ", '") + model.hinges()[k].name + "'";
    // The massless bodies that a singular hinge carries, itself first.
    for (int k : model.tree().base_to_tip()) {
        bool carried = false;
        for (int b = k; b != ground && !carried; b = model.tree().parent[b])
            for (int s : singular_hinges)
                carried = carried || b == s;
        const Body& body = model.bodies()[k];
        if (carried && (body.mass == 0.0 || body.inertia_com == Sym3<double>{}))
            links += (links.empty() ? "'" : ", '") + body.name + "'";
    }
    std::string text = std::string(function) + ": no inertia to move at hinge " + hinges;
    text += links.empty() ? "; its columns are dependent at this configuration"
                          : "; give mass and inertia to " + links + " (or armature to the hinge)";
    throw RefusedError(text);
}

void throw_massless(const char* function)
{
    throw RefusedError(
        std::string(function) +
        ": nothing that can move has mass, so there is no centre of mass; give masses to the links");
}

void throw_no_turning_inertia(const char* function)
{
    throw RefusedError(
        std::string(function) +
        ": the masses are points on a line, which may turn without momentum; give inertia to the links");
}

} // namespace sweepdyn::detail
