#include "sweepdyn/model/model.hpp"

#include <algorithm>

namespace sweepdyn {
namespace {

template <class Items> int find(const Items& items, std::string_view what, std::string_view name)
{
    for (std::size_t i = 0; i < items.size(); ++i)
        if (items[i].name == name)
            return static_cast<int>(i);
    std::vector<std::string> known;
    for (const auto& item : items)
        known.push_back(item.name);
    throw UsageError(unknown_name(what, name, known));
}

} // namespace

BodyId Model::body(std::string_view name) const { return {find(bodies(), "body", name)}; }
FrameId Model::frame(std::string_view name) const { return {find(frames(), "frame", name)}; }
int Model::hinge(std::string_view name) const { return find(hinges(), "hinge", name); }
int Model::loop(std::string_view name) const { return find(loops(), "loop", name); }
int Model::dof(std::string_view name) const
{
    const auto found = std::find(dof_names().begin(), dof_names().end(), name);
    if (found == dof_names().end())
        throw UsageError(unknown_name("dof", name, dof_names()));
    return static_cast<int>(found - dof_names().begin());
}

void Model::throw_unknown_frame(FrameId frame) const
{
    throw UsageError("model " + detail::quoted(name()) + ": frame id " + std::to_string(frame.index) +
                     ", expected 0 to " + std::to_string(frames().size() - 1) +
                     "; ids come from model.frame(name)");
}

double Model::total_mass() const
{
    double mass = 0.0;
    for (int k : tree().base_to_tip())
        mass += is_fixed(k) ? 0.0 : bodies()[static_cast<std::size_t>(k)].mass;
    return mass;
}

} // namespace sweepdyn
