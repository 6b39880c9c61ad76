// How the joints of a robot hang its links together.
#pragma once

#include "urdf_robot.hpp"

namespace sweepdyn::urdf_reader {

struct Layout {
    int root = -1;             // index of the root link
    std::vector<int> joint_of; // of each link: the joint that carries it, -1 for the root
    std::vector<int> order;    // of the links: depth first, siblings in the order of their joints
};

// Faults: no link, several roots, a cycle, two parents, unknown links. There is a layout only when nothing in the report is
// a fault, also of those found before.
std::optional<Layout> lay_out(const Robot& robot, Report& report);

} // namespace sweepdyn::urdf_reader
