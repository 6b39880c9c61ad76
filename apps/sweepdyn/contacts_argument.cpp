#include "contacts_argument.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "output_file.hpp"
#include "state_argument.hpp"
#include "sweepdyn/io/results/state.hpp"
#include "sweepdyn/model/builder.hpp"

namespace sweepdyn::app {
namespace {

template <class E> struct Word {
    const char* word;
    E means;
};

template <class E, std::size_t n>
E one_of(const Word<E> (&words)[n], const char* option, const std::string& typed, bool any_contacts,
         E otherwise)
{
    if (typed.empty())
        return otherwise;
    if (!any_contacts)
        throw UsageError(
            fmt::format("{} {} is about contacts; expected --contacts beside it", option, typed));
    std::vector<std::string> known;
    for (const Word<E>& one : words) {
        if (typed == one.word)
            return one.means;
        known.emplace_back(one.word);
    }
    throw UsageError(fmt::format("{}: {}", option, unknown_name("word", typed, known)));
}

constexpr Word<OnLost> slips[] = {
    {"tell", OnLost::tell}, {"stop", OnLost::stop}, {"let-go", OnLost::let_go}, {"slide", OnLost::slide}};
constexpr Word<OnLost> lifts[] = {{"tell", OnLost::tell}, {"stop", OnLost::stop}, {"let-go", OnLost::let_go}};
constexpr Word<OnRest> rests[] = {{"tell", OnRest::tell}, {"stop", OnRest::stop}, {"stick", OnRest::stick}};

} // namespace

ContactsArgument::ContactsArgument(const SimulateOptions& options)
    : file_(options.contacts),
      on_slip_(one_of(slips, "--on-slip", options.on_slip, !file_.empty(), OnLost::stop)),
      on_lift_(one_of(lifts, "--on-lift", options.on_lift, !file_.empty(), OnLost::stop)),
      on_rest_(one_of(rests, "--on-rest", options.on_rest, !file_.empty(), OnRest::stick))
{
    if (!file_.empty())
        list_ = read_contacts(read_text(file_), file_);
}

Model ContactsArgument::on_ground(Model model) const
{
    if (!list_.on_ground.empty()) {
        ModelBuilder builder(model);
        for (const Frame& frame : list_.on_ground)
            builder.add_frame(frame);
        model = builder.build();
    }
    std::vector<std::string> faults;
    for (const Contact& contact : list_.contacts)
        try {
            check_contact(model, contact);
        } catch (const UsageError& error) {
            faults.emplace_back(error.what());
        }
    if (!faults.empty())
        throw StateError(file_, faults);
    return model;
}

void ContactsArgument::begin(Plant& plant, const Instant& start, std::vector<Event>& events) const
{
    if (list_.contacts.empty())
        return;
    Grasp& grasp = *plant.grasp();
    grasp.set_state(start.q, start.v);
    for (std::size_t i = 0; i < list_.here.size(); ++i)
        if (list_.here[i]) {
            const Contact& contact = list_.contacts[i];
            const bool plane = std::any_of(list_.on_ground.begin(), list_.on_ground.end(),
                                           [&](const Frame& frame) { return frame.name == contact.object; });
            if (const double depth = grasp.depth(static_cast<int>(i)); plane && !(std::abs(depth) <= 0.01))
                throw RefusedError(fmt::format("{}: contact '{}': its hand is {:.3g} m {} the plane of its "
                                               "ground; \"here\" is any place on "
                                               "that plane, so move the plane, or begin where they meet",
                                               file_, contact.name, std::abs(depth),
                                               depth > 0 ? "below" : "above"));
            grasp.attach_here(static_cast<int>(i));
        }
    for (Event& event : contact_events(plant, on_slip_, on_lift_, on_rest_))
        events.push_back(std::move(event));
}

} // namespace sweepdyn::app
