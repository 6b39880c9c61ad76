#include "sweepdyn/sim/sundials.hpp"

#include <algorithm>
#include <cmath>

#ifdef SWEEPDYN_WITH_SUNDIALS
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "prince_dormand.hpp"
#include "sundials_base.hpp"
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
std::unique_ptr<Integrator> dae_integrator(Plant&, const Tolerances&) { refuse(); }

#else

bool has_sundials() { return true; }

namespace {

using sundials::Sundials;

class Adaptive final : public Sundials {
public:
    Adaptive(Plant& plant, const Tolerances& tolerances) : Sundials(plant, tolerances), memory_(create()) {}
    ~Adaptive() override
    {
        ERKStepFree(&memory_);
        ERKStepFree(&again_);
        N_VDestroy(there_);
    }

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
        if (!watched.empty() && !again_) {
            there_ = N_VClone(y_);
            again_ = create();
        }
        return true;
    }
    bool step(double limit, Instant& at) override
    {
        if (again_)
            before_ = at;
        ERKStepSetStopTime(memory_, limit);
        const int flag = ERKStepEvolve(memory_, limit, y_, &at.t, ARK_ONE_STEP);
        check(flag, at.t);
        get(at);
        if (flag != ARK_ROOT_RETURN)
            return false;
        ERKStepGetRootInfo(memory_, found_.data());
        locate(at);
        close_found(at);
        return true;
    }

private:
    void* create()
    {
        void* memory = ERKStepCreate(rates, 0.0, y_, context_.get());
        if (!memory)
            throw std::bad_alloc();
        ERKStepSetUserData(memory, static_cast<Sundials*>(this));
        ERKStepSetErrHandlerFn(memory, keep_words, static_cast<Sundials*>(this));
        if (tolerances_.relative > 1e-7)
            ERKStepSetTableNum(memory, ARKODE_DORMAND_PRINCE_7_4_5);
        else {
            const std::unique_ptr<ARKodeButcherTableMem, decltype(&ARKodeButcherTable_Free)> table(
                sundials::prince_dormand_8_7(), ARKodeButcherTable_Free);
            if (!table)
                throw std::bad_alloc();
            ERKStepSetTable(memory, table.get()); // a copy
        }
        ERKStepSStolerances(memory, tolerances_.relative, tolerances_.absolute);
        ERKStepSetMaxNumSteps(memory, -1);
        ERKStepSetMaxErrTestFails(memory, 30); // a stiff loop may want many cuts of a step that grew too far
        ERKStepSetMinStep(
            memory, sundials::least_step); // else it shrinks for ever where there is no motion to follow
        if (tolerances_.largest_step > 0.0)
            ERKStepSetMaxStep(memory, tolerances_.largest_step);
        if (plant_.projects())
            ERKStepSetPostprocessStepFn(memory, project_step);
        return memory;
    }

    // ARKODE finds events on a cubic between the ends of its step, which errs more than the step. So again, from where the step began
    // to where the event is, by secants; the step itself goes on as if nobody had watched.
    void locate(Instant& at)
    {
        const auto found = std::find_if(found_.begin(), found_.end(), [](int way) { return way != 0; });
        const Event& event = events_[static_cast<std::size_t>(found - found_.begin())];
        const double start = before_.t, far = 2.0 * at.t - start;
        double t = start, value = event.value(t, before_.q, before_.v), next = at.t;
        for (int round = 0; round < 10 && next > start && next < far; ++round) {
            advance(next, at);
            const double there = event.value(next, at.q, at.v), slope = (there - value) / (next - t);
            const bool near = std::abs(next - t) <= 1e-15 * std::abs(next) || there == value;
            t = next, value = there;
            if (near)
                break;
            next -= there / slope;
        }
    }
    // From before_ to t.
    void advance(double t, Instant& at)
    {
        std::swap(y_, there_);
        set(before_);
        ERKStepReset(again_, before_.t, y_);
        ERKStepSetStopTime(again_, t);
        int flag = ARK_SUCCESS;
        while (flag >= 0 && flag != ARK_TSTOP_RETURN)
            flag = ERKStepEvolve(again_, t, y_, &at.t, ARK_ONE_STEP);
        get(at);
        std::swap(y_, there_);
        check(flag, at.t);
    }

    void* memory_ = nullptr;
    void* again_ = nullptr; // to where events are
    N_Vector there_ = nullptr;
    Instant before_{}; // where the last step began
};

class Stiff final : public Sundials {
public:
    Stiff(Plant& plant, const Tolerances& tolerances) : Sundials(plant, tolerances)
    {
        const auto size = static_cast<sunindextype>(coordinates_ + dofs_ + states_);
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
            CVodeGetRootInfo(memory_, found_.data()), close_found(at);
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
