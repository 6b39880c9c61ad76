// JSON with a memory of where things stand: values that report their faults by path.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "sweepdyn/model/model.hpp"

namespace sweepdyn::native {

using Json = nlohmann::json;

inline constexpr std::string_view format = "sweepdyn-model/1";

struct Report {
    std::vector<std::string> faults;
    std::vector<std::string> remarks;
};

// Text to JSON, or nothing and a fault by line and column. A key given twice in one object is a fault too: the parser
// keeps only the last.
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
    void remark(const std::string& text) const { report_->remarks.push_back(path_ + ": " + text); }

    // Objects. A null is absent.
    std::optional<Value> find(const std::string& key) const;
    std::optional<Value> need(const std::string& key, std::string_view expected) const;
    bool has(const std::string& key) const { return find(key).has_value(); }
    // Every other key is a remark.
    void know_keys(std::initializer_list<std::string_view> known) const;

    std::optional<std::vector<Value>> list(std::string_view of_what) const;
    bool require_object() const;

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
    const Json* json_;
    std::string path_;
    Report* report_;
};

} // namespace sweepdyn::native
