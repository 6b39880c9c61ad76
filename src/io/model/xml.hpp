// What the readers of XML share, URDF, SDF and MJCF: the report of what was found, and attributes as values.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tinyxml2.h>

#include "sweepdyn/model/model.hpp"

namespace sweepdyn::model_reader {

using Element = tinyxml2::XMLElement;

// `<joint name="elbow"> (line 12)`; of an element without a name: `<origin> of <joint name="elbow"> (line 13)`.
std::string where(const Element& element);

// Everything that the reader has to say, in the order found.
struct Report {
    std::vector<std::string> faults;
    std::vector<Note> notes;
    std::map<std::string, int> without_effect, unknown; // what -> how often
    std::vector<std::string> parts_ignored; // doubts about elements that may be misspelt links and joints
    // Where the parts of the builder's model stand in the file: what, such as body, hinge, loop, coupling, frame; name; place.
    std::vector<std::array<std::string, 3>> places;

    void fault(const Element& at, std::string_view text)
    {
        faults.push_back(where(at) + ": " + std::string(text));
    }
    void doubt(const Element& at, std::string_view text)
    {
        notes.push_back({Note::Kind::doubt, where(at) + ": " + std::string(text)});
    }
    void remark(std::string text) { notes.push_back({Note::Kind::remark, std::move(text)}); }
    void stands(std::string_view what, std::string_view name, const Element& at)
    {
        places.push_back({std::string(what), std::string(name), where(at)});
    }
};

// A fault of the builder, which knows no lines, after the place of the first part that it names.
std::string located(const std::string& fault, const Report& report);

// Turns the counts into one remark each.
void remark_counts(Report& report);

// Range-for over the children of one name.
std::vector<const Element*> children(const Element& parent, const char* name);

// What is missing or wrong is a fault, and then the result is empty.
std::string required_text(const Element& element, const char* attribute, Report& report);
// As above, but may be missing.
std::string optional_text(const Element& element, const char* attribute, Report& report);

// Numbers separated by white space, just as many as there is room for; true when all were read. False when the attribute
// is missing, or wrong, which is a fault; `out` is then left alone.
bool read_numbers(const Element& element, const char* attribute, std::span<double> out, Report& report);
// Likewise, but fewer will do, one or more: the rest of `out` is then left alone.
bool read_first_numbers(const Element& element, const char* attribute, std::span<double> out, Report& report);
std::optional<double> read_number(const Element& element, const char* attribute, Report& report);
// What stands inside the element, just as many numbers as there is room for; a fault otherwise.
bool read_text_numbers(const Element& element, std::span<double> out, Report& report);
std::optional<double> read_text_number(const Element& element, Report& report);
// A fault when it is missing.
double required_number(const Element& element, const char* attribute, Report& report);

} // namespace sweepdyn::model_reader
