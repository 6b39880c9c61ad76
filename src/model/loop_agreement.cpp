// Loops among one another: what one says again, and what cannot hold together.
#include <algorithm>
#include <cmath>
#include <map>

#include "loop_checks.hpp"

namespace sweepdyn {

std::string called(const Loop& loop)
{
    return loop.kind == LoopKind::coupling
               ? "coupling " + quoted(loop.name) + " (" + equation(loop) + ")"
               : "loop " + quoted(loop.name) + " (" + std::string(name(loop.kind)) + ")";
}

namespace {

// A coupling as a row of numbers: a coefficient for each power of each dof, then the offset.
struct Row {
    std::vector<double> c;
    std::vector<double> weights; // of the couplings whose sum it is
    std::size_t pivot = 0;
};

using Columns = std::map<std::pair<std::string, std::size_t>, std::size_t>; // by dof and power

std::vector<Row> rows_of(const std::vector<Loop>& loops, Columns& columns)
{
    for (const Loop& loop : loops)
        for (const CouplingTerm& term : loop.terms)
            for (std::size_t power = 0; power < term.polynomial.size(); ++power)
                columns.emplace(std::pair{term.dof, power}, columns.size());
    std::vector<Row> rows;
    for (std::size_t i = 0; i < loops.size(); ++i) {
        Row row{std::vector<double>(columns.size() + 1), std::vector<double>(loops.size())};
        double largest = 0.0;
        for (const CouplingTerm& term : loops[i].terms)
            for (std::size_t power = 0; power < term.polynomial.size(); ++power) {
                row.c[columns.at({term.dof, power})] += term.polynomial[power];
                largest = std::max(largest, std::abs(term.polynomial[power]));
            }
        row.c.back() = loops[i].offset;
        for (double& c : row.c)
            c /= largest;
        row.weights[i] = 1.0;
        rows.push_back(std::move(row));
    }
    return rows;
}

void subtract(Row& row, double factor, const Row& other)
{
    for (std::size_t j = 0; j < row.c.size(); ++j)
        row.c[j] -= factor * other.c[j];
    for (std::size_t j = 0; j < row.weights.size(); ++j)
        row.weights[j] -= factor * other.weights[j];
}

// Dofs that several couplings hold still together, as q3 = 2 q1 and q1 = 0.6 q3 do: each row is freed of the others' pivots; one that has
// a single dof left is such.
void note_what_is_locked(std::vector<Row> rows, const std::vector<Loop>& loops, const Columns& columns,
                         double nothing, Notes& notes)
{
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t k = 0; k < rows.size(); ++k)
            if (i != k)
                subtract(rows[k], rows[k].c[rows[i].pivot], rows[i]);
    const auto counts = [&](double x) { return std::abs(x) > nothing; };
    std::map<std::vector<std::size_t>, std::string> held; // dofs, by the couplings
    for (const auto& [dof, column] : columns)
        for (const Row& row : rows) {
            if (row.pivot != column || std::count_if(row.c.begin(), row.c.end() - 1, counts) != 1)
                continue;
            std::vector<std::size_t> who;
            for (std::size_t l = 0; l < loops.size(); ++l)
                if (counts(row.weights[l]))
                    who.push_back(l);
            if (who.size() > 1)
                held[who] += (held[who].empty() ? "" : ", ") + quoted(dof.first);
        }
    for (const auto& [who, dofs] : held) {
        std::string couplings;
        for (std::size_t l : who)
            couplings += (couplings.empty() ? "" : ", ") + called(loops[l]);
        notes.push_back({Note::Kind::doubt, couplings + " together hold " + dofs +
                                                " still; if that is to move, correct or remove one"});
    }
}

} // namespace

// By Gauss: a row that becomes 0 = 0 says what others say, 0 = c cannot be. The rows before it are independent, so there is just
// one sum of them that it is, and its weights tell who they are.
void check_couplings_agree(const std::vector<Loop>& all, Faults& faults, Notes& notes)
{
    constexpr double nothing = 1e-10; // beside largest coefficients of 1
    std::vector<Loop> loops;
    std::copy_if(all.begin(), all.end(), std::back_inserter(loops),
                 [](const Loop& loop) { return loop.kind == LoopKind::coupling; });
    std::vector<Row> independent;
    Columns columns;
    std::vector<Row> rows = rows_of(loops, columns);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        Row& row = rows[i];
        for (const Row& earlier : independent)
            subtract(row, row.c[earlier.pivot], earlier);
        const auto largest = std::max_element(row.c.begin(), row.c.end() - 1,
                                              [](double a, double b) { return std::abs(a) < std::abs(b); });
        if (std::abs(*largest) > nothing) {
            row.pivot = static_cast<std::size_t>(largest - row.c.begin());
            const double scale = 1.0 / *largest;
            for (double& c : row.c)
                c *= scale;
            for (double& weight : row.weights)
                weight *= scale;
            independent.push_back(std::move(row));
            continue;
        }
        std::string others;
        int count = 0;
        for (std::size_t other = 0; other < i; ++other)
            if (std::abs(row.weights[other]) > nothing) {
                others += (count == 0 ? "" : ", ") + called(loops[other]);
                ++count;
            }
        if (std::abs(row.c.back()) > nothing)
            faults.push_back(called(loops[i]) + " contradicts " + others +
                             ": together they cannot hold; remove one");
        else if (count == 1)
            faults.push_back(called(loops[i]) + " says again what " + others + " says: remove one");
        else
            notes.push_back({Note::Kind::remark, called(loops[i]) + " follows from " + others +
                                                     ": redundant, so their multipliers are not unique"});
    }
    note_what_is_locked(std::move(independent), loops, columns, nothing, notes);
}

namespace {

bool near(const Vec3<double>& a, const Vec3<double>& b)
{
    return norm(a - b) <= 1e-12 * std::max(1.0, norm(a));
}
// As far as the kind looks at the frame: of a ball its origin only, of a revolute loop its z axis besides.
bool same_frame(LoopKind kind, const Pose<double>& one, const Pose<double>& other)
{
    if (!near(one.p, other.p) || kind == LoopKind::ball)
        return near(one.p, other.p);
    const bool same_z = near(one.R.z, other.R.z);
    return kind == LoopKind::revolute ? same_z : same_z && near(one.R.x, other.R.x);
}
bool same_loop(const Loop& one, const Loop& other)
{
    if (one.kind != other.kind || one.radius != other.radius ||
        !std::is_permutation(one.rows.begin(), one.rows.end(), other.rows.begin(), other.rows.end()))
        return false;
    const auto same_ends = [&](const std::string& body_a, const Pose<double>& X_a, const std::string& body_b,
                               const Pose<double>& X_b) {
        return one.body_a == body_a && one.body_b == body_b && same_frame(one.kind, one.X_Aa, X_a) &&
               same_frame(one.kind, one.X_Bb, X_b);
    };
    // Of these kinds either end may be called a.
    const bool either_way =
        one.kind == LoopKind::weld || one.kind == LoopKind::ball || one.kind == LoopKind::revolute;
    return same_ends(other.body_a, other.X_Aa, other.body_b, other.X_Bb) ||
           (either_way && same_ends(other.body_b, other.X_Bb, other.body_a, other.X_Aa));
}

} // namespace

void check_loops_differ(const std::vector<Loop>& loops, Faults& faults)
{
    for (std::size_t i = 0; i < loops.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (loops[i].kind != LoopKind::coupling && same_loop(loops[i], loops[k])) {
                faults.push_back(called(loops[i]) + " says again what " + called(loops[k]) +
                                 " says: remove one");
                break;
            }
}

} // namespace sweepdyn
