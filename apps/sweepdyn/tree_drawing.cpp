#include "tree_drawing.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace sweepdyn::app {
namespace {

constexpr int most_levels = 20;            // drawn as indentation; beyond, the depth is a number
constexpr std::size_t most_bodies = 1000; // drawn

// "z", "-y", or "(0.6, 0.8, 0)"
std::string axis_text(const Vec3<double>& axis)
{
    for (int i = 0; i < 3; ++i)
        if (std::abs(std::abs(axis[i]) - 1.0) < 1e-9)
            return std::string(axis[i] < 0.0 ? "-" : "") + "xyz"[i];
    return fmt::format("({}, {}, {})", brief(axis.x), brief(axis.y), brief(axis.z));
}

std::string kind_text(const Hinge& hinge)
{
    std::string text(name(hinge.kind));
    switch (hinge.kind) {
    case HingeKind::weld:
    case HingeKind::spherical:
    case HingeKind::free:
    case HingeKind::user: break;
    case HingeKind::universal: text += " " + axis_text(hinge.axis) + " " + axis_text(hinge.axis2); break;
    case HingeKind::helical:
        text += fmt::format(" {}, {} m/rad", axis_text(hinge.axis), brief(hinge.pitch));
        break;
    default: text += " " + axis_text(hinge.axis);
    }
    return text;
}

std::string range_text(const Hinge& hinge)
{
    const int dofs = num_dofs(hinge);
    if (dofs == 0)
        return "";
    if (dofs > 1)
        return fmt::format("{} dofs", dofs);
    const Limits& limits = hinge.limits;
    const double low = limits.lower.empty() ? -INFINITY : limits.lower.front();
    const double high = limits.upper.empty() ? INFINITY : limits.upper.front();
    if (hinge.kind == HingeKind::continuous || (std::isinf(low) && std::isinf(high)))
        return "no limits";
    const char* unit = hinge.kind == HingeKind::prismatic ? "m" : "rad";
    return fmt::format("{} .. {} {}", brief(low), brief(high), unit);
}

using Row = std::array<std::string, 5>; // body, hinge, kind, range, mass
constexpr std::size_t range_column = 3, mass_column = 4;

class Drawing {
public:
    Drawing(const Model& model, const Terminal& terminal, bool with_ranges)
        : model_(model),
          terminal_(terminal),
          with_ranges_(with_ranges),
          children_(static_cast<std::size_t>(model.num_bodies()) + 1)
    {
        for (int k : model.tree().base_to_tip())
            children_[static_cast<std::size_t>(model.tree().parent[k]) + 1].push_back(k);
    }

    std::string text()
    {
        rows_ = {{"body", "hinge", "kind", "range", "mass"}, {"world", "", "", "", ""}};
        walk();
        std::array<std::size_t, 5> widths{};
        for (const Row& row : rows_)
            for (std::size_t c = 0; c < row.size(); ++c)
                widths[c] = std::max(widths[c], width(row[c]));
        std::string out;
        for (const Row& row : rows_) {
            std::string line = "  ";
            for (std::size_t c = 0; c < row.size(); ++c) {
                if (c == range_column && !with_ranges_)
                    continue;
                const std::size_t space = widths[c] - width(row[c]);
                line += c == mass_column ? std::string(space, ' ') + row[c]
                                         : row[c] + std::string(space + 2, ' ');
            }
            line.erase(line.find_last_not_of(' ') + 1);
            out += (&row == &rows_.front() ? terminal_.dim(line) : line) + "\n";
        }
        if (const std::size_t bodies = model_.bodies().size(); bodies > most_bodies)
            out += fmt::format("  and {} more bodies: info --json lists all\n", bodies - most_bodies);
        return out;
    }

private:
    // Depth first, without recursion: chains may be long.
    void walk()
    {
        struct Place {
            int body;
            int level;
            std::string before; // what the ancestors draw in front
            bool last;          // among its siblings
        };
        std::vector<Place> todo;
        const auto push_children = [&](int k, int level, const std::string& before) {
            const std::vector<int>& children = children_[static_cast<std::size_t>(k) + 1];
            for (std::size_t i = children.size(); i-- > 0;)
                todo.push_back({children[i], level, before, i + 1 == children.size()});
        };
        push_children(ground, 1, "");
        while (!todo.empty() && rows_.size() < most_bodies + 2) {
            const Place place = std::move(todo.back());
            todo.pop_back();
            const bool cut = place.level > most_levels;
            const std::string lead = cut ? fmt::format("+{} ", place.level) : place.before;
            const char* branch =
                terminal_.unicode ? (place.last ? "└ " : "├ ") : (place.last ? "`- " : "|- ");
            add_row(place.body, lead + branch);
            const char* line = terminal_.unicode ? (place.last ? "  " : "│ ") : (place.last ? "   " : "|  ");
            push_children(place.body, place.level + 1, cut ? place.before : place.before + line);
        }
    }

    void add_row(int k, const std::string& lead)
    {
        const Body& body = model_.bodies()[static_cast<std::size_t>(k)];
        const Hinge& hinge = model_.hinges()[static_cast<std::size_t>(k)];
        rows_.push_back({lead + body.name, hinge.name, kind_text(hinge),
                         model_.is_fixed(k) ? "fixed" : range_text(hinge),
                         body.mass > 0.0 ? brief(body.mass) + " kg" : "-"});
    }

    const Model& model_;
    const Terminal& terminal_;
    bool with_ranges_;
    std::vector<std::vector<int>> children_; // of the ground first
    std::vector<Row> rows_;
};

} // namespace

std::string draw_tree(const Model& model, const Terminal& terminal, bool with_ranges)
{
    return Drawing(model, terminal, with_ranges).text();
}

std::string totals(const Model& model)
{
    double fixed = 0.0;
    for (int k : model.tree().base_to_tip())
        fixed += model.is_fixed(k) ? model.bodies()[static_cast<std::size_t>(k)].mass : 0.0;
    std::string mass = brief(model.total_mass()) + " kg";
    if (fixed > 0.0)
        mass += fmt::format(" that can move ({} kg fixed)", brief(fixed));
    return fmt::format(
        "{}, {}, {}, {} base", count(static_cast<std::size_t>(model.num_dofs()), "dof", "dofs"),
        count(model.bodies().size(), "body", "bodies"), mass, model.floating_base() ? "floating" : "fixed");
}

} // namespace sweepdyn::app
