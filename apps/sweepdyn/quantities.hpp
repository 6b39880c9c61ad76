// What `compute --get` can be asked for: one table for the names, the help and the computation.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evaluation.hpp"
#include "sweepdyn/io/results/result.hpp"

namespace sweepdyn::app {

// What a request is of: frames or hinges, by index.
struct Target {
    std::vector<int> indices;
    operator int() const { return indices.empty() ? -1 : indices.front(); }
};

struct Quantity {
    enum class Of { system, frame, frames, hinge };

    std::string_view name;
    Of of; // what follows the name after a colon
    std::string_view help;
    ResultValue (*compute)(Evaluation&, const Target&);
};
std::span<const Quantity> quantities();

// The table as text, for --help.
std::string quantities_help();

struct Request {
    std::string key; // as typed
    const Quantity* quantity;
    std::vector<std::string> names; // of the frames or the hinge
    Target target{};                // their indices in the model, by resolve
};

// From lists with commas between. Throws UsageError with every unknown name and what was meant.
std::vector<Request> parse_requests(std::span<const std::string> lists);
// Finds frames and hinges. Throws UsageError with every unknown name.
void resolve(std::vector<Request>& requests, const Model& model);

} // namespace sweepdyn::app
