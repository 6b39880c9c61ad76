#include "loop_state.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "model_argument.hpp"
#include "sweepdyn/kinematics/loop_slip.hpp"
#include "sweepdyn/kinematics/mobility.hpp"
#include "sweepdyn/kinematics/position_projection.hpp"

namespace sweepdyn::app {
namespace {

std::string names_of(const Model& model, std::span<const int> dofs)
{
    std::vector<std::string> names;
    for (int j : dofs)
        names.push_back(model.dof_names()[static_cast<std::size_t>(j)]);
    return quoted_names(names);
}

} // namespace

std::vector<std::string> listed_names(const std::vector<std::string>& lists)
{
    std::vector<std::string> out;
    for (const std::string& list : lists) {
        out.emplace_back();
        for (std::size_t i = 0; i < list.size(); ++i)
            if (list[i] == ',')
                out.emplace_back();
            else
                out.back() += list[i] == '\\' && i + 1 < list.size() ? list[++i] : list[i];
    }
    for (std::string& name : out) {
        name.erase(0, std::min(name.find_first_not_of(' '), name.size()));
        name.erase(name.find_last_not_of(' ') + 1);
    }
    return out;
}

std::vector<int> listed_dofs(const Model& model, const char* option, const std::vector<std::string>& lists)
{
    std::vector<int> out;
    std::string faults;
    const auto fault = [&](const std::string& text) {
        faults += fmt::format("{}{}", faults.empty() ? "" : "\n  ", text);
    };
    const std::vector<std::string> dofs(model.dof_names().begin(), model.dof_names().end());
    for (const std::string& name : listed_names(lists)) {
        int dof = -1;
        const auto found = std::find(dofs.begin(), dofs.end(), name);
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), dof);
        if (found != dofs.end())
            dof = static_cast<int>(found - dofs.begin());
        else if (name.empty()) {
            fault("a name is missing between commas");
            continue;
        } else if (error != std::errc{} || end != name.data() + name.size()) {
            fault(unknown_name("dof", name, dofs));
            continue;
        } else if (dof < 0 || dof >= model.num_dofs()) {
            fault(fmt::format("got {}, expected the name of a dof, or its index from 0 to {}", name,
                              model.num_dofs() - 1));
            continue;
        }
        if (std::find(out.begin(), out.end(), dof) != out.end())
            fault(fmt::format("dof '{}' stands there twice", dofs[static_cast<std::size_t>(dof)]));
        out.push_back(dof);
    }
    if (!faults.empty())
        throw UsageError(fmt::format("{}: {}", option, faults));
    return out;
}

DofChoices dof_choices(const Model& model, const std::optional<NativeState>& own,
                       const std::vector<std::string>& actuated, const std::vector<std::string>& independent)
{
    DofChoices out;
    out.actuated = model.actuated_dofs();
    if (own) {
        out.independent = own->independent_velocity.value_or(std::vector<int>{});
        out.positions = own->independent_position.value_or(std::vector<int>{});
    }
    if (!actuated.empty()) {
        out.actuated = listed_dofs(model, "--actuated", actuated);
        out.actuated_typed = true;
    }
    if (!independent.empty()) {
        out.independent = listed_dofs(model, "--independent", independent);
        out.positions.clear();
        out.independent_typed = true;
    }
    return out;
}

void prefer(ClosedMechanism& mechanism, const DofChoices& choices)
{
    if (!choices.independent.empty())
        mechanism.prefer_independent(choices.independent);
    else if (choices.actuated)
        mechanism.prefer_independent(*choices.actuated);
}

void check_independent(ClosedMechanism& mechanism, const DofChoices& choices)
{
    const auto now = mechanism.independent();
    std::vector<int> asked = choices.independent;
    std::sort(asked.begin(), asked.end());
    if (asked.empty() || std::equal(now.begin(), now.end(), asked.begin(), asked.end()))
        return;
    const Model& model = mechanism.model();
    const std::string text = fmt::format(
        "the dofs {} do not determine the motion here: the mechanism has mobility {}{}",
        names_of(model, asked), now.size(), now.empty() ? "" : "; these do: " + names_of(model, now));
    if (choices.independent_typed)
        throw RefusedError("--independent: " + text);
    note("independent dofs of the model file: " + text + (now.empty() ? "" : ", and are taken"));
}

namespace {

// Gaps so small as redundant rows may have, which no motion nearby closes.
bool as_closed_as_can_be(const Model& model, std::span<const double> q)
{
    Kinematics<double> kin(model);
    PositionProjection projection(model);
    std::vector<double> nearby(q.begin(), q.end());
    const PositionProjection::Report& found = projection.positions(kin, nearby);
    return found.before <= widest_contradiction && found.after > closed_exactly &&
           found.after > 0.5 * found.before;
}

} // namespace

void note_singular(ClosedMechanism& mechanism, Told accelerations)
{
    using enum SingularPose::Velocities;
    if (mechanism.redundancies().empty())
        return; // all rows count
    const Kinematics<double>& kin = mechanism.kinematics();
    for (const SingularPose& pose : singular_poses(mechanism.model(), kin.q, kin.v))
        note("a singular pose: " + words(pose) + "; " +
             (accelerations == Told::no_accelerations ? "what is told holds at this pose alone"
              : pose.velocities == between_branches ? "the velocities are of none of the branches of motion "
                                                      "that meet here: no acceleration keeps the "
                                                      "loops closed, those that are told do not"
              : pose.velocities == rest ? "at rest, accelerations are those to first order, which no branch "
                                          "of the motion need have; what "
                                          "is told holds at this pose alone"
              : accelerations == Told::to_first_order
                  ? "no branch of the motion was found along the velocities: accelerations are those to "
                    "first order, which "
                    "the motion need not have; what is told holds at this pose alone"
                  : "accelerations are those of the branch that the velocities are of, "
                    "what else is told holds at "
                    "this pose alone"));
}

void note_fading(ClosedMechanism& mechanism)
{
    constexpr double fades = 1e-3, digits = 15.7; // of the largest pivot; of double precision
    for (const ClusterClosure<double>& c : mechanism.closure().clusters) {
        if (!(c.rank > 0 && c.smallest_kept < fades))
            continue;
        std::string names;
        for (int l : c.loops)
            names += fmt::format("{}'{}'", names.empty() ? "" : ", ",
                                 mechanism.model().loops()[static_cast<std::size_t>(l)].name);
        note(fmt::format(
            "near a singular pose: a row of loop{} {} has all but gone, its pivot is {:.1g} of the largest. "
            "Of a mechanism that moves, derivatives lose the digits of its cube: about {} are left",
            c.loops.size() == 1 ? "" : "s", names, c.smallest_kept,
            std::max(0, static_cast<int>(digits + 3.0 * std::log10(c.smallest_kept)))));
    }
}

void require_closed(ClosedMechanism& mechanism, const std::string& what)
{
    const Kinematics<double>& kin = mechanism.kinematics();
    const Loops<double>& loops = mechanism.loops();
    std::string open, nearly;
    bool couplings_open = false;
    const bool contradicts = as_closed_as_can_be(mechanism.model(), kin.q);
    for (const LoopOnTree<double>& on : loops.loops) {
        const LoopGap gap = gap_of(kin, loops, on);
        if (gap.part <= closed_exactly)
            continue;
        const bool coupling = on.loop.kind == LoopKind::coupling;
        const bool enough = gap.part <= closed_enough || contradicts;
        couplings_open |= coupling && !enough;
        (enough ? nearly : open) +=
            fmt::format("\n  loop '{}'{} {}{}", on.loop.name,
                        coupling ? fmt::format(" ({})", equation(on.loop)) : "", sweepdyn::words(gap),
                        contradicts ? ": no motion closes it further, its redundant rows "
                                      "contradict each other by that"
                                    : "");
    }
    if (!open.empty())
        throw RefusedError(fmt::format(
            "{} does not close the loops:{}\n'{} assemble MODEL' finds a configuration that does{}", what,
            open, program_name(),
            couplings_open ? "; to let coupled hinges move independently, add --mimic independent" : ""));
    for (const LoopOnTree<double>& on : loops.loops) {
        const LoopSlip slip = slip_of(kin, loops, on);
        if (!(slip.part <= closed_exactly))
            (slip.part <= closed_enough ? nearly : open) +=
                fmt::format("\n  loop '{}' {}", on.loop.name, sweepdyn::words(slip));
    }
    if (!open.empty()) {
        std::vector<double> u, v(kin.v.size());
        for (int j : mechanism.independent())
            u.push_back(kin.v[static_cast<std::size_t>(j)]);
        mechanism.complete_velocities(u, v);
        std::string would;
        for (std::size_t j = 0; j < v.size(); ++j)
            would += fmt::format("{}{}", j ? ", " : "",
                                 number_text(v[j] == 0.0 ? 0.0 : v[j])); // without minus zero
        throw RefusedError(fmt::format("the velocities of {} do not keep the loops closed:{}\nwith those of "
                                       "{} as they are, the loops ask for v = [{}]",
                                       what, open, names_of(mechanism.model(), mechanism.independent()),
                                       would));
    }
    if (!nearly.empty())
        note(fmt::format("{} closes the loops only nearly:{}", what, nearly));
}

std::string forces_by_dof(const Model& model, std::span<const double> forces)
{
    std::vector<std::size_t> order;
    double largest = 0.0;
    for (double force : forces)
        largest = std::max(largest, std::abs(force));
    for (std::size_t j = 0; j < forces.size(); ++j)
        if (std::abs(forces[j]) > 1e-9 * largest)
            order.push_back(j);
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return std::abs(forces[a]) > std::abs(forces[b]); });
    std::string text;
    for (std::size_t i = 0; i < order.size() && i < 8; ++i)
        text += fmt::format("{}'{}' {:.6g}", i ? ", " : "", model.dof_names()[order[i]], forces[order[i]]);
    return order.size() > 8 ? text + fmt::format(" and {} more", order.size() - 8) : text;
}

} // namespace sweepdyn::app
