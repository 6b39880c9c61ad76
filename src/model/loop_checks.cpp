#include "loop_checks.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace sweepdyn {
namespace {

std::string body_text(const std::string& body)
{
    return body.empty() ? "the ground" : "body " + quoted(body);
}

// Of a number that is not finite, or too large.
std::string expected_instead(double x)
{
    return std::isfinite(x) ? ", expected a number below " + number_text(too_large)
                            : ", expected a finite number";
}

void check_coupling(const Loop& loop, Faults& faults)
{
    const std::string where = "coupling " + quoted(loop.name);
    if (loop.terms.size() < 2)
        faults.push_back(where + " has " + std::to_string(loop.terms.size()) +
                         (loop.terms.size() == 1 ? " term, expected" : " terms, expected") +
                         " 2 or more: one for each coupled dof");
    if (!(std::abs(loop.offset) < too_large))
        faults.push_back(where + ": offset is " + number_text(loop.offset) + expected_instead(loop.offset));
    std::set<std::string> seen;
    for (const CouplingTerm& term : loop.terms) {
        const std::string here = where + ", dof " + quoted(term.dof);
        if (!seen.insert(term.dof).second)
            faults.push_back(here + " is coupled with itself, expected another dof");
        for (double c : term.polynomial)
            if (!(std::abs(c) < too_large))
                faults.push_back(here + ": coefficient " + number_text(std::isnan(c) ? NAN : c) +
                                 expected_instead(c));
            else if (c != 0.0 && std::abs(c) < too_small)
                faults.push_back(here + ": coefficient " + number_text(c) + ", expected 0, or a number of " +
                                 number_text(too_small) + " or more");
        if (std::all_of(term.polynomial.begin(), term.polynomial.end(), [](double c) { return c == 0.0; }))
            faults.push_back(here +
                             ": its coefficient is 0, so it takes no part; expected a ratio other than 0, or "
                             "remove the term");
    }
}

} // namespace

void check_loop(Loop& loop, const std::vector<std::string>& body_names, Faults& faults)
{
    if (loop.kind == LoopKind::coupling)
        return check_coupling(loop, faults);
    const std::string where = "loop " + quoted(loop.name);
    for (const auto& [side, body] : {std::pair{"a", &loop.body_a}, {"b", &loop.body_b}})
        if (!body->empty() && std::find(body_names.begin(), body_names.end(), *body) == body_names.end())
            faults.push_back(where + ", body " + side + ": " + unknown_name("body", *body, body_names));
    check_pose(where + ", frame a", loop.X_Aa, faults);
    check_pose(where + ", frame b", loop.X_Bb, faults);
    if (loop.body_a == loop.body_b)
        faults.push_back(where + " closes on itself: both its ends are on " + body_text(loop.body_a) +
                         ", expected two bodies");
    const bool rolls = loop.kind == LoopKind::rolling_sphere || loop.kind == LoopKind::rolling_disc;
    if (rolls && !(loop.radius > 0.0 && loop.radius < too_large))
        faults.push_back(
            where + ": radius is " + number_text(loop.radius) + ", expected a length above 0" +
            (std::isfinite(loop.radius) && loop.radius > 0.0 ? " and below " + number_text(too_large) : ""));
    if (loop.kind == LoopKind::rows) {
        if (loop.rows.empty())
            faults.push_back(where + " has no rows, expected some of rx, ry, rz, x, y, z");
        std::set<LoopRow> seen;
        for (LoopRow row : loop.rows)
            if (!seen.insert(row).second)
                faults.push_back(where + ": row " + std::string(name(row)) + " stands there twice");
    }
    if (!loop.terms.empty())
        faults.push_back(where + " is of kind " + std::string(name(loop.kind)) +
                         " and has terms; only couplings have them");
}

Topology check_loops(const Tree& tree, const std::vector<Body>& bodies, const std::vector<Hinge>& hinges,
                     const std::vector<std::string>& dof_names, const std::vector<Loop>& loops,
                     Faults& faults, Notes& notes)
{
    const std::size_t faults_before = faults.size();
    std::vector<int> body_a, body_b;
    std::vector<std::vector<int>> dofs;
    const auto index_of = [&](const std::string& body) {
        const auto found =
            std::find_if(bodies.begin(), bodies.end(), [&](const Body& b) { return b.name == body; });
        return body.empty() ? ground : static_cast<int>(found - bodies.begin());
    };
    for (const Loop& loop : loops) {
        body_a.push_back(loop.kind == LoopKind::coupling ? ground : index_of(loop.body_a));
        body_b.push_back(loop.kind == LoopKind::coupling ? ground : index_of(loop.body_b));
        std::vector<int>& of = dofs.emplace_back();
        for (const CouplingTerm& term : loop.terms) {
            const std::string where = "coupling " + quoted(loop.name);
            const auto found = std::find(dof_names.begin(), dof_names.end(), term.dof);
            if (found == dof_names.end()) {
                const auto hinge = std::find_if(hinges.begin(), hinges.end(),
                                                [&](const Hinge& h) { return h.name == term.dof; });
                faults.push_back(where + ": " +
                                 (hinge == hinges.end() ? unknown_name("dof", term.dof, dof_names)
                                                        : "hinge " + quoted(term.dof) + " has " +
                                                              std::to_string(num_dofs(*hinge)) +
                                                              " dofs, expected 1, or the name of one dof"));
                continue;
            }
            const auto j = static_cast<std::size_t>(found - dof_names.begin());
            const Hinge& hinge = hinges[static_cast<std::size_t>(tree.body_of_dof[j])];
            if (has_quaternion(hinge) || hinge.kind == HingeKind::planar)
                faults.push_back(
                    where + ": dof " + quoted(term.dof) + " is of a " + std::string(name(hinge.kind)) +
                    " hinge, whose rates have no coordinate of their own; expected a turn or a slide");
            of.push_back(static_cast<int>(j));
        }
    }
    if (faults.size() > faults_before)
        return {};
    check_couplings_agree(loops, faults, notes);
    check_loops_differ(loops, faults);
    for (std::size_t i = 0; i < loops.size(); ++i) {
        if (loops[i].kind == LoopKind::coupling)
            continue;
        int moving = 0;
        int a = body_a[i], b = body_b[i];
        while (a != b) {
            int& up = a > b ? a : b;
            moving += tree.num_dofs(up);
            up = tree.parent[static_cast<std::size_t>(up)];
        }
        if (moving == 0)
            faults.push_back(called(loops[i]) + " joins " + body_text(loops[i].body_a) + " and " +
                             body_text(loops[i].body_b) +
                             ", which only welds lie between: nothing can move there; remove it");
    }
    if (faults.size() > faults_before)
        return {};
    Topology topology = topology_of(tree, loops, std::move(body_a), std::move(body_b), std::move(dofs));
    for (int i : topology.distant)
        notes.push_back({Note::Kind::remark, called(loops[static_cast<std::size_t>(i)]) +
                                                 " ties hinges far apart: as one cluster they " +
                                                 "would have more than " +
                                                 std::to_string(largest_coupled_cluster) +
                                                 " dofs, so its multiplier is found globally (Delassus)"});
    return topology;
}

} // namespace sweepdyn
