// A rotor behind a gear of N : 1 is a body, or, cheaper, armature N^2 J of the hinge that it drives. Whose housing stands still these are the
// same; whose housing turns at w, the rotor turns at w + N v and armature leaves out the N J between them.
#include <gtest/gtest.h>

#include "support/cases.hpp"
#include "support/compare.hpp"
#include "sweepdyn/dynamics/closed_mechanism.hpp"
#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/robot.hpp"

namespace sweepdyn {
namespace {

using namespace test;

constexpr double length = 0.7, J = 3e-4, mass = 0.4;

// Two links in the plane xy, a rotor on the axis of one of the hinges, housed by what carries that hinge.
ModelBuilder two_links()
{
    ModelBuilder builder("arm");
    builder.set_gravity({0, -9.81, 0});
    for (const std::string name : {"shoulder", "elbow"}) {
        builder.add_body({name, 2.0, {0.3, 0.02, 0}, Sym3<double>::diagonal(0.01, 0.1, 0.1)});
        Hinge hinge{.name = name, .kind = HingeKind::revolute, .child = name, .axis = {0, 0, 1}};
        if (name == "elbow")
            hinge.parent = "shoulder", hinge.X_PF.p = {length, 0, 0};
        builder.add_hinge(hinge);
    }
    return builder;
}

Model with_rotor(const std::string& on, double ratio)
{
    ModelBuilder builder = two_links();
    builder.add_body({"rotor", mass, {}, Sym3<double>::diagonal(J, J, J)});
    Hinge hinge{.name = "rotor", .kind = HingeKind::revolute, .child = "rotor", .axis = {0, 0, 1}};
    if (on == "elbow")
        hinge.parent = "shoulder", hinge.X_PF.p = {length, 0, 0};
    builder.add_hinge(hinge);
    builder.add_loop(mimic("gear", "rotor", on, ratio));
    return builder.build();
}

const Numbers q{0.4, -1.1}, v{2.0, -3.0}, T{1.5, -0.7};

MatrixXd mass_matrix(const Model& model, double ratio, std::size_t drives, Numbers& v_dot)
{
    ClosedMechanism mechanism(model);
    mechanism.prefer_independent(std::vector<int>{0, 1});
    mechanism.set(Numbers{q[0], q[1], ratio * q[drives]}, Numbers{v[0], v[1], ratio * v[drives]});
    v_dot.resize(3);
    mechanism.forward_dynamics(Numbers{T[0], T[1], 0}, v_dot);
    v_dot.resize(2);
    const std::vector<double> M = mechanism.mass_matrix();
    return MatrixXd::Map(M.data(), 2, 2);
}

MatrixXd tree_mass_matrix(const Model& model, Numbers& v_dot)
{
    Robot robot(model);
    robot.set_state(VectorXd::Map(q.data(), 2), VectorXd::Map(v.data(), 2));
    const VectorXd a = robot.forward_dynamics(VectorXd::Map(T.data(), 2));
    v_dot.assign(a.begin(), a.end());
    return robot.mass_matrix();
}

TEST(Rotors, OnTheGroundTheyAreArmature)
{
    for (const double ratio : {1.0, -7.0, 100.0}) {
        ModelBuilder builder = two_links();
        builder.hinges()[0].armature = {ratio * ratio * J};
        Numbers cheap, whole;
        const MatrixXd M = tree_mass_matrix(builder.build(), cheap);
        expect_equal("M", "rotor at the shoulder",
                     mass_matrix(with_rotor("shoulder", ratio), ratio, 0, whole), M);
        expect_equal("v_dot", "rotor at the shoulder", whole, cheap, {.condition = 1e2});
    }
}

TEST(Rotors, OnALinkTheyTurnWithIt)
{
    for (const double ratio : {1.0, -7.0, 100.0}) {
        Numbers cheap, whole;
        MatrixXd M = tree_mass_matrix(two_links().build(), cheap);
        M(0, 0) += mass * length * length;
        M += J * (MatrixXd(2, 2) << 1, ratio, ratio, ratio * ratio).finished();
        expect_equal("M", "rotor at the elbow", mass_matrix(with_rotor("elbow", ratio), ratio, 1, whole), M);
    }
}

} // namespace
} // namespace sweepdyn
