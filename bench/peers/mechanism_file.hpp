// The mechanism file that both sides of bench/closed read, at one state that closes the loops. One line per thing:
//
//   body  parent kind axis(3) axis2(3) rotation(9, by rows) translation(3) mass com(3) inertia(xx xy xz yy yz zz)
//   loop  kind body_a rotation_a(9) position_a(3) body_b rotation_b(9) position_b(3)
//   q | v | T | independent   how many, then the numbers
//
// Bodies as in robot_file.hpp, of kind revolute, prismatic, universal or free too; loops are ball, weld or planar_pin. q, v, T are
// Sweepdyn's (docs/conventions.md).
#pragma once

#include <array>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

struct Placement {
    std::array<double, 9> rotation;
    std::array<double, 3> translation;
};
struct JointedBody {
    int parent;
    std::string kind;
    std::array<double, 3> axis, axis2;
    Placement placement;
    double mass;
    std::array<double, 3> com;
    std::array<double, 6> inertia;
};
struct CutLoop {
    std::string kind;
    int a, b;
    Placement in_a, in_b;
};
struct Mechanism {
    std::vector<JointedBody> bodies;
    std::vector<CutLoop> loops;
    std::vector<double> q, v, T;
    std::vector<int> independent; // dofs
};

inline std::istream& operator>>(std::istream& in, Placement& p)
{
    for (double& x : p.rotation)
        in >> x;
    for (double& x : p.translation)
        in >> x;
    return in;
}

inline Mechanism read_mechanism(const std::string& path)
{
    std::ifstream file{path};
    if (!file)
        throw std::runtime_error{"cannot open " + path};
    Mechanism m;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        std::istringstream in{line};
        const auto numbers = [&](auto& list) {
            std::size_t count = 0;
            in >> count;
            list.resize(count);
            for (auto& x : list)
                in >> x;
        };
        std::string word;
        in >> word;
        if (word == "body") {
            JointedBody b;
            in >> b.parent >> b.kind;
            for (auto* axis : {&b.axis, &b.axis2})
                for (double& x : *axis)
                    in >> x;
            in >> b.placement >> b.mass;
            for (double& x : b.com)
                in >> x;
            for (double& x : b.inertia)
                in >> x;
            m.bodies.push_back(b);
        } else if (word == "loop") {
            CutLoop l;
            in >> l.kind >> l.a >> l.in_a >> l.b >> l.in_b;
            m.loops.push_back(l);
        } else if (word == "independent")
            numbers(m.independent);
        else if (word == "q" || word == "v" || word == "T")
            numbers(word == "q" ? m.q : word == "v" ? m.v : m.T);
        if (!in || word.empty())
            throw std::runtime_error{path + ":" + std::to_string(number) + ": not a line of a mechanism"};
    }
    return m;
}

} // namespace bench
