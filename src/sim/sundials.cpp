#include "sweepdyn/sim/sundials.hpp"

#include <algorithm>
#include <cmath>

#include "sweepdyn/model/rates.hpp"

#ifdef SWEEPDYN_WITH_SUNDIALS
#include <exception>
#include <string>

#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#endif

namespace sweepdyn {

#ifndef SWEEPDYN_WITH_SUNDIALS

bool has_sundials() { return false; }

namespace {
[[noreturn]] void refuse()
{
    throw RefusedError(
        "this Sweepdyn was built without SUNDIALS, which adaptive and stiff integration need; take a fixed "
        "step, or install libsundials-dev and build again");
}
} // namespace
std::unique_ptr<Integrator> adaptive_integrator(Plant&, const Tolerances&) { refuse(); }
std::unique_ptr<Integrator> stiff_integrator(Plant&, const Tolerances&) { refuse(); }

#else

bool has_sundials() { return true; }

namespace {

struct ContextFree {
    void operator()(SUNContext context) const { SUNContext_Free(&context); }
};
using Context = std::unique_ptr<std::remove_pointer_t<SUNContext>, ContextFree>;
Context new_context()
{
    SUNContext context = nullptr;
    SUNContext_Create(nullptr, &context);
    if (!context)
        throw std::bad_alloc();
    return Context(context);
}

// What both share: the vector y = [q; v], the functions that SUNDIALS calls, and what they threw.
class Sundials : public Integrator {
public:
    Sundials(Plant& plant, const Tolerances& tolerances)
        : plant_(plant),
          tolerances_(tolerances),
          context_(new_context()),
          coordinates_(static_cast<std::size_t>(plant.model().num_coordinates())),
          dofs_(static_cast<std::size_t>(plant.model().num_dofs())),
          projected_(coordinates_ + dofs_)
    {
        if (!(tolerances.relative >= 1e-14 && tolerances.relative < 1.0))
            throw UsageError("the relative tolerance is " + number_text(tolerances.relative) +
                             ", expected a number from 1e-14 to below 1");
        if (!(tolerances.absolute >= 0.0) || !(tolerances.largest_step >= 0.0))
            throw UsageError("the absolute tolerance is " + number_text(tolerances.absolute) +
                             " and the largest step " + number_text(tolerances.largest_step) +
                             ", expected numbers from 0 on");
        if (tolerances_.absolute == 0.0)
            tolerances_.absolute = tolerances_.relative;
        y_ = N_VNew_Serial(static_cast<sunindextype>(coordinates_ + dofs_), context_.get());
        if (!y_)
            throw std::bad_alloc();
        N_VConst(0.0, y_);
    }
    Sundials(const Sundials&) = delete;
    Sundials& operator=(const Sundials&) = delete;
    ~Sundials() override { N_VDestroy(y_); }

    bool happened(std::size_t event) const override { return found_[event] != 0; }

protected:
    std::span<double> q_of(N_Vector y) const { return {N_VGetArrayPointer(y), coordinates_}; }
    std::span<double> v_of(N_Vector y) const { return {N_VGetArrayPointer(y) + coordinates_, dofs_}; }

    void set(const Instant& at)
    {
        std::copy(at.q.begin(), at.q.end(), q_of(y_).begin());
        std::copy(at.v.begin(), at.v.end(), v_of(y_).begin());
    }
    void get(Instant& at) const
    {
        std::copy_n(q_of(y_).begin(), coordinates_, at.q.begin());
        std::copy_n(v_of(y_).begin(), dofs_, at.v.begin());
    }

    // A callback runs in C, which knows no exceptions: the first waits here until SUNDIALS has returned.
    template <class F> int guarded(const F& f)
    {
        try {
            f();
            return 0;
        } catch (...) {
            if (!thrown_)
                thrown_ = std::current_exception();
            return -1;
        }
    }
    static Sundials& self(void* user) { return *static_cast<Sundials*>(user); }

    static int rates(sunrealtype t, N_Vector y, N_Vector y_dot, void* user)
    {
        Sundials& me = self(user);
        const int fault = me.guarded([&] {
            coordinate_rates<double>(me.plant_.model(), me.q_of(y), me.v_of(y), me.q_of(y_dot));
            me.plant_.acceleration(t, me.q_of(y), me.v_of(y), me.v_of(y_dot));
        });
        const auto v_dot = me.v_of(y_dot);
        const bool finite =
            std::all_of(v_dot.begin(), v_dot.end(), [](double x) { return std::isfinite(x); });
        return fault ? fault : finite ? 0 : 1; // 1: try a smaller step
    }
    static int events(sunrealtype t, N_Vector y, sunrealtype* values, void* user)
    {
        Sundials& me = self(user);
        return me.guarded([&] {
            for (std::size_t i = 0; i < me.events_.size(); ++i)
                values[i] = me.events_[i].value(t, me.q_of(y), me.v_of(y));
        });
    }
    // After a step of ARKODE.
    static int project_step(sunrealtype t, N_Vector y, void* user)
    {
        Sundials& me = self(user);
        return me.guarded([&] { me.plant_.project(t, me.q_of(y), me.v_of(y)); });
    }
    // In CVODE: the correction that brings y back.
    static int project_correction(sunrealtype t, N_Vector y, N_Vector correction, sunrealtype, N_Vector,
                                  void* user)
    {
        Sundials& me = self(user);
        return me.guarded([&] {
            const std::span<double> all(me.projected_);
            std::copy_n(N_VGetArrayPointer(y), all.size(), all.begin());
            me.plant_.project(t, all.first(me.coordinates_), all.subspan(me.coordinates_));
            for (std::size_t i = 0; i < all.size(); ++i)
                N_VGetArrayPointer(correction)[i] = all[i] - N_VGetArrayPointer(y)[i];
        });
    }
    static void keep_words(int, const char*, const char*, char* words, void* user)
    {
        self(user).words_ = words;
    }

    bool adopt(std::span<const Event> events)
    {
        events_.assign(events.begin(), events.end());
        found_.assign(events.size(), 0);
        directions_.clear();
        for (const Event& event : events)
            directions_.push_back(static_cast<int>(event.direction));
        return true;
    }
    // What a step returned: an exception that waited, or words of SUNDIALS.
    void check(int flag, double t)
    {
        if (thrown_)
            std::rethrow_exception(std::exchange(thrown_, nullptr));
        if (flag < 0)
            throw RefusedError("the integration stopped at t = " + number_text(t) + " s: " + words_ +
                               "; take a larger relative tolerance than " +
                               number_text(tolerances_.relative) + ", a stiff method, or a fixed step");
    }

    Plant& plant_;
    Tolerances tolerances_;
    Context context_;
    std::size_t coordinates_, dofs_;
    N_Vector y_ = nullptr;
    std::vector<double> projected_;
    std::vector<Event> events_;
    std::vector<int> found_, directions_;
    std::exception_ptr thrown_;
    std::string words_;
};

class Adaptive final : public Sundials {
public:
    Adaptive(Plant& plant, const Tolerances& tolerances) : Sundials(plant, tolerances)
    {
        memory_ = ERKStepCreate(rates, 0.0, y_, context_.get());
        if (!memory_)
            throw std::bad_alloc();
        ERKStepSetUserData(memory_, static_cast<Sundials*>(this));
        ERKStepSetErrHandlerFn(memory_, keep_words, static_cast<Sundials*>(this));
        ERKStepSetTableNum(memory_, tolerances_.relative > 1e-7 ? ARKODE_DORMAND_PRINCE_7_4_5
                                                                : ARKODE_FEHLBERG_13_7_8);
        ERKStepSStolerances(memory_, tolerances_.relative, tolerances_.absolute);
        ERKStepSetMaxNumSteps(memory_, -1);
        ERKStepSetMaxErrTestFails(memory_, 30); // a stiff loop may want many cuts of a step that grew too far
        if (tolerances_.largest_step > 0.0)
            ERKStepSetMaxStep(memory_, tolerances_.largest_step);
        if (plant_.projects())
            ERKStepSetPostprocessStepFn(memory_, project_step);
    }
    ~Adaptive() override { ERKStepFree(&memory_); }

    void restart(const Instant& at) override
    {
        set(at);
        ERKStepReset(memory_, at.t, y_);
    }
    bool watch(std::span<const Event> watched) override
    {
        adopt(watched);
        ERKStepRootInit(memory_, static_cast<int>(watched.size()), watched.empty() ? nullptr : events);
        if (!watched.empty())
            ERKStepSetRootDirection(memory_, directions_.data());
        ERKStepSetNoInactiveRootWarn(memory_);
        return true;
    }
    bool step(double limit, Instant& at) override
    {
        ERKStepSetStopTime(memory_, limit);
        const int flag = ERKStepEvolve(memory_, limit, y_, &at.t, ARK_ONE_STEP);
        check(flag, at.t);
        get(at);
        if (flag == ARK_ROOT_RETURN)
            ERKStepGetRootInfo(memory_, found_.data());
        return flag == ARK_ROOT_RETURN;
    }

private:
    void* memory_ = nullptr;
};

class Stiff final : public Sundials {
public:
    Stiff(Plant& plant, const Tolerances& tolerances) : Sundials(plant, tolerances)
    {
        const auto size = static_cast<sunindextype>(coordinates_ + dofs_);
        memory_ = CVodeCreate(CV_BDF, context_.get());
        jacobian_ = SUNDenseMatrix(size, size, context_.get());
        solver_ = SUNLinSol_Dense(y_, jacobian_, context_.get());
        if (!memory_ || !jacobian_ || !solver_)
            throw std::bad_alloc();
        CVodeInit(memory_, rates, 0.0, y_);
        CVodeSetUserData(memory_, static_cast<Sundials*>(this));
        CVodeSetErrHandlerFn(memory_, keep_words, static_cast<Sundials*>(this));
        CVodeSStolerances(memory_, tolerances_.relative, tolerances_.absolute);
        CVodeSetMaxNumSteps(memory_, -1);
        CVodeSetLinearSolver(memory_, solver_, jacobian_);
        if (tolerances_.largest_step > 0.0)
            CVodeSetMaxStep(memory_, tolerances_.largest_step);
        if (plant_.projects()) {
            CVodeSetProjFn(memory_, project_correction);
            CVodeSetProjErrEst(memory_, SUNFALSE);
        }
    }
    ~Stiff() override
    {
        CVodeFree(&memory_);
        SUNLinSolFree(solver_);
        SUNMatDestroy(jacobian_);
    }

    void restart(const Instant& at) override
    {
        set(at);
        CVodeReInit(memory_, at.t, y_);
    }
    bool watch(std::span<const Event> watched) override
    {
        adopt(watched);
        CVodeRootInit(memory_, static_cast<int>(watched.size()), watched.empty() ? nullptr : events);
        if (!watched.empty())
            CVodeSetRootDirection(memory_, directions_.data());
        CVodeSetNoInactiveRootWarn(memory_);
        return true;
    }
    bool step(double limit, Instant& at) override
    {
        CVodeSetStopTime(memory_, limit);
        const int flag = CVode(memory_, limit, y_, &at.t, CV_ONE_STEP);
        check(flag, at.t);
        get(at);
        if (flag == CV_ROOT_RETURN)
            CVodeGetRootInfo(memory_, found_.data());
        return flag == CV_ROOT_RETURN;
    }

private:
    void* memory_ = nullptr;
    SUNMatrix jacobian_ = nullptr;
    SUNLinearSolver solver_ = nullptr;
};

} // namespace

std::unique_ptr<Integrator> adaptive_integrator(Plant& plant, const Tolerances& tolerances)
{
    return std::make_unique<Adaptive>(plant, tolerances);
}
std::unique_ptr<Integrator> stiff_integrator(Plant& plant, const Tolerances& tolerances)
{
    return std::make_unique<Stiff>(plant, tolerances);
}

#endif

} // namespace sweepdyn
