// How the library says no: what, where, got, expected, what to do.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sweepdyn {

// Wrong use of a function: a wrong size, an unknown name, a stale stage.
struct UsageError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// A model that cannot be: carries every fault found, not only the first.
struct ModelError : std::runtime_error {
    explicit ModelError(std::string_view where, std::vector<std::string> all_faults);
    std::vector<std::string> faults;
};

// A question that this model cannot answer, such as forward dynamics of a massless hinge.
struct RefusedError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

namespace detail {
inline std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }
} // namespace detail

// Of the known names the one most like `wanted`, or nothing when none is near.
std::string_view nearest_name(std::string_view wanted, std::span<const std::string> known);

// "unknown hinge 'elbo'; did you mean 'elbow'?" or, when nothing is near, a list of what exists.
std::string unknown_name(std::string_view what, std::string_view wanted, std::span<const std::string> known);

// Shortest decimal text that reads back to the same number.
std::string number_text(double number);

// Throws UsageError unless got == expected.
[[noreturn]] void throw_size(std::string_view function, std::string_view argument, std::size_t got,
                             std::size_t expected);
inline void require_size(std::string_view function, std::string_view argument, std::size_t got,
                         std::size_t expected)
{
    if (got != expected) [[unlikely]]
        throw_size(function, argument, got, expected);
}

} // namespace sweepdyn
