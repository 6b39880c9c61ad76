#include <algorithm>
#include <cmath>

#include "native_reader.hpp"

namespace sweepdyn::native {

void Reader::read_hinge(const Value& value)
{
    if (!value.require_object()) {
        tree_is_whole_ = false;
        return;
    }
    value.know_keys({"index", "v_index", "name", "kind", "parent", "child", "rotation_in_parent",
                     "position_in_parent", "rotation_in_child", "position_in_child", "axis", "axis2", "pitch",
                     "limits", "armature", "damping", "friction"});
    Hinge hinge;
    if (const auto name = value.find("name"))
        hinge.name = name->text().value_or("");
    if (const auto parent = value.need("parent", "a body or -1, the ground"))
        hinge.parent = body_name(*parent).value_or("");
    const auto child = value.need("child", "a body");
    const auto child_name = child ? body_name(*child) : std::nullopt;
    if (child_name && child_name->empty())
        child->refuse("a body; the ground hangs on nothing");
    tree_is_whole_ = tree_is_whole_ && child_name && !child_name->empty();
    hinge.child = child_name.value_or("");
    if (hinge.name.empty())
        hinge.name = hinge.child;

    hinge.X_PF = pose(value, "rotation_in_parent", "position_in_parent");
    hinge.X_CM = pose(value, "rotation_in_child", "position_in_child");
    const auto kind = value.need("kind", "the kind of the hinge");
    if (const auto text = kind ? kind->text("the kind of the hinge") : std::nullopt) {
        try {
            hinge.kind = hinge_kind(*text);
        } catch (const UsageError& error) {
            kind->fault(error.what());
        }
        if (hinge.kind == HingeKind::user) {
            kind->fault(
                "a user-defined hinge cannot be read from a file; it is made in C++ (model/user_hinge.hpp)");
            hinge.kind = HingeKind::weld;
        } else if (*text == name(hinge.kind)) {
            read_axes(value, hinge);
            read_dof_numbers(value, hinge);
        }
    }
    hinge_of_.emplace(hinge.child, builder_.hinges().size());
    builder_.add_hinge(std::move(hinge));
}

void Reader::read_axes(const Value& value, Hinge& hinge)
{
    const HingeKind kind = hinge.kind;
    const auto take = [&](const std::string& key, bool used, std::string_view expected, auto&& read_it) {
        if (!used) {
            if (const auto unused = value.find(key))
                unused->remark("has no effect on a " + std::string(name(kind)) + " hinge");
        } else if (const auto found = value.need(key, expected))
            read_it(*found);
    };
    take("axis", kind != HingeKind::weld && kind != HingeKind::spherical && kind != HingeKind::free,
         "3 numbers", [&](const Value& found) { hinge.axis = found.vector().value_or(hinge.axis); });
    take("axis2", kind == HingeKind::universal, "3 numbers",
         [&](const Value& found) { hinge.axis2 = found.vector().value_or(hinge.axis2); });
    take("pitch", kind == HingeKind::helical, "a number, metres per radian",
         [&](const Value& found) { hinge.pitch = found.number().value_or(0.0); });
}

void Reader::read_dof_numbers(const Value& value, Hinge& hinge)
{
    const auto dofs = static_cast<std::size_t>(num_dofs(hinge));
    const std::string expected = dofs == 1 ? "1 number" : std::to_string(dofs) + " numbers, one per dof";
    const auto take = [&](const Value& from, const std::string& key, std::vector<double>& numbers,
                          std::optional<double> none) {
        if (const auto found = from.find(key))
            numbers = found->numbers(dofs, expected, none).value_or(std::vector<double>{});
    };
    take(value, "armature", hinge.armature, {});
    take(value, "damping", hinge.damping, {});
    take(value, "friction", hinge.friction, {});
    const auto limits = value.find("limits");
    if (!limits || !limits->require_object())
        return;
    limits->know_keys({"lower", "upper", "velocity", "effort"});
    for (const char* key : {"lower", "upper"})
        if (const auto unused = limits->find(key); unused && hinge.kind == HingeKind::continuous)
            unused->remark("has no effect on a continuous hinge");
    if (hinge.kind != HingeKind::continuous) {
        take(*limits, "lower", hinge.limits.lower, -INFINITY);
        take(*limits, "upper", hinge.limits.upper, INFINITY);
    }
    take(*limits, "velocity", hinge.limits.velocity, INFINITY);
    take(*limits, "effort", hinge.limits.effort, INFINITY);
}

void Reader::read_actuated(const Value& value)
{
    std::vector<Hinge>& hinges = builder_.hinges();
    // As the builder will call them: those of the only free hinge on the ground are the base's.
    const auto is_free_root = [](const Hinge& hinge) {
        return hinge.kind == HingeKind::free && hinge.parent.empty();
    };
    const bool has_base = std::count_if(hinges.begin(), hinges.end(), is_free_root) == 1;
    std::vector<std::string> names;
    std::vector<std::pair<Hinge*, std::size_t>> dofs; // in the order of the file's bodies
    for (const std::string& body : names_)
        if (const auto found = hinge_of_.find(body); found != hinge_of_.end()) {
            Hinge& hinge = hinges[found->second];
            const std::vector<std::string> suffixes = dof_suffixes(hinge);
            hinge.actuated.assign(suffixes.size(), false);
            for (std::size_t i = 0; i < suffixes.size(); ++i) {
                names.push_back((has_base && is_free_root(hinge) ? "base" : hinge.name) + suffixes[i]);
                dofs.emplace_back(&hinge, i);
            }
        }
    for (std::size_t place : read_dofs(value, names).value_or(std::vector<std::size_t>{}))
        dofs[place].first->actuated[dofs[place].second] = true;
}

} // namespace sweepdyn::native
