// Expressions as text and as LaTeX.
#include <algorithm>
#include <cmath>

#include "latex_text.hpp"
#include "sweepdyn/operators/graph.hpp"

namespace sweepdyn::algebra {
namespace {

struct Style {
    const char *times, *adjoint_open, *adjoint_close, *inverse_open, *inverse_close, *open, *close;
    bool latex;
};
constexpr Style plain{"*", "adj(", ")", "inverse(", ")", "(", ")", false};
constexpr Style latex{"\\,", "", "^{*}", "", "^{-1}", "(", ")", true};

std::string write(const Arena& arena, const Node* node, const Style& style);

// As it is read in B[...]: a comma, a bracket and a backslash need a backslash.
std::string frame_text(const std::string& name)
{
    std::string text;
    for (char c : name)
        text += (c == ',' || c == ']' || c == '\\' ? "\\" : "") + std::string(1, c);
    return text;
}

std::string list(const Arena& arena, const std::vector<FrameId>& frames)
{
    std::string names;
    for (FrameId frame : frames)
        names += (names.empty() ? "" : ",") + frame_text(arena.model().frame_at(frame).name);
    return names;
}
// A subscript cannot be broken over lines: of many frames the first few.
std::string subscript(const Arena& arena, const std::vector<FrameId>& frames)
{
    constexpr std::size_t few = 4;
    std::string names;
    for (std::size_t i = 0; i < std::min(frames.size(), few); ++i)
        names += (i == 0 ? "" : ", ") + latex_text(arena.model().frame_at(frames[i]).name);
    return "_{\\textnormal{" + names + (frames.size() > few ? ", \\ldots" : "") + "}}";
}

std::string write_leaf(const Arena& arena, const Node* node, const Style& style)
{
    std::string text(style.latex ? facts(node->leaf).latex : facts(node->leaf).name);
    if (node->leaf == Leaf::vector || node->leaf == Leaf::blocks)
        text =
            !style.latex || node->name.size() == 1 ? node->name : "\\textit{" + latex_text(node->name) + "}";
    const int set = std::max({node->range.frames, node->domain.frames, node->articulated.frame_set()});
    if (node->leaf != Leaf::vector && set >= 0) {
        const auto& frames = arena.frames(set);
        text += style.latex ? subscript(arena, frames) : "[" + list(arena, frames) + "]";
    }
    if (node->articulated == Articulated::without_armature())
        text += style.latex ? "_{M}" : "[M]";
    return node->adjoint ? style.adjoint_open + text + style.adjoint_close : text;
}

std::string in_parentheses(const Arena& arena, const Node* node, const Style& style, bool needed)
{
    return needed ? style.open + write(arena, node, style) + style.close : write(arena, node, style);
}

std::string write_sum(const Arena& arena, const Node* node, const Style& style)
{
    if (node->terms.empty())
        return "0";
    std::string text;
    for (const auto& [c, term] : node->terms) {
        text += text.empty() ? (c < 0 ? "-" : "") : c < 0 ? " - " : " + ";
        if (c != 1.0 && c != -1.0)
            text += (style.latex ? latex_number(std::abs(c)) : number_text(std::abs(c))) + style.times;
        text += write(arena, term, style);
    }
    return text;
}

std::string write(const Arena& arena, const Node* node, const Style& style)
{
    switch (node->kind) {
    case Node::Kind::leaf: return write_leaf(arena, node, style);
    case Node::Kind::identity: return "I";
    case Node::Kind::sum: return write_sum(arena, node, style);
    case Node::Kind::product: {
        std::string text;
        for (const Node* factor : node->factors)
            text += (text.empty() ? "" : style.times) +
                    in_parentheses(arena, factor, style, factor->kind == Node::Kind::sum);
        return text;
    }
    case Node::Kind::inverse: break;
    }
    const Node* inner = node->factors.front();
    if (style.latex && inner->kind == Node::Kind::leaf &&
        inner->adjoint) { // two superscripts would be an error
        const std::string text = write_leaf(arena, inner, style);
        return text.substr(0, text.size() - std::string_view(style.adjoint_close).size()) + "^{-*}";
    }
    return style.inverse_open +
           in_parentheses(arena, inner, style, style.latex && inner->kind != Node::Kind::leaf) +
           style.inverse_close;
}

} // namespace

std::string to_text(const Arena& arena, const Node* node) { return write(arena, node, plain); }
std::string to_latex(const Arena& arena, const Node* node) { return write(arena, node, latex); }

} // namespace sweepdyn::algebra
