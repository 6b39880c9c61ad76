// The shapes of the native file: names and numbers of sizes, as reader and writer share them.
#pragma once

#include <array>
#include <string_view>

#include "sweepdyn/model/model.hpp"

namespace sweepdyn::native {

struct ShapeKind {
    Shape::Kind kind;
    std::string_view name;
    std::size_t sizes;
    std::string_view expected;
};
inline constexpr std::array<ShapeKind, 5> shape_kinds{
    {{Shape::Kind::box, "box", 3, "3 numbers, x y z"},
     {Shape::Kind::cylinder, "cylinder", 2, "2 numbers, radius and length"},
     {Shape::Kind::sphere, "sphere", 1, "1 number, the radius"},
     {Shape::Kind::capsule, "capsule", 2, "2 numbers, radius and length"},
     {Shape::Kind::mesh, "mesh", 3, "3 numbers, the scale along x y z"}}};
inline const ShapeKind& row(Shape::Kind kind) { return shape_kinds[static_cast<std::size_t>(kind)]; }

} // namespace sweepdyn::native
