// The spaces between which operators act. Each has a dual: motions and the forces that pair with them to power.
//
//     hinge    one number per dof                                     v, T
//     body     a spatial vector per body, world axes, about the body's reference point
//     frame    a spatial vector per frame of a chosen set, world axes, about the frame's origin
//     world    one spatial vector, world axes, about the world origin
//     one      a single number: a vector x of a space X is an operator X <- one
#pragma once

#include <string_view>

namespace sweepdyn::algebra {

enum class Space {
    one,
    hinge_motion,
    hinge_force,
    body_motion,
    body_force,
    frame_motion,
    frame_force,
    world_motion,
    world_force
};

constexpr Space dual(Space space)
{
    switch (space) {
    case Space::one: return Space::one;
    case Space::hinge_motion: return Space::hinge_force;
    case Space::hinge_force: return Space::hinge_motion;
    case Space::body_motion: return Space::body_force;
    case Space::body_force: return Space::body_motion;
    case Space::frame_motion: return Space::frame_force;
    case Space::frame_force: return Space::frame_motion;
    case Space::world_motion: return Space::world_force;
    case Space::world_force: break;
    }
    return Space::world_motion;
}
constexpr std::string_view name(Space space)
{
    switch (space) {
    case Space::one: return "One";
    case Space::hinge_motion: return "HingeMotion";
    case Space::hinge_force: return "HingeForce";
    case Space::body_motion: return "BodyMotion";
    case Space::body_force: return "BodyForce";
    case Space::frame_motion: return "FrameMotion";
    case Space::frame_force: return "FrameForce";
    case Space::world_motion: return "WorldMotion";
    case Space::world_force: break;
    }
    return "WorldForce";
}
constexpr bool is_hinge(Space s) { return s == Space::hinge_motion || s == Space::hinge_force; }
constexpr bool is_body(Space s) { return s == Space::body_motion || s == Space::body_force; }
constexpr bool is_frame(Space s) { return s == Space::frame_motion || s == Space::frame_force; }
constexpr bool is_motion(Space s)
{
    return s == Space::hinge_motion || s == Space::body_motion || s == Space::frame_motion ||
           s == Space::world_motion;
}

// The same as types, for what the compiler checks.
template <Space which>
struct SpaceTag {
    static constexpr Space space = which;
};
struct One : SpaceTag<Space::one> {};
struct HingeMotion : SpaceTag<Space::hinge_motion> {};
struct HingeForce : SpaceTag<Space::hinge_force> {};
struct BodyMotion : SpaceTag<Space::body_motion> {};
struct BodyForce : SpaceTag<Space::body_force> {};
struct FrameMotion : SpaceTag<Space::frame_motion> {};
struct FrameForce : SpaceTag<Space::frame_force> {};
struct WorldMotion : SpaceTag<Space::world_motion> {};
struct WorldForce : SpaceTag<Space::world_force> {};

template <class X> struct DualOf;
template <> struct DualOf<One> {
    using type = One;
};
template <> struct DualOf<HingeMotion> {
    using type = HingeForce;
};
template <> struct DualOf<HingeForce> {
    using type = HingeMotion;
};
template <> struct DualOf<BodyMotion> {
    using type = BodyForce;
};
template <> struct DualOf<BodyForce> {
    using type = BodyMotion;
};
template <> struct DualOf<FrameMotion> {
    using type = FrameForce;
};
template <> struct DualOf<FrameForce> {
    using type = FrameMotion;
};
template <> struct DualOf<WorldMotion> {
    using type = WorldForce;
};
template <> struct DualOf<WorldForce> {
    using type = WorldMotion;
};
template <class X> using Dual = typename DualOf<X>::type;

} // namespace sweepdyn::algebra
