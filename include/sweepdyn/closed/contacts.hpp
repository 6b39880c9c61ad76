// Contacts between a hand and an object: what each kind carries, and what friction allows of it.
//
//   kind          rows   carries                                      a loop of kind
//   rigid         6      everything                                   weld
//   line          5      all but a moment about the line, x           revolute
//   point         3      forces                                       ball
//   soft_finger   4      forces, and a moment about the normal        soft_finger
//   frictionless  1      a normal force where the hand's point is     rows z
//   sliding       1      the same, and friction mu f_n against the slip
//
// The contact frame lies in the object: z is its INWARD normal, so that the hand pushes with f_n = f_z > 0 on the object; x is the line of
// a line contact. The hand's frame gives the contact point (rigid and line contacts: its axes too).
//     point         |f_t| <= mu f_n
//     soft_finger   (f_t/mu)^2 + (m_n/mu_spin)^2 <= f_n^2
//     line          pressure at the ends of the segment, each within its cone: exactly what pressure anywhere between them can do;
//                   centre of pressure x = -m_y/f_n within half its length
// Specified by tests/laws/grasps.cpp and tests/laws/grasp_forces.cpp.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sweepdyn/closed/cones.hpp"
#include "sweepdyn/model/model.hpp"

namespace sweepdyn {

enum class ContactKind { rigid, line, point, soft_finger, frictionless, sliding };
std::string_view name(ContactKind kind);

struct Contact {
    std::string name{}; // empty: contact0, contact1, ...
    ContactKind kind = ContactKind::point;
    std::string hand{}, object{}; // frames of the model
    double mu = 0.5;
    double mu_spin = 0.0; // metres, of a soft finger
    double length = 0.0; // metres, of a line
};

// Throws UsageError: unknown frames, both on one body, numbers that cannot be.
void check_contact(const Model& model, const Contact& contact);
Loop loop_of(const Model& model, const Contact& contact);

// The model with the contacts as loops of their names: what lasts long enough to be linearized, trimmed or assembled. A sliding contact is
// refused: its friction goes with the velocity, and is no loop.
Model with_contacts(const Model& model, std::span<const Contact> contacts);

// Where a contact stands within what friction allows. Forces on the object, axes and origin of the contact frame.
struct ContactState {
    Force<double> wrench{};
    bool unique = true, normal_unique = true; // whether the mechanics determine all of it; the normal force
    double normal = 0.0, tangential = 0.0; // newtons
    double margin =
        0.0; // newtons: mu f_n - |f_t|, of a soft finger mu (f_n - sqrt((f_t/mu)^2 + (m_n/mu_spin)^2)), of a line twice that of
    // its worse end; infinite where rigid
    bool lifts = false; // f_n < 0
    bool slips = false; // margin < 0 while it neither lifts nor, a line, tips over an end
    double centre_of_pressure = 0.0; // metres along the line
    bool within_segment = true;
};
ContactState contact_state(const Contact& contact, const Force<double>& wrench);

// How many unknowns of its own a contact's cones have: a line's ends may share the force along it in any way.
int num_own_unknowns(const Contact& contact);
// Appends the cones. parts: the wrench's constant, then its slopes with each unknown; own: place of the contact's own unknown.
void add_cones(const Contact& contact, const std::vector<Force<double>>& parts, int own,
               std::vector<ForceCone>& cones);

} // namespace sweepdyn
