// How hinges that move frames alike are named.
#include "sweepdyn/kinematics/frame_least_squares.hpp"

namespace sweepdyn::detail {
namespace {

// "'a', 'b' and 'c'"
std::string listed(const std::vector<std::string>& names)
{
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + quoted(names[i]);
    return text;
}

} // namespace

void throw_alike(const Model& model, std::span<const FrameId> frames,
                 const std::vector<std::vector<double>>& still, const char* function)
{
    std::vector<std::string> frame_names, idle;
    for (FrameId frame : frames)
        frame_names.push_back(model.frame_at(frame).name);
    std::string alike;
    for (auto at = still.rbegin(); at != still.rend(); ++at) { // base to tip
        const std::vector<double>& rates = *at;
        std::vector<std::string> names;
        for (std::size_t j = 0; j < rates.size(); ++j)
            if (std::abs(rates[j]) >
                1e-6) // the motion that leaves the frames where they are; the dof itself has 1
                names.push_back(model.dof_names()[j]);
        if (names.size() == 1)
            idle.push_back(names.front());
        else
            alike += "; hinges " + listed(names) + " move alike: some motion of them together moves no frame";
    }
    std::string text = std::string(function) + ": J* J is singular at this configuration, for " +
                       (frames.empty()       ? "no frame at all"
                        : frames.size() == 1 ? "frame "
                                             : "frames ") +
                       listed(frame_names);
    if (!idle.empty())
        text += std::string("; ") + (idle.size() == 1 ? "hinge " : "hinges ") + listed(idle) +
                (idle.size() == 1 ? " moves no frame" : " move no frame");
    throw RefusedError(text + alike +
                       "; change the configuration, lock one of them, or give damping to least squares");
}

} // namespace sweepdyn::detail
