// Laws of mechanics, checked on a robot at a state: each computed by two roads that must meet.
#pragma once

#include <string>
#include <vector>

#include "motion.hpp"

namespace sweepdyn::app {

struct Law {
    std::string statement;
    std::string number; // what came out
    bool holds;
};

// The largest difference, relative to the largest entry of b.
double relative_error(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

// Of any model that has inertia everywhere, at q, v under hinge forces T.
std::vector<Law> laws_at(const Model& model, const Moving& x, const Eigen::VectorXd& T);

// Of a floating robot left alone in space: one second of motion by inner forces, and another choice of root.
std::vector<Law> laws_of_floating(const Model& model, const std::string& other_root);

} // namespace sweepdyn::app
