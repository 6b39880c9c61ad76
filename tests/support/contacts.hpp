// Contacts for the laws of grasps: loops of a closed model as contacts of the open one, a box on feet, Painleve's rod.
#pragma once

#include "support/cases.hpp"
#include "sweepdyn/closed/contacts.hpp"

namespace sweepdyn::test {

inline const Pose<double> line_axes{{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}},
                                    {}}; // from a contact frame to its loop's

// The loops of a closed model as contacts of the open one.
struct AsContacts {
    Model model;
    std::vector<Contact> contacts;
};
AsContacts as_contacts(const Model& open, std::span<const Loop> loops);

Numbers six(const Force<double>& w); // [moment; force]

// A box of 2 kg, 0.4 x 0.2 x 0.1 m, on a free hinge; contact frames on the ground below its corners, normals down into the ground.
Model box_on_feet(double gravity = -9.81);
inline const Numbers on_floor{1, 0, 0, 0, 0, 0, 0.05};

// A rod of half length 1 m and 1.5 kg in the plane xz, whose end slides over the floor: "end", "floor".
Model rod_on_floor();
struct RodState {
    Numbers q, v;
};
// The rod at the angle a above the floor, its end at speed along x, turning by spin.
RodState rod_state(double a, double speed, double spin);

} // namespace sweepdyn::test
