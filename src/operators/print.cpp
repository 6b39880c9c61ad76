// Expressions as text and as LaTeX.
#include <algorithm>

#include "sweepdyn/operators/graph.hpp"

namespace sweepdyn::algebra {
namespace {

struct Style {
    const char *times, *adjoint_open, *adjoint_close, *inverse_open, *inverse_close, *open, *close;
    bool latex;
};
constexpr Style plain{"*", "adj(", ")", "inverse(", ")", "(", ")", false};
constexpr Style latex{"\\,", "", "^{*}", "", "^{-1}", "\\left(", "\\right)", true};

std::string write(const Arena& arena, const Node* node, const Style& style);

std::string write_leaf(const Arena& arena, const Node* node, const Style& style)
{
    std::string text(style.latex ? facts(node->leaf).latex : facts(node->leaf).name);
    if (node->leaf == Leaf::vector)
        text = node->name;
    const int set = std::max({node->range.frames, node->domain.frames, node->articulated.frame_set()});
    if (node->leaf != Leaf::vector && set >= 0) {
        std::string names;
        for (FrameId frame : arena.frames(set))
            names += (names.empty() ? "" : ",") + arena.model().frame_at(frame).name;
        text += style.latex ? "_{\\mathrm{" + names + "}}" : "[" + names + "]";
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
            text += number_text(c < 0 ? -c : c) + style.times;
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
    return style.inverse_open +
           in_parentheses(arena, inner, style, style.latex && inner->kind != Node::Kind::leaf) +
           style.inverse_close;
}

} // namespace

std::string to_text(const Arena& arena, const Node* node) { return write(arena, node, plain); }
std::string to_latex(const Arena& arena, const Node* node) { return write(arena, node, latex); }

} // namespace sweepdyn::algebra
