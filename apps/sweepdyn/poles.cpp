// sweepdyn poles: the poles of a mechanism at a state, as JSON.
#include "commands.hpp"
#include "sweepdyn/io/results/analysis.hpp"

namespace sweepdyn::app {

std::string run_poles(const PolesOptions& options)
{
    const LinearModel linear = linear_model(options.linear, "poles");
    return write_poles(linear.system, linear.model.name(),
                       {options.modes, options.controllability, options.observability},
                       options.indent ? ResultLayout::indented : ResultLayout::line) +
           "\n";
}

} // namespace sweepdyn::app
