#include "sweepdyn/io/results/state.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "state_json.hpp"
#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn {
namespace {

using detail::quoted;
using json::Json;
using json::shown;
using Faults = std::vector<std::string>;
using Numbers = std::vector<double>;

std::string with_faults(std::string_view where, const Faults& faults)
{
    std::string text(where);
    if (faults.size() == 1)
        return text.append(": ").append(faults.front());
    text.append(": ").append(std::to_string(faults.size())).append(" faults");
    for (const std::string& fault : faults)
        text.append("\n  - ").append(fault);
    return text;
}

// One of the four vectors of a state: how each hinge's part of it is laid out.
enum class Layout { coordinates, dofs };
struct Vector {
    const char* key;
    Layout layout;
    Numbers& numbers;
};

// One state on its way from JSON.
class Reading {
public:
    Reading(const Model& model, const std::vector<std::string>& hinge_names,
            const std::unordered_map<std::string, int>& hinge_index, State& state)
        : model_(model),
          hinge_names_(hinge_names),
          hinge_index_(hinge_index),
          state_(state)
    {
    }

    Faults read(const Json& json)
    {
        if (!json.is_object()) {
            fault("", "got " + shown(json) + ", expected an object with some of q, v, a, T, base, external" +
                          (json.is_array() ? "; several states stand on lines of their own" : ""));
            return faults_;
        }
        know_keys("", json, {"q", "v", "a", "T", "base", "external"});
        bool by_array = false;
        for (const Vector& vector :
             {Vector{"q", Layout::coordinates, state_.q}, Vector{"v", Layout::dofs, state_.v},
              Vector{"a", Layout::dofs, state_.a}, Vector{"T", Layout::dofs, state_.T}})
            if (const auto found = json.find(vector.key); found != json.end()) {
                by_array = by_array || found->is_array();
                read_vector(vector, *found);
            }
        if (const auto base = json.find("base"); base != json.end()) {
            if (by_array)
                fault("base", "given beside an array; arrays hold the base's numbers already: give hinges by "
                              "name, or drop \"base\"");
            else
                read_base(*base);
        }
        const auto gives = [&](const char* key, const char* of_base) {
            const auto base = json.find("base");
            return json.contains(key) || (base != json.end() && base->contains(of_base));
        };
        state_.gives_a = gives("a", "accel"), state_.gives_T = gives("T", "wrench");
        if (const auto external = json.find("external"); external != json.end())
            read_external(*external);
        if (faults_.empty())
            check_quaternions();
        return faults_;
    }

private:
    void fault(const std::string& path, const std::string& text)
    {
        faults_.push_back(path.empty() ? text : path + ": " + text);
    }

    void know_keys(const std::string& path, const Json& object, const std::vector<std::string>& known)
    {
        for (const auto& [key, value] : object.items())
            if (std::find(known.begin(), known.end(), key) == known.end())
                fault(path, unknown_name("key", key, known));
    }

    // A list of `count` numbers into `out`; for one, a bare number will do.
    bool read_numbers(const std::string& path, const Json& json, std::span<double> out,
                      const std::string& expected)
    {
        if (json.is_number() && out.size() == 1) {
            out[0] = json.get<double>();
            return true;
        }
        const bool fits =
            json.is_array() && json.size() == out.size() &&
            std::all_of(json.begin(), json.end(), [](const Json& item) { return item.is_number(); });
        if (!fits) {
            fault(path, "got " + shown(json) + ", expected " + expected);
            return false;
        }
        std::transform(json.begin(), json.end(), out.begin(),
                       [](const Json& item) { return item.get<double>(); });
        return true;
    }

    std::span<double> part(const Vector& vector, int k) const
    {
        const std::vector<int>& first =
            vector.layout == Layout::coordinates ? model_.tree().first_coordinate : model_.tree().first_dof;
        return std::span(vector.numbers)
            .subspan(static_cast<std::size_t>(first[k]), static_cast<std::size_t>(first[k + 1] - first[k]));
    }

    // "4 numbers (w x y z)"
    std::string expected_of(const Vector& vector, int k) const
    {
        const Hinge& hinge = model_.hinges()[static_cast<std::size_t>(k)];
        const std::size_t count = part(vector, k).size();
        if (count == 1)
            return "a number";
        const std::string numbers = std::to_string(count) + " numbers";
        const bool q = vector.layout == Layout::coordinates;
        switch (hinge.kind) {
        case HingeKind::spherical: return numbers + (q ? " (w x y z)" : " (x y z in child axes)");
        case HingeKind::free: return numbers + (q ? " (w x y z, then position)" : " (angular, then linear)");
        case HingeKind::planar: return numbers + (q ? " (angle x y)" : " (wz vx vy in child axes)");
        case HingeKind::cylindrical: return numbers + " (angle slide)";
        default: return numbers;
        }
    }

    std::string expected_of_all(const Vector& vector) const
    {
        std::string text = std::to_string(vector.numbers.size());
        if (vector.layout == Layout::coordinates && model_.num_coordinates() != model_.num_dofs())
            return text + ": one per dof, but 4 (w x y z) per spherical and 7 (w x y z, then position) per "
                          "free hinge";
        text += ", one per dof";
        constexpr std::size_t most = 8;
        const auto names = model_.dof_names();
        for (std::size_t j = 0; j < std::min(names.size(), most); ++j)
            text.append(j == 0 ? ": " : ", ").append(names[j]);
        return text.append(names.size() > most ? ", ..." : "");
    }

    void read_vector(const Vector& vector, const Json& json)
    {
        if (json.is_object()) {
            for (const auto& [hinge, value] : json.items())
                read_hinge(vector, hinge, value);
            return;
        }
        if (!json.is_array())
            fault(vector.key, "got " + shown(json) + ", expected an array or an object by hinge name");
        else
            read_numbers(vector.key, json, vector.numbers, expected_of_all(vector));
    }

    void read_hinge(const Vector& vector, const std::string& name, const Json& value)
    {
        const auto found = hinge_index_.find(name);
        if (found == hinge_index_.end()) {
            fault(vector.key, unknown_hinge(name));
            return;
        }
        const int k = found->second;
        const std::string path = std::string(vector.key).append(".").append(name);
        if (part(vector, k).empty() && !(value.is_array() && value.empty()))
            fault(path, "the hinge is a weld and has no dofs, so nothing can be given for it");
        else if (read_numbers(path, value, part(vector, k), expected_of(vector, k)) &&
                 model_.floating_base() == k)
            base_by_name_.push_back(vector.key);
    }

    std::string unknown_hinge(const std::string& name) const
    {
        if (name == "base" && model_.floating_base())
            return "the base's numbers belong into \"base\": {\"p\", \"quat\", \"twist\", \"accel\", "
                   "\"wrench\"}";
        const auto dofs = model_.dof_names();
        if (const auto dof = std::find(dofs.begin(), dofs.end(), name); dof != dofs.end()) {
            const int k = model_.tree().body_of_dof[static_cast<std::size_t>(dof - dofs.begin())];
            return detail::quoted(name) + " is a dof; give all numbers of its hinge " +
                   detail::quoted(model_.hinges()[static_cast<std::size_t>(k)].name) + " in one array";
        }
        return unknown_name("hinge", name, hinge_names_);
    }

    std::string no_base() const
    {
        std::vector<std::string> free;
        for (int k : model_.tree().base_to_tip())
            if (const Hinge& hinge = model_.hinges()[static_cast<std::size_t>(k)];
                model_.tree().parent[k] == ground && hinge.kind == HingeKind::free)
                free.push_back(hinge.name);
        if (free.empty())
            return "the model has no floating base; load it with --base floating, or drop \"base\"";
        return std::to_string(free.size()) +
               " bodies float, so none is the base; give their numbers by hinge: " + "\"q\": {\"" +
               free.front() + "\": [w, x, y, z, then position]}, and v, a, T likewise";
    }

    void read_base(const Json& json)
    {
        const auto base = model_.floating_base();
        if (!base)
            return fault("base", no_base());
        if (!json.is_object())
            return fault("base", "got " + shown(json) + ", expected an object");
        know_keys("base", json, {"p", "quat", "twist", "accel", "wrench"});
        const auto read = [&](const char* key, const Vector& vector, std::size_t first, std::size_t count,
                              const char* expected) {
            const auto found = json.find(key);
            if (found == json.end())
                return;
            const std::string path = std::string("base.") + key;
            if (std::find(base_by_name_.begin(), base_by_name_.end(), vector.key) != base_by_name_.end())
                return fault(path, std::string("given twice: also by hinge name in ") + vector.key);
            read_numbers(path, *found, part(vector, *base).subspan(first, count), expected);
        };
        read("quat", {"q", Layout::coordinates, state_.q}, 0, 4, "4 numbers (w x y z)");
        read("p", {"q", Layout::coordinates, state_.q}, 4, 3, "3 numbers");
        read("twist", {"v", Layout::dofs, state_.v}, 0, 6, "6 numbers (angular, then linear)");
        read("accel", {"a", Layout::dofs, state_.a}, 0, 6, "6 numbers (angular, then linear)");
        read("wrench", {"T", Layout::dofs, state_.T}, 0, 6, "6 numbers (moment, then force)");
    }

    void read_external(const Json& json)
    {
        if (!json.is_array())
            return fault("external",
                         "got " + shown(json) + ", expected a list of {\"frame\", \"wrench\", \"axes\"}");
        for (std::size_t i = 0; i < json.size(); ++i)
            read_wrench("external[" + std::to_string(i) + "]", json[i]);
    }

    void read_wrench(const std::string& path, const Json& json)
    {
        if (!json.is_object())
            return fault(path, "got " + shown(json) + ", expected {\"frame\", \"wrench\", \"axes\"}");
        know_keys(path, json, {"frame", "wrench", "axes"});
        ExternalWrench out;
        const auto frame = json.find("frame");
        if (frame == json.end() || !frame->is_string())
            fault(path + ".frame", (frame == json.end() ? "missing" : "got " + shown(*frame)) +
                                       ", expected the name of a link or frame");
        else
            try {
                out.frame = model_.frame(frame->get_ref<const std::string&>());
            } catch (const UsageError& error) {
                fault(path + ".frame", error.what());
            }
        double w[6] = {};
        if (const auto wrench = json.find("wrench"); wrench == json.end())
            fault(path + ".wrench", "missing, expected 6 numbers (moment, then force)");
        else
            read_numbers(path + ".wrench", *wrench, w, "6 numbers (moment, then force)");
        out.wrench = {{w[0], w[1], w[2]}, {w[3], w[4], w[5]}};
        if (const auto axes = json.find("axes"); axes != json.end()) {
            if (*axes == "frame")
                out.axes = WrenchAxes::frame;
            else if (*axes != "world")
                fault(path + ".axes", "got " + shown(*axes) + ", expected \"world\" or \"frame\"");
        }
        state_.external.push_back(out);
    }

    void check_quaternions()
    {
        for (int k : model_.tree().base_to_tip()) {
            const Hinge& hinge = model_.hinges()[static_cast<std::size_t>(k)];
            if (hinge.kind != HingeKind::spherical && hinge.kind != HingeKind::free)
                continue;
            double* q = state_.q.data() + model_.tree().first_coordinate[k];
            const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
            if (!(std::abs(length - 1.0) <= 1e-6))
                fault("q", "the quaternion of hinge " + detail::quoted(hinge.name) + " has length " +
                               number_text(length) + ", expected 1 (within 1e-6), in the order w x y z");
            for (int i = 0; i < 4; ++i)
                q[i] /= length;
        }
    }

    const Model& model_;
    const std::vector<std::string>& hinge_names_;
    const std::unordered_map<std::string, int>& hinge_index_;
    State& state_;
    Faults faults_;
    std::vector<std::string> base_by_name_; // vectors in which the base's hinge is named
};

} // namespace

StateError::StateError(std::string_view where, std::vector<std::string> all_faults)
    : std::runtime_error(with_faults(where, all_faults)),
      faults(std::move(all_faults))
{
}

State::State(const Model& model)
    : q(static_cast<std::size_t>(model.num_coordinates())),
      v(static_cast<std::size_t>(model.num_dofs())),
      a(v.size()),
      T(v.size())
{
    neutral(model, std::span<double>(q));
}

StateReader::StateReader(const Model& model) : model_(model)
{
    for (int k : model.tree().base_to_tip()) {
        hinge_names_.push_back(model.hinges()[static_cast<std::size_t>(k)].name);
        hinge_index_.emplace(hinge_names_.back(), k);
    }
}

State StateReader::read(std::string_view json, std::string_view where) const
{
    if (json.find_first_not_of(" \t\r\n") == json.npos)
        throw StateError(where,
                         {"there is no state, expected a JSON object; {} is the neutral one, at rest"});
    State state(model_);
    state.where = where;
    Faults faults =
        Reading(model_, hinge_names_, hinge_index_, state).read(results::parse_state_json(json, where));
    if (!faults.empty())
        throw StateError(where, std::move(faults));
    return state;
}

std::vector<State> StateReader::read_all(std::string_view text, std::string_view where) const
{
    std::vector<State> states;
    for (const auto& [json, line] : results::split_states(text)) {
        std::string place(where);
        if (line > 0)
            place.append(", line ").append(std::to_string(line));
        states.push_back(read(json, place));
    }
    if (states.empty())
        read("", where);
    return states;
}

} // namespace sweepdyn
