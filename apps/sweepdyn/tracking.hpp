// regulate --design tvlqr: gains along a motion.
#pragma once

#include "commands.hpp"

namespace sweepdyn::app {

// Options that mean nothing here would be dropped in silence. Throws UsageError.
void check_tracking(const RegulateOptions& options);
std::string run_tracking(const RegulateOptions& options);

} // namespace sweepdyn::app
