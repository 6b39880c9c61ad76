// The commands. Each returns what goes to stdout, whole, so that an error leaves nothing there.
#pragma once

#include <string>
#include <vector>

#include "model_argument.hpp"

namespace sweepdyn::app {

struct InfoOptions {
    ModelArgument model;
    bool json = false;
    bool ascii = false;
};
std::string run_info(const InfoOptions& options);

struct ComputeOptions {
    ModelArgument model;
    std::string state;            // a file, - for stdin, or empty: neutral, at rest
    std::vector<std::string> get; // names with commas between
    bool passive = false;
    std::string friction_speed; // "" or a number
    bool indent = false;
};
std::string run_compute(const ComputeOptions& options);

struct ConvertOptions {
    ModelArgument model;
    std::string output; // a file; empty: stdout
};
std::string run_convert(const ConvertOptions& options);

struct DemoOptions {
    bool ascii = false;
};
std::string run_demo(const DemoOptions& options);

struct EvalOptions {
    ModelArgument model;
    std::string expression, state, about, vector;
    bool indent = false;
};
std::string run_eval(const EvalOptions& options);

struct ExplainOptions {
    std::string expression, form;
    ModelArgument model;
};
std::string run_explain(const ExplainOptions& options);

struct IdentitiesOptions {
    ModelArgument model;
    std::string state;
    bool json = false;
};
std::string run_identities(const IdentitiesOptions& options);

} // namespace sweepdyn::app
