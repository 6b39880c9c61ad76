// Recordings as CSV and JSON: what `sweepdyn simulate` writes, what `plot` and `simulate --T` read.
//
//     CSV     a header, then a row per time: time [s],q:elbow [rad],...        a unit in brackets, where there is one
//     JSON    {"model": NAME, "conventions": "sweepdyn-1", "units": "SI",
//              "signals": [{"name": "time", "unit": "s", "values": [...]}, ...],
//              "events": [{"name": TEXT, "time": t}, ...],
//              "ended": {"time": t, "by": "time" | "event" | "interrupt" | "failure", "why": TEXT of a failure}}
//
// A CSV of a run that was interrupted or failed says so in a last line that begins with #.
// Numbers are the shortest text that reads back to the same double. Read is also plain JSON, {"time": [...], NAME: [...]},
// and any CSV with a header; lines that begin with # are left out.
#pragma once

#include <string_view>

#include "sweepdyn/sim/simulate.hpp"

namespace sweepdyn {

std::string write_csv(const Recording& recording);
std::string write_csv(const Simulation& simulation);
// The names of the events are those of the options that the simulation ran with.
std::string write_json(const Model& model, const Simulation& simulation, std::span<const Event> events);

// CSV, or JSON when the text begins with a brace. Throws StateError: by line and column.
Recording read_recording(std::string_view text, std::string_view where);

} // namespace sweepdyn
