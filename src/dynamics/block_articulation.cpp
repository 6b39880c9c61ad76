#include "sweepdyn/dynamics/block_articulation.hpp"

namespace sweepdyn {
namespace detail {

void throw_singular_hinge(const Model& model, int hinge, bool of_frames)
{
    const std::string name = quoted(model.hinges()[static_cast<std::size_t>(hinge)].name);
    if (of_frames)
        throw RefusedError(
            "hinge " + name +
            " moves the frames not at all, or only as the hinges outboard of it do, so J* W J has no "
            "inverse; an arm has one where its Jacobian has independent columns");
    throw RefusedError(
        "no inertia to move at hinge " + name +
        ", so D has no inverse and P, G, psi do not exist; give mass and inertia to what it carries, or "
        "armature to the hinge");
}

} // namespace detail

template struct BlockArticulation<double>;
template struct BlockArticulation<float>;
template void articulate(const Kinematics<double>&, BlockArticulation<double>&);
template void articulate(const Kinematics<float>&, BlockArticulation<float>&);

} // namespace sweepdyn
