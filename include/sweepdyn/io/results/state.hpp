// States of a mechanism as JSON: what `sweepdyn compute --state` reads.
//
//     {"q": ..., "v": ..., "a": ..., "T": ..., "base": {...}, "external": [...]}      every key may be missing
//
//   q, v, a, T  by hinge name, {"elbow": 0.3, "ball": [1, 0, 0, 0]}: a number for one dof, else an array in the layout
//               of model/hinge.hpp; what is not named is neutral or zero.
//               Or as one array of all coordinates (q) or dofs (v, a, T), the base among them.
//   base        of a floating base, beside hinges by name: "p" [3], "quat" [w, x, y, z], and "twist", "accel",
//               "wrench" [6] in the base body's axes about its origin, angular first; accel is the rate of the twist,
//               number by number. They are the coordinates, velocities and forces of the free hinge: p and quat are
//               relative to its frame in the parent, the world unless the file places it elsewhere.
//   external    [{"frame": NAME, "wrench": [6], "axes": "world" | "frame"}]: moment and force about the frame's origin;
//               axes may be missing: world.
//
// Quaternions must be of unit length within 1e-6, and are normalised.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sweepdyn/dynamics/external_forces.hpp"

namespace sweepdyn {

// A state that cannot be read: carries every fault found in it.
struct StateError : std::runtime_error {
    StateError(std::string_view where, std::vector<std::string> all_faults);
    std::vector<std::string> faults;
};

struct State {
    // Neutral, at rest, free of forces.
    explicit State(const Model& model);

    std::vector<double> q; // coordinates
    std::vector<double> v, a, T; // one number per dof
    bool gives_a = false, gives_T = false; // whether any number of them was written down
    std::vector<ExternalWrench> external{};
    std::string where{}; // for messages: "poses.jsonl, line 3"; empty when nobody wrote it down
};

class StateReader {
public:
    explicit StateReader(const Model& model);

    // One JSON document. Throws StateError.
    State read(std::string_view json, std::string_view where = "state") const;
    // One document over any number of lines, or JSON Lines, one state each; the first line tells: it is a document, or not.
    // Throws StateError for the first state that cannot be read, with its line.
    std::vector<State> read_all(std::string_view text, std::string_view where = "state") const;

private:
    Model model_;
    std::vector<std::string> hinge_names_;
    std::unordered_map<std::string, int> hinge_index_;
};

} // namespace sweepdyn
