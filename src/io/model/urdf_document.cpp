#include "urdf_document.hpp"

#include <fmt/format.h>

#include "model_text.hpp"
#include "urdf_xacro.hpp"

namespace sweepdyn::urdf_reader {
namespace {

[[noreturn]] void refuse(std::string_view source, std::string fault)
{
    throw ModelError(source, {std::move(fault)});
}

std::string other_format(const Element& root)
{
    const std::string_view name = root.Name();
    if (name == "sdf" || name == "gazebo")
        return "this is SDF, the format of Gazebo, expected URDF; load_model reads both";
    if (name == "mujoco" || name == "mujocoinclude")
        return "this is MJCF, the format of MuJoCo, expected URDF; load_model reads both";
    if (name == "COLLADA")
        return "this is COLLADA, a mesh; give the URDF file that refers to it";
    return "this is not URDF; expected the root element <robot>";
}

} // namespace

const Element& parse_document(tinyxml2::XMLDocument& document, std::string_view text, std::string_view source)
{
    const Element& root = parse_xml(document, text, source, "robot");
    if (std::string_view(root.Name()) != "robot")
        refuse(source, fmt::format("{}: {}", where(root), other_format(root)));
    if (const Element* second = root.NextSiblingElement())
        refuse(source,
               fmt::format("{}: a second root element; everything belongs into one <robot>", where(*second)));
    if (const std::string fault = xacro_fault(root, source); !fault.empty())
        refuse(source, fault);
    return root;
}

} // namespace sweepdyn::urdf_reader
