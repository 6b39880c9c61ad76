#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "linear/balance.hpp"
#include "linear/lapack.hpp"
#include "sweepdyn/kinematics/position_projection.hpp"
#include "sweepdyn/linear/closed_linearization.hpp"
#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn {
namespace {

using detail::norm_of;
using Numbers = std::vector<double>;

// r(u): what the forces T lack, in coordinates of the pose that hold near the point that was set last.
class Search {
public:
    virtual ~Search() = default;
    double scale = 0.0; // the largest force at play, of the last residual

    virtual Numbers set(const OperatingPoint& point) = 0; // r there
    virtual Matrix slope() = 0; // dr/du there
    virtual Numbers along(const Numbers& u) = 0; // dq of all dofs
    // False where there is no such pose, or its coordinates are others.
    virtual bool move(const OperatingPoint& from, const Numbers& u, OperatingPoint& to, Numbers& r) = 0;
    virtual Numbers by_dof(const Numbers& r) = 0;

protected:
    Numbers lacking(Linearization& lin, const OperatingPoint& point) // ID + passive - T, of all dofs
    {
        detail::Need need = detail::need_at(lin, point);
        scale = need.scale;
        for (std::size_t j = 0; j < need.T.size(); ++j) {
            scale = std::max(scale, std::abs(point.T[j]));
            need.T[j] -= point.T[j];
        }
        return std::move(need.T);
    }
};

class TreeSearch final : public Search {
public:
    explicit TreeSearch(Linearization& lin) : lin_(lin) {}
    Numbers set(const OperatingPoint& point) override { return lacking(lin_, point); }
    Matrix slope() override { return lin_.inverse_matrices().B_D; }
    Numbers along(const Numbers& u) override { return u; }
    bool move(const OperatingPoint& from, const Numbers& u, OperatingPoint& to, Numbers& r) override
    {
        integrate<double>(lin_.model(), from.q, u, to.q);
        r = lacking(lin_, to);
        return true;
    }
    Numbers by_dof(const Numbers& r) override { return r; }

private:
    Linearization& lin_;
};

// u: displacements of the independent dofs; r = E'(ID - T), dr = E'(B_D + Bx) Eq du; positions are projected after each step.
class ClosedSearch final : public Search {
public:
    ClosedSearch(Linearization& lin, const PassiveForces& passive)
        : tree_(lin),
          closed_(lin.model(), passive),
          trial_(lin.model()),
          kin_(lin.model()),
          projection_(lin.model()),
          still_(static_cast<std::size_t>(lin.model().num_dofs()))
    {
    }

    // The largest gap that is left, and in which loop.
    const PositionProjection::Report& close(Numbers& q) { return projection_.positions(kin_, q); }
    LoopGap gap(int loop) { return projection_.gap(kin_, loop); }

    Numbers set(const OperatingPoint& point) override
    {
        closed_.set_at(point.q, still_, still_, point.T, point.external);
        independent_.assign(closed_.velocities().begin(), closed_.velocities().end());
        trial_.prefer_independent(independent_);
        return on_motions(closed_.Ev.values(), lacking(tree_, point));
    }
    Matrix slope() override
    {
        using lapack::operator*;
        return lapack::transpose(closed_.Ev) * (closed_.stiffness() * closed_.Eq);
    }
    Numbers along(const Numbers& u) override
    {
        Numbers dq(still_.size());
        for (int i = 0; i < closed_.Eq.columns(); ++i)
            for (int j = 0; j < closed_.Eq.rows(); ++j)
                dq[static_cast<std::size_t>(j)] += closed_.Eq(j, i) * u[static_cast<std::size_t>(i)];
        return dq;
    }
    bool move(const OperatingPoint& from, const Numbers& u, OperatingPoint& to, Numbers& r) override
    {
        integrate<double>(closed_.model(), from.q, along(u), to.q);
        if (!(close(to.q).after < closed_enough))
            return false;
        trial_.set(to.q, still_);
        if (!std::equal(trial_.independent().begin(), trial_.independent().end(), independent_.begin(),
                        independent_.end()))
            return false;
        r = on_motions(trial_.basis(), lacking(tree_, to));
        return true;
    }
    Numbers by_dof(const Numbers& r) override
    {
        Numbers out(still_.size());
        for (std::size_t i = 0; i < r.size(); ++i)
            out[static_cast<std::size_t>(independent_[i])] = r[i];
        return out;
    }

    static constexpr double closed_enough = 1e-12; // of a loop's size

private:
    Linearization& tree_;
    ClosedLinearization closed_;
    ClosedMechanism trial_;
    Kinematics<double> kin_;
    PositionProjection projection_;
    Numbers still_;
    std::vector<int> independent_;

    Numbers on_motions(std::span<const double> E, const Numbers& f) const // E' f
    {
        Numbers out(independent_.size());
        for (std::size_t i = 0; i < out.size(); ++i)
            for (std::size_t j = 0; j < f.size(); ++j)
                out[i] += E[i * f.size() + j] * f[j];
        return out;
    }
};

// -slope^+ r, of least norm.
Numbers newton_step(const Matrix& slope, const Numbers& r)
{
    const lapack::Svd svd = lapack::svd(slope);
    Numbers step(static_cast<std::size_t>(slope.columns()));
    for (std::size_t k = 0; k < svd.s.size() && svd.s[k] > 1e-9 * svd.s[0]; ++k) {
        const int column = static_cast<int>(k);
        double part = 0.0;
        for (std::size_t i = 0; i < r.size(); ++i)
            part -= svd.U(static_cast<int>(i), column) * r[i] / svd.s[k];
        for (std::size_t i = 0; i < step.size(); ++i)
            step[i] += svd.V(static_cast<int>(i), column) * part;
    }
    return step;
}

} // namespace

Trim trim_pose(const Model& model, const OperatingPoint& near, const TrimOptions& options)
{
    detail::refuse_moving_loops(model, near);
    Linearization lin(model, options.passive);
    Trim out{near, {}, {}, {}, 0, {}};
    std::unique_ptr<Search> search;
    if (model.topology().is_open())
        search = std::make_unique<TreeSearch>(lin);
    else {
        auto closed = std::make_unique<ClosedSearch>(lin, options.passive);
        if (const auto& report = closed->close(out.point.q); !(report.after < ClosedSearch::closed_enough))
            throw RefusedError("trim: near the first guess the loops do not close: loop '" +
                               model.loops()[static_cast<std::size_t>(report.loop)].name + "' stays " +
                               words(closed->gap(report.loop)) + "; assemble finds a pose that closes");
        search = std::move(closed);
    }
    Numbers r = search->set(out.point);
    for (; norm_of(r) > options.tolerance * search->scale && out.iterations < options.iterations;
         ++out.iterations) {
        const Numbers step = newton_step(search->slope(), r);
        // At most one radian or metre in all.
        double size = std::min(1.0, 1.0 / std::max(norm_of(search->along(step)), 1e-300));
        OperatingPoint next = out.point;
        Numbers scaled(step.size()), r_next;
        bool fell = false;
        for (int half = 0; half < 40 && !fell; ++half, size *= 0.5) {
            for (std::size_t i = 0; i < step.size(); ++i)
                scaled[i] = size * step[i];
            fell = search->move(out.point, scaled, next, r_next) &&
                   norm_of(r_next) < (1.0 - 1e-4 * size) * norm_of(r);
        }
        if (!fell)
            break;
        out.point.q = next.q;
        r = search->set(out.point);
    }
    r = search->set(out.point);
    if (norm_of(r) > std::max(options.tolerance, 1e-9) * search->scale)
        throw RefusedError("trim: found no pose that these hinge forces hold; nearest, after " +
                           std::to_string(out.iterations) + " steps, the forces missing are " +
                           detail::by_dof(model, search->by_dof(r), 1e-12 * search->scale) +
                           "; begin from another pose, or change the forces");
    if (model.topology().is_open())
        detail::refuse_unsteady(lin, search->scale, options);
    return out;
}

} // namespace sweepdyn
