#include "sweepdyn/io/results/regulator.hpp"

#include <algorithm>

#include "matrix_json.hpp"
#include "state_json.hpp"
#include "sweepdyn/io/results/state.hpp"
#include "to_json.hpp"

namespace sweepdyn {
namespace {

using json::Json;
using json::shown;
using results::OrderedJson;
using results::ToJson;

// Reads what it can, and gathers what it cannot.
class Reading {
public:
    Reading(std::string_view text, std::string_view where)
        : json_(results::parse_state_json(text, where)),
          where_(where)
    {
        if (!json_.is_object())
            throw StateError(where,
                             {"got " + shown(json_) + R"(, expected {"K": rows, "states": [...], ...})"});
    }

    std::vector<std::string> names(const char* key, bool needed)
    {
        std::vector<std::string> out;
        if (const Json* list = list_of(key, needed, "a list of names"))
            for (const Json& item : *list) {
                if (item.is_string())
                    out.push_back(item.get<std::string>());
                else
                    fault(key, item, "a name");
            }
        return out;
    }
    std::vector<double> numbers(const char* key, bool needed)
    {
        const Json* list = list_of(key, needed, "a list of numbers");
        return list ? numbers_of(key, *list) : std::vector<double>{};
    }
    Matrix rows(const char* key, std::size_t rows, std::size_t columns)
    {
        Matrix out(static_cast<int>(rows), static_cast<int>(columns));
        const Json* list = list_of(key, true, "a matrix by rows");
        if (!list)
            return out;
        if (list->size() != rows)
            faults_.push_back(std::string(key) + " has " + std::to_string(list->size()) + " rows, expected " +
                              std::to_string(rows) + ", one per input");
        for (std::size_t i = 0; i < std::min(rows, list->size()); ++i) {
            const std::string name = std::string(key) + ", row " + std::to_string(i + 1);
            const std::vector<double> row = numbers_of(name, (*list)[i]);
            if (row.size() != columns)
                faults_.push_back(name + " has " + std::to_string(row.size()) + " numbers, expected " +
                                  std::to_string(columns) + ", one per state");
            for (std::size_t j = 0; j < std::min(columns, row.size()); ++j)
                out(static_cast<int>(i), static_cast<int>(j)) = row[j];
        }
        return out;
    }
    std::vector<std::complex<double>> poles(const char* key)
    {
        std::vector<std::complex<double>> out;
        if (const Json* list = list_of(key, false, "a list of [re, im]"))
            for (const Json& item : *list) {
                if (const std::vector<double> pole = numbers_of(key, item); pole.size() == 2)
                    out.emplace_back(pole[0], pole[1]);
                else
                    fault(key, item, "[re, im]");
            }
        return out;
    }
    double number(const char* key)
    {
        if (!json_.contains(key))
            return 0.0;
        const Json& got = json_[key];
        if (got.is_number() && got.get<double>() >= 0.0)
            return got.get<double>();
        fault(key, got, "a number from 0 on");
        return 0.0;
    }
    std::vector<Motor> motors(const char* key)
    {
        std::vector<Motor> out;
        if (const Json* list = list_of(key, false, "a list of motors"))
            for (const Json& item : *list) {
                const auto is_number = [&](const char* name) {
                    return item.contains(name) && item[name].is_number();
                };
                if (!item.is_object() || !item.contains("input") || !item["input"].is_string() ||
                    !is_number("time_constant") || !is_number("gear") || !is_number("drop"))
                    fault(key, item, R"({"input": "T:DOF", "time_constant", "gear", "drop"})");
                else
                    out.push_back({item["input"].get<std::string>(), item["time_constant"].get<double>(),
                                   item["gear"].get<double>(), item["drop"].get<double>()});
            }
        return out;
    }
    void expect_size(const char* key, std::size_t got, std::size_t expected, const char* one_per)
    {
        if (got != expected)
            faults_.push_back(std::string(key) + " has " + std::to_string(got) + " numbers, expected " +
                              std::to_string(expected) + ", one per " + one_per);
    }
    void finish() const
    {
        if (!faults_.empty())
            throw StateError(where_, faults_);
    }

private:
    void fault(const std::string& key, const Json& got, const char* expected)
    {
        faults_.push_back(key + ": got " + shown(got) + ", expected " + expected);
    }
    const Json* list_of(const char* key, bool needed, const char* expected)
    {
        if (!json_.contains(key)) {
            if (needed)
                faults_.push_back(std::string(key) + " is missing, expected " + expected);
            return nullptr;
        }
        if (!json_[key].is_array()) {
            fault(key, json_[key], expected);
            return nullptr;
        }
        return &json_[key];
    }
    std::vector<double> numbers_of(const std::string& key, const Json& list)
    {
        const bool right = list.is_array() &&
                           std::all_of(list.begin(), list.end(), [](const Json& x) { return x.is_number(); });
        if (right)
            return list.get<std::vector<double>>();
        fault(key, list, "a list of numbers");
        return {};
    }

    const Json json_;
    std::string_view where_;
    std::vector<std::string> faults_;
};

} // namespace

namespace {
OrderedJson poles_json(const std::string& key, const std::vector<std::complex<double>>& poles)
{
    OrderedJson out = OrderedJson::array();
    for (const std::complex<double>& pole : poles)
        out.push_back(ToJson{key}.list(std::vector{pole.real(), pole.imag()}));
    return out;
}
} // namespace

std::string write_regulator(const Regulator& regulator, ResultLayout layout, const Estimator* estimator)
{
    OrderedJson out, motors = OrderedJson::array();
    for (const Motor& motor : regulator.motors) {
        OrderedJson one;
        one["input"] = motor.input;
        one["time_constant"] = motor.time_constant;
        one["gear"] = motor.gear;
        one["drop"] = motor.drop;
        motors.push_back(std::move(one));
    }
    out["conventions"] = "sweepdyn-1";
    if (regulator.sample_time > 0.0)
        out["sample_time"] = regulator.sample_time;
    out["K"] = results::matrix_json("K", regulator.K);
    out["states"] = regulator.states;
    out["inputs"] = regulator.inputs;
    out["q0"] = ToJson{"q0"}.list(regulator.q0);
    out["v0"] = ToJson{"v0"}.list(regulator.v0);
    out["u0"] = ToJson{"u0"}.list(regulator.u0);
    if (!motors.empty())
        out["motors"] = std::move(motors);
    out["closed_loop_poles"] = poles_json("closed_loop_poles", regulator.closed_loop_poles);
    if (estimator) {
        out["outputs"] = estimator->outputs;
        out["y0"] = ToJson{"y0"}.list(estimator->y0);
        out["L"] = results::matrix_json("L", estimator->gain.L);
        out["estimator_poles"] = poles_json("estimator_poles", estimator->gain.estimator_poles);
    }
    out["warnings"] = regulator.warnings;
    return results::json_text(out, layout == ResultLayout::indented);
}

Regulator read_regulator(std::string_view text, std::string_view where, int num_dofs)
{
    Reading reading(text, where);
    Regulator out;
    out.states = reading.names("states", true);
    out.inputs = reading.names("inputs", true);
    out.K = reading.rows("K", out.inputs.size(), out.states.size());
    out.q0 = reading.numbers("q0", true);
    out.v0 = reading.numbers("v0", false);
    out.u0 = reading.numbers("u0", false);
    if (out.v0.empty())
        out.v0.assign(static_cast<std::size_t>(num_dofs), 0.0);
    if (out.u0.empty())
        out.u0.assign(out.inputs.size(), 0.0);
    reading.expect_size("v0", out.v0.size(), static_cast<std::size_t>(num_dofs), "dof of the model");
    reading.expect_size("u0", out.u0.size(), out.inputs.size(), "input");
    out.closed_loop_poles = reading.poles("closed_loop_poles");
    out.warnings = reading.names("warnings", false);
    out.sample_time = reading.number("sample_time");
    out.motors = reading.motors("motors");
    reading.finish();
    return out;
}

} // namespace sweepdyn
