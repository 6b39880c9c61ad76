// A mechanism with loops, as a command was told of it: which dofs are which, and whether a state closes the loops.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sweepdyn/dynamics/closed_mechanism.hpp"
#include "sweepdyn/io/model/native.hpp"

namespace sweepdyn::app {

// Names with commas between, several lists as one; a backslash makes a comma part of a name.
std::vector<std::string> listed_names(const std::vector<std::string>& lists);
// Dofs by name or by index. Throws UsageError, with the option's name.
std::vector<int> listed_dofs(const Model& model, const char* option, const std::vector<std::string>& lists);

struct DofChoices {
    std::optional<std::vector<int>> actuated{}; // as typed, else as the model says
    std::vector<int> independent{}; // as typed, else as the file's state says, in the order given
    std::vector<int> positions{}; // independent positions, where rows of velocities only make them more
    bool actuated_typed = false, independent_typed = false;
};
DofChoices dof_choices(const Model& model, const std::optional<NativeState>& own,
                       const std::vector<std::string>& actuated, const std::vector<std::string>& independent);
// Those asked for; else the actuated ones, where they can be.
void prefer(ClosedMechanism& mechanism, const DofChoices& choices);
// Whether the independent dofs are those that were asked for: throws RefusedError where they were typed, a note otherwise.
void check_independent(ClosedMechanism& mechanism, const DofChoices& choices);

inline constexpr double closed_enough = 1e-8, // of the loop's size, and in rad; of velocities: of their terms
    closed_exactly = 1e-12; // a note above it

// Before: mechanism.set(q, v). Throws RefusedError with the gap of every open loop, and the velocities that would do.
// `what` is how the state is called: "the state".
void require_closed(ClosedMechanism& mechanism, const std::string& what);
// A note where the mechanism can move, to first order, in more ways than nearby, and what that means for accelerations if these are told.
enum class Told { limit, to_first_order, no_accelerations };
void note_singular(ClosedMechanism& mechanism, Told accelerations);
// Rows that fade: what derivatives at the state lose by them.
void note_fading(ClosedMechanism& mechanism);
// "'elbow' 12.3, 'wrist' 0.4": the largest first, eight of them.
std::string forces_by_dof(const Model& model, std::span<const double> forces);

} // namespace sweepdyn::app
