// sweepdyn info: what a model is made of.
#include <algorithm>

#include <fmt/format.h>

#include "commands.hpp"
#include "sweepdyn/io/results/info.hpp"
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

std::string text_info(const Model& model, const Terminal& terminal)
{
    std::string out = fmt::format("{}: {}\n\n", terminal.bold(model.name()), totals(model));
    out += draw_tree(model, terminal) + "\n";

    const std::vector<std::string> dofs(model.dof_names().begin(), model.dof_names().end());
    out += section("dofs", dofs.empty() ? std::vector<std::string>{"none"} : dofs);
    out += section("frames", frame_words(model));
    const Vec3<double>& g = model.gravity();
    out += section("gravity", {number_text(g.x), number_text(g.y), number_text(g.z)});
    if (const std::string properties = hinge_properties(model); !properties.empty())
        out += section("hinges", words_of(properties));
    for (std::size_t i = 0; i < model.mimics().size(); ++i)
        out += section(i == 0 ? "couplings" : "", words_of(coupling_text(model.mimics()[i])));
    if (!model.mimics().empty())
        out += section("", words_of("not enforced yet: compute needs --mimic independent"));
    out += notes(model, Note::Kind::doubt, "Doubts (faults with --strict)");
    out += notes(model, Note::Kind::remark, "Notes");
    return out;
}

} // namespace

std::string run_info(const InfoOptions& options)
{
    const Model model = load(options.model);
    return options.json ? write_info(model) + "\n" : text_info(model, Terminal::of_stdout(options.ascii));
}

} // namespace sweepdyn::app
