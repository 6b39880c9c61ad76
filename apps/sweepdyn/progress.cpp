#include "progress.hpp"

#include <csignal>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "terminal.hpp"

namespace sweepdyn::app {
namespace {

volatile std::sig_atomic_t pressed = 0;

void note_press(int)
{
    pressed = 1;
    std::signal(SIGINT, SIG_DFL); // a second time means it
}

} // namespace

Progress::Progress(double time) : time_(time), terminal_(isatty(STDERR_FILENO))
{
    pressed = 0;
    std::signal(SIGINT, note_press);
}

Progress::~Progress()
{
    std::signal(SIGINT, SIG_DFL);
    if (drawn_)
        fmt::print(stderr, "\r\033[K"); // nothing remains of the bar
}

bool Progress::go_on(double t)
{
    if (pressed)
        return false;
    if (!terminal_ || ++calls_ % 16)
        return true;
    if (const Clock::time_point now = Clock::now(); now >= next_) {
        draw(t, std::chrono::duration<double>(now - begun_).count());
        drawn_ = true;
        next_ = now + std::chrono::milliseconds(100);
    }
    return true;
}

void Progress::draw(double t, double seconds) const
{
    constexpr int cells = 30;
    const double part = time_ > 0.0 ? t / time_ : 1.0;
    const int full = static_cast<int>(cells * part);
    fmt::print(stderr, "\r[{}{}] {:3.0f} %  t = {} of {} s, {:.0f} s to go\033[K",
               std::string(static_cast<std::size_t>(full), '#'),
               std::string(static_cast<std::size_t>(cells - full), '.'), 100 * part, brief(t), brief(time_),
               part > 0.0 ? seconds * (1.0 - part) / part : 0.0);
    std::fflush(stderr);
}

} // namespace sweepdyn::app
