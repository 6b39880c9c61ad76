#include "sweepdyn/dynamics/singular.hpp"

#include <Eigen/Eigenvalues>

#include "sweepdyn/dynamics/momentum.hpp"
#include "sweepdyn/spatial/dense.hpp"

namespace sweepdyn::detail {
namespace {

Vector3<double> principal_moments(const Body& body)
{
    return Eigen::SelfAdjointEigenSolver<Matrix3<double>>(dense(body.inertia_com), Eigen::EigenvaluesOnly)
        .eigenvalues();
}
// No mass, or an inertia that is nothing about some axis: a point, a thin rod.
bool is_doubtful(const Body& body)
{
    const Vector3<double> moments = principal_moments(body);
    return !(body.mass > 0.0 && moments[0] > 1e-9 * moments[2]);
}

} // namespace

std::vector<char> bodies_at_risk(const Model& model)
{
    // What each body carries, itself included: beside that its own inertia must count.
    const Tree& tree = model.tree();
    std::vector<double> carried_mass, carried_moment;
    for (const Body& body : model.bodies()) {
        carried_mass.push_back(body.mass);
        carried_moment.push_back(body.inertia_com.trace() + body.mass * dot(body.com, body.com));
    }
    for (Index k : tree.tip_to_base())
        if (const int p = tree.parent[k]; p != ground) {
            carried_mass[p] += carried_mass[k];
            carried_moment[p] += carried_moment[k];
        }
    std::vector<char> risk;
    for (int k : tree.base_to_tip()) {
        const Body& body = model.bodies()[k];
        const Hinge& hinge = model.hinges()[k];
        // D >= H M H* > 0 when the body's own inertia is positive definite and its columns are independent.
        const bool definite = !is_doubtful(body) && body.mass > 1e-9 * carried_mass[k] &&
                              principal_moments(body)[2] > 1e-9 * carried_moment[k];
        const bool independent = hinge.kind != HingeKind::user || (!hinge.user && num_dofs(hinge) == 1);
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
        if (carried && is_doubtful(model.bodies()[k]))
            links += (links.empty() ? "'" : ", '") + model.bodies()[k].name + "'";
    }
    std::string text = std::string(function) + ": no inertia to move at hinge " + hinges;
    text += links.empty() ? "; its columns are dependent at this configuration"
                          : "; give mass and inertia to " + links + " (or armature to the hinge)";
    throw RefusedError(text);
}

void throw_massless()
{
    throw RefusedError("nothing that can move has mass, so there is no centre of mass; give masses to the "
                       "links, or a hinge "
                       "that is not a weld: what is welded to the ground does not count");
}

void throw_no_floating_base(const char* function, const Model& model)
{
    throw RefusedError(std::string(function) + ": model '" + model.name() +
                       "' has no floating base; load it with a free hinge to the ground");
}

void throw_no_turning_inertia()
{
    throw RefusedError(
        "the masses are points on a line, which may turn without momentum; give inertia to the links");
}

} // namespace sweepdyn::detail
