// What readers do with their options once the builder has all that the file says.
#pragma once

#include "sweepdyn/io/model/load.hpp"
#include "sweepdyn/model/builder.hpp"

namespace sweepdyn::model_reader {
struct Report;
}

namespace sweepdyn::detail {

// Gravity, base, merging, strictness. Throws ModelError with every fault, after the source's name.
Model finish(ModelBuilder& builder, const std::string& source, const LoadOptions& options);
// Before that, what a reader of XML has found. Without a body its faults are all there is to tell.
Model finish(ModelBuilder& builder, model_reader::Report& report, const std::string& source,
             const LoadOptions& options);

} // namespace sweepdyn::detail
