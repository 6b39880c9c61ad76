#include "model_text.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "utf8.hpp"

namespace sweepdyn::model_reader {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(std::string_view source, std::string fault)
{
    throw ModelError(source, {std::move(fault)});
}

// Model files beside a path that does not exist.
std::vector<std::string> models_beside(const fs::path& path)
{
    std::vector<std::string> names;
    std::error_code error;
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        const std::string ending = entry->path().extension().string();
        if (ending == ".urdf" || ending == ".json" || ending == ".xml" || ending == ".xacro" ||
            ending == ".sdf")
            names.push_back(entry->path().filename().string());
    }
    return names;
}

std::string missing_file(const fs::path& path)
{
    std::error_code error;
    const fs::path folder = path.parent_path();
    if (!folder.empty() && !fs::is_directory(folder, error))
        return fmt::format("no such file: there is no folder '{}'", readable(folder.string()));
    const std::vector<std::string> names = models_beside(path);
    const std::string_view near = nearest_name(path.filename().string(), names);
    return near.empty() ? "no such file; give a .urdf, .sdf, .xml (MJCF) or native .json file, or chain:N, "
                          "tree:N, random:N:SEED"
                        : fmt::format("no such file; did you mean '{}'?", (folder / near).string());
}

// A line of the text, for a message.
std::string line_of(std::string_view text, int line)
{
    for (; line > 1 && text.find('\n') != text.npos; --line)
        text.remove_prefix(text.find('\n') + 1);
    text = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size()));
    return readable(text);
}

std::string_view xml_error(tinyxml2::XMLError error)
{
    switch (error) {
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT: return "an element is not closed, or closed by another name";
    case tinyxml2::XML_ERROR_PARSING_ELEMENT: return "an element is not written as <name ...>";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
        return "an attribute is given twice, or not written as name=\"value\"";
    case tinyxml2::XML_ERROR_PARSING_TEXT: return "text that nothing ends";
    case tinyxml2::XML_ERROR_PARSING_CDATA: return "a CDATA section that nothing ends";
    case tinyxml2::XML_ERROR_PARSING_COMMENT: return "a comment that nothing ends";
    case tinyxml2::XML_ERROR_PARSING_DECLARATION:
        return "a declaration <?...?> that nothing ends or in the wrong place";
    case tinyxml2::XML_ERROR_PARSING_UNKNOWN: return "a <!...> that nothing ends";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED: return "elements nested too deep";
    default: return "the text cannot be understood";
    }
}

// What is no XML at all gets better words than a parser has.
void check_is_xml(std::string_view text, std::string_view source, std::string_view expected)
{
    if (const std::string fault = encoding_fault(text); !fault.empty())
        refuse(source, fault);
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == text.npos)
        refuse(source, fmt::format("the file is empty; expected XML with a <{}> element", expected));
    if (text[begin] == '<')
        return;
    const int line =
        1 +
        static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
    refuse(source, fmt::format("line {}: not XML, it begins with \"{}\"; expected <{} ...>", line,
                               line_of(text, line), expected));
}

} // namespace

std::string read_text(const std::string& path)
{
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status))
        refuse(path, missing_file(path));
    if (fs::is_directory(status))
        refuse(path, "this is a directory; give a file in it");
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file)
        refuse(path, "the file cannot be read; check its permissions");
    if (text.empty())
        refuse(path,
               "the file is empty; expected XML with <robot>, <sdf> or <mujoco>, or a native model in JSON");
    return text;
}

const Element& parse_xml(tinyxml2::XMLDocument& document, std::string_view text, std::string_view source,
                         std::string_view expected)
{
    check_is_xml(text, source, expected);
    if (const tinyxml2::XMLError error = document.Parse(text.data(), text.size());
        error != tinyxml2::XML_SUCCESS) {
        const int line = document.ErrorLineNum();
        refuse(source, fmt::format("line {}: broken XML, {}; got \"{}\"", line, xml_error(error),
                                   line_of(text, line)));
    }
    const Element* root = document.RootElement();
    if (!root)
        refuse(source, fmt::format("the file has no element; expected <{}>", expected));
    return *root;
}

std::string root_name(std::string_view text)
{
    tinyxml2::XMLDocument document;
    document.Parse(text.data(), text.size());
    const Element* root = document.RootElement();
    return root ? root->Name() : "";
}

} // namespace sweepdyn::model_reader
