// The equations of motion of a mechanism with loops and contacts as they stand, by IDA (backward differentiation of order 1 to 5): the
// stabilised form of index two after Gear, Gupta and Leimkuhler (1985),
//
//     z_dot = those of a controller
//     q_dot = N(q) (v + J_h' mu) - c (|quat|^2 - 1) quat / 2       mu: 0 but for the error of a step
//     0     = M v_dot + bias - T - B' lambda                        inverse dynamics of the opened tree; B = J but for what slides
//     0     = J v                                                   all rows
//     0     = gap(q)                                                holonomic rows
//
// with J and gap of independent rows, chosen where the motion begins or goes on: of loops by the elimination of closure.hpp, of contacts on
// top of them by Omega. It asks for no M^-1, so a stiff mechanism costs inverse dynamics only, and bodies without inertia are no matter while
// the loops carry them. Where rows become dependent on the way (dead points of the mechanism, flat parallelograms) the equations have no
// single solution: it stops and says so; the other methods pass. A sliding contact pushes by lambda (1, mu slip/|slip|)
// [closed/contact_rows.hpp]; where it parts, a root of IDA's, the motion goes on without its row.
// lambda and mu take no part in the error test, and converge loosely: they are found anew in every step. What step() tells is projected
// onto loops and contacts; the integrator's own history is left alone.
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

// The rows that hold and do not follow from others: of the loops, held as one cluster, and of the contacts on top of them.
class Rows {
public:
    explicit Rows(Plant& plant)
        : plant_(plant),
          dofs_(static_cast<std::size_t>(plant.model().num_dofs())),
          closure_(plant.model(), one_cluster(plant.model())),
          kin_(plant.model())
    {
        most_ = closure_.clusters.empty() ? 0 : static_cast<std::size_t>(cluster().rows);
        if (const Grasp* grasp = plant.grasp()) {
            const auto rows = static_cast<std::size_t>(grasp->loops().num_rows);
            J_.resize(rows * dofs_), B_.resize(rows * dofs_);
            most_ += rows;
            parted_.resize(grasp->contacts().size());
        }
    }

    struct Row {
        bool of_contact;
        int place; // in the cluster, or among the rows of the contacts
    };
    std::size_t most() const { return most_; }
    std::span<const Row> all() const { return all_; }
    std::span<const Row> holonomic() const { return holonomic_; }

    // J, B and gap, after the plant's residual().
    void update()
    {
        const Kinematics<double>& kin = plant_.kinematics();
        if (!closure_.clusters.empty()) {
            update_loops(kin, closure_.loops);
            detail::collect_rows(kin, closure_.loops, cluster());
        }
        if (plant_.grasp()) {
            contacts_ = &plant_.grasp()->rows_at(kin);
            contacts_->jacobian(kin, J_);
            contacts_->forces(kin, B_);
        }
    }
    // After the plant's acceleration().
    void choose()
    {
        all_.clear(), holonomic_.clear();
        if (!closure_.clusters.empty()) {
            update_loops(plant_.kinematics(), closure_.loops);
            detail::collect_rows(plant_.kinematics(), closure_.loops, cluster());
            detail::eliminate(cluster());
            rank_ = cluster().rank;
            add(all_, false, cluster().pivot_row);
            detail::eliminate_holonomic(closure_.loops, cluster());
            add(holonomic_, false, cluster().pivot_row);
        }
        if (Grasp* grasp = plant_.grasp()) {
            add(all_, true, grasp->independent_rows(false));
            add(holonomic_, true, grasp->independent_rows(true));
            for (std::size_t i = 0; i < parted_.size(); ++i)
                parted_[i] = grasp->parted(static_cast<int>(i));
        }
    }
    // N, of the sliding contacts that have a row: below zero one parts.
    double least_push(double t, std::span<const double> q, std::span<const double> v)
    {
        double least = 1.0;
        for (int i = 0; i < static_cast<int>(parted_.size()); ++i)
            if (plant_.grasp()->attached(i) && plant_.grasp()->slides(i) && !parted_[i]) {
                const Grasp& grasp = plant_.grasp_at(t, q, v);
                least = std::min(least, grasp.state(i).normal - grasp.parting(i));
            }
        return least;
    }
    // Whether other sliding contacts part, at the plant's last acceleration(), than where the rows were chosen; or rows of loops have become
    // independent that were not there: without multipliers of their own the motion would be another mechanism's.
    bool are_old(const Instant& at)
    {
        if (!closure_.clusters.empty()) {
            sweepdyn::update<double>(kin_, at.q);
            detail::update_wrenches(kin_, closure_.loops);
            detail::collect_rows(kin_, closure_.loops, cluster());
            detail::eliminate(cluster());
            if (cluster().rank > rank_)
                return true;
        }
        for (std::size_t i = 0; i < parted_.size(); ++i)
            if (plant_.grasp()->parted(static_cast<int>(i)) != static_cast<bool>(parted_[i]))
                return true;
        return false;
    }
    double J(const Row& row, std::size_t dof) const
    {
        return row.of_contact ? J_[static_cast<std::size_t>(row.place) * dofs_ + dof]
                              : J_loop(row.place, dof);
    }
    // Hinge forces per multiplier: J, and of a sliding contact its friction.
    double B(const Row& row, std::size_t dof) const
    {
        return row.of_contact ? B_[static_cast<std::size_t>(row.place) * dofs_ + dof]
                              : J_loop(row.place, dof);
    }
    double gap(const Row& row) const
    {
        return row.of_contact ? contacts_->loops().gap[contacts_->rows()[row.place].loop_row]
                              : cluster().row_scale[row.place] * cluster().gap[row.place];
    }

private:
    ClusterClosure<double>& cluster() { return closure_.clusters.front(); }
    const ClusterClosure<double>& cluster() const { return closure_.clusters.front(); }
    double J_loop(int row, std::size_t dof) const
    {
        return cluster().row_scale[row] * cluster().entry(row, cluster().column_of[dof]);
    }
    static void add(std::vector<Row>& rows, bool of_contact, const std::vector<int>& places)
    {
        for (int place : places)
            rows.push_back({of_contact, place});
    }

    Plant& plant_;
    std::size_t dofs_, most_ = 0;
    Closure<double> closure_;
    const ContactRows* contacts_ = nullptr; // at the last update()
    std::vector<double> J_, B_; // of contacts: rows x dofs
    std::vector<Row> all_, holonomic_;
    Kinematics<double> kin_; // of are_old
    int rank_ = 0; // of the loops' rows, where they were chosen
    std::vector<char> parted_; // sliding contacts that had no row
};

class Dae final : public Sundials {
public:
    // Room for all rows twice; what is not chosen is a plain unknown that stays zero.
    Dae(Plant& plant, const Tolerances& tolerances) : Dae(plant, tolerances, Rows(plant)) {}
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
        // v_dot that keeps loops and contacts closed; lambda from M v_dot + bias - T = B' lambda
        coordinate_rates<double>(model, at.q, at.v, q_of(y_dot_));
        plant_.acceleration(at.t, at.q, at.v, v_of(y_dot_), at.z, z_of(y_dot_));
        rows_.choose();
        plant_.residual(at.t, at.q, at.v, v_of(y_dot_), work_, at.z, z_rates_);
        rows_.update();
        const auto chosen = rows_.all();
        double size = 0.0;
        if (!chosen.empty()) {
            Eigen::MatrixXd Bt(model.num_dofs(), static_cast<Eigen::Index>(chosen.size()));
            for (std::size_t i = 0; i < chosen.size(); ++i)
                for (std::size_t j = 0; j < dofs_; ++j)
                    Bt(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(i)) = rows_.B(chosen[i], j);
            const Eigen::VectorXd lambda = Bt.colPivHouseholderQr().solve(
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
        if (plant_.grasp()) { // and where a sliding contact parts
            found_.push_back(0);
            directions_.push_back(static_cast<int>(Event::Direction::falling));
        }
        IDARootInit(memory_, static_cast<int>(found_.size()), found_.empty() ? nullptr : events_of);
        if (!found_.empty())
            IDASetRootDirection(memory_, directions_.data());
        IDASetNoInactiveRootWarn(memory_);
        return true;
    }
    bool step(double limit, Instant& at) override
    {
        if (rows_.are_old(at))
            restart(at);
        if (at.t < limit && skip_sliver(limit, at))
            return false;
        IDASetStopTime(memory_, limit);
        const int flag = IDASolve(memory_, limit, &at.t, y_, y_dot_, IDA_ONE_STEP);
        if (flag < 0 && !thrown_ && most_ > 0)
            words_ += " (loops and contacts whose rows become dependent on the way need another method)";
        check(flag, at.t);
        get(at);
        project(at.t, at.q, at.v);
        if (flag != IDA_ROOT_RETURN)
            return false;
        IDAGetRootInfo(memory_, found_.data());
        if (plant_.grasp() && found_.back() != 0)
            restart(at);
        return std::any_of(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(events_.size()),
                           [](int found) { return found != 0; });
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
        IDASetMinStep(memory_,
                      sundials::least_step); // else it shrinks for ever where there is no motion to follow
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
        rows_.update();
        const auto all = rows_.all(), holonomic = rows_.holonomic();
        std::copy(v.begin(), v.end(), pushed_.begin());
        for (std::size_t i = 0; i < most_; ++i) {
            lambda_of(out)[i] = lambda_of(y)[i];
            mu_of(out)[i] = mu_of(y)[i];
        }
        for (std::size_t i = 0; i < all.size(); ++i) {
            double rate = 0.0;
            for (std::size_t j = 0; j < dofs_; ++j) {
                rate += rows_.J(all[i], j) * v[j];
                v_of(out)[j] -= rows_.B(all[i], j) * lambda_of(y)[i];
            }
            lambda_of(out)[i] = rate;
        }
        for (std::size_t i = 0; i < holonomic.size(); ++i) {
            for (std::size_t j = 0; j < dofs_; ++j)
                pushed_[j] += rows_.J(holonomic[i], j) * mu_of(y)[i];
            mu_of(out)[i] = rows_.gap(holonomic[i]);
        }
        coordinate_rates<double>(model, q, pushed_, q_of(out));
        for (int k : model.tree().base_to_tip()) {
            if (!has_quaternion(model.hinges()[static_cast<std::size_t>(k)]))
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
        Dae& me = static_cast<Dae&>(self(user));
        if (me.plant_.grasp())
            if (const int fault = me.guarded(
                    [&] { values[me.events_.size()] = me.rows_.least_push(t, me.q_of(y), me.v_of(y)); }))
                return fault;
        return events(t, y, values, user);
    }

    Rows rows_;
    std::size_t most_; // rows of all loops and contacts
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
