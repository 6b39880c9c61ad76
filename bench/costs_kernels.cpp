// The table of docs/costs.md, which bench/costs writes.
#include <cstdio>

#include "support/operation_counts.hpp"

using namespace sweepdyn;
using Counts = test::LinearCounts;

namespace {

void row(const char* name, const char* parts, const auto& count)
{
    std::printf("| %s | %s |", name, parts);
    for (int n = 6; n <= 12; ++n) {
        const OperationCount c = count(Counts::of_chain(n));
        std::printf(" %ld / %ld |", c.multiplications, c.additions);
    }
    std::printf("\n");
}

} // namespace

int main()
{
    const char* const head = " 6 | 7 | 8 | 9 | 10 | 11 | 12 |\n|---|---|--:|--:|--:|--:|--:|--:|--:|\n";
    std::printf("| part | of it | %s", head + 1);
    const auto part = [](const char* name, const char* file, OperationCount Counts::* which) {
        row(name, file, [&](const Counts& c) { return c.*which; });
    };
    part("a", "`column_derivatives`", &Counts::column_derivatives);
    part("b", "`composite_inertias`", &Counts::composite_inertias);
    part("c", "`articulate`", &Counts::articulate);
    part("d", "`articulated_derivatives`", &Counts::articulated_derivatives);
    part("e", "`perturb_inverse_dynamics`", &Counts::perturb_inverse);
    part("f", "`differentiate_inverse_dynamics`", &Counts::differentiate_inverse);
    part("g", "`perturb_forward_dynamics_by_mass_matrix`", &Counts::perturb_by_mass_matrix);
    part("h", "`differentiate_forward_dynamics_by_mass_matrix`", &Counts::differentiate_by_mass_matrix);
    part("i", "`perturb_forward_dynamics_by_columns`", &Counts::perturb_by_columns);
    part("j", "`perturb_forward_dynamics_by_articulation`", &Counts::perturb_by_articulation);
    part("k", "`differentiate_forward_dynamics`", &Counts::differentiate_forward);
    std::printf("\n| algorithm | parts | %s", head + 1);
    const auto whole = [](const char* name, const char* parts, OperationCount (Counts::*which)() const) {
        row(name, parts, [&](const Counts& c) { return (c.*which)(); });
    };
    whole("1", "a e", &Counts::algorithm_1);
    whole("2", "a b f", &Counts::algorithm_2);
    whole("3", "a b g", &Counts::algorithm_3);
    whole("4", "a b h", &Counts::algorithm_4);
    whole("5", "a c d i", &Counts::algorithm_5);
    whole("5b", "a c j", &Counts::algorithm_5b);
    whole("6", "a c d k", &Counts::algorithm_6);
}
