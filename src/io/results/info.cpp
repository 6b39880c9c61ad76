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

// q(hinge) = multiplier q(of) + offset
bool is_mimic(const Loop& loop)
{
    return loop.kind == LoopKind::coupling && loop.terms.size() == 2 &&
           loop.terms[0].polynomial.size() == 1 && loop.terms[1].polynomial.size() == 1 &&
           loop.terms[0].polynomial[0] == 1.0;
}

OrderedJson loop_info(const Loop& loop)
{
    OrderedJson out;
    out["name"] = loop.name;
    out["kind"] = std::string(name(loop.kind));
    out["rows"] = num_rows(loop);
    if (loop.kind == LoopKind::coupling)
        out["equation"] = equation(loop);
    else {
        out["body_a"] = name_or_null(loop.body_a);
        out["body_b"] = name_or_null(loop.body_b);
    }
    return out;
}

OrderedJson topology_info(const Model& model, const MobilityReport& mobility)
{
    OrderedJson out;
    out["clusters"] = OrderedJson::array();
    for (const Cluster& cluster : model.topology().clusters) {
        if (cluster.loops.empty())
            continue;
        OrderedJson one;
        one["hinges"] = one["loops"] = OrderedJson::array();
        for (int k : cluster.bodies)
            one["hinges"].push_back(model.hinges()[static_cast<std::size_t>(k)].name);
        int rows = 0;
        for (int l : cluster.loops) {
            one["loops"].push_back(model.loops()[static_cast<std::size_t>(l)].name);
            rows += num_rows(model.loops()[static_cast<std::size_t>(l)]);
        }
        one["dofs"] = cluster.dofs.size();
        one["rows"] = rows;
        out["clusters"].push_back(std::move(one));
    }
    out["distant"] = OrderedJson::array();
    for (int l : model.topology().distant)
        out["distant"].push_back(model.loops()[static_cast<std::size_t>(l)].name);
    out["at"] = name_or_null(mobility.at);
    for (const char* key : {"mobility", "independent", "redundant", "singular"})
        out[key] = nullptr;
    if (!mobility.unknown.empty())
        out["unknown"] = mobility.unknown;
    if (mobility.at.empty())
        return out;
    out["mobility"] = mobility.independent.size();
    out["independent"] = mobility.independent;
    out["redundant"] = OrderedJson::array();
    for (const Redundancy& one : mobility.redundant) {
        OrderedJson entry;
        entry["loops"] = one.loops;
        entry["rows"] = one.rows;
        entry["kept"] = one.kept;
        entry["dropped"] = one.dropped;
        out["redundant"].push_back(std::move(entry));
    }
    out["singular"] = OrderedJson::array();
    for (const SingularPose& one : mobility.singular)
        out["singular"].push_back({{"loops", one.loops},
                                   {"mobility", one.mobility},
                                   {"mobility_nearby", one.mobility_nearby},
                                   {"first_order_only", one.first_order_only}});
    return out;
}

} // namespace

std::string write_info(const Model& model, const MobilityReport& mobility)
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
    out["actuated"] = nullptr;
    if (const auto& actuated = model.actuated_dofs()) {
        out["actuated"] = OrderedJson::array();
        for (int j : *actuated)
            out["actuated"].push_back(model.dof_names()[static_cast<std::size_t>(j)]);
    }
    out["total_mass"] = model.total_mass();
    out["floating"] = model.floating_base().has_value();
    out["mimic"] = OrderedJson::array();
    out["loops"] = OrderedJson::array();
    for (const Loop& loop : model.loops()) {
        out["loops"].push_back(loop_info(loop));
        if (is_mimic(loop))
            out["mimic"].push_back({{"name", loop.name},
                                    {"hinge", loop.terms[0].dof},
                                    {"of", loop.terms[1].dof},
                                    {"multiplier", -loop.terms[1].polynomial[0]},
                                    {"offset", loop.offset}});
    }
    out["topology"] = topology_info(model, mobility);
    out["notes"] = OrderedJson::array();
    for (const Note& note : model.notes())
        out["notes"].push_back(note.text);
    return results::json_text(out, true);
}

} // namespace sweepdyn
