// Lists of names that were typed: names and commas; a comma in a name is written \,
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sweepdyn/model/errors.hpp"

namespace sweepdyn::app {

inline std::vector<std::string> typed_names(const char* option, const std::vector<std::string>& lists)
{
    std::vector<std::string> out;
    for (const std::string& list : lists) {
        std::string name;
        for (std::size_t i = 0; i <= list.size(); ++i) {
            if (i < list.size() && list[i] == '\\' && i + 1 < list.size())
                name += list[++i];
            else if (i < list.size() && list[i] != ',')
                name += list[i];
            else {
                if (name.empty())
                    throw UsageError(fmt::format("{}: got '{}', where a name is empty", option, list));
                out.push_back(std::exchange(name, {}));
            }
        }
    }
    return out;
}

} // namespace sweepdyn::app
