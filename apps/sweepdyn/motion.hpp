// One step of a simulation: the fourth-order commutator-free method of Celledoni, Marthinsen and Owren (2003).
//
//     K1 = f(q)                        K2 = f(q exp(h/2 K1))
//     K3 = f(q exp(h/2 K2))            K4 = f(q exp(h/2 K1) exp(h (K3 - K1/2)))
//     q  <- q exp(h/12 (3 K1 + 2 K2 + 2 K3 - K4)) exp(h/12 (-K1 + 2 K2 + 2 K3 + 3 K4))
//
// Displacements live in the tangent space of the configuration, so quaternions stay of unit length; where the
// configuration is a plain vector this is the classical method of Runge and Kutta.
#pragma once

#include "sweepdyn/robot.hpp"

namespace sweepdyn::app {

struct Moving {
    Eigen::VectorXd q, v;
};

// Under constant hinge forces T.
inline Moving step(Robot& robot, const Moving& x, const Eigen::VectorXd& T, double h)
{
    using Vector = Eigen::VectorXd;
    const auto acceleration = [&](const Vector& q, const Vector& v) -> Vector {
        robot.set_state(q, v);
        return robot.forward_dynamics(T);
    };
    const auto moved = [&](const Vector& q, const Vector& by) { return integrate(robot.model(), q, by); };

    const Vector& v1 = x.v;
    const Vector a1 = acceleration(x.q, v1);
    const Vector q2 = moved(x.q, h / 2 * v1), v2 = x.v + h / 2 * a1;
    const Vector a2 = acceleration(q2, v2);
    const Vector q3 = moved(x.q, h / 2 * v2), v3 = x.v + h / 2 * a2;
    const Vector a3 = acceleration(q3, v3);
    const Vector q4 = moved(q2, h * (v3 - v1 / 2)), v4 = x.v + h * a3;
    const Vector a4 = acceleration(q4, v4);
    const Vector half = moved(x.q, h / 12 * (3 * v1 + 2 * v2 + 2 * v3 - v4));
    return {moved(half, h / 12 * (-v1 + 2 * v2 + 2 * v3 + 3 * v4)),
            x.v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)};
}

} // namespace sweepdyn::app
