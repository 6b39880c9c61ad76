#include "sweepdyn/io/results/info.hpp"

#include <cmath>

#include "json_text.hpp"

namespace sweepdyn {
namespace {

using results::OrderedJson;

OrderedJson name_or_null(const std::string& name) { return name.empty() ? OrderedJson() : OrderedJson(name); }

// One number per dof, or null where the file says nothing; a limit at infinity is none.
OrderedJson limit(const std::vector<double>& numbers)
{
    if (numbers.empty())
        return nullptr;
    OrderedJson out = OrderedJson::array();
    for (double number : numbers)
        out.push_back(std::isfinite(number) ? OrderedJson(number) : OrderedJson());
    return out;
}

OrderedJson hinge_info(const Model& model, int k)
{
    const Hinge& hinge = model.hinges()[static_cast<std::size_t>(k)];
    OrderedJson out;
    out["name"] = hinge.name;
    out["kind"] = std::string(name(hinge.kind));
    out["parent"] = name_or_null(hinge.parent);
    out["child"] = hinge.child;
    out["dofs"] = OrderedJson::array();
    for (Index j : model.tree().dofs(k))
        out["dofs"].push_back(model.dof_names()[static_cast<std::size_t>(j)]);
    out["limits"] = {{"lower", limit(hinge.limits.lower)},
                     {"upper", limit(hinge.limits.upper)},
                     {"velocity", limit(hinge.limits.velocity)},
                     {"effort", limit(hinge.limits.effort)}};
    return out;
}

} // namespace

std::string write_info(const Model& model)
{
    OrderedJson out;
    out["model"] = model.name();
    for (const char* list : {"bodies", "hinges", "frames", "dofs"})
        out[list] = OrderedJson::array();
    for (int k : model.tree().base_to_tip()) {
        const Body& body = model.bodies()[static_cast<std::size_t>(k)];
        const std::string& parent = model.hinges()[static_cast<std::size_t>(k)].parent;
        out["bodies"].push_back({{"name", body.name}, {"parent", name_or_null(parent)}, {"mass", body.mass}});
        out["hinges"].push_back(hinge_info(model, k));
    }
    for (const Frame& frame : model.frames().subspan(static_cast<std::size_t>(model.num_bodies())))
        out["frames"].push_back(frame.name);
    for (const std::string& dof : model.dof_names())
        out["dofs"].push_back(dof);
    out["total_mass"] = model.total_mass();
    out["floating"] = model.floating_base().has_value();
    out["mimic"] = OrderedJson::array();
    for (const Mimic& mimic : model.mimics())
        out["mimic"].push_back({{"name", mimic.name},
                                {"hinge", mimic.hinge},
                                {"of", mimic.of},
                                {"multiplier", mimic.multiplier},
                                {"offset", mimic.offset}});
    out["loops"] = OrderedJson::array(); // refused by the readers until closed chains are there
    out["notes"] = OrderedJson::array();
    for (const Note& note : model.notes())
        out["notes"].push_back(note.text);
    return results::json_text(out, true);
}

} // namespace sweepdyn
