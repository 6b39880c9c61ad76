// Merges what cannot move against its parent.
#pragma once

#include "sweepdyn/model/model.hpp"

namespace sweepdyn {

// A body on a weld becomes part of the body that carries it: inertia, visuals and collisions are added, and a frame keeps
// its name and place. A body welded to the ground becomes a frame on the ground; its inertia does nothing and its
// shapes have nowhere to be, so both go. Hinge names of welds go too. The motion of the rest is unchanged; but
// what floated on a welded body floats on the ground then and, alone there, is the floating base.
// When nothing in the model can move, it is returned as it is, with a remark. Doubts are those of the merged model;
// when `strict`, they are faults.
Model merge_welds(const Model& model, bool strict = false);

} // namespace sweepdyn
