#include "sweepdyn/sim/simulate.hpp"

#include <algorithm>
#include <cmath>

#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/sim/grid.hpp"
#include "sweepdyn/sim/rk4.hpp"
#include "sweepdyn/sim/semi_implicit_euler.hpp"

namespace sweepdyn {
namespace {

class Run {
public:
    Run(Plant& plant, Instant start, const SimulationOptions& options)
        : plant_(plant),
          options_(options),
          integrator_(make_integrator(plant, options)),
          signals_(plant.model(), options.signals, plant.grasp()),
          begun_(start.t),
          end_(start.t + options.time),
          at_(std::move(start)),
          before_(at_),
          values_(options.events.size()),
          values_before_(values_),
          happened_(values_.size(), 0),
          taken_(happened_),
          taken_before_(happened_)
    {
        out_.recording.columns.assign(signals_.columns().begin(), signals_.columns().end());
        row_.resize(signals_.columns().size());
        if (options.every > 0.0) // the room for all records
            out_.recording.values.reserve(
                row_.size() * (2 + static_cast<std::size_t>(std::min(options.time / options.every, 1e6))));
    }

    Simulation run()
    {
        begin();
        try {
            go();
        } catch (const RefusedError& error) {
            if (out_.steps == 0)
                throw;
            out_.failure = error.what();
            keep_last_whole_state();
            throw SimulationFailed(std::move(out_));
        }
        out_.last = at_;
        return std::move(out_);
    }

private:
    void begin()
    {
        if (std::string told = plant_.close(at_); !told.empty())
            out_.notes.push_back(std::move(told));
        plant_.begin(at_);
        evaluate_events(at_, values_);
        for (std::size_t i = 0; i < values_.size(); ++i)
            happened_[i] = options_.events[i].at_start && beyond(options_.events[i].direction, values_[i]);
        if (take_happened())
            plant_.begin(at_);
        integrator_->restart(at_);
        finds_events_ = integrator_->watch(options_.events);
        evaluate_events(at_, values_before_);
        record();
    }
    void go()
    {
        while (at_.t < end_ && !out_.stopped) {
            const double output = next_output(), sample = plant_.next_sample(at_.t);
            const double limit = std::min({end_, output, sample});
            before_ = at_;
            if (plant_.begin_step(at_, integrator_->fixed_step(), integrator_->velocity_error()) ==
                Existence::several)
                note_several();
            if (std::string told = plant_.take_told(); !told.empty())
                out_.notes.push_back(std::move(told));
            std::swap(taken_, taken_before_);
            std::fill(taken_.begin(), taken_.end(), char(0));
            const bool found = integrator_->step(limit, at_);
            bool jumped = finds_events_ ? found && take_found() : locate();
            if (at_.t >= sample) {
                evaluate_events(at_, values_);
                plant_.sample(at_);
                take_carried();
                jumped = true;
            }
            if (jumped) {
                integrator_->restart(at_);
                evaluate_events(at_, values_before_);
            }
            if (options_.every == 0.0 || at_.t >= output || at_.t >= end_ || out_.stopped)
                record();
            ++out_.steps;
            if (options_.go_on && !options_.go_on(at_.t)) {
                out_.interrupted = at_.t < end_;
                break;
            }
        }
        if (!is_recorded(at_.t))
            record(); // where an interrupted run ended
    }

    void note_several()
    {
        if (!std::exchange(told_several_, true))
            out_.notes.push_back("from t = " + number_text(at_.t) +
                                 " s on more than one motion obeys the laws of friction of " +
                                 plant_.sliding_words() +
                                 " (Painleve): the one that keeps most contacts is followed");
    }

    bool is_recorded(double t) const
    {
        return out_.recording.values[out_.recording.values.size() - row_.size()] == t;
    }
    void keep_last_whole_state()
    {
        out_.last = at_ = before_;
        try {
            if (!is_recorded(at_.t))
                record();
        } catch (const RefusedError&) { // its signals are beyond all numbers already
        }
    }

    // Outputs are multiples of `every` from the start.
    double next_output() const
    {
        if (options_.every == 0.0)
            return end_;
        return begun_ + next_multiple(at_.t - begun_, options_.every);
    }

    void record()
    {
        signals_.evaluate(plant_, at_, row_);
        for (std::size_t i = 0; i < row_.size(); ++i)
            if (!std::isfinite(row_[i]))
                throw RefusedError("signal '" + signals_.columns()[i].name + "' is not finite at t = " +
                                   number_text(at_.t) + " s (got " + number_text(row_[i]) +
                                   "); the numbers of the state, the model or the controller are too large");
        out_.recording.values.insert(out_.recording.values.end(), row_.begin(), row_.end());
    }

    void evaluate_events(const Instant& at, std::vector<double>& values) const
    {
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = options_.events[i].value(at.t, at.q, at.v);
    }
    // Whether an event happened between before_ and at_; notes which.
    bool any_happened()
    {
        evaluate_events(at_, values_);
        bool any = false;
        for (std::size_t i = 0; i < values_.size(); ++i) {
            happened_[i] = crossed(options_.events[i].direction, values_before_[i], values_[i]);
            any = any || happened_[i];
        }
        return any;
    }

    // A fixed step that an event has happened in is taken again and again from its start, each time to the middle of where the
    // first one may be, until it ends there. An event that neither stops the run nor moves the state is told and leaves the step
    // whole, for a shorter one would be another motion. True: the state jumped.
    bool locate()
    {
        if (options_.events.empty())
            return false;
        if (any_happened()) {
            const Instant whole = at_;
            double from = before_.t;
            const auto step_to = [&](double t) {
                at_ = before_;
                integrator_->step(t, at_);
            };
            do {
                double none = from, some = whole.t;
                const double close_enough = 4e-16 * std::max(std::abs(some), some - none);
                while (some - none > close_enough) {
                    const double middle = 0.5 * (none + some);
                    if (!(middle > none && middle < some))
                        break;
                    step_to(middle);
                    (any_happened() ? some : none) = middle;
                }
                step_to(some);
                any_happened();
                const bool jumped = take_happened();
                evaluate_events(at_, values_before_);
                if (jumped || out_.stopped)
                    return jumped;
                from = at_.t;
                at_ = whole;
            } while (from < whole.t && any_happened()); // another, later in the step
        }
        evaluate_events(at_, values_before_);
        return false;
    }
    // The events that SUNDIALS has found. It tells the first; others that count from the start on may have gone through zero with it, and
    // would be beyond it for good.
    bool take_found()
    {
        evaluate_events(before_, values_before_);
        evaluate_events(at_, values_);
        for (std::size_t i = 0; i < happened_.size(); ++i) {
            const Event& event = options_.events[i];
            happened_[i] =
                integrator_->happened(i) ||
                (event.at_start && !taken_before_[i] && // there it may still be a rounding above zero
                 crossed(event.direction, values_before_[i], values_[i]));
        }
        return take_happened();
    }
    bool take_happened()
    {
        for (std::size_t i = 0; i < happened_.size(); ++i)
            taken_[i] = taken_[i] || happened_[i];
        if (!take())
            return false;
        take_carried();
        return true;
    }
    // A jump or a new sample may itself carry events beyond zero, as a contact that lets go overloads another: each that counts from the
    // start on happens at once, one time. Before: values_ of the instant before.
    void take_carried()
    {
        for (bool any = true; any && !out_.stopped;) {
            values_before_ = values_;
            evaluate_events(at_, values_);
            any = false;
            for (std::size_t i = 0; i < values_.size(); ++i) {
                const Event& event = options_.events[i];
                happened_[i] =
                    event.at_start && !taken_[i] && crossed(event.direction, values_before_[i], values_[i]);
                any = any || happened_[i];
                taken_[i] = taken_[i] || happened_[i];
            }
            any = any && take();
        }
    }
    bool take()
    {
        bool jumped = false;
        for (std::size_t i = 0; i < happened_.size(); ++i)
            if (happened_[i]) {
                const Event& event = options_.events[i];
                if (jumped && event.at_start && beyond(event.direction, -event.value(at_.t, at_.q, at_.v)))
                    continue; // another's jump took it back
                out_.events.push_back({i, at_.t, event.words ? event.words(at_.t, at_.q, at_.v) : ""});
                const bool stops = event.stops_if && event.stops_if(at_.t, at_.q, at_.v);
                if (stops || event.action == Event::Action::stop)
                    out_.stopped = true;
                if (event.jump && !stops) {
                    event.jump(at_.t, at_.q, at_.v);
                    jumped = true;
                    if ((plant_.is_closed() || plant_.grasp()) && !plant_.project(at_.t, at_.q, at_.v))
                        throw RefusedError(plant_.open_loop_words(at_.t));
                }
            }
        return jumped;
    }

    Plant& plant_;
    const SimulationOptions& options_;
    std::unique_ptr<Integrator> integrator_;
    Signals signals_;
    double begun_, end_;
    Instant at_, before_;
    std::vector<double> values_, values_before_;
    std::vector<char> happened_, taken_,
        taken_before_; // taken: at this instant already; where the step began
    std::vector<double> row_;
    bool finds_events_ = false, told_several_ = false;
    Simulation out_;
};

} // namespace

std::unique_ptr<Integrator> make_integrator(Plant& plant, const SimulationOptions& options)
{
    // An event that comes and goes within one step is not seen: steps stay short where there is one to watch.
    Tolerances tolerances = options.tolerances;
    if (!options.events.empty() && tolerances.largest_step == 0.0)
        tolerances.largest_step = options.time / 100.0;
    switch (options.method) {
    case Method::rk4: return std::make_unique<Rk4>(plant, options.step);
    case Method::semi_implicit_euler: return std::make_unique<SemiImplicitEuler>(plant, options.step);
    case Method::adaptive: return adaptive_integrator(plant, tolerances);
    case Method::dae: return dae_integrator(plant, tolerances);
    case Method::stiff: break;
    }
    return stiff_integrator(plant, tolerances);
}

Simulation simulate(Plant& plant, Instant start, const SimulationOptions& options)
{
    const Model& model = plant.model();
    detail::require_coordinates(model, "simulate", "q", start.q.size());
    detail::require_dofs(model, "simulate", "v", start.v.size());
    if (!(options.time >= 0.0) || !std::isfinite(options.time))
        throw UsageError("simulate: the time is " + number_text(options.time) +
                         ", expected seconds from 0 on");
    if (!(options.every >= 0.0) || !std::isfinite(options.every))
        throw UsageError("simulate: a record every " + number_text(options.every) +
                         " s is not possible, expected seconds from 0 on (0: after every step)");
    for (const Event& event : options.events)
        if (!event.value)
            throw UsageError("simulate: event '" + event.name + "' has no value to watch");
    for (const auto& [name, numbers] : {std::pair("q", &start.q), std::pair("v", &start.v)})
        for (double x : *numbers)
            if (!std::isfinite(x))
                throw UsageError("simulate: " + std::string(name) + " is not finite (got " + number_text(x) +
                                 ")");
    if (start.z.empty())
        start.z.assign(plant.first_z().begin(), plant.first_z().end());
    require_size("simulate", "z", start.z.size(), plant.first_z().size());
    normalise(model, start.q);
    return Run(plant, std::move(start), options).run();
}

} // namespace sweepdyn
