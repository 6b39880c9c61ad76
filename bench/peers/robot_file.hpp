// The robot file that every side of the benchmark reads. One line per body, parents first, `#` starts a comment:
//
//   parent  kind  axis(3)  rotation(9, by rows)  translation(3)  mass  com(3)  inertia(xx xy xz yy yz zz)
//
// parent: index of an earlier line, -1 is the ground. kind: revolute or prismatic. axis: a unit vector in hinge axes.
// rotation, translation: the hinge frame in the parent's body frame. com and inertia: in body axes, the inertia
// about the centre of mass. Units are SI; gravity is (0, 0, -9.81).
#pragma once

#include <array>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

struct Body {
    int parent;
    std::string kind;
    std::array<double, 3> axis;
    std::array<double, 9> rotation;
    std::array<double, 3> translation;
    double mass;
    std::array<double, 3> com;
    std::array<double, 6> inertia;
};

inline std::vector<Body> read_robot(const std::string& path)
{
    std::ifstream file{path};
    if (!file)
        throw std::runtime_error{"cannot open " + path};
    std::vector<Body> bodies;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        line.resize(line.find('#') == std::string::npos ? line.size() : line.find('#'));
        if (line.find_first_not_of(" \t\r") == std::string::npos)
            continue;
        std::istringstream in{line};
        Body b;
        in >> b.parent >> b.kind;
        for (double& x : b.axis)
            in >> x;
        for (double& x : b.rotation)
            in >> x;
        for (double& x : b.translation)
            in >> x;
        in >> b.mass;
        for (double& x : b.com)
            in >> x;
        for (double& x : b.inertia)
            in >> x;
        const bool known = b.kind == "revolute" || b.kind == "prismatic";
        if (!in || !known || b.parent < -1 || b.parent >= static_cast<int>(bodies.size()))
            throw std::runtime_error{path + ":" + std::to_string(number) + ": not a body"};
        bodies.push_back(b);
    }
    return bodies;
}

} // namespace bench
