#include "native_json.hpp"

#include <algorithm>

namespace sweepdyn::native {
std::optional<Json> parse_json(std::string_view text, Report& report)
{
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
        report.faults.push_back("the file is empty, expected a JSON object");
        return std::nullopt;
    }
    json::Parsed parsed = json::parse(text);
    report.faults.insert(report.faults.end(), parsed.faults.begin(), parsed.faults.end());
    return std::move(parsed.value);
}

void Value::refuse(std::string_view expected) const
{
    fault("got " + json::shown(*json_) + ", expected " + std::string(expected));
}

std::optional<Value> Value::find(const std::string& key) const
{
    const auto found = json_->find(key);
    if (found == json_->end() || found->is_null())
        return std::nullopt;
    return Value(*found, path_of(key), *report_);
}

std::optional<Value> Value::need(const std::string& key, std::string_view expected) const
{
    std::optional<Value> found = find(key);
    if (!found)
        report_->faults.push_back(path_of(key) + ": missing, expected " + std::string(expected));
    return found;
}

std::optional<Value> Value::expect(const std::string& key, std::string_view instead) const
{
    std::optional<Value> found = find(key);
    if (!found)
        note(Note::Kind::doubt, path_of(key), "missing, so it is " + std::string(instead));
    return found;
}

void Value::know_keys(std::initializer_list<std::string_view> known) const
{
    const std::vector<std::string> names(known.begin(), known.end());
    const auto name = json_->find("name");
    const std::string element =
        path_ +
        (name != json_->end() && name->is_string() ? " " + detail::quoted(name->get<std::string>()) : "");
    for (const std::string& key : keys())
        if (key != "description" && std::find(names.begin(), names.end(), key) == names.end())
            report_->faults.push_back(element + ": " + unknown_name("key", key, names));
}

std::vector<std::string> Value::keys() const
{
    std::vector<std::string> out;
    for (const auto& [key, value] : json_->items())
        out.push_back(key);
    return out;
}

std::optional<std::vector<Value>> Value::list(std::string_view of_what) const
{
    if (!json_->is_array()) {
        refuse("a list of " + std::string(of_what));
        return std::nullopt;
    }
    std::vector<Value> out;
    for (std::size_t i = 0; i < json_->size(); ++i)
        out.emplace_back((*json_)[i], path_ + "[" + std::to_string(i) + "]", *report_);
    return out;
}

bool Value::require_object() const
{
    if (!json_->is_object())
        refuse("an object");
    return json_->is_object();
}

std::optional<std::string> Value::text(std::string_view expected) const
{
    if (!json_->is_string()) {
        refuse(expected);
        return std::nullopt;
    }
    return json_->get<std::string>();
}

std::optional<std::int64_t> Value::if_integer() const
{
    // What is beyond the signed ones would come back negative.
    if (!json_->is_number_integer() ||
        (json_->is_number_unsigned() && json_->get<std::uint64_t>() > INT64_MAX))
        return std::nullopt;
    return json_->get<std::int64_t>();
}

std::optional<double> Value::number() const
{
    if (!json_->is_number()) {
        refuse("a number");
        return std::nullopt;
    }
    return json_->get<double>();
}

std::optional<std::vector<double>> Value::numbers(std::size_t count, std::string_view expected,
                                                  std::optional<double> none) const
{
    std::vector<double> out;
    const auto take = [&](const Json& item) {
        if (item.is_number())
            out.push_back(item.get<double>());
        else if (item.is_null() && none)
            out.push_back(*none);
    };
    if (json_->is_array() && json_->size() == count)
        for (const Json& item : *json_)
            take(item);
    else if (count == 1)
        take(*json_);
    if (out.size() == count && (count > 0 || (json_->is_array() && json_->empty())))
        return out;
    refuse(expected);
    return std::nullopt;
}

std::optional<Vec3<double>> Value::vector() const
{
    const auto a = numbers(3, "3 numbers");
    return a ? std::optional(Vec3<double>{(*a)[0], (*a)[1], (*a)[2]}) : std::nullopt;
}

std::optional<Mat3<double>> Value::matrix() const
{
    if (!json_->is_array() || json_->size() != 3) {
        refuse("3 rows of 3 numbers");
        return std::nullopt;
    }
    Mat3<double> A;
    bool whole = true;
    const auto rows = *list("rows");
    for (int i = 0; i < 3; ++i) {
        const auto row = rows[static_cast<std::size_t>(i)].vector();
        whole = whole && row;
        for (int j = 0; j < 3 && row; ++j)
            A(i, j) = (*row)[j];
    }
    return whole ? std::optional(A) : std::nullopt;
}

std::optional<std::vector<std::size_t>> read_dofs(const Value& value, std::span<const std::string> names)
{
    const auto list = value.list("dofs, by name or index");
    if (!list)
        return std::nullopt;
    std::vector<std::size_t> out;
    for (const Value& item : *list) {
        if (const std::string* name = item.if_text()) {
            const auto found = std::find(names.begin(), names.end(), *name);
            if (found == names.end()) {
                item.fault(unknown_name("dof", *name, names));
                continue;
            }
            out.push_back(static_cast<std::size_t>(found - names.begin()));
        } else if (const auto index = item.if_integer();
                   index && *index >= 0 && *index < static_cast<std::int64_t>(names.size()))
            out.push_back(static_cast<std::size_t>(*index));
        else {
            item.refuse("the name of a dof, or its index from 0 to " +
                        std::to_string(static_cast<std::int64_t>(names.size()) - 1));
            continue;
        }
        if (std::count(out.begin(), out.end(), out.back()) > 1)
            item.fault("dof " + detail::quoted(names[out.back()]) + " stands there twice");
    }
    return out;
}

} // namespace sweepdyn::native
