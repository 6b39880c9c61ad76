#include "sweepdyn/linear/linearize.hpp"

#include "linear/near_point.hpp"

namespace sweepdyn {

StateSpace linearize(const Model& model, const OperatingPoint& point, const LinearizeOptions& options)
{
    detail::require_point(model, point, "linearize");
    return detail::system_near_point(model, point, options, *detail::near_point(model, point, options));
}

} // namespace sweepdyn
