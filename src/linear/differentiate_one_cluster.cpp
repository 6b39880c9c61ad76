#include "sweepdyn/linear/differentiate_one_cluster.hpp"

#include "sweepdyn/linear/loop_derivatives.hpp"
#include "sweepdyn/spatial/combine.hpp"

namespace sweepdyn {
namespace {

// Six numbers, `apart` from each other.
void keep(std::vector<double>& rows, int i, Index apart, const Vec3<double>& a, const Vec3<double>& b)
{
    double* const x = rows.data() + i;
    x[0] = a.x, x[apart] = a.y, x[2 * apart] = a.z;
    x[3 * apart] = b.x, x[4 * apart] = b.y, x[5 * apart] = b.z;
}

} // namespace

bool OneClusterDerivatives::serves(const Closure<double>& closure)
{
    return closure.topology.clusters.size() == 1 && closure.clusters.size() == 1;
}

OneClusterDerivatives::OneClusterDerivatives(const Model& model, const Closure<double>& closure)
    : motion_(model, closure, 0),
      composite_(model),
      loads_(model)
{
    const ClusterClosure<double>& c = closure.clusters.front();
    const auto n = c.dofs.size(), lanes = static_cast<std::size_t>(c.lanes);
    lanes_ = c.lanes;
    independent_.reserve(n);
    for (auto* matrix : {&mass_, &A_D_, &B_D_})
        matrix->assign(n * n, 0.0);
    for (auto* matrix : {&YA_, &YB_})
        matrix->assign(n * lanes, 0.0);
    sides_.assign(3 * n * lanes, 0.0);
    for (auto* rows : {&motion_a_, &motion_b_, &force_a_, &force_b_})
        rows->assign(6 * lanes, 0.0);
    H_.assign(6 * n, 0.0);
    for (auto* matrix : {&M_inverse_, &A_C_, &B_C_})
        matrix->reserve(n * n);
    for (int l : c.loops) {
        const LoopOnTree<double>& on = closure.loops.loops[static_cast<std::size_t>(l)];
        Ends ends;
        ends.rigid = !on.moving && on.rows == 6;
        for (auto& [body, columns] : {std::pair{on.a, &ends.a}, {on.b, &ends.b}})
            for (int k = body; k != ground; k = model.tree().parent[static_cast<std::size_t>(k)])
                for (Index dof : model.tree().dofs(k))
                    columns->push_back(c.column_of[static_cast<std::size_t>(dof)]);
        ends_.push_back(std::move(ends));
    }
}

// eB += E' B_x E.
void OneClusterDerivatives::turn_loops(const Kinematics<double>& kin, const Closure<double>& closure,
                                       std::span<const double> lambda, Index half)
{
    const ClusterClosure<double>& c = closure.clusters.front();
    const int m = size_;
    const Index n = c.num_columns();
    const auto eB = [&](int i) { return sides_.data() + i * 3 * half + 2 * half; };
    for (std::size_t index = 0; index < c.loops.size(); ++index) {
        const LoopOnTree<double>& on = closure.loops.loops[static_cast<std::size_t>(c.loops[index])];
        if (on.loop.kind == LoopKind::coupling) {
            for (std::size_t t = 0; t < on.dofs.size(); ++t) {
                const int dof = on.dofs[t], k = kin.tree().body_of_dof[dof];
                const double q = kin.q[kin.tree().first_coordinate[k] + dof - kin.tree().first_dof[k]];
                const double f = detail::polynomial(on.loop.terms[t].polynomial, q)[2] * lambda[on.first_row];
                const double* const E = c.basis_row(c.column_of[dof]);
                for (int i = 0; f != 0.0 && i < m; ++i)
                    combine<double>(
                        eB(i), m, Onto::old, 0, 1, [&](int) { return -f * E[i]; }, [&](int) { return E; });
            }
            continue;
        }
        if (ends_[index].rigid)
            continue;
        // The bodies' motions about o per independent dof, component by component.
        const auto fill = [&](const std::vector<int>& columns, std::vector<double>& motion) {
            const int count = static_cast<int>(columns.size());
            for (int k = 0; k < count; ++k) {
                const int dof = c.dofs[columns[k]];
                const Motion<double> H =
                    PhiAdjoint<double>{on.o - kin.r(kin.tree().body_of_dof[dof])} * kin.H[dof];
                keep(H_, k, n, H.w, H.v);
            }
            for (int part = 0; part < 6; ++part)
                combine<double>(
                    motion.data() + part * half, m, Onto::zero, 0, count,
                    [&](int k) { return H_[part * n + k]; }, [&](int k) { return c.basis_row(columns[k]); });
        };
        fill(ends_[index].a, motion_a_);
        fill(ends_[index].b, motion_b_);
        const Force<double> w = loop_wrench<double>(closure.loops, on, lambda);
        for (int i = 0; i < m; ++i) {
            const auto part = [&](int row) { return motion_a_[row * half + i] - motion_b_[row * half + i]; };
            const Motion<double> X{{part(0), part(1), part(2)}, {part(3), part(4), part(5)}};
            const Force<double> change = loop_wrench_change(on, lambda, X);
            const Force<double> on_b = crq(w) * X - change;
            keep(force_a_, i, half, change.n, change.f);
            keep(force_b_, i, half, on_b.n, on_b.f);
        }
        for (int i = 0; i < m; ++i) {
            const auto take = [&](const std::vector<double>& motion, const std::vector<double>& force) {
                combine<double>(
                    eB(i), m, Onto::old, 0, 6, [&](int row) { return -motion[row * half + i]; },
                    [&](int row) { return force.data() + row * half; });
            };
            take(motion_b_, force_b_);
            if (on.moving)
                take(motion_a_, force_a_);
        }
    }
}

void OneClusterDerivatives::compute(const Kinematics<double>& kin, const Closure<double>& closure,
                                    const ClusterArticulation<double>& art,
                                    const ColumnDerivatives<double>& d, std::span<const double> v_dot,
                                    std::span<const double> lambda)
{
    detail::require_fresh(art.position_version == kin.position_version, "OneClusterDerivatives",
                          "articulate");
    const ClusterClosure<double>& c = closure.clusters.front();
    const auto& one = art.clusters.front();
    const int n = c.num_columns(), m = size_ = c.mobility();
    independent_.clear();
    for (int j : c.independent)
        independent_.push_back(c.dofs[j]);
    for (auto* matrix : {&M_inverse_, &A_C_, &B_C_})
        matrix->resize(count());
    motion_.set(kin, closure, d, v_dot);
    composite_inertias(kin, composite_);
    differentiate_inverse_dynamics<double>(kin, composite_, d, mass_, A_D_, B_D_, loads_);
    for (int i = 0; i < n; ++i) { // YA = M Fv + A_D E,  YB = M Fq + A_D Fm + B_D E
        const int* const related = one.related.data() + one.first_related[i];
        const int count = one.first_related[i + 1] - one.first_related[i];
        const auto add = [&](double* to, Onto onto, const std::vector<double>& matrix, const auto& rows) {
            const double* const row = matrix.data() + c.dofs[i];
            combine<double>(
                to, m, onto, 0, count, [&](int k) { return row[c.dofs[related[k]] * n]; },
                [&](int k) { return rows(related[k]); });
        };
        const auto E = [&](int j) { return c.basis_row(j); };
        double *const YA = YA_.data() + i * lanes_, *const YB = YB_.data() + i * lanes_;
        add(YA, Onto::zero, mass_, [&](int j) { return motion_.Fv(j); });
        add(YA, Onto::old, A_D_, E);
        add(YB, Onto::zero, mass_, [&](int j) { return motion_.Fq(j); });
        add(YB, Onto::old, A_D_, [&](int j) { return motion_.Fm(j); });
        add(YB, Onto::old, B_D_, E);
    }
    const Index half = Lanes<double>::round_up(m);
    for (int i = 0; i < m; ++i) { // eA = E' YA,  eB = E' YB
        double* const row = sides_.data() + i * 3 * half;
        std::fill_n(row, half, 0.0);
        row[i] = 1.0;
        const auto project = [&](const std::vector<double>& Y, double* e) {
            std::copy_n(Y.begin() + c.independent[i] * lanes_, half, e);
            combine<double>(
                e, m, Onto::old, 0, c.rank, [&](int k) { return c.basis(c.dependent[k], i); },
                [&](int k) { return Y.data() + c.dependent[k] * lanes_; });
        };
        project(YA_, row + half);
        project(YB_, row + 2 * half);
    }
    turn_loops(kin, closure, lambda, half);
    // D^-1 by the factor L L' of D: its diagonal is inverted, and its upper half holds L'
    const auto solve_row = [&](int i, int from, int end) {
        const double* const L = one.L.data() + i * lanes_;
        combine<double>(
            sides_.data() + i * 3 * half, 3 * half, Onto::old, from, end, [&](int k) { return -L[k]; },
            [&](int k) { return sides_.data() + k * 3 * half; }, L[i]);
    };
    for (int i = 0; i < m; ++i)
        solve_row(i, 0, i);
    for (int i = m - 1; i >= 0; --i)
        solve_row(i, i + 1, m);
    for (int i = 0; i < m; ++i) {
        const double* const row = sides_.data() + i * 3 * half;
        for (int j = 0; j < m; ++j) {
            const int at = j * m + i;
            M_inverse_[at] = row[j], A_C_[at] = row[half + j], B_C_[at] = row[2 * half + j];
        }
    }
}

} // namespace sweepdyn
