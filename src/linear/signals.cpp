#include "linear/signals.hpp"

#include <algorithm>

namespace sweepdyn::detail {

namespace {

using Kind = Signal::Kind;
enum class Of { nothing, dof, frame, hinge, loop };

struct Word {
    const char* text;
    Kind kind;
    Direction direction;
    Of of;
};
constexpr Word words[] = {
    {"T", Kind::force, Direction::input, Of::dof},
    {"wrench", Kind::wrench, Direction::input, Of::frame},
    {"gravity", Kind::gravity, Direction::input, Of::nothing},
    {"base_accel", Kind::base_acceleration, Direction::input, Of::nothing},
    {"q", Kind::position, Direction::output, Of::dof},
    {"v", Kind::rate, Direction::output, Of::dof},
    {"pose", Kind::pose, Direction::output, Of::frame},
    {"velocity", Kind::velocity, Direction::output, Of::frame},
    {"acceleration", Kind::acceleration, Direction::output, Of::frame},
    {"accel", Kind::accelerometer, Direction::output, Of::frame},
    {"gyro", Kind::gyro, Direction::output, Of::frame},
    {"reaction", Kind::reaction, Direction::output, Of::hinge},
    {"loop", Kind::loop, Direction::output, Of::loop},
};

// Whether text fits a pattern in which * stands for any text.
bool fits(std::string_view pattern, std::string_view text)
{
    if (pattern.empty())
        return text.empty();
    if (pattern[0] == '*')
        return fits(pattern.substr(1), text) || (!text.empty() && fits(pattern, text.substr(1)));
    return !text.empty() && pattern[0] == text[0] && fits(pattern.substr(1), text.substr(1));
}

std::vector<std::string> names_of(const Model& model, Of of)
{
    std::vector<std::string> out;
    if (of == Of::dof)
        out.assign(model.dof_names().begin(), model.dof_names().end());
    if (of == Of::frame)
        for (const Frame& frame : model.frames())
            out.push_back(frame.name);
    if (of == Of::hinge)
        for (const Hinge& hinge : model.hinges())
            out.push_back(hinge.name);
    if (of == Of::loop)
        for (const Loop& loop : model.loops())
            out.push_back(loop.name);
    return out;
}

const char* noun(Of of)
{
    return of == Of::dof ? "dof" : of == Of::frame ? "frame" : of == Of::loop ? "loop" : "hinge";
}

} // namespace

std::vector<std::string> Signal::parts() const
{
    static const std::vector<std::string> xyz{".x", ".y", ".z"},
        twist{".wx", ".wy", ".wz", ".vx", ".vy", ".vz"}, turn{".rx", ".ry", ".rz", ".x", ".y", ".z"},
        moment{".mx", ".my", ".mz", ".fx", ".fy", ".fz"}, rates{".alx", ".aly", ".alz", ".ax", ".ay", ".az"},
        one{""};
    const auto& ends = [&]() -> const std::vector<std::string>& {
        switch (kind) {
        case Kind::wrench:
        case Kind::reaction: return moment;
        case Kind::loop: return one_number ? one : moment;
        case Kind::pose: return turn;
        case Kind::velocity: return twist;
        case Kind::acceleration: return rates;
        case Kind::gravity:
        case Kind::base_acceleration:
        case Kind::accelerometer:
        case Kind::gyro: return xyz;
        default: return one;
        }
    }();
    std::vector<std::string> out;
    for (const std::string& end : ends)
        out.push_back(name + end);
    return out;
}

std::vector<Signal> resolve_signals(const Model& model, std::span<const std::string> asked,
                                    Direction direction)
{
    std::vector<Signal> out;
    std::string faults;
    const auto add = [&](Kind kind, int index, const std::string& name) {
        if (std::none_of(out.begin(), out.end(), [&](const Signal& s) { return s.name == name; }))
            out.push_back({kind, index, name,
                           kind == Kind::loop &&
                               model.loops()[static_cast<std::size_t>(index)].kind == LoopKind::coupling});
    };
    const char* const what = direction == Direction::input ? "input" : "output";
    for (const std::string& text : asked) {
        const std::size_t colon = text.find(':');
        const std::string head = text.substr(0, colon),
                          tail = colon == text.npos ? "" : text.substr(colon + 1);
        std::vector<std::string> heads;
        const Word* word = nullptr;
        for (const Word& each : words)
            if (each.direction == direction) {
                heads.push_back(each.text);
                if (head == each.text)
                    word = &each;
            }
        std::string fault;
        if (!word)
            fault = unknown_name(what, head, heads) + "; expected KIND:NAME, such as " +
                    (direction == Direction::input ? "T:*" : "q:*");
        else if (word->of == Of::nothing && colon != text.npos)
            fault = std::string(what) + " '" + text + "': " + head + " is of the whole, without a name";
        else if (word->of == Of::nothing)
            add(word->kind, 0, head);
        else if (tail.empty())
            fault = std::string(what) + " '" + text + "' names no " + noun(word->of) + "; expected " + head +
                    ":" +
                    (word->of == Of::dof     ? "DOF"
                     : word->of == Of::frame ? "FRAME"
                     : word->of == Of::loop  ? "LOOP"
                                             : "HINGE") +
                    ", or " + head + ":* for all";
        else {
            const std::vector<std::string> names = names_of(model, word->of);
            bool any = false;
            for (std::size_t i = 0; i < names.size(); ++i)
                if (fits(tail, names[i])) {
                    add(word->kind, static_cast<int>(i), head + ":" + names[i]);
                    any = true;
                }
            if (!any && tail != "*")
                fault = std::string(what) + " '" + text + "': " + unknown_name(noun(word->of), tail, names);
        }
        if (!fault.empty())
            faults += (faults.empty() ? "" : "\n") + fault;
    }
    if (!faults.empty())
        throw UsageError(faults);
    return out;
}

} // namespace sweepdyn::detail
