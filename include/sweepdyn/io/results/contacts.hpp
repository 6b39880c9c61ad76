// Contacts of a simulation as JSON: what `sweepdyn simulate --contacts` reads.
//
//     {"contacts": [{"name": "left foot", "kind": "point", "hand": FRAME, "object": FRAME, "mu": 0.6, "mu_spin": m, "length": m,
//                    "here": true}, ...]}
//
// kind and numbers as in closed/contacts.hpp; mu is 0.5 when missing. The object's frame has z INTO the object. In its place a plane of the
// ground may stand, {"ground": {"point": [x, y, z], "normal": [x, y, z]}}, its normal out of the ground: it becomes a frame of the model
// of the contact's name with " on the ground". here: where the hand is at the start, not where the frame is.
#pragma once

#include <string_view>

#include "sweepdyn/closed/contacts.hpp"

namespace sweepdyn {

struct ContactList {
    std::vector<Contact> contacts;
    std::vector<char> here; // of each
    std::vector<Frame> on_ground; // that the model has not yet
};

// Throws StateError with every fault. Frames are looked up by who uses them.
ContactList read_contacts(std::string_view text, std::string_view where);

} // namespace sweepdyn
