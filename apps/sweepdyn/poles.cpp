// sweepdyn poles: the poles of a mechanism at a state, as JSON.
#include "commands.hpp"
#include "sweepdyn/io/results/analysis.hpp"

namespace sweepdyn::app {

std::string run_poles(const PolesOptions& options)
{
    const auto [name, system] = linear_model("poles", options.linear);
    return write_poles(system, name, {options.modes, options.controllability, options.observability},
                       options.indent ? ResultLayout::indented : ResultLayout::line) +
           "\n";
}

} // namespace sweepdyn::app
