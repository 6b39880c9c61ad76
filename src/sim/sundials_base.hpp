// What the integrators of SUNDIALS share: the vector y, the functions that SUNDIALS calls, and what they threw.
#pragma once

#include <algorithm>
#include <cmath>
#include <exception>
#include <string>

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>

#include "sweepdyn/model/rates.hpp"
#include "sweepdyn/sim/sundials.hpp"

namespace sweepdyn::sundials {

inline constexpr double least_step = 1e-13; // s

struct ContextFree {
    void operator()(SUNContext context) const { SUNContext_Free(&context); }
};
using Context = std::unique_ptr<std::remove_pointer_t<SUNContext>, ContextFree>;
inline Context new_context()
{
    SUNContext context = nullptr;
    SUNContext_Create(nullptr, &context);
    if (!context)
        throw std::bad_alloc();
    return Context(context);
}

// y begins with [q; v; z], z the states of a controller; more may follow.
class Sundials : public Integrator {
public:
    Sundials(Plant& plant, const Tolerances& tolerances, std::size_t more = 0)
        : plant_(plant),
          tolerances_(tolerances),
          context_(new_context()),
          coordinates_(static_cast<std::size_t>(plant.model().num_coordinates())),
          dofs_(static_cast<std::size_t>(plant.model().num_dofs())),
          states_(plant.first_z().size()),
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
        y_ = N_VNew_Serial(static_cast<sunindextype>(coordinates_ + dofs_ + states_ + more), context_.get());
        if (!y_)
            throw std::bad_alloc();
        N_VConst(0.0, y_);
    }
    Sundials(const Sundials&) = delete;
    Sundials& operator=(const Sundials&) = delete;
    ~Sundials() override { N_VDestroy(y_); }

    bool happened(std::size_t event) const override { return found_[event] != 0; }
    VelocityError velocity_error() const override { return {tolerances_.relative, tolerances_.absolute}; }

protected:
    std::span<double> q_of(N_Vector y) const { return {N_VGetArrayPointer(y), coordinates_}; }
    std::span<double> v_of(N_Vector y) const { return {N_VGetArrayPointer(y) + coordinates_, dofs_}; }
    std::span<double> z_of(N_Vector y) const
    {
        return {N_VGetArrayPointer(y) + coordinates_ + dofs_, states_};
    }

    void set(const Instant& at)
    {
        std::copy(at.q.begin(), at.q.end(), q_of(y_).begin());
        std::copy(at.v.begin(), at.v.end(), v_of(y_).begin());
        std::copy(at.z.begin(), at.z.end(), z_of(y_).begin());
    }
    void get(Instant& at) const
    {
        std::copy_n(q_of(y_).begin(), coordinates_, at.q.begin());
        std::copy_n(v_of(y_).begin(), dofs_, at.v.begin());
        std::copy_n(z_of(y_).begin(), states_, at.z.begin());
    }

    void project(double t, std::span<double> q, std::span<double> v)
    {
        if (!plant_.project(t, q, v))
            throw RefusedError(plant_.open_loop_words(t) + "; take a smaller tolerance, or a stiff method");
    }
    // Where an event is found the state is interpolated, so that loops and contacts are open by the error of a step.
    void close_found(Instant& at)
    {
        if (plant_.is_closed() || plant_.grasp())
            project(at.t, at.q, at.v);
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
        bool well = false;
        const int fault = me.guarded([&] {
            std::span<double> q = me.q_of(y), v = me.v_of(y);
            if (me.plant_.closes_stages()) {
                std::copy_n(N_VGetArrayPointer(y), me.projected_.size(), me.projected_.begin());
                q = std::span(me.projected_).first(me.coordinates_);
                v = std::span(me.projected_).subspan(me.coordinates_);
                if (!me.plant_.close_stage(q, v))
                    return;
            }
            coordinate_rates<double>(me.plant_.model(), me.q_of(y), v, me.q_of(y_dot));
            me.plant_.acceleration(t, q, v, me.v_of(y_dot), me.z_of(y), me.z_of(y_dot));
            const auto v_dot = me.v_of(y_dot);
            well = std::all_of(v_dot.begin(), v_dot.end(), [](double x) { return std::isfinite(x); });
        });
        return fault ? fault : well ? 0 : 1; // 1: try a smaller step
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
        return me.guarded([&] { me.project(t, me.q_of(y), me.v_of(y)); });
    }
    // In CVODE: the correction that brings y back.
    static int project_correction(sunrealtype t, N_Vector y, N_Vector correction, sunrealtype, N_Vector,
                                  void* user)
    {
        Sundials& me = self(user);
        bool closed = true;
        const int fault = me.guarded([&] {
            const std::span<double> all(me.projected_);
            std::copy_n(N_VGetArrayPointer(y), all.size(), all.begin());
            closed = me.plant_.project(t, all.first(me.coordinates_), all.subspan(me.coordinates_));
            for (std::size_t i = 0; i < all.size(); ++i)
                N_VGetArrayPointer(correction)[i] = all[i] - N_VGetArrayPointer(y)[i];
            std::fill(me.z_of(correction).begin(), me.z_of(correction).end(), 0.0);
        });
        if (!closed && !fault)
            me.words_ = me.plant_.open_loop_words(t);
        return fault ? fault : closed ? 0 : 1; // 1: try a smaller step
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
            throw RefusedError("the integration stopped at t = " + number_text(t) +
                               " s: " + (words_.empty() ? "its steps shrink to nothing" : words_) +
                               "; take a larger relative tolerance than " +
                               number_text(tolerances_.relative) + ", a stiff method, or a fixed step");
    }

    Plant& plant_;
    Tolerances tolerances_;
    Context context_;
    std::size_t coordinates_, dofs_, states_;
    N_Vector y_ = nullptr;
    std::vector<double> projected_;
    std::vector<Event> events_;
    std::vector<int> found_, directions_;
    std::exception_ptr thrown_;
    std::string words_;
};

} // namespace sweepdyn::sundials
