#include "linear/near_point.hpp"

#include <numeric>

#include <Eigen/Core>

#include "linear/loops_near_point.hpp"
#include "linear/sparse.hpp"
#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn::detail {
namespace {

// States q:DOF of some dofs, then v:DOF; f0 = [v; v_dot].
void name_states(NearPoint& near, const Model& model, const OperatingPoint& point,
                 std::span<const int> positions, std::span<const int> velocities)
{
    const std::vector<double> displacement = displacement_of(model, point);
    const auto add = [&](const char* kind, std::span<const int> dofs, const std::vector<double>& values,
                         const std::vector<double>& rates) {
        for (int j : dofs) {
            const auto at = static_cast<std::size_t>(j);
            near.states.push_back(kind + model.dof_names()[at]);
            near.x0.push_back(values[at]);
            near.f0.push_back(rates[at]);
        }
    };
    add("q:", positions, displacement, point.v);
    add("v:", velocities, point.v, near.v_dot);
    near.num_positions = static_cast<int>(positions.size());
}

// dq = x_q, dv = x_v, dv_dot = M^-1 dT - A_C dv - B_C dq
class TreeNearPoint final : public NearPoint {
public:
    TreeNearPoint(const Model& model, const OperatingPoint& point, const LinearizeOptions& options)
        : lin_(model, options.passive)
    {
        lin_.set(point.q, point.v, point.T, point.external);
        A = deviation_rate(lin_);
        const int n = model.num_dofs();
        Q = V = W = Matrix(n, 2 * n);
        for (int j = 0; j < n; ++j)
            Q(j, j) = V(j, n + j) = 1.0;
        view(W) = view(A).bottomRows(n);
        v_dot.assign(lin_.v_dot().begin(), lin_.v_dot().end());
        std::vector<int> all(static_cast<std::size_t>(n));
        std::iota(all.begin(), all.end(), 0);
        name_states(*this, model, point, all, all);
    }
    Linearization& tree() override { return lin_; }
    Matrix response(const Matrix& T) override { return matrix(view(lin_.matrices().M_inverse) * sparse(T)); }
    Matrix on_states(const Matrix& T) override
    {
        Matrix out(A.rows(), T.columns());
        view(out).bottomRows(T.rows()) = view(response(T));
        return out;
    }
    std::vector<double> loop_force(int) override { return {}; }
    ForceChange loop_force_change(int) override { return {}; }
    ForceChange reaction_change(int) override { return {}; }

private:
    Linearization lin_;
};

// The independent coordinates are the states.
class ClosedNearPoint final : public LoopsNearPoint {
public:
    ClosedNearPoint(const Model& model, const OperatingPoint& point, const LinearizeOptions& options)
        : LoopsNearPoint(model, point, options)
    {
        const int nq = static_cast<int>(lin_.positions().size()),
                  nv = static_cast<int>(lin_.velocities().size()), n = model.num_dofs();
        A = Matrix(nq + nv, nq + nv);
        view(A) << view(lin_.u_dot_u), view(lin_.u_dot_w), view(lin_.w_dot_u), view(lin_.w_dot_w);
        Q = V = W = Matrix(n, nq + nv);
        view(Q).leftCols(nq) = view(lin_.Eq);
        view(V) << view(lin_.Fm), view(lin_.Ev);
        const auto Ev = sparse(lin_.Ev);
        view(W) << Ev * view(lin_.w_dot_u) + view(lin_.Fq), Ev * view(lin_.w_dot_w) + view(lin_.Fv);
        name_states(*this, model, point, lin_.positions(), lin_.velocities());
    }
    Matrix response(const Matrix& T) override { return matrix(sparse(lin_.Ev) * view(lin_.by_forces(T))); }
    Matrix on_states(const Matrix& T) override
    {
        Matrix out(A.rows(), T.columns());
        view(out).bottomRows(A.rows() - num_positions) = view(lin_.by_forces(T));
        return out;
    }

private:
    ForceChange force_changes() override
    {
        const ClosedLinearization::Multipliers d = lin_.differentiate_loop_forces();
        ForceChange out{Matrix(d.on_u.rows(), A.columns()), d.on_T};
        view(out.on_x) << view(d.on_u), view(d.on_w);
        return out;
    }
};

} // namespace

std::unique_ptr<NearPoint> near_point(const Model& model, const OperatingPoint& point,
                                      const LinearizeOptions& options)
{
    if (model.topology().is_open())
        return std::make_unique<TreeNearPoint>(model, point, options);
    return std::make_unique<ClosedNearPoint>(model, point, options);
}

void require_point(const Model& model, const OperatingPoint& point, const char* where)
{
    require_size(where, "point.q", point.q.size(), static_cast<std::size_t>(model.num_coordinates()));
    require_size(where, "point.v", point.v.size(), static_cast<std::size_t>(model.num_dofs()));
    require_size(where, "point.T", point.T.size(), static_cast<std::size_t>(model.num_dofs()));
}

std::vector<double> displacement_of(const Model& model, const OperatingPoint& point)
{
    std::vector<double> origin(point.q.size()), out(point.v.size());
    neutral(model, origin);
    difference<double>(model, origin, point.q, out);
    return out;
}

Matrix product(const Matrix& a, const Matrix& b) { return matrix(view(a) * view(b)); }

} // namespace sweepdyn::detail
