#include "sweepdyn/model/loop.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sweepdyn/model/errors.hpp"

namespace sweepdyn {
namespace {

struct KindRow {
    LoopKind kind;
    std::string_view name;
    int rows, holonomic;
};
constexpr std::array<KindRow, 12> kinds{{
    {LoopKind::weld, "weld", 6, 6},
    {LoopKind::ball, "ball", 3, 3},
    {LoopKind::revolute, "revolute", 5, 5},
    {LoopKind::prismatic, "prismatic", 5, 5},
    {LoopKind::cylindrical, "cylindrical", 4, 4},
    {LoopKind::universal, "universal", 4, 4},
    {LoopKind::planar_pin, "planar_pin", 2, 2},
    {LoopKind::rows, "rows", 0, 0},
    {LoopKind::soft_finger, "soft_finger", 4, 3},
    {LoopKind::rolling_sphere, "rolling_sphere", 3, 1},
    {LoopKind::rolling_disc, "rolling_disc", 3, 1},
    {LoopKind::coupling, "coupling", 1, 1},
}};
constexpr std::array<std::string_view, 6> row_names{"rx", "ry", "rz", "x", "y", "z"};

const KindRow& row_of(LoopKind kind) { return kinds[static_cast<std::size_t>(kind)]; }

} // namespace

std::string_view name(LoopKind kind) { return row_of(kind).name; }
LoopKind loop_kind(std::string_view wanted)
{
    std::vector<std::string> known;
    for (const KindRow& row : kinds) {
        if (row.name == wanted)
            return row.kind;
        known.emplace_back(row.name);
    }
    throw UsageError(unknown_name("kind of loop", wanted, known));
}

std::string_view name(LoopRow row) { return row_names[static_cast<std::size_t>(row)]; }
LoopRow loop_row(std::string_view wanted)
{
    const auto found = std::find(row_names.begin(), row_names.end(), wanted);
    if (found == row_names.end())
        throw UsageError(
            unknown_name("row", wanted, std::vector<std::string>(row_names.begin(), row_names.end())));
    return static_cast<LoopRow>(found - row_names.begin());
}

int num_rows(const Loop& loop)
{
    return loop.kind == LoopKind::rows ? static_cast<int>(loop.rows.size()) : row_of(loop.kind).rows;
}
int num_holonomic_rows(const Loop& loop)
{
    return loop.kind == LoopKind::rows ? num_rows(loop) : row_of(loop.kind).holonomic;
}

Loop mimic(std::string name, std::string dof, std::string of, double multiplier, double offset)
{
    Loop loop;
    loop.name = std::move(name);
    loop.kind = LoopKind::coupling;
    loop.terms = {{std::move(dof), {1.0}}, {std::move(of), {-multiplier}}};
    loop.offset = offset;
    return loop;
}

std::string equation(const Loop& coupling)
{
    const auto linear = [](const CouplingTerm& term) { return term.polynomial.size() == 1; };
    if (coupling.terms.size() == 2 && linear(coupling.terms[0]) && linear(coupling.terms[1]) &&
        coupling.terms[0].polynomial[0] == 1.0) { // a mimic, as one thinks of it
        std::string text = detail::quoted(coupling.terms[0].dof) + " = " +
                           number_text(-coupling.terms[1].polynomial[0]) + " " +
                           detail::quoted(coupling.terms[1].dof);
        if (coupling.offset != 0.0)
            text += (coupling.offset < 0.0 ? " - " : " + ") + number_text(std::abs(coupling.offset));
        return text;
    }
    std::string text;
    const auto add = [&](double factor, const std::string& what) {
        if (text.empty())
            text = factor == 1.0 ? "" : factor == -1.0 ? "-" : number_text(factor) + " ";
        else
            text += (factor < 0.0 ? " - " : " + ") +
                    (std::abs(factor) == 1.0 ? "" : number_text(std::abs(factor)) + " ");
        text += what;
    };
    for (const CouplingTerm& term : coupling.terms)
        for (std::size_t k = 0; k < term.polynomial.size(); ++k)
            if (term.polynomial[k] != 0.0)
                add(term.polynomial[k],
                    detail::quoted(term.dof) + (k == 0 ? "" : "^" + std::to_string(k + 1)));
    return (text.empty() ? "0" : text) + " = " + number_text(coupling.offset);
}

} // namespace sweepdyn
