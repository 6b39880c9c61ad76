#include "sweepdyn/operators/plan.hpp"

#include <algorithm>
#include <set>

#include "value_graph.hpp"

namespace sweepdyn::algebra {

Plan::Plan(Arena& arena, const Node* expression, Registry registry)
    : over_(arena.over()),
      reference_(arena.reference()),
      range_(expression->range),
      domain_(expression->domain),
      kernel_((arena.require_own(expression), registry == Registry::on) ? known_kernel(arena, expression)
                                                                        : Kernel::none)
{
    ValueGraph graph = value_graph(arena, expression);
    simplify(graph);
    passes_ = lay_into_passes(graph);
    values_ = std::move(graph.values);
    output_ = graph.output, operand_ = graph.operand;
    const auto know_frames = [&](int set) {
        while (set >= static_cast<int>(frame_sets_.size()))
            frame_sets_.push_back(arena.frames(static_cast<int>(frame_sets_.size())));
    };
    know_frames(range_.frames), know_frames(domain_.frames);
    for (const Value& v : values_)
        know_frames(v.space.frames), know_frames(v.articulated.frame_set());
    find_needs();
}

void Plan::find_needs()
{
    std::set<Needs> needed{Needs::poses};
    if (kernel_ != Kernel::none)
        needed.insert(needs_of(kernel_));
    else
        for (const Value& v : values_)
            if (v.kind != Value::Kind::sum) {
                needed.insert(facts(v.leaf).needs);
                if (v.kind == Value::Kind::apply && facts(v.leaf).needs == Needs::articulation &&
                    std::find(articulated_.begin(), articulated_.end(), v.articulated) == articulated_.end())
                    articulated_.push_back(v.articulated);
            }
    if (needed.contains(Needs::upsilon) &&
        std::find(articulated_.begin(), articulated_.end(), Articulated::mass()) == articulated_.end())
        articulated_.push_back(Articulated::mass()); // Upsilon builds on it
    needs_.assign(needed.begin(), needed.end());
}

int Plan::sweeps() const
{
    return static_cast<int>(
        std::count_if(passes_.begin(), passes_.end(), [](const Pass& p) { return p.crosses; }));
}

std::vector<Direction> Plan::sweep_directions() const
{
    std::vector<Direction> out;
    for (const Pass& pass : passes_)
        if (pass.crosses)
            out.push_back(pass.direction);
    return out;
}

int Plan::dimension(SpaceId id) const
{
    return algebra::dimension(over_, id.space,
                              id.frames < 0 ? 0 : frame_sets_[static_cast<std::size_t>(id.frames)].size());
}

bool Plan::is_named(const Value& v) const
{
    return !v.name.empty() && (v.kind == Value::Kind::apply || v.leaf == Leaf::vector);
}

int Plan::dimension(const Value& v) const
{
    if (v.kind != Value::Kind::apply)
        return dimension(v.space);
    const bool to_hinge = is_hinge(v.space.space),
               from_hinge = is_hinge(values_[static_cast<std::size_t>(v.argument)].space.space);
    if (over_.by_clusters())
        return to_hinge && from_hinge   ? over_.num_square()
               : to_hinge || from_hinge ? 6 * over_.num_H()
                                        : over_.num_full();
    int sum = 0;
    for (int k = 0; k < model().num_bodies(); ++k) {
        const int n = model().tree().num_dofs(k);
        sum += (to_hinge ? n : 6) * (from_hinge ? n : 6);
    }
    return sum;
}

} // namespace sweepdyn::algebra
