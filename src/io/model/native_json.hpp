// JSON with a memory of where things stand: values that report their faults by path.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/json/parse.hpp"
#include "sweepdyn/model/model.hpp"

namespace sweepdyn::native {

using detail::quoted;
using json::Json;

inline constexpr std::string_view format = "sweepdyn-model/1";
// What a file may carry beside the model: read_native_state reads it.
inline constexpr std::array<std::string_view, 4> state_keys{"state", "tau", "independent_velocity",
                                                            "independent_position"};

struct Report {
    std::vector<std::string> faults;
    std::vector<Note> notes;
};

// Text to JSON, or nothing and a fault.
std::optional<Json> parse_json(std::string_view text, Report& report);

// A value and its path. What reads it returns nothing after reporting a fault.
class Value {
public:
    Value(const Json& json, std::string path, Report& report)
        : json_(&json),
          path_(std::move(path)),
          report_(&report)
    {
    }

    const std::string& path() const { return path_; }

    // path: got ..., expected ...
    void refuse(std::string_view expected) const;
    void fault(const std::string& text) const
    {
        report_->faults.push_back((path_.empty() ? "the file" : path_) + ": " + text);
    }
    void doubt(const std::string& text) const { note(Note::Kind::doubt, path_, text); }
    void remark(const std::string& text) const { note(Note::Kind::remark, path_, text); }

    // Objects. A null is absent.
    std::optional<Value> find(const std::string& key) const;
    std::optional<Value> need(const std::string& key, std::string_view expected) const;
    // As above, but what is missing is a doubt: it counts as `instead`.
    std::optional<Value> expect(const std::string& key, std::string_view instead) const;
    bool has(const std::string& key) const { return find(key).has_value(); }
    // Every other key is a fault: what stands in its place would count as missing. `description` may stand anywhere.
    void know_keys(std::initializer_list<std::string_view> known) const;
    // Keys of an object.
    std::vector<std::string> keys() const;

    std::optional<std::vector<Value>> list(std::string_view of_what) const;
    bool require_object() const;
    bool is_list() const { return json_->is_array(); }

    std::optional<std::string> text(std::string_view expected = "a text") const;
    // Nothing, and no fault, when it is none.
    const std::string* if_text() const { return json_->get_ptr<const std::string*>(); }
    std::optional<std::int64_t> if_integer() const;
    std::optional<double> number() const;
    // A list of `count` numbers; for one, a bare number will do. Where given, none stands for null.
    std::optional<std::vector<double>> numbers(std::size_t count, std::string_view expected,
                                               std::optional<double> none = {}) const;
    std::optional<Vec3<double>> vector() const;
    std::optional<Mat3<double>> matrix() const;

private:
    void note(Note::Kind kind, const std::string& path, const std::string& text) const
    {
        report_->notes.push_back({kind, path.empty() ? text : path + ": " + text});
    }
    std::string path_of(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

    const Json* json_;
    std::string path_;
    Report* report_;
};

// A list of dofs by name, or by index among those of the file: places in `names`, which has them in the file's order.
std::optional<std::vector<std::size_t>> read_dofs(const Value& value, std::span<const std::string> names);

} // namespace sweepdyn::native
