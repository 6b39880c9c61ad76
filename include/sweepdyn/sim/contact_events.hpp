// Events of contacts that a plant holds: when one would slip or lift.
//
//     lifts    f_n falls below zero                                                            [closed/contacts.hpp]
//     slips    the margin, mu f_n - |f_t|, falls below zero while it presses
//     where forces are not unique: no internal force keeps all cones any more (Grasp::feasibility)
//
// What a contact kind cannot do (a rigid one slips nor lifts) has no event. Told with time and name; the run goes on, stops, or goes
// on without the contact. Specified by tests/laws/contact_events.cpp.
#pragma once

#include "sweepdyn/sim/events.hpp"
#include "sweepdyn/sim/plant.hpp"

namespace sweepdyn {

enum class OnLost {
    tell, // goes on with the contact as if it held
    stop,
    let_go // detaches the contact
};

// The plant must outlive them. "contact 'thumb' slips", "contact 'thumb' lifts".
std::vector<Event> contact_events(Plant& plant, OnLost on_slip = OnLost::stop, OnLost on_lift = OnLost::stop);

} // namespace sweepdyn
