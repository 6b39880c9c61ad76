// sweepdyn simulate: the nonlinear model in time, recorded.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "commands.hpp"
#include "output_file.hpp"
#include "progress.hpp"
#include "state_argument.hpp"
#include "sweepdyn/io/results/recording.hpp"
#include "sweepdyn/io/results/regulator.hpp"
#include "sweepdyn/sim/force_table.hpp"
#include "terminal.hpp"

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
                                                       {"stiff", Method::stiff}};
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
    if (!options.regulator.empty())
        return reading(options.regulator, [&](const std::string& text) {
            const Regulator regulator = read_regulator(text, options.regulator, model.num_dofs());
            for (const std::string& warning : regulator.warnings)
                note(fmt::format("{}: {}", options.regulator, warning));
            return controller(model, regulator, sample_time);
        });
    if (!options.T.empty())
        return reading(options.T, [&](const std::string& text) {
            const Recording table = read_recording(text, options.T);
            Controller out = forces_in_time(model, table);
            out.sample_time = sample_time;
            if (const double last = table(table.num_rows() - 1, 0); last < time)
                note(fmt::format("{} ends at {} s; its last row is held from there", options.T,
                                 number_text(last)));
            return out;
        });
    if (std::all_of(state.T.begin(), state.T.end(), [](double T) { return T == 0.0; }))
        return {};
    return {[T = state.T](double, auto, auto, std::span<double> out) {
        std::copy(T.begin(), T.end(), out.begin());
    }};
}

std::vector<std::string> names_of(const std::vector<std::string>& lists)
{
    std::vector<std::string> out;
    for (const std::string& list : lists) {
        std::string name;
        for (std::size_t i = 0; i <= list.size(); ++i) {
            if (i < list.size() && list[i] == '\\' && i + 1 < list.size())
                name += list[++i];
            else if (i < list.size() && list[i] != ',')
                name += list[i];
            else {
                if (name.empty())
                    throw UsageError(fmt::format("--signals: got '{}', where a name is empty", list));
                out.push_back(std::exchange(name, {}));
            }
        }
    }
    return out;
}

// "q:elbow>1.2", "v:slide<0"
Event threshold(const Model& model, const std::string& typed)
{
    const std::size_t sign = typed.find_first_of("<>");
    const std::optional<double> level =
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
    if (!level)
        throw UsageError(fmt::format(
            "--stop-when: got '{}', expected a signal, < or >, and a number, such as q:elbow>1.2", typed));
    Event event;
    event.name = typed;
    event.action = Event::Action::stop;
    event.direction = typed[sign] == '>' ? Event::Direction::rising : Event::Direction::falling;
    const std::vector<std::string> coordinates = coordinate_names(model);
    if (const auto i = find("q:", coordinates))
        event.value = [i = *i, level = *level](double, auto q, auto) { return q[i] - level; };
    else if (const auto j = find("v:", model.dof_names()))
        event.value = [j = *j, level = *level](double, auto, auto v) { return v[j] - level; };
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
        note(fmt::format("{}{} at t = {:.6g} s{}", stop ? "stopped: " : "", events[found.event].name, found.t,
                         times > 1 ? fmt::format(", and {} more",
                                                 count(static_cast<std::size_t>(times - 1), "time", "times"))
                                   : ""));
    }
    if (told > most)
        note(fmt::format("and {} like these", count(told - most, "more event", "more events")));
}

// A start that is beyond a limit already is no event: it is told at once.
void note_start(const std::vector<Event>& events, const Instant& start)
{
    for (const Event& event : events)
        if (event.direction == Event::Direction::rising && event.value(start.t, start.q, start.v) > 0.0)
            note(fmt::format("{} from the start", event.name));
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
        how.signals = names_of(options.signals);

    const Model model = load(options.model);
    note_doubts(model, options.model);
    refuse_couplings(model, "simulate");
    const std::vector<State> states = read_states(model, options.at);
    if (states.size() != 1)
        throw UsageError(fmt::format("simulate: {} holds {}, expected one, where the motion begins",
                                     options.at, count(states.size(), "state", "states")));
    const State& state = states.front();

    PlantOptions acts;
    acts.controller = controller_of(model, options, state, how.time);
    acts.passive = !options.no_passive;
    acts.friction_speed = number("--friction-speed", options.friction_speed, 0.0, true, "0.01");
    acts.momentum_reset = options.momentum_reset;
    for (const ExternalWrench& wrench : state.external)
        acts.external.push_back({wrench.frame, wrench.wrench, wrench.axes});

    const Instant start{0.0, state.q, state.v};
    how.events = events_of(model, options);
    note_start(how.events, start);
    Simulation done;
    {
        Progress progress(how.time);
        how.go_on = [&](double t) { return progress.go_on(t); };
        Plant plant(model, std::move(acts));
        done = simulate(plant, start, how);
    }
    note_events(done, how.events);
    std::string text =
        format == Format::csv ? write_csv(done.recording) : write_json(model, done, how.events) + "\n";
    if (to_file) {
        replace_file(options.output, text);
        text.clear();
    }
    if (done.interrupted)
        throw Interrupted{std::move(text),
                          fmt::format("stopped by Ctrl-C at t = {} s of {} s; the {} so far {} {}",
                                      number_text(done.last.t), number_text(how.time),
                                      count(done.recording.num_rows(), "row", "rows"),
                                      done.recording.num_rows() == 1 ? "is in" : "are in",
                                      to_file ? options.output : "the output")};
    return text;
}

} // namespace sweepdyn::app
