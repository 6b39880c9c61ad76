// Everything that most programs need.
#pragma once

#include "sweepdyn/functions.hpp"
#include "sweepdyn/io/model/load.hpp"
#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/robot.hpp"
