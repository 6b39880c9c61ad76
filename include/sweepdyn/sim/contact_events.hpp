// Events of contacts that a plant holds: when one would slip or lift, and when one that slides comes to rest.
//
//     lifts    f_n falls below zero                                                            [closed/contacts.hpp]
//     slips    the margin, mu f_n - |f_t|, falls below zero while it presses
//     comes to rest   the slip, seen along the way that it went, falls to zero; so does one that begins at rest     [closed/contact_rows.hpp]
//     where forces are not unique: no internal force keeps all cones any more (Grasp::feasibility). Those with a share in that give way together,
//     named by the event's words: the ones that do not push lift, the others slip, two events
//
// What a contact kind cannot do (a rigid one neither slips nor lifts) has no event. Told with time and name; the run goes on, stops, or goes
// on without the contact. With OnLost::slide and OnRest::stick contacts slide, rest and slide again, each time the way that friction gives
// way first. Specified by tests/laws/contact_events.cpp, tests/laws/stick_and_slide.cpp and tests/laws/feet.cpp.
#pragma once

#include "sweepdyn/sim/events.hpp"
#include "sweepdyn/sim/plant.hpp"

namespace sweepdyn {

enum class OnLost {
    tell, // goes on with the contact as if it held; one that slides and lifts is let go
    stop,
    let_go, // detaches the contact, or all that give way together
    slide // a point that slips becomes a sliding contact; what cannot slide stops
};
enum class OnRest {
    tell,
    stop,
    stick // becomes a point, which may slip again
};

// The plant must outlive them. "contact 'thumb' slips", "contact 'thumb' lifts", "contact 'thumb' comes to rest".
std::vector<Event> contact_events(Plant& plant, OnLost on_slip = OnLost::stop, OnLost on_lift = OnLost::stop,
                                  OnRest on_rest = OnRest::stick);

} // namespace sweepdyn
