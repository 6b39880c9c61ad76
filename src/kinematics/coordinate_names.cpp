#include "sweepdyn/kinematics/coordinate_names.hpp"

namespace sweepdyn {

std::vector<std::string> coordinate_names(const Model& model)
{
    std::vector<std::string> out;
    const auto add = [&](const std::string& hinge, std::initializer_list<const char*> endings) {
        for (const char* ending : endings)
            out.push_back(hinge + ending);
    };
    for (int k : model.tree().base_to_tip()) {
        const Hinge& hinge = model.hinges()[static_cast<std::size_t>(k)];
        // As in the names of the dofs: NAME.wx
        std::string name = hinge.name;
        if (const Up dofs = model.tree().dofs(k); dofs.first < dofs.last) {
            const std::string& dof = model.dof_names()[static_cast<std::size_t>(dofs.first)];
            name = dof.substr(0, dof.size() - dof_suffixes(hinge).front().size());
        }
        if (hinge.kind == HingeKind::spherical)
            add(name, {".qw", ".qx", ".qy", ".qz"});
        else if (hinge.kind == HingeKind::free)
            add(name, {".qw", ".qx", ".qy", ".qz", ".x", ".y", ".z"});
        else if (hinge.kind == HingeKind::planar)
            add(name, {".angle", ".x", ".y"});
        else
            for (Index j : model.tree().dofs(k))
                out.push_back(model.dof_names()[static_cast<std::size_t>(j)]);
    }
    return out;
}

} // namespace sweepdyn
