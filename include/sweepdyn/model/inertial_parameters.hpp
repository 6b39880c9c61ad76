// The inertial parameters of bodies: ten numbers per body, in which hinge forces are linear.
//
//     pi(k) = m,  mx my mz,  Jxx Jxy Jxz Jyy Jyz Jzz          names: BODY.m, BODY.mx, ..., BODY.Jzz
//
// m is the mass, m c the first moment, J the inertia about the ORIGIN OF THE BODY FRAME, J = Jc - m c~ c~; all in the body's own
// axes. All of a model are one list, body after body in the model's order.
#pragma once

#include <string>
#include <vector>

#include "sweepdyn/model/model.hpp"

namespace sweepdyn {

inline constexpr int parameters_per_body = 10;

// Of all bodies: 10 x bodies numbers, and their names.
std::vector<double> inertial_parameters(const Model& model);
std::vector<std::string> inertial_parameter_names(const Model& model);

// The same model with other inertial parameters. What no body can have (a negative mass, a first moment without mass,
// a negative principal moment) is refused: ModelError names all of it at once. What is only doubtful (principal moments that
// break the triangle inequality) stands among the notes, as for any model.
Model with_inertial_parameters(const Model& model, std::span<const double> pi);

} // namespace sweepdyn
