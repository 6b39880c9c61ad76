#include "weights.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model_argument.hpp"
#include "state_argument.hpp"
#include "sweepdyn/control/gain.hpp"

namespace sweepdyn::app {

std::vector<std::string> items(const std::string& list)
{
    std::vector<std::string> out{""};
    for (char c : list)
        if (c == ',')
            out.emplace_back();
        else if (c != ' ')
            out.back() += c;
    return out;
}

std::vector<double> numbers_of(const char* option, const std::string& typed, const char* example)
{
    if (typed.empty())
        throw UsageError(
            fmt::format("regulate: this design needs {}, such as {} {}", option, option, example));
    std::vector<double> out;
    for (const std::string& item : items(typed)) {
        const std::optional<double> number = typed_number(item);
        if (!number)
            throw UsageError(
                fmt::format("{}: got '{}', where '{}' is no number; expected numbers and commas, such as {}",
                            option, typed, item, example));
        out.push_back(*number);
    }
    return out;
}

Matrix weight_of(const char* option, const std::string& typed, int size)
{
    const bool file = typed.starts_with('@');
    std::string text = file ? read_text(typed.substr(1)) : typed;
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
        text.pop_back();
    if (text.find("[[") == text.npos && text.find('[') == text.npos)
        return diagonal_weights(numbers_of(option, text.empty() ? "1" : text, "1,10"), size, option);
    const auto wrong = [&]() -> UsageError {
        return UsageError(fmt::format(
            "{}: expected numbers and commas, or {} rows of {} numbers as JSON, [[1, 0, ...], ...]", option,
            size, size));
    };
    const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
    Matrix out(size, size);
    if (!json.is_array() || json.size() != out.column(0).size())
        throw wrong();
    for (int i = 0; i < size; ++i) {
        const nlohmann::json& row = json[static_cast<std::size_t>(i)];
        if (!row.is_array() || row.size() != json.size())
            throw wrong();
        for (int j = 0; j < size; ++j) {
            const nlohmann::json& entry = row[static_cast<std::size_t>(j)];
            if (!entry.is_number())
                throw wrong();
            out(i, j) = entry.get<double>();
        }
    }
    return out;
}

} // namespace sweepdyn::app
