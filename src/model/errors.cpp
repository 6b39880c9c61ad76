#include "sweepdyn/model/errors.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <numeric>

namespace sweepdyn {
namespace {

std::string list_faults(std::string_view where, const std::vector<std::string>& faults)
{
    std::string text(where);
    text += faults.size() == 1 ? ": 1 fault" : ": " + std::to_string(faults.size()) + " faults";
    for (const std::string& fault : faults)
        text += "\n  - " + fault;
    return text;
}

bool same_letter(char a, char b)
{
    const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    return lower(a) == lower(b);
}

// Edit distance (insert, delete, replace, swap of neighbours), upper and lower case alike.
int edit_distance(std::string_view a, std::string_view b)
{
    std::vector<int> before_last, last(b.size() + 1), row(b.size() + 1);
    std::iota(last.begin(), last.end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = static_cast<int>(i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = same_letter(a[i - 1], b[j - 1]);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]))
                row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
        before_last = last;
        last = row;
    }
    return last.back();
}

} // namespace

ModelError::ModelError(std::string_view where, std::vector<std::string> all_faults)
    : std::runtime_error(list_faults(where, all_faults)),
      faults(std::move(all_faults))
{
}

std::string_view nearest_name(std::string_view wanted, std::span<const std::string> known)
{
    const auto contains = [](std::string_view text, std::string_view part) {
        return std::search(text.begin(), text.end(), part.begin(), part.end(), same_letter) != text.end();
    };
    std::string_view best;
    int best_distance = static_cast<int>(std::max<std::size_t>(2, wanted.size() / 3)) + 1;
    for (const std::string& name : known)
        if (const int distance = edit_distance(wanted, name);
            distance < best_distance && // and a letter is left of it
            distance < static_cast<int>(std::max(wanted.size(), name.size()))) {
            best = name;
            best_distance = distance;
        }
    // Else the shortest that holds it, as 'elbow_pitch' does 'elbow', or the longest that it holds.
    if (best.empty() && wanted.size() >= 3) {
        for (const std::string& name : known)
            if (contains(name, wanted) && (best.empty() || name.size() < best.size()))
                best = name;
        for (const std::string& name : known)
            if (name.size() >= 3 && contains(wanted, name) && name.size() > best.size())
                best = name;
    }
    return best;
}

std::string unknown_name(std::string_view what, std::string_view wanted, std::span<const std::string> known)
{
    std::string text = "unknown " + std::string(what) + " '" + std::string(wanted) + "'";
    if (const std::string_view near = nearest_name(wanted, known); !near.empty())
        return text + "; did you mean '" + std::string(near) + "'?";
    if (known.empty())
        return text + "; there is none";
    text += "; known: ";
    const std::size_t shown = std::min<std::size_t>(known.size(), 20);
    for (std::size_t i = 0; i < shown; ++i)
        text += (i ? ", " : "") + known[i];
    if (shown < known.size())
        text += ", and " + std::to_string(known.size() - shown) + " more";
    return text;
}

std::string number_text(double number)
{
    char buffer[32];
    const auto result = std::to_chars(buffer, buffer + sizeof buffer, number);
    std::string text(buffer, result.ptr);
    // 3e-04 is 3e-4, and 1e+300 is 1e300.
    if (const std::size_t e = text.find('e'); e != text.npos) {
        const std::size_t sign = text[e + 1] == '-' ? e + 2 : e + 1;
        text.erase(sign, text.find_first_not_of("+0", sign) - sign);
    }
    return text;
}

void throw_size(std::string_view function, std::string_view argument, std::size_t got, std::size_t expected)
{
    throw UsageError(std::string(function) + ": " + std::string(argument) + " has size " +
                     std::to_string(got) + ", expected " + std::to_string(expected));
}

} // namespace sweepdyn
