#include "sweepdyn/closed/assembly.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/QR>

#include "closed/assembly_descent.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/model/random.hpp"

namespace sweepdyn {
namespace {

using detail::Bound;

constexpr double pi = 3.141592653589793;
constexpr double same = 1e-6; // rad, or parts of the size: two configurations nearer than this are one

// Descents from the guess, from near it and at random, until one closes; then for other branches.
class Assembler {
public:
    Assembler(const Model& model, std::span<const double> guess, const AssemblyOptions& options)
        : model_(model),
          options_(options),
          problem_(model, guess, options),
          descend_(problem_, options)
    {
    }

    Assembly run()
    {
        for (std::size_t j = 0; j < problem_.held.size(); ++j)
            if (problem_.held[j])
                out_.held.push_back(static_cast<int>(j));
        double best = std::numeric_limits<double>::infinity();
        for (int number = 0; number < options_.starts && out_.branches.empty(); ++number) {
            std::vector<double> q = start(number, problem_.guess());
            ++out_.starts;
            const bool minimum = descend_(q);
            if (descend_.part() <= options_.tolerance)
                out_.branches.push_back(tidy(q));
            else if (descend_.F() < best) {
                best = descend_.F();
                report(q, minimum);
            }
        }
        if (out_.branches.empty())
            return std::move(out_);
        out_.nearest.clear(), out_.open.clear(), out_.limits.clear();
        if (options_.branches > 1)
            find_others();
        return std::move(out_);
    }

private:
    // Number 0 is `from`; then by turns near it, ever farther, and at random. Hinges in no loop, or held in part, stay.
    std::vector<double> start(int number, const std::vector<double>& from) const
    {
        std::vector<double> q = from;
        if (number > 0) {
            const Tree& tree = model_.tree();
            Random random(options_.random_seed * 1000003u + static_cast<std::uint64_t>(number));
            std::vector<double> d(problem_.held.size(), 0.0), anywhere(q.size());
            const double reach = 0.1 * number;
            for (std::size_t j = 0; j < d.size(); ++j) {
                const double x = random.uniform(-reach, reach);
                if (problem_.moves(j))
                    d[j] = problem_.column_scale(j) * x;
            }
            if (number % 2 == 1)
                integrate<double>(model_, q, d, q);
            else {
                random_configuration(model_, random.bits(), anywhere);
                for (int k : tree.base_to_tip()) {
                    bool free = problem_.in_loop(k);
                    for (Index j : tree.dofs(k))
                        free = free && !problem_.held[j];
                    if (free)
                        std::copy(anywhere.begin() + tree.first_coordinate[k],
                                  anywhere.begin() + tree.first_coordinate[k + 1],
                                  q.begin() + tree.first_coordinate[k]);
                }
            }
        }
        problem_.clamp(q);
        return q;
    }

    // Angles that nothing counts the turns of, as near to the guess as full turns can bring them.
    std::vector<double> tidy(std::vector<double> q) const
    {
        for (std::size_t j = 0; j < problem_.num_dofs(); ++j) {
            const Bound& b = problem_.bound(j);
            if (b.coordinate < 0 || !b.turns || problem_.held[j])
                continue;
            double& x = q[b.coordinate];
            const double near = x - 2.0 * pi * std::round((x - problem_.guess()[b.coordinate]) / (2.0 * pi));
            if (near >= b.lower && near <= b.upper)
                x = near;
        }
        return q;
    }

    bool differ(const std::vector<double>& a, const std::vector<double>& b) const
    {
        std::vector<double> d(problem_.held.size());
        difference<double>(model_, a, b, d);
        for (std::size_t j = 0; j < d.size(); ++j) {
            double x = d[j];
            if (problem_.bound(j).turns)
                x = std::remainder(x, 2.0 * pi);
            if (std::abs(x) > same * problem_.column_scale(j))
                return true;
        }
        return false;
    }

    // With the held dofs and, where the mechanism can still move, the independent ones of the first.
    void find_others()
    {
        const std::vector<double> first = out_.branches.front();
        Eigen::VectorXd c;
        Eigen::MatrixXd C;
        double F = 0.0, part = 0.0;
        problem_.evaluate(first, c, F, part);
        problem_.linearise(C);
        for (std::size_t j = 0; j < problem_.held.size(); ++j)
            if (!problem_.moves(j))
                C.col(static_cast<Eigen::Index>(j)).setZero();
        Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
        qr.setThreshold(rank_tolerance);
        qr.compute(C);
        const std::vector<char> held_before = problem_.held;
        std::vector<char> dependent(problem_.held.size(), 0);
        for (Eigen::Index i = 0; i < qr.rank(); ++i)
            dependent[qr.colsPermutation().indices()[i]] = 1;
        for (std::size_t j = 0; j < problem_.held.size(); ++j)
            problem_.held[j] = !dependent[j];
        for (int number = 1;
             number < options_.starts && static_cast<int>(out_.branches.size()) < options_.branches;
             ++number) {
            std::vector<double> q = start(number, first);
            ++out_.starts;
            descend_(q);
            if (!(descend_.part() <= options_.tolerance))
                continue;
            q = tidy(q);
            if (std::all_of(out_.branches.begin(), out_.branches.end(),
                            [&](const std::vector<double>& known) { return differ(known, q); }))
                out_.branches.push_back(std::move(q));
        }
        problem_.held = held_before;
    }

    void report(const std::vector<double>& q, bool minimum)
    {
        out_.nearest = q;
        out_.at_minimum = minimum;
        out_.open.clear();
        out_.limits.clear();
        Eigen::VectorXd c;
        double F = 0.0, part = 0.0;
        problem_.evaluate(q, c, F, part);
        for (std::size_t l = 0; l < problem_.loops().loops.size(); ++l)
            if (const LoopGap gap =
                    gap_of(problem_.kinematics(), problem_.loops(), problem_.loops().loops[l]);
                !(gap.part <= options_.tolerance))
                out_.open.push_back({static_cast<int>(l), gap});
        std::sort(out_.open.begin(), out_.open.end(), [](const auto& a, const auto& b) {
            return a.gap.part != b.gap.part ? a.gap.part > b.gap.part : a.loop < b.loop;
        });
        for (std::size_t j = 0; j < descend_.stopped().size(); ++j)
            if (descend_.stopped()[j]) {
                const Bound& b = problem_.bound(j);
                const bool upper = std::abs(q[b.coordinate] - b.upper) < std::abs(q[b.coordinate] - b.lower);
                out_.limits.push_back({static_cast<int>(j), upper, upper ? b.upper : b.lower});
            }
    }

    const Model& model_;
    const AssemblyOptions& options_;
    detail::AssemblyProblem problem_;
    detail::AssemblyDescent descend_;
    Assembly out_;
};

} // namespace

Assembly assemble(const Model& model, std::span<const double> guess, const AssemblyOptions& options)
{
    detail::require_coordinates(model, "assemble", "guess", guess.size());
    for (double x : guess)
        if (!std::isfinite(x))
            throw UsageError("assemble: the guess is not finite (got " + number_text(x) + ")");
    if (options.branches < 1 || options.starts < 1 || options.iterations < 1)
        throw UsageError("assemble: branches, starts and iterations are " + std::to_string(options.branches) +
                         ", " + std::to_string(options.starts) + " and " +
                         std::to_string(options.iterations) + ", expected at least 1 each");
    if (!(options.tolerance > 0.0))
        throw UsageError("assemble: the tolerance is " + number_text(options.tolerance) +
                         ", expected a number above 0");
    return Assembler(model, guess, options).run();
}

std::vector<double> assembled(const Model& model, std::span<const double> guess,
                              const AssemblyOptions& options)
{
    Assembly found = assemble(model, guess, options);
    if (!found.closed())
        throw RefusedError(words(model, found));
    return std::move(found.branches.front());
}

std::string words(const Model& model, const Assembly& assembly)
{
    const std::string name = "model '" + model.name() + "' ";
    if (assembly.closed())
        return name + "closes in " + std::to_string(assembly.branches.size()) +
               (assembly.branches.size() == 1 ? " way" : " ways");
    std::string text = name + "cannot be assembled: ";
    constexpr std::size_t most = 6;
    for (std::size_t i = 0; i < std::min(assembly.open.size(), most); ++i)
        text += (i > 0 ? ", loop '" : "loop '") +
                model.loops()[static_cast<std::size_t>(assembly.open[i].loop)].name + "' stays " +
                words(assembly.open[i].gap);
    if (assembly.open.size() > most)
        text += ", and " + std::to_string(assembly.open.size() - most) + " more";
    text += assembly.at_minimum ? "; there the gap is least, no small motion closes it further"
                                : "; the descent ran out of iterations";
    text +=
        " (the best of " + std::to_string(assembly.starts) + (assembly.starts == 1 ? " start)" : " starts)");
    for (const Assembly::ActiveLimit& limit : assembly.limits)
        text += "\n  '" + model.dof_names()[static_cast<std::size_t>(limit.dof)] + "' is stopped by its " +
                (limit.upper ? "upper" : "lower") + " limit " + number_text(limit.limit);
    if (!assembly.held.empty()) {
        text += "\n  held: ";
        for (std::size_t i = 0; i < assembly.held.size(); ++i)
            text +=
                (i > 0 ? ", '" : "'") + model.dof_names()[static_cast<std::size_t>(assembly.held[i])] + "'";
    }
    return text;
}

} // namespace sweepdyn
