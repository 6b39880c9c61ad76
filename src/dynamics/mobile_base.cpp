// How a base that is none, and motions that its hinge does not admit, are refused.
#include "sweepdyn/dynamics/mobile_base.hpp"

namespace sweepdyn::detail {

void throw_no_base(const char* function, const Model& model, int body)
{
    std::string bases;
    for (int k : model.tree().base_to_tip()) {
        const int parent = model.tree().parent[static_cast<std::size_t>(k)];
        if (model.tree().num_dofs(k) > 0 && (parent == ground || model.is_fixed(parent)))
            bases += (bases.empty() ? "" : ", ") + quoted(model.bodies()[static_cast<std::size_t>(k)].name);
    }
    const std::string got = body >= 0 && body < model.num_bodies()
                                ? "body " + quoted(model.bodies()[static_cast<std::size_t>(body)].name)
                                : "body number " + std::to_string(body);
    throw UsageError(std::string(function) + ": " + got +
                     " is no mobile base, which hangs on the ground by a hinge that moves; this model has " +
                     (bases.empty() ? "none" : bases));
}

void throw_not_admitted(const char* function, const Model& model, int body)
{
    const Hinge& hinge = model.hinges()[static_cast<std::size_t>(body)];
    throw RefusedError(std::string(function) + ": the " + std::string(name(hinge.kind)) + " hinge " +
                       quoted(hinge.name) +
                       " does not admit this motion of its body, or cannot tell its dofs apart here");
}

} // namespace sweepdyn::detail
