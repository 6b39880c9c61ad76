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

} // namespace sweepdyn::app
