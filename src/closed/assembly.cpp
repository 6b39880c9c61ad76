#include "sweepdyn/closed/assembly.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/QR>

#include "closed/assembly_descent.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/model/random.hpp"

namespace sweepdyn {
namespace {

using detail::Bound;

constexpr double pi = 3.141592653589793;
constexpr double same = 1e-6; // rad, or parts of the size: two configurations nearer than this are one

constexpr int enough_starts = 5; // of loops that close but for a contradiction: a sixth would not do better

// Loops that share hinges, directly or through others, close together: the clusters, and what distant couplings join.
std::vector<std::vector<int>> groups_of(const Model& model)
{
    const Topology& topology = model.topology();
    std::vector<int> group(model.loops().size());
    std::iota(group.begin(), group.end(), 0);
    const auto join = [&](int a, int b) {
        const int from = group[static_cast<std::size_t>(a)], to = group[static_cast<std::size_t>(b)];
        std::replace(group.begin(), group.end(), from, to);
    };
    for (const Cluster& cluster : topology.clusters)
        for (int l : cluster.loops)
            join(l, cluster.loops.front());
    std::vector<int> last(static_cast<std::size_t>(model.num_dofs()), -1); // distant coupling on a dof
    for (int l : topology.distant)
        for (int j : topology.dofs[static_cast<std::size_t>(l)]) {
            int& before = last[static_cast<std::size_t>(j)];
            if (before >= 0)
                join(l, before);
            before = l;
            const Cluster& cluster = topology.clusters[static_cast<std::size_t>(
                topology.cluster_of[static_cast<std::size_t>(model.tree().body_of_dof[j])])];
            if (!cluster.loops.empty())
                join(cluster.loops.front(), l);
        }
    std::vector<std::vector<int>> out;
    for (int root = 0; root < static_cast<int>(group.size()); ++root) {
        out.emplace_back();
        for (int l = 0; l < static_cast<int>(group.size()); ++l)
            if (group[static_cast<std::size_t>(l)] == root)
                out.back().push_back(l);
        if (out.back().empty())
            out.pop_back();
    }
    return out;
}
std::vector<int> all_loops(const Model& model)
{
    std::vector<int> out(model.loops().size());
    std::iota(out.begin(), out.end(), 0);
    return out;
}

// Of each group of loops, descents from the guess, from near it and at random, until one closes; then for other branches of all.
class Assembler {
public:
    Assembler(const Model& model, std::span<const double> guess, const AssemblyOptions& options)
        : model_(model),
          options_(options),
          problem_(model, guess, options, all_loops(model)),
          q_(problem_.guess())
    {
        for (const std::string& name : options.independent)
            independent_.push_back(model.dof(name));
        if (options.independent.empty() && model.actuated_dofs())
            independent_ = *model.actuated_dofs();
    }

    Assembly run()
    {
        for (std::size_t j = 0; j < problem_.held.size(); ++j)
            if (problem_.held[j])
                out_.held.push_back(static_cast<int>(j));
        out_.at_minimum = true;
        for (std::vector<int>& loops : groups_of(model_)) {
            detail::AssemblyProblem group(model_, q_, options_, std::move(loops));
            close(group);
        }
        const auto worst_first = [](const auto& a, const auto& b) {
            return a.gap.part != b.gap.part ? a.gap.part > b.gap.part : a.loop < b.loop;
        };
        std::sort(out_.open.begin(), out_.open.end(), worst_first);
        std::sort(out_.contradictions.begin(), out_.contradictions.end(), worst_first);
        if (!out_.open.empty()) {
            out_.nearest = q_;
            return std::move(out_);
        }
        out_.branches.push_back(tidy(q_));
        if (options_.branches > 1)
            find_others();
        return std::move(out_);
    }

private:
    // q_ to where the group closes, or is least open.
    void close(detail::AssemblyProblem& group)
    {
        detail::AssemblyDescent descend(group, options_);
        Assembly best;
        std::vector<double> best_q = q_;
        double least = std::numeric_limits<double>::infinity();
        bool contradicts = false;
        int number = 0;
        for (; number < options_.starts && !(contradicts && number >= enough_starts); ++number) {
            std::vector<double> q = start(group, number, group.guess());
            const bool minimum = descend(q);
            if (descend.part() <= options_.tolerance) {
                out_.starts = std::max(out_.starts, number + 1);
                q_ = q;
                return;
            }
            if (number == 0 ||
                (!contradicts && descend.F() < least)) { // of contradictions the first, nearest to the guess
                least = descend.F();
                best = report(group, descend, q, minimum);
                best_q = q;
                contradicts = minimum && best.limits.empty() && descend.part() <= widest_contradiction;
            }
        }
        out_.starts = std::max(out_.starts, number);
        q_ = best_q;
        auto& loops = contradicts ? out_.contradictions : out_.open;
        loops.insert(loops.end(), best.open.begin(), best.open.end());
        if (contradicts)
            return;
        out_.limits.insert(out_.limits.end(), best.limits.begin(), best.limits.end());
        out_.at_minimum = out_.at_minimum && best.at_minimum;
    }

    // Number 0 is `from`; then by turns near it, ever farther, and at random. Hinges in no loop, or held in part, stay.
    std::vector<double> start(const detail::AssemblyProblem& problem, int number,
                              const std::vector<double>& from) const
    {
        std::vector<double> q = from;
        if (number > 0) {
            const Tree& tree = model_.tree();
            Random random(options_.random_seed * 1000003u + static_cast<std::uint64_t>(number));
            std::vector<double> d(problem.held.size(), 0.0), anywhere(q.size());
            const double reach = 0.1 * number;
            for (std::size_t j = 0; j < d.size(); ++j) {
                const double x = random.uniform(-reach, reach);
                if (problem.moves(j))
                    d[j] = problem.column_scale(j) * x;
            }
            if (number % 2 == 1)
                integrate<double>(model_, q, d, q);
            else {
                random_configuration(model_, random.bits(), anywhere);
                for (int k : tree.base_to_tip()) {
                    bool free = problem.in_loop(k);
                    for (Index j : tree.dofs(k))
                        free = free && !problem.held[j];
                    if (free)
                        std::copy(anywhere.begin() + tree.first_coordinate[k],
                                  anywhere.begin() + tree.first_coordinate[k + 1],
                                  q.begin() + tree.first_coordinate[k]);
                }
            }
        }
        problem.clamp(q);
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
        detail::AssemblyDescent descend(problem_, options_);
        const std::vector<double> first = out_.branches.front();
        Eigen::VectorXd c;
        Eigen::MatrixXd C;
        double F = 0.0, part = 0.0;
        problem_.evaluate(first, c, F, part);
        problem_.linearise(C);
        for (std::size_t j = 0; j < problem_.held.size(); ++j)
            if (!problem_.moves(j))
                C.col(static_cast<Eigen::Index>(j)).setZero();
        constexpr double last = 1e-3; // pivots are chosen among the others first
        for (int j : independent_)
            C.col(j) *= last;
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
            std::vector<double> q = start(problem_, number, first);
            ++out_.starts;
            descend(q);
            if (!(descend.part() <=
                  (out_.contradictions.empty() ? options_.tolerance : widest_contradiction)))
                continue;
            q = tidy(q);
            if (std::all_of(out_.branches.begin(), out_.branches.end(),
                            [&](const std::vector<double>& known) { return differ(known, q); }))
                out_.branches.push_back(std::move(q));
        }
        problem_.held = held_before;
    }

    static Assembly report(detail::AssemblyProblem& problem, const detail::AssemblyDescent& descend,
                           const std::vector<double>& q, bool minimum)
    {
        Assembly out;
        out.at_minimum = minimum;
        Eigen::VectorXd c;
        double F = 0.0, part = 0.0;
        problem.evaluate(q, c, F, part);
        for (std::size_t l = 0; l < problem.loops().loops.size(); ++l)
            if (const LoopGap gap = gap_of(problem.kinematics(), problem.loops(), problem.loops().loops[l]);
                !(gap.part <= descend.tolerance()))
                out.open.push_back({problem.loop_at(l), gap});
        for (std::size_t j = 0; j < descend.stopped().size(); ++j)
            if (descend.stopped()[j]) {
                const Bound& b = problem.bound(j);
                const bool upper = std::abs(q[b.coordinate] - b.upper) < std::abs(q[b.coordinate] - b.lower);
                out.limits.push_back({static_cast<int>(j), upper, upper ? b.upper : b.lower});
            }
        return out;
    }

    const Model& model_;
    const AssemblyOptions& options_;
    std::vector<int> independent_; // dofs that are to be
    detail::AssemblyProblem problem_; // of all loops
    std::vector<double> q_;
    Assembly out_;
};

} // namespace

std::vector<int> held_dofs(const Model& model, const std::vector<std::string>& names)
{
    const auto dof_names = model.dof_names();
    std::vector<std::string> known(dof_names.begin(), dof_names.end());
    for (const Hinge& hinge : model.hinges())
        if (std::find(known.begin(), known.end(), hinge.name) == known.end())
            known.push_back(hinge.name);
    std::vector<char> held(dof_names.size(), 0);
    for (const std::string& name : names) {
        if (std::find(known.begin(), known.end(), name) == known.end())
            throw UsageError("assemble: hold: " + unknown_name("dof", name, known));
        if (const auto dof = std::find(dof_names.begin(), dof_names.end(), name); dof != dof_names.end())
            held[static_cast<std::size_t>(dof - dof_names.begin())] = 1;
        else
            for (std::size_t k = 0; k < model.hinges().size(); ++k)
                if (model.hinges()[k].name == name)
                    for (Index j : model.tree().dofs(static_cast<int>(k)))
                        held[static_cast<std::size_t>(j)] = 1;
    }
    std::vector<int> out;
    for (int j = 0; j < model.num_dofs(); ++j)
        if (held[static_cast<std::size_t>(j)])
            out.push_back(j);
    return out;
}

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
    if (assembly.closed()) {
        std::string text = name + "closes in " + std::to_string(assembly.branches.size()) +
                           (assembly.branches.size() == 1 ? " way" : " ways");
        for (const Assembly::OpenLoop& one : assembly.contradictions)
            text += "\n  loop '" + model.loops()[static_cast<std::size_t>(one.loop)].name + "' stays " +
                    words(one.gap) + ": redundant rows contradict each other by that, as rounded numbers do";
        return text;
    }
    std::string text = name + "cannot be assembled: ";
    constexpr std::size_t most = 6;
    for (std::size_t i = 0; i < std::min(assembly.open.size(), most); ++i)
        text += (i > 0 ? ", loop '" : "loop '") +
                model.loops()[static_cast<std::size_t>(assembly.open[i].loop)].name + "' stays " +
                words(assembly.open[i].gap);
    if (assembly.open.size() > most)
        text += ", and " + std::to_string(assembly.open.size() - most) + " more";
    text += assembly.at_minimum ? "; there the gap is least, no small motion closes it further"
                                : "; the descent ended before the gap was least";
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
