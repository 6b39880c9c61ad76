// The equations of motion of a mechanism with loops as they stand, by IDA (backward differentiation of order 1 to 5): the stabilised
// form of index two after Gear, Gupta and Leimkuhler (1985),
//
//     z_dot = those of a controller
//     q_dot = N(q) (v + J_h' mu) - c (|quat|^2 - 1) quat / 2       mu: 0 but for the error of a step
//     0     = M v_dot + bias - T - J' lambda                        inverse dynamics of the opened tree
//     0     = J v                                                   all rows
//     0     = gap(q)                                                holonomic rows
//
// with J and gap of independent rows, chosen by the elimination of closure.hpp where the motion begins or goes on. It asks for no
// M^-1, so a stiff mechanism costs inverse dynamics only, and bodies without inertia are no matter while the loops carry them. Where rows
// become dependent on the way (dead points of the mechanism, flat parallelograms) the equations have no single solution: it stops and
// says so; the other methods pass.
// lambda and mu take no part in the error test, and converge loosely: they are found anew in every step. What step() tells is projected
// onto the loops; the integrator's own history is left alone.
#include "sweepdyn/sim/sundials.hpp"

#ifdef SWEEPDYN_WITH_SUNDIALS
#include <Eigen/QR>
#include <ida/ida.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "sundials_base.hpp"

namespace sweepdyn {
namespace {

using sundials::Sundials;

constexpr double quaternion_rate = 10.0; // c, 1/s
constexpr double loose = 1e-3; // how far multipliers converge, of their size

// Rows of all loops that do not follow from others, held as one cluster.
class Rows {
public:
    explicit Rows(const Model& model) : closure_(model, one_cluster(model)) {}

    bool any() const { return !closure_.clusters.empty(); }
    std::size_t most() const { return any() ? static_cast<std::size_t>(closure_.clusters.front().rows) : 0; }
    std::span<const int> all() const { return all_; }
    std::span<const int> holonomic() const { return holonomic_; }

    // J and gap at kin. J is zero in rows of velocities only, where only holonomic ones are wanted.
    void update(const Kinematics<double>& kin)
    {
        if (!any())
            return;
        update_loops(kin, closure_.loops);
        detail::collect_rows(kin, closure_.loops, cluster());
    }
    void choose(const Kinematics<double>& kin)
    {
        if (!any())
            return;
        update(kin);
        detail::eliminate(cluster());
        all_ = cluster().pivot_row;
        for (int row = 0; row < cluster().rows; ++row)
            if (!is_holonomic(row))
                for (int j = 0; j < cluster().num_columns(); ++j)
                    cluster().entry(row, j) = 0.0;
        detail::eliminate(cluster());
        holonomic_ = cluster().pivot_row;
        update(kin);
    }
    double J(int row, int dof) const
    {
        const ClusterClosure<double>& c = closure_.clusters.front();
        return c.row_scale[row] * c.entry(row, c.column_of[dof]);
    }
    double gap(int row) const
    {
        return closure_.clusters.front().row_scale[row] * closure_.clusters.front().gap[row];
    }

private:
    ClusterClosure<double>& cluster() { return closure_.clusters.front(); }
    bool is_holonomic(int row)
    {
        return cluster().row_of_loop[row] < closure_.loops.loops[cluster().row_loop[row]].holonomic;
    }

    Closure<double> closure_;
    std::vector<int> all_, holonomic_;
};

class Dae final : public Sundials {
public:
    // Room for all rows twice; what is not chosen is a plain unknown that stays zero.
    Dae(Plant& plant, const Tolerances& tolerances) : Dae(plant, tolerances, Rows(plant.model())) {}
    ~Dae() override
    {
        IDAFree(&memory_);
        SUNLinSolFree(solver_);
        SUNMatDestroy(jacobian_);
        N_VDestroy(y_dot_);
        N_VDestroy(id_);
        N_VDestroy(absolute_);
    }

    void restart(const Instant& at) override
    {
        N_VConst(0.0, y_);
        N_VConst(0.0, y_dot_);
        set(at);
        const Model& model = plant_.model();
        // v_dot that keeps the loops closed; lambda from M v_dot + bias - T = J' lambda
        coordinate_rates<double>(model, at.q, at.v, q_of(y_dot_));
        plant_.acceleration(at.t, at.q, at.v, v_of(y_dot_), at.z, z_of(y_dot_));
        rows_.choose(plant_.kinematics());
        plant_.residual(at.t, at.q, at.v, v_of(y_dot_), work_, at.z, z_rates_);
        const auto chosen = rows_.all();
        double size = 0.0;
        if (!chosen.empty()) {
            Eigen::MatrixXd Jt(model.num_dofs(), static_cast<Eigen::Index>(chosen.size()));
            for (std::size_t i = 0; i < chosen.size(); ++i)
                for (int j = 0; j < model.num_dofs(); ++j)
                    Jt(j, static_cast<Eigen::Index>(i)) = rows_.J(chosen[i], j);
            const Eigen::VectorXd lambda = Jt.colPivHouseholderQr().solve(
                Eigen::Map<const Eigen::VectorXd>(work_.data(), model.num_dofs()));
            for (std::size_t i = 0; i < chosen.size(); ++i)
                lambda_of(y_)[i] = lambda[static_cast<Eigen::Index>(i)];
            size = lambda.lpNorm<Eigen::Infinity>();
        }
        // Unknowns that move, and those that are found anew
        const auto set_part = [&](std::size_t first, std::size_t count, double id, double absolute) {
            std::fill_n(N_VGetArrayPointer(id_) + first, count, id);
            std::fill_n(N_VGetArrayPointer(absolute_) + first, count, absolute);
        };
        set_part(0, coordinates_ + dofs_ + states_, 1.0, tolerances_.absolute);
        set_part(coordinates_ + dofs_ + states_, most_, 0.0, loose * (1.0 + size));
        set_part(coordinates_ + dofs_ + states_ + most_, most_, 0.0, loose);
        IDAReInit(memory_, at.t, y_, y_dot_);
        IDASVtolerances(memory_, tolerances_.relative, absolute_);
        IDASetId(memory_, id_);
        IDASetSuppressAlg(memory_, SUNTRUE);
        // The first step is of order one, h^2 v_dot / 2 off. IDA's own guess, tolerance / v_dot, is so short that the multipliers, found
        // from differences divided by h, drown in rounding.
        double fastest = 1e-3;
        for (double x : v_of(y_dot_))
            fastest = std::max(fastest, std::abs(x));
        IDASetInitStep(memory_, std::sqrt(2.0 * tolerances_.absolute / fastest));
    }
    bool watch(std::span<const Event> watched) override
    {
        adopt(watched);
        IDARootInit(memory_, static_cast<int>(watched.size()), watched.empty() ? nullptr : events_of);
        if (!watched.empty())
            IDASetRootDirection(memory_, directions_.data());
        IDASetNoInactiveRootWarn(memory_);
        return true;
    }
    bool step(double limit, Instant& at) override
    {
        if (at.t < limit && skip_sliver(limit, at))
            return false;
        IDASetStopTime(memory_, limit);
        const int flag = IDASolve(memory_, limit, &at.t, y_, y_dot_, IDA_ONE_STEP);
        if (flag < 0 && !thrown_ && plant_.is_closed())
            words_ += " (loops whose rows become dependent on the way need another method)";
        check(flag, at.t);
        get(at);
        project(at.t, at.q, at.v);
        if (flag == IDA_ROOT_RETURN)
            IDAGetRootInfo(memory_, found_.data());
        return flag == IDA_ROOT_RETURN;
    }

private:
    Dae(Plant& plant, const Tolerances& tolerances, Rows rows)
        : Sundials(plant, tolerances, 2 * rows.most()),
          rows_(std::move(rows)),
          most_(rows_.most()),
          work_(dofs_),
          pushed_(dofs_),
          z_rates_(states_)
    {
        const auto size = static_cast<sunindextype>(coordinates_ + dofs_ + states_ + 2 * most_);
        y_dot_ = N_VClone(y_);
        id_ = N_VClone(y_);
        absolute_ = N_VClone(y_);
        memory_ = IDACreate(context_.get());
        jacobian_ = SUNDenseMatrix(size, size, context_.get());
        solver_ = SUNLinSol_Dense(y_, jacobian_, context_.get());
        if (!memory_ || !jacobian_ || !solver_ || !y_dot_ || !id_ || !absolute_)
            throw std::bad_alloc();
        N_VConst(0.0, y_dot_);
        N_VConst(tolerances_.absolute, absolute_);
        IDAInit(memory_, equations, 0.0, y_, y_dot_);
        IDASetUserData(memory_, static_cast<Sundials*>(this));
        IDASetErrHandlerFn(memory_, keep_words, static_cast<Sundials*>(this));
        IDASVtolerances(memory_, tolerances_.relative, absolute_);
        IDASetMaxNumSteps(memory_, -1);
        IDASetLinearSolver(memory_, solver_, jacobian_);
        if (tolerances_.largest_step > 0.0)
            IDASetMaxStep(memory_, tolerances_.largest_step);
    }

    // A sliver that rounding leaves of the way, far shorter than a step, is no step: multipliers divide by h. True: taken.
    bool skip_sliver(double limit, Instant& at)
    {
        double h = 0.0;
        IDAGetLastStep(memory_, &h);
        const double left = limit - at.t;
        if (!(left < 1e-6 * h))
            return false;
        for (std::size_t j = 0; j < dofs_; ++j) {
            work_[j] = left * at.v[j];
            at.v[j] += left * v_of(y_dot_)[j];
        }
        integrate<double>(plant_.model(), at.q, work_, at.q);
        for (std::size_t i = 0; i < states_; ++i)
            at.z[i] += left * z_of(y_dot_)[i];
        at.t = limit;
        project(at.t, at.q, at.v);
        return true;
    }

    std::span<double> lambda_of(N_Vector y) const
    {
        return {N_VGetArrayPointer(y) + coordinates_ + dofs_ + states_, most_};
    }
    std::span<double> mu_of(N_Vector y) const
    {
        return {N_VGetArrayPointer(y) + coordinates_ + dofs_ + states_ + most_, most_};
    }

    static int equations(sunrealtype t, N_Vector y, N_Vector y_dot, N_Vector out, void* user)
    {
        Dae& me = static_cast<Dae&>(self(user));
        const int fault = me.guarded([&] { me.evaluate(t, y, y_dot, out); });
        const auto numbers = me.v_of(out);
        const bool finite =
            std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
        return fault ? fault : finite ? 0 : 1;
    }
    void evaluate(double t, N_Vector y, N_Vector y_dot, N_Vector out)
    {
        const Model& model = plant_.model();
        const auto q = q_of(y), v = v_of(y);
        plant_.residual(t, q, v, v_of(y_dot), v_of(out), z_of(y), z_of(out));
        for (std::size_t i = 0; i < states_; ++i)
            z_of(out)[i] = z_of(y_dot)[i] - z_of(out)[i];
        rows_.update(plant_.kinematics());
        const auto all = rows_.all(), holonomic = rows_.holonomic();
        std::copy(v.begin(), v.end(), pushed_.begin());
        for (std::size_t i = 0; i < most_; ++i) {
            lambda_of(out)[i] = lambda_of(y)[i];
            mu_of(out)[i] = mu_of(y)[i];
        }
        for (std::size_t i = 0; i < all.size(); ++i) {
            double rate = 0.0;
            for (std::size_t j = 0; j < dofs_; ++j) {
                const double J = rows_.J(all[i], static_cast<int>(j));
                rate += J * v[j];
                v_of(out)[j] -= J * lambda_of(y)[i];
            }
            lambda_of(out)[i] = rate;
        }
        for (std::size_t i = 0; i < holonomic.size(); ++i) {
            for (std::size_t j = 0; j < dofs_; ++j)
                pushed_[j] += rows_.J(holonomic[i], static_cast<int>(j)) * mu_of(y)[i];
            mu_of(out)[i] = rows_.gap(holonomic[i]);
        }
        coordinate_rates<double>(model, q, pushed_, q_of(out));
        for (int k : model.tree().base_to_tip()) {
            const HingeKind kind = model.hinges()[static_cast<std::size_t>(k)].kind;
            if (kind != HingeKind::spherical && kind != HingeKind::free)
                continue;
            const auto first = static_cast<std::size_t>(model.tree().first_coordinate[k]);
            double square = 0.0;
            for (std::size_t i = first; i < first + 4; ++i)
                square += q[i] * q[i];
            for (std::size_t i = first; i < first + 4; ++i)
                q_of(out)[i] -= 0.5 * quaternion_rate * (square - 1.0) * q[i];
        }
        for (std::size_t i = 0; i < coordinates_; ++i)
            q_of(out)[i] = q_of(y_dot)[i] - q_of(out)[i];
    }
    static int events_of(sunrealtype t, N_Vector y, N_Vector, sunrealtype* values, void* user)
    {
        return events(t, y, values, user);
    }

    Rows rows_;
    std::size_t most_; // rows of all loops
    std::vector<double> work_, pushed_, z_rates_;
    void* memory_ = nullptr;
    N_Vector y_dot_ = nullptr, id_ = nullptr, absolute_ = nullptr;
    SUNMatrix jacobian_ = nullptr;
    SUNLinearSolver solver_ = nullptr;
};

} // namespace

std::unique_ptr<Integrator> dae_integrator(Plant& plant, const Tolerances& tolerances)
{
    return std::make_unique<Dae>(plant, tolerances);
}

} // namespace sweepdyn
#endif
