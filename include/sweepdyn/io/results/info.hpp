// What a model is made of, as JSON: what `sweepdyn info --json` prints.
//
//     {"model": NAME,
//      "bodies": [{"name", "parent", "mass"}],                             parent is null on the ground
//      "hinges": [{"name", "kind", "parent", "child", "dofs", "limits"}],  dofs by name; limits {"lower", "upper",
//                                                                          "velocity", "effort"}, each one number per
//                                                                          dof or null; no limit is null
//      "frames": [NAMES], "dofs": [NAMES],
//      "actuated": [DOFS] | null,                                          null: the file does not say
//      "total_mass": of what can move, "floating": true | false,
//      "mimic": [{"name", "hinge", "of", "multiplier", "offset"}],         couplings of the form q(hinge) = multiplier q(of) + offset
//      "loops": [{"name", "kind", "rows", "body_a", "body_b"}],            a coupling has "equation" in the place of bodies
//      "topology": {"clusters": [{"hinges", "loops", "dofs", "rows"}],     hinges that move together, through which loops; dofs and
//                                                                          rows are counts; hinges on no loop are not listed
//                   "distant": [LOOPS],                                    couplings too far apart for a cluster: found globally
//                   "at": WORDS | null,                                    the configuration of the next three; null: none was found
//                                                                          that closes the loops, and they are null too
//                   "mobility": NUMBER, "independent": [DOFS],
//                   "redundant": [{"loops", "rows", "kept", "dropped"}]},  rows too many; the least pivot that counts and the largest
//                                                                          that does not, of the largest
//      "notes": [TEXTS]}
//
// Frames are those besides the bodies, whose names serve as frames too.
#pragma once

#include <string>

#include "sweepdyn/dynamics/loop_force.hpp"
#include "sweepdyn/kinematics/mobility.hpp"
#include "sweepdyn/model/model.hpp"

namespace sweepdyn {

// How a mechanism can move, at some configuration.
struct MobilityReport {
    std::string
        at{}; // in words: "the state of the file"; empty: no configuration was found that closes the loops
    std::string unknown{}; // why none was, by loop
    std::vector<std::string> independent{}; // dofs
    std::vector<Redundancy> redundant{};
    std::vector<SingularPose> singular{};
};

// Without a newline at the end.
std::string write_info(const Model& model, const MobilityReport& mobility);

} // namespace sweepdyn
