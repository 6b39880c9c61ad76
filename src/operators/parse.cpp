#include "sweepdyn/operators/parse.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace sweepdyn::algebra {
namespace {

// What has been read so far: an expression, c times an identity whose space is not known yet, or a plain number.
struct Reading {
    const Node* node = nullptr;
    double coefficient = 1.0; // of the identity or the number, when there is no node
    bool identity = false;
    std::size_t column = 0;
};

class Parser {
public:
    Parser(Arena& arena, std::string_view text) : arena_(arena), text_(text) {}

    const Node* all(const Node* like = nullptr)
    {
        const Reading out = sum();
        if (skip_spaces(); at_ < text_.size())
            fail(at_, "unexpected '" + character(at_) + "'; " + hint_for_character(text_[at_]));
        if (out.identity && like)
            return resolved(out, like);
        if (out.identity)
            fail(out.column,
                 "the identity of which space? I gets its space from what it is added to, as in I - H*psi*K");
        if (!out.node)
            fail(out.column, "a number alone is no operator; multiply it with one");
        return out.node;
    }

private:
    [[noreturn]] void fail(std::size_t at, const std::string& what) const
    {
        throw AlgebraError("column " + column_text(at) + ": " + what + "\n  " + std::string(text_) + "\n  " +
                           std::string(characters(at), ' ') + "^");
    }
    // Of the text before a byte: in UTF-8 a character may have more than one.
    std::size_t characters(std::size_t end) const
    {
        return static_cast<std::size_t>(
            std::count_if(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(end),
                          [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
    }
    std::string column_text(std::size_t at) const { return std::to_string(characters(at) + 1); }
    std::string character(std::size_t at) const
    {
        std::size_t end = at + 1;
        while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0u) == 0x80u)
            ++end;
        return std::string(text_.substr(at, end - at));
    }
    void skip_spaces()
    {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])))
            ++at_;
    }
    bool take(char c)
    {
        skip_spaces();
        if (at_ >= text_.size() || text_[at_] != c)
            return false;
        ++at_;
        return true;
    }
    void expect(char c, std::size_t opened)
    {
        if (!take(c))
            fail(std::min(at_, text_.size()),
                 std::string("expected '") + c + "' to close what begins at column " + column_text(opened));
    }

    Reading sum()
    {
        skip_spaces();
        const std::size_t start = at_;
        if (++depth_ > 200)
            fail(start, "parentheses more than 200 deep");
        const bool negative = take('-');
        Reading out = product();
        if (negative)
            out = scaled(-1.0, out);
        out.column = start;
        for (;;) {
            skip_spaces();
            const std::size_t sign_at = at_;
            const double sign = take('+') ? 1.0 : take('-') ? -1.0 : 0.0;
            if (sign == 0.0) {
                --depth_;
                return out;
            }
            out = add(out, product(), sign, sign_at);
            out.column = start;
        }
    }
    Reading product()
    {
        Reading out = factor();
        double numbers = 1.0; // before a product as a whole, as it is printed
        while (take('*')) {
            const Reading next = factor();
            if (!out.node && !out.identity) {
                numbers *= out.coefficient;
                const std::size_t column = out.column;
                out = next, out.column = column;
            } else if (!next.node && !next.identity)
                numbers *= next.coefficient;
            else
                out = multiply(out, next);
        }
        return numbers == 1.0 ? out : scaled(numbers, out);
    }

    Reading scaled(double c, Reading a) const
    {
        if (a.node)
            a.node = arena_.scaled(c, a.node);
        else
            a.coefficient *= c;
        return a;
    }
    // An identity takes the space of what it is added to.
    const Node* resolved(const Reading& a, const Node* other) const
    {
        if (a.node)
            return a.node;
        if (!a.identity)
            fail(a.column,
                 "a number cannot be added to an operator; write " + number_text(a.coefficient) + "*I");
        if (!(other->range == other->domain))
            fail(a.column, "I cannot be added to " + to_text(arena_, other) + ", which maps " +
                               arena_.space_name(other->domain) + " to " + arena_.space_name(other->range) +
                               ": the identity maps a space to itself");
        return arena_.scaled(a.coefficient, arena_.identity(other->range));
    }
    Reading add(const Reading& a, const Reading& b, double sign, std::size_t at)
    {
        if (!a.node && !b.node) {
            if (a.identity != b.identity)
                fail(at, "a number cannot be added to an operator; write it times I");
            return {nullptr, a.coefficient + sign * b.coefficient, a.identity, a.column};
        }
        const Node *x = resolved(a, b.node ? b.node : a.node), *y = resolved(b, a.node ? a.node : b.node);
        if (!(x->range == y->range && x->domain == y->domain))
            fail(at, "cannot add: left is " + arrow(x) + ", right is " + arrow(y) + hint_for_sum(x, y));
        return {arena_.sum(x, y, sign), 1.0, false, a.column};
    }
    Reading multiply(const Reading& a, const Reading& b)
    {
        if (!a.node || !b.node) {
            const Reading& other = a.node ? a : b;
            const double c = (a.node ? 1.0 : a.coefficient) * (b.node ? 1.0 : b.coefficient);
            if (other.node)
                return {arena_.scaled(c, other.node), 1.0, false, a.column};
            return {nullptr, c, a.identity || b.identity, a.column};
        }
        if (!(a.node->domain == b.node->range))
            fail(b.column, "cannot multiply: " + to_text(arena_, b.node) + " lands in " +
                               arena_.space_name(b.node->range) + ", but " +
                               to_text(arena_, last_factor(a.node)) + " acts on " +
                               arena_.space_name(a.node->domain) + hint_for_product(a.node, b.node));
        return {arena_.product(a.node, b.node), 1.0, false, a.column};
    }
    static const Node* last_factor(const Node* node)
    {
        return node->kind == Node::Kind::product ? node->factors.back() : node;
    }
    std::string arrow(const Node* node) const
    {
        return arena_.space_name(node->range) + " <- " + arena_.space_name(node->domain);
    }
    // The likely slip: adj forgotten, or an inertia between motion and force.
    std::string hint_for_product(const Node* a, const Node* b) const
    {
        if (a->domain.space == Space::body_force && b->range.space == Space::body_motion)
            return "; an inertia (M, R or P) belongs between them";
        if (a->domain == arena_.adjoint(b)->range)
            return "; did you mean " + adjoint_text(b) + "?";
        if (arena_.adjoint(last_factor(a))->domain == b->range)
            return "; did you mean " + adjoint_text(last_factor(a)) + "?";
        if (a->domain.space == Space::body_motion && b->range.space == Space::body_force)
            return "; Upsilon or inverse(M) would belong between them";
        if (a->domain.space == Space::hinge_motion && b->range.space == Space::hinge_force)
            return "; inverse(D) would belong between them";
        if (a->domain.space == Space::hinge_force && b->range.space == Space::hinge_motion)
            return "; D or J_a would belong between them";
        if (is_frame(a->domain.space) && a->domain.frames == b->range.frames)
            return std::string("; ") + (is_motion(b->range.space) ? "" : "inverse of ") +
                   "the unit weights W[...] of these frames would belong between them";
        return "";
    }
    std::string hint_for_sum(const Node* x, const Node* y) const
    {
        const Node* turned = arena_.adjoint(y);
        return turned->range == x->range && turned->domain == x->domain
                   ? "; did you mean " + adjoint_text(y) + "?"
                   : "";
    }
    // What other languages write otherwise.
    static std::string hint_for_character(char c)
    {
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '(' || c == '.')
            return "write * between factors";
        switch (c) {
        case '/': return "there is no division: write inverse(X), or a number such as 0.5";
        case '^': return "there are no powers: write inverse(X), adj(X) or a product";
        case '\'': return "the adjoint of X is adj(X)";
        default: return "expected +, -, * or the end";
        }
    }
    // As one would type it: adj(H), phi for the adjoint of adj(phi), adj(H*phi).
    std::string adjoint_text(const Node* node) const
    {
        return node->kind == Node::Kind::leaf ? to_text(arena_, arena_.adjoint(node))
                                              : "adj(" + to_text(arena_, node) + ")";
    }

    Reading factor()
    {
        skip_spaces();
        const std::size_t start = at_;
        if (at_ >= text_.size())
            fail(at_, "the expression ends where a leaf, a number, adj(, inverse( or ( is expected");
        if (take('(')) {
            Reading inner = sum();
            expect(')', start);
            inner.column = start;
            return inner;
        }
        const unsigned char c = static_cast<unsigned char>(text_[at_]);
        if (std::isdigit(c) || c == '.')
            return number(start);
        if (!std::isalpha(c))
            fail(start,
                 "unexpected '" + character(start) + "'; expected a leaf, a number, adj(, inverse( or (");
        while (at_ < text_.size() &&
               (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
            ++at_;
        return named(std::string(text_.substr(start, at_ - start)), start);
    }
    Reading number(std::size_t start)
    {
        double value = 0.0;
        const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        if (error != std::errc() || !std::isfinite(value))
            fail(start, "not a number that a double holds");
        at_ = static_cast<std::size_t>(end - text_.data());
        return {nullptr, value, false, start};
    }
    Reading named(const std::string& word, std::size_t start)
    {
        if (word == "adj" || word == "inverse") {
            if (!take('('))
                fail(at_, "expected ( after " + word);
            Reading inner = sum();
            expect(')', start);
            inner.column = start;
            if (!inner.node) {
                if (word == "inverse") {
                    if (inner.coefficient == 0.0)
                        fail(start, "zero has no inverse");
                    inner.coefficient = 1.0 / inner.coefficient;
                }
                return inner;
            }
            try {
                inner.node = word == "adj" ? arena_.adjoint(inner.node) : arena_.inverse(inner.node);
            } catch (const AlgebraError& error) {
                fail(start, error.what());
            }
            return inner;
        }
        if (word == "I")
            return {nullptr, 1.0, true, start};
        if (word == "B")
            return {arena_.pick_off(frames("B", start)), 1.0, false, start};
        if (skip_spaces(); word == "W" && at_ < text_.size() && text_[at_] == '[')
            return {arena_.unit_weights(frames("W", start)), 1.0, false, start};
        std::vector<std::string> known{"I", "adj", "inverse"};
        for (const LeafFacts& f : leaves()) {
            if (f.leaf == Leaf::vector || f.leaf == Leaf::blocks)
                continue;
            if (f.name == word)
                return {arena_.leaf(f.leaf), 1.0, false, start};
            known.emplace_back(f.name);
        }
        fail(start, unknown_name("leaf", word, known));
    }
    std::vector<std::string> frames(const std::string& leaf, std::size_t start)
    {
        if (!take('['))
            fail(at_, leaf + " needs its frames, as in " + leaf + "[tool]");
        std::vector<std::string> out;
        do {
            skip_spaces();
            const std::size_t from = at_;
            std::string name;
            while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != ']') {
                if (text_[at_] == '\\' && at_ + 1 < text_.size())
                    ++at_; // \, and \] are parts of a name
                name += text_[at_++];
            }
            while (!name.empty() && name.back() == ' ')
                name.pop_back();
            if (name.empty())
                fail(from,
                     "the name of a frame is missing; B needs its frames, as in B[tool] or B[tool,flange]");
            try {
                arena_.model().frame(name);
            } catch (const UsageError& error) {
                fail(from, error.what());
            }
            out.push_back(std::move(name));
        } while (take(','));
        expect(']', start);
        return out;
    }

    Arena& arena_;
    std::string_view text_;
    std::size_t at_ = 0;
    int depth_ = 0; // of parentheses
};

} // namespace

const Node* parse(Arena& arena, std::string_view text) { return Parser(arena, text).all(); }
const Node* parse_like(Arena& arena, std::string_view text, const Node* like)
{
    return Parser(arena, text).all(like);
}

} // namespace sweepdyn::algebra
