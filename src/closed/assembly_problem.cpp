#include "closed/assembly_problem.hpp"

#include <algorithm>
#include <cmath>

#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn::detail {
namespace {

std::vector<Loop> those(const Model& model, const std::vector<int>& which)
{
    std::vector<Loop> out;
    for (int l : which)
        out.push_back(model.loops()[static_cast<std::size_t>(l)]);
    return out;
}

} // namespace

AssemblyProblem::AssemblyProblem(const Model& model, std::span<const double> guess,
                                 const AssemblyOptions& options, std::vector<int> which)
    : held(static_cast<std::size_t>(model.num_dofs()), 0),
      model_(model),
      kin_(model),
      which_(std::move(which)),
      loops_(model, those(model, which_)),
      guess_(guess.begin(), guess.end()),
      bounds_(held.size()),
      in_loop_(static_cast<std::size_t>(model.num_bodies()), 0),
      bends_(held.size(), 0)
{
    normalise(model, guess_);
    for (int j : held_dofs(model, options.hold))
        held[static_cast<std::size_t>(j)] = 1;
    find_bounds(options.limits);
    for (const auto& on : loops_.loops) {
        for (const auto* up : {&on.up_a, &on.up_b})
            for (int k : *up) {
                in_loop_[k] = 1;
                for (Index j : model.tree().dofs(k))
                    bends_[j] = 1;
            }
        for (std::size_t t = 0; t < on.dofs.size(); ++t)
            bends_[on.dofs[t]] |= on.loop.terms[t].polynomial.size() > 1;
        for (int j : on.dofs)
            in_loop_[model.tree().body_of_dof[j]] = 1;
        holonomic_ += on.holonomic;
    }
    Cluster all;
    all.loops = which_;
    weight_ = detail::loop_weights(model, all);
    update<double>(kin_, guess_);
    update_loops(kin_, loops_);
    size_ = 0.0;
    for (const auto& on : loops_.loops)
        if (on.loop.kind != LoopKind::coupling)
            size_ = std::max(size_, loop_size(kin_, on));
    if (size_ == 0.0)
        size_ = 1.0;
}

void AssemblyProblem::find_bounds(bool limits)
{
    std::vector<char> coupled(bounds_.size(), 0);
    for (const auto& on : loops_.loops)
        for (int j : on.dofs)
            coupled[j] = 1;
    for (int k : model_.tree().base_to_tip()) {
        const Hinge& hinge = model_.hinges()[static_cast<std::size_t>(k)];
        for (Index j : model_.tree().dofs(k)) {
            const auto i = static_cast<std::size_t>(j - model_.tree().first_dof[k]);
            const bool plain = !has_quaternion(hinge) && (hinge.kind != HingeKind::planar || i == 0);
            if (!plain)
                continue;
            Bound& bound = bounds_[j];
            bound.coordinate = model_.tree().first_coordinate[k] + static_cast<int>(i);
            const bool angle =
                hinge.kind == HingeKind::revolute || hinge.kind == HingeKind::continuous ||
                hinge.kind == HingeKind::universal ||
                ((hinge.kind == HingeKind::cylindrical || hinge.kind == HingeKind::planar) && i == 0);
            bound.turns = angle && !coupled[j];
            if (!limits || hinge.kind == HingeKind::continuous)
                continue;
            if (i < hinge.limits.lower.size())
                bound.lower = hinge.limits.lower[i];
            if (i < hinge.limits.upper.size())
                bound.upper = hinge.limits.upper[i];
        }
    }
}

void AssemblyProblem::clamp(std::vector<double>& q) const
{
    for (std::size_t j = 0; j < bounds_.size(); ++j)
        if (const Bound& b = bounds_[j]; b.coordinate >= 0 && !held[j])
            q[b.coordinate] = std::min(std::max(q[b.coordinate], b.lower), b.upper);
}

double AssemblyProblem::column_scale(std::size_t j) const
{
    const Vec3<double>& w = kin_.H[j].w;
    return dot(w, w) > 0.0 ? 1.0 : size_;
}

void AssemblyProblem::evaluate(const std::vector<double>& q, Eigen::VectorXd& c, double& F, double& part)
{
    update<double>(kin_, q);
    update_loops(kin_, loops_);
    c.resize(holonomic_);
    Eigen::Index row = 0;
    part = 0.0;
    for (const auto& on : loops_.loops) {
        const LoopGap gap = gap_of(kin_, loops_, on);
        part = std::isnan(part) || gap.part <= part ? part : gap.part; // one that is no number stays
        for (int i = 0; i < on.holonomic; ++i)
            c[row++] = row_scale(on, i) * loops_.gap[on.first_row + i];
    }
    F = 0.5 * c.squaredNorm();
}

double AssemblyProblem::row_scale(const LoopOnTree<double>& on, int i) const
{
    if (on.loop.kind == LoopKind::coupling) {
        double slope = 0.0;
        loop_jacobian<double>(kin_, loops_, on,
                              [&](int, int, double x) { slope = std::max(slope, std::abs(x)); });
        return slope > 1e-6 ? 1.0 / slope : 1.0;
    }
    const Force<double>& A = loops_.A[on.first_row + i];
    return dot(A.f, A.f) > 0.0 ? weight_[static_cast<std::size_t>(&on - loops_.loops.data())] / size_ : 1.0;
}

void AssemblyProblem::linearise(Eigen::MatrixXd& C) const
{
    C.setZero(holonomic_, model_.num_dofs());
    Eigen::Index row = 0;
    for (const auto& on : loops_.loops) {
        if (on.loop.kind == LoopKind::coupling) {
            const double scale = row_scale(on, 0);
            loop_jacobian<double>(kin_, loops_, on, [&](int, int dof, double x) {
                C(row, dof) += scale * x * column_scale(dof);
            });
            ++row;
            continue;
        }
        Eigen::Matrix<double, most_rows, 6> slope; // of c by u
        for (int e = 0; e < 6; ++e) {
            Motion<double> u{};
            (e < 3 ? u.w[e] : u.v[e - 3]) = 1.0;
            std::array<Dual<double>, most_rows> gap;
            loop_gap<Dual<double>>(on.loop, detail::moved(on.X_ab, u), gap);
            for (int i = 0; i < on.holonomic; ++i)
                slope(i, e) = row_scale(on, i) * gap[static_cast<std::size_t>(i)].tangent;
        }
        const auto side = [&](const std::vector<int>& bodies, double sign) {
            for (int k : bodies)
                for (Index j : kin_.body[k].dofs()) {
                    const Motion<double> u =
                        rotate_back(on.R, PhiAdjoint<double>{on.o - kin_.r(k)} * kin_.H[j]);
                    const Eigen::Matrix<double, 6, 1> x{u.w.x, u.w.y, u.w.z, u.v.x, u.v.y, u.v.z};
                    for (int i = 0; i < on.holonomic; ++i)
                        C(row + i, j) += sign * column_scale(j) * slope.row(i).dot(x);
                }
        };
        side(on.up_a, 1.0);
        side(on.up_b, -1.0);
        row += on.holonomic;
    }
    for (std::size_t j = 0; j < held.size(); ++j)
        if (held[j])
            C.col(static_cast<Eigen::Index>(j)).setZero();
}

} // namespace sweepdyn::detail
