// sweepdyn info: what a model is made of.
#include <algorithm>

#include <fmt/format.h>

#include "commands.hpp"
#include "loop_state.hpp"
#include "state_argument.hpp"
#include "sweepdyn/closed/assembly.hpp"
#include "sweepdyn/io/results/info.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "tree_drawing.hpp"

namespace sweepdyn::app {
namespace {

constexpr std::size_t indent = 12;

std::string section(std::string_view title, const std::vector<std::string>& words)
{
    return wrapped(padded("  " + std::string(title), indent), words, indent);
}

std::size_t hinges_with(const Model& model, std::vector<double> Hinge::* numbers)
{
    return static_cast<std::size_t>(
        std::count_if(model.hinges().begin(), model.hinges().end(), [&](const Hinge& hinge) {
            return std::any_of((hinge.*numbers).begin(), (hinge.*numbers).end(),
                               [](double x) { return x != 0.0; });
        }));
}

// "damping at 7 hinges, dry friction at 7, armature at 2"
std::string hinge_properties(const Model& model)
{
    std::string text;
    for (auto [what, numbers] : {std::pair{"damping", &Hinge::damping},
                                 {"dry friction", &Hinge::friction},
                                 {"armature", &Hinge::armature}})
        if (const std::size_t n = hinges_with(model, numbers))
            text += fmt::format("{}{} at {}", text.empty() ? "" : ", ", what, count(n, "hinge", "hinges"));
    return text;
}

std::vector<std::string> frame_words(const Model& model)
{
    std::vector<std::string> words;
    const auto frames = model.frames().subspan(static_cast<std::size_t>(model.num_bodies()));
    for (const Frame& frame : frames)
        words.push_back(frame.body.empty() ? frame.name : fmt::format("{} (on {})", frame.name, frame.body));
    for (std::size_t i = 0; i + 1 < words.size(); ++i)
        words[i] += ",";
    return words;
}

std::string notes(const Model& model, Note::Kind kind, std::string_view title)
{
    std::string text;
    for (const Note& note : model.notes())
        if (note.kind == kind)
            text += wrapped("  - ", words_of(note.text), 4);
    return text.empty() ? "" : fmt::format("\n{}\n{}", title, text);
}

// Whether q closes all loops to rounding.
bool closes(const Model& model, std::span<const double> q)
{
    Kinematics<double> kin(model);
    Loops<double> loops(model, model.loops());
    update<double>(kin, q);
    update_loops(kin, loops);
    return std::all_of(loops.loops.begin(), loops.loops.end(), [&](const LoopOnTree<double>& on) {
        return gap_of(kin, loops, on).part <= closed_enough;
    });
}

// How the mechanism can move: at the state of the file, else neutral, else assembled from either, whichever closes the loops first.
MobilityReport mobility_of(const Model& model, const std::optional<NativeState>& own)
{
    MobilityReport out;
    if (model.loops().empty()) {
        out.at = "any configuration";
        out.independent.assign(model.dof_names().begin(), model.dof_names().end());
        return out;
    }
    std::vector<double> q(static_cast<std::size_t>(model.num_coordinates()));
    neutral(model, std::span<double>(q));
    if (own && own->q && closes(model, *own->q))
        q = *own->q, out.at = "the state of the file";
    else if (closes(model, q))
        out.at = "the neutral configuration";
    else {
        const bool from_file = own && own->q;
        const Assembly assembly = assemble(model, from_file ? *own->q : q);
        if (!assembly.closed()) {
            out.unknown = words(model, assembly);
            return out;
        }
        q = assembly.branches.front();
        out.at = from_file ? "a configuration assembled from the state of the file"
                           : "a configuration assembled from the neutral one";
    }
    ClosedMechanism mechanism(model);
    prefer(mechanism, dof_choices(model, own, {}, {}));
    mechanism.set(q, std::vector<double>(static_cast<std::size_t>(model.num_dofs()), 0.0));
    for (int j : mechanism.independent())
        out.independent.push_back(model.dof_names()[static_cast<std::size_t>(j)]);
    out.redundant = mechanism.redundancies();
    out.singular = singular_poses(model, q);
    return out;
}

// Sections about loops: what moves together, how freely, and what is said twice.
std::string loop_sections(const Model& model, const MobilityReport& mobility)
{
    std::string out, title = "loops";
    for (const Loop& loop : model.loops()) {
        out += section(title, words_of(loop_text(loop)));
        title = "";
    }
    title = "clusters";
    for (const Cluster& cluster : model.topology().clusters) {
        if (cluster.loops.empty())
            continue;
        std::string hinges, loops;
        for (int k : cluster.bodies)
            hinges += (hinges.empty() ? "" : ", ") + model.hinges()[static_cast<std::size_t>(k)].name;
        for (int l : cluster.loops)
            loops += (loops.empty() ? "" : ", ") + model.loops()[static_cast<std::size_t>(l)].name;
        out += section(title, words_of(fmt::format("{} move together, through {}", hinges, loops)));
        title = "";
    }
    for (int l : model.topology().distant) {
        out += section(title, words_of(fmt::format(
                                  "{} couples hinges too far apart for one cluster (more than {} "
                                  "dofs); its force is found globally, by Delassus' matrix",
                                  model.loops()[static_cast<std::size_t>(l)].name, largest_coupled_cluster)));
        title = "";
    }
    if (mobility.at.empty())
        return out +
               section("mobility", words_of("not known: no configuration was found that closes the loops; " +
                                            mobility.unknown));
    std::string independent;
    for (const std::string& name : mobility.independent)
        independent += (independent.empty() ? "" : ", ") + name;
    out += section("mobility",
                   words_of(fmt::format("{} of {}, at {}; independent: {}", mobility.independent.size(),
                                        count(static_cast<std::size_t>(model.num_dofs()), "dof", "dofs"),
                                        mobility.at, independent.empty() ? "none" : independent)));
    if (!mobility.singular.empty())
        out += section("", words_of("a singular pose: " + words(mobility.singular)));
    title = "redundant";
    for (const Redundancy& one : mobility.redundant) {
        std::string loops;
        for (const std::string& name : one.loops)
            loops += (loops.empty() ? "" : ", ") + name;
        const std::string rows = count(static_cast<std::size_t>(one.rows), "row", "rows");
        out += section(
            title, words_of(one.kept == 0.0
                                ? fmt::format("{} of {}: {} nothing here", rows, loops,
                                              one.rows == 1 ? "restrains" : "restrain")
                                : fmt::format("{} of {}: said by others already (of the largest singular "
                                              "value, {:.2g} is the least that counts, {:.2g} the largest "
                                              "that does not)",
                                              rows, loops, one.kept, one.dropped)));
        title = "";
    }
    return out;
}

std::string text_info(const Model& model, const MobilityReport& mobility, const Terminal& terminal)
{
    std::string out = fmt::format("{}: {}\n\n", terminal.bold(model.name()), totals(model));
    out += draw_tree(model, terminal) + "\n";

    const std::vector<std::string> dofs(model.dof_names().begin(), model.dof_names().end());
    out += section("dofs", dofs.empty() ? std::vector<std::string>{"none"} : dofs);
    if (const auto& actuated = model.actuated_dofs()) {
        std::vector<std::string> names;
        for (int j : *actuated)
            names.push_back(dofs[static_cast<std::size_t>(j)]);
        out += section("actuated", names.empty() ? std::vector<std::string>{"none"} : names);
    }
    out += section("frames", frame_words(model));
    const Vec3<double>& g = model.gravity();
    out += section("gravity", {number_text(g.x), number_text(g.y), number_text(g.z)});
    if (const std::string properties = hinge_properties(model); !properties.empty())
        out += section("hinges", words_of(properties));
    if (!model.loops().empty())
        out += loop_sections(model, mobility);
    out += notes(model, Note::Kind::doubt, "Doubts (faults with --strict)");
    out += notes(model, Note::Kind::remark, "Notes");
    return out;
}

} // namespace

std::string run_info(const InfoOptions& options)
{
    const Model model = load(options.model);
    const MobilityReport mobility = mobility_of(model, own_state(options.model, model));
    return options.json ? write_info(model, mobility) + "\n"
                        : text_info(model, mobility, Terminal::of_stdout(options.ascii));
}

} // namespace sweepdyn::app
