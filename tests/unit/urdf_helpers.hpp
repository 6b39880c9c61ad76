// What the tests of the URDF reader share.
#pragma once

#include <string>
#include <vector>

#include "sweepdyn/io/model/urdf.hpp"

namespace sweepdyn::urdf_testing {

inline std::string data(const std::string& file)
{
    return std::string(SWEEPDYN_TEST_DATA) + "/data/urdf/" + file;
}

inline std::string robot(const std::string& inside)
{
    return "<robot name=\"r\">\n" + inside + "\n</robot>\n";
}

// A link that nobody could doubt, on one line.
inline std::string link(const std::string& name)
{
    return "<link name=\"" + name +
           "\"><inertial><mass value=\"1\"/>"
           "<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n";
}
// On one line too; `inside` are further elements.
inline std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                         const std::string& child, const std::string& inside = "")
{
    return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent +
           "\"/><child link=\"" + child + "\"/>" + inside + "</joint>\n";
}

inline Model parse(const std::string& text, const LoadOptions& options = {})
{
    return parse_urdf(text, "r.urdf", options);
}

inline std::vector<std::string> faults(const std::string& text, const LoadOptions& options = {})
{
    try {
        parse(text, options);
    } catch (const ModelError& error) {
        return error.faults;
    }
    return {};
}

inline std::vector<std::string> notes(const Model& model, Note::Kind kind)
{
    std::vector<std::string> texts;
    for (const Note& note : model.notes())
        if (note.kind == kind)
            texts.push_back(note.text);
    return texts;
}
inline std::vector<std::string> doubts(const std::string& text)
{
    return notes(parse(text), Note::Kind::doubt);
}
inline std::vector<std::string> remarks(const std::string& text)
{
    return notes(parse(text), Note::Kind::remark);
}

using Texts = std::vector<std::string>;

} // namespace sweepdyn::urdf_testing
