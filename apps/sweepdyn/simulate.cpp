// sweepdyn simulate: the nonlinear model in time, recorded.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "commands.hpp"
#include "contacts_argument.hpp"
#include "output_file.hpp"
#include "progress.hpp"
#include "state_argument.hpp"
#include "sweepdyn/io/results/recording.hpp"
#include "sweepdyn/io/results/regulator.hpp"
#include "sweepdyn/io/results/tracking.hpp"
#include "sweepdyn/sim/force_table.hpp"
#include "terminal.hpp"
#include "typed_names.hpp"

namespace sweepdyn::app {
namespace {

double number(const char* option, const std::string& typed, double otherwise, bool zero_too,
              const char* example)
{
    if (typed.empty())
        return otherwise;
    const std::optional<double> got = typed_number(typed);
    if (!got || !(zero_too ? *got >= 0.0 : *got > 0.0))
        throw UsageError(fmt::format("{}: got '{}', expected a number {}, such as {}", option, typed,
                                     zero_too ? "from zero on" : "above zero", example));
    return *got;
}

enum class Format { csv, json };
Format format_of(const std::string& output)
{
    if (output.empty() || output == "-" || output.ends_with(".json"))
        return Format::json;
    if (output.ends_with(".csv"))
        return Format::csv;
    throw UsageError(fmt::format(
        "-o: got '{}', expected a name that ends in .csv or .json, or - for JSON on stdout", output));
}

// --step, --rtol and --method, which go together in one way only.
void choose_method(const SimulateOptions& options, SimulationOptions& how)
{
    static const std::map<std::string, Method> methods{{"rk4", Method::rk4},
                                                       {"euler", Method::semi_implicit_euler},
                                                       {"adaptive", Method::adaptive},
                                                       {"stiff", Method::stiff},
                                                       {"dae", Method::dae}};
    if (!options.step.empty() && !options.rtol.empty())
        throw UsageError(
            "simulate: --step and --rtol are both given; expected --step for steps of one length, or "
            "--rtol for steps that meet a tolerance");
    how.method = options.rtol.empty() ? Method::rk4 : Method::adaptive;
    if (!options.method.empty()) {
        const auto found = methods.find(options.method);
        if (found == methods.end()) {
            std::vector<std::string> known;
            for (const auto& [name, method] : methods)
                known.push_back(name);
            throw UsageError("--method: " + unknown_name("method", options.method, known));
        }
        how.method = found->second;
        const bool fixed = how.method == Method::rk4 || how.method == Method::semi_implicit_euler;
        if (const std::string& wrong = fixed ? options.rtol : options.step; !wrong.empty())
            throw UsageError(fmt::format("--method {} takes {}, got {} {}", options.method,
                                         fixed ? "--step" : "--rtol", fixed ? "--rtol" : "--step", wrong));
    }
    how.step = number("--step", options.step, 1e-3, false, "1e-3");
    how.tolerances.relative = number("--rtol", options.rtol, 1e-8, false, "1e-8");
    how.tolerances.absolute = number("--atol", options.atol, 0.0, true, "1e-10");
    const bool fixed = how.method == Method::rk4 || how.method == Method::semi_implicit_euler;
    if (fixed && !options.atol.empty())
        throw UsageError("--atol belongs to adaptive steps; expected --rtol beside it, or --method adaptive "
                         "or stiff");
    how.every = number("--every", options.every, fixed ? 0.0 : how.time / 500, false, "0.01");
    // A million steps are a long run; a thousand times more never end.
    if (fixed && how.time / how.step > 1e9)
        throw UsageError(
            fmt::format("simulate: {} s in steps of {} s are more than 1e9 steps; take a larger --step",
                        number_text(how.time), number_text(how.step)));
}

// What the file holds is a matter of data, not of usage.
template <class F> auto reading(const std::string& path, const F& f)
{
    try {
        return f(read_text(path));
    } catch (const UsageError& error) {
        throw StateError(path, {error.what()});
    }
}

Controller controller_of(const Model& model, const SimulateOptions& options, const State& state, double time)
{
    if (!options.T.empty() && !options.regulator.empty())
        throw UsageError("simulate: --T and --regulator are both given; expected one of them");
    const double sample_time = number("--sample-time", options.sample_time, 0.0, true, "0.002");
    if (!options.sample_time.empty() && options.T.empty() && options.regulator.empty())
        throw UsageError("--sample-time says how often a controller answers; expected --regulator or --T "
                         "beside it");
    if (!options.regulator.empty())
        return reading(options.regulator, [&](const std::string& text) {
            if (is_tracking(text)) {
                Tracking tracking = read_tracking(model, text, options.regulator);
                if (const double last = tracking.gains.t.back(); last < time)
                    note(fmt::format("{} ends at {} s; its last point is held from there", options.regulator,
                                     number_text(last)));
                Controller out = track(model, std::move(tracking.points), std::move(tracking.gains));
                out.sample_time = sample_time;
                return out;
            }
            const Regulator regulator = read_regulator(text, options.regulator, model.num_dofs());
            for (const std::string& warning : regulator.warnings)
                note(fmt::format("{}: {}", options.regulator, warning));
            return controller(model, regulator,
                              options.sample_time.empty() ? regulator.sample_time : sample_time);
        });
    if (!options.T.empty())
        return reading(options.T, [&](const std::string& text) {
            const Recording table = read_recording(text, options.T);
            Controller out = forces_in_time(model, table);
            out.sample_time = sample_time;
            if (const double last = table(table.num_rows() - 1, 0); last < time)
                note(fmt::format("{} ends at {} s; its last row is held from there", options.T,
                                 number_text(last)));
            if (const double first = table(0, 0); first > 0.0)
                note(fmt::format("{} begins at {} s; its first row is held until there", options.T,
                                 number_text(first)));
            return out;
        });
    if (std::all_of(state.T.begin(), state.T.end(), [](double T) { return T == 0.0; }))
        return {};
    return {[T = state.T](double, auto, auto, std::span<double> out) {
        std::copy(T.begin(), T.end(), out.begin());
    }};
}

// "q:elbow>1.2", "v:slide<0"
Event threshold(const Model& model, const std::string& typed)
{
    const std::size_t sign = typed.find_first_of("<>");
    const std::optional<double> typed_level =
        sign == typed.npos ? std::nullopt : typed_number(typed.substr(sign + 1));
    const auto find = [&](std::string_view prefix,
                          std::span<const std::string> names) -> std::optional<std::size_t> {
        if (!typed.starts_with(prefix))
            return std::nullopt;
        const std::string name = typed.substr(prefix.size(), sign - prefix.size());
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end())
            throw UsageError("--stop-when: " + unknown_name("dof", name, names));
        return static_cast<std::size_t>(found - names.begin());
    };
    if (!typed_level)
        throw UsageError(fmt::format(
            "--stop-when: got '{}', expected a signal, < or >, and a number, such as q:elbow>1.2", typed));
    Event event;
    event.name = typed;
    event.action = Event::Action::stop;
    event.direction = typed[sign] == '>' ? Event::Direction::rising : Event::Direction::falling;
    event.at_start = true;
    // What begins on the level is not beyond it yet, and will have crossed when it is.
    const double level =
        *typed_level + static_cast<int>(event.direction) * 1e-12 * std::max(1.0, std::abs(*typed_level));
    const std::vector<std::string> coordinates = coordinate_names(model);
    if (const auto i = find("q:", coordinates))
        event.value = [i = *i, level](double, auto q, auto) { return q[i] - level; };
    else if (const auto j = find("v:", model.dof_names()))
        event.value = [j = *j, level](double, auto, auto v) { return v[j] - level; };
    else
        throw UsageError(
            fmt::format("--stop-when: got '{}', expected q:NAME or v:DOF before the < or >", typed));
    return event;
}

std::vector<Event> events_of(const Model& model, const SimulateOptions& options)
{
    const Event::Action action = options.stop_at_limits ? Event::Action::stop : Event::Action::record;
    std::vector<Event> events = position_limit_events(model, action);
    for (Event& event : velocity_limit_events(model, action))
        events.push_back(std::move(event));
    for (const std::string& typed : options.stop_when)
        events.push_back(threshold(model, typed));
    return events;
}

// What was passed, each once, with the first time.
void note_events(const Simulation& done, const std::vector<Event>& events)
{
    std::map<std::size_t, int> count_of;
    for (const EventFound& found : done.events)
        ++count_of[found.event];
    constexpr std::size_t most = 6;
    std::size_t told = 0;
    for (const EventFound& found : done.events) {
        const int times = std::exchange(count_of[found.event], 0);
        if (times == 0 || ++told > most)
            continue;
        const bool stop = done.stopped && found.event == done.events.back().event;
        note(fmt::format("{}{} {}{}{}", stop ? "stopped: " : "", events[found.event].name,
                         found.t == 0.0 ? "from the start" : fmt::format("at t = {:.6g} s", found.t),
                         found.words.empty() ? "" : ": " + found.words,
                         times > 1 ? fmt::format(", and {} more",
                                                 count(static_cast<std::size_t>(times - 1), "time", "times"))
                                   : ""));
    }
    if (told > most)
        note(fmt::format("and {} like these", count(told - most, "more event", "more events")));
}

} // namespace

std::string run_simulate(const SimulateOptions& options)
{
    if (options.time.empty())
        throw UsageError("simulate needs --time, in seconds, such as --time 10");
    SimulationOptions how;
    how.time = number("--time", options.time, 0.0, false, "10");
    choose_method(options, how);
    const Format format = format_of(options.output);
    const bool to_file = !options.output.empty() && options.output != "-";
    if (to_file)
        check_output(options.output);
    if (!options.signals.empty())
        how.signals = typed_names("--signals", options.signals);

    const ContactsArgument contacts(options);
    const Model model = contacts.on_ground(load(options.model));
    note_doubts(model, options.model);
    const std::vector<State> states =
        read_states(model, options.at, own_state(options.model, model), options.model.spec);
    if (states.size() != 1)
        throw UsageError(fmt::format("simulate: {} holds {}, expected one, where the motion begins",
                                     options.at, count(states.size(), "state", "states")));
    const State& state = states.front();
    note_unused_acceleration(state, "simulate");

    PlantOptions acts;
    acts.controller = controller_of(model, options, state, how.time);
    acts.passive = !options.no_passive;
    acts.friction_speed = number("--friction-speed", options.friction_speed, 0.0, true, "0.01");
    acts.momentum_reset = options.momentum_reset;
    acts.contacts.assign(contacts.contacts().begin(), contacts.contacts().end());
    for (const ExternalWrench& wrench : state.external)
        acts.external.push_back({wrench.frame, wrench.wrench, wrench.axes});

    const Instant start{0.0, state.q, state.v};
    how.events = events_of(model, options);
    Simulation done;
    {
        Progress progress(how.time);
        how.go_on = [&](double t) { return progress.go_on(t); };
        Plant plant(model, std::move(acts));
        contacts.begin(plant, start, how.events);
        try {
            done = simulate(plant, start, how);
        } catch (SimulationFailed& failed) {
            done = std::move(failed.so_far);
        }
    }
    for (const std::string& told : done.notes)
        note(told);
    note_events(done, how.events);
    std::string text = format == Format::csv ? write_csv(done) : write_json(model, done, how.events) + "\n";
    if (to_file) {
        replace_file(options.output, text);
        text.clear();
    }
    const std::string kept = fmt::format(
        "the {} so far {} {}", count(done.recording.num_rows(), "row", "rows"),
        done.recording.num_rows() == 1 ? "is in" : "are in", to_file ? options.output : "the output");
    if (!done.failure.empty())
        throw EndedEarly{1, std::move(text), done.failure + "\n" + kept};
    if (done.interrupted)
        throw EndedEarly{130, std::move(text),
                         fmt::format("stopped by Ctrl-C at t = {} s of {} s; {}", number_text(done.last.t),
                                     number_text(how.time), kept)};
    return text;
}

} // namespace sweepdyn::app
