// --contacts of simulate, and what a contact does when it slips, lifts or comes to rest.
#pragma once

#include "commands.hpp"
#include "sweepdyn/io/results/contacts.hpp"
#include "sweepdyn/sim/contact_events.hpp"

namespace sweepdyn::app {

class ContactsArgument {
public:
    // Throws UsageError: unknown words; what needs --contacts, without them.
    explicit ContactsArgument(const SimulateOptions& options);

    // The model with the frames on the ground that contacts name. Throws StateError: what is wrong in the file.
    Model on_ground(Model model) const;
    std::span<const Contact> contacts() const { return list_.contacts; }
    // Those that are `here` hold where their hands are. Appends the events.
    void begin(Plant& plant, const Instant& start, std::vector<Event>& events) const;

private:
    std::string file_;
    ContactList list_;
    OnLost on_slip_, on_lift_;
    OnRest on_rest_;
};

} // namespace sweepdyn::app
