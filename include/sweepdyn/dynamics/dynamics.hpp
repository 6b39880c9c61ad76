// All of dynamics/.
#pragma once

#include "sweepdyn/dynamics/block_articulation.hpp"
#include "sweepdyn/dynamics/composite_inertias.hpp"
#include "sweepdyn/dynamics/composite_inverse_dynamics.hpp"
#include "sweepdyn/dynamics/energy.hpp"
#include "sweepdyn/dynamics/external_forces.hpp"
#include "sweepdyn/dynamics/forward_dynamics.hpp"
#include "sweepdyn/dynamics/gravity_forces.hpp"
#include "sweepdyn/dynamics/inertial_inverse_dynamics.hpp"
#include "sweepdyn/dynamics/inverse_dynamics.hpp"
#include "sweepdyn/dynamics/mass_matrix.hpp"
#include "sweepdyn/dynamics/mass_matrix_by_inverse_dynamics.hpp"
#include "sweepdyn/dynamics/momentum.hpp"
#include "sweepdyn/dynamics/passive_forces.hpp"
#include "sweepdyn/dynamics/solve_mass_matrix.hpp"
