// Long runs: a bar on a terminal's stderr after half a second, and Ctrl-C as a wish to stop.
#pragma once

#include <chrono>
#include <string>

namespace sweepdyn::app {

class Progress {
public:
    // From now on Ctrl-C is noted instead of ending the program; the second one ends it.
    explicit Progress(double time);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // False when Ctrl-C was pressed.
    bool go_on(double t);

private:
    using Clock = std::chrono::steady_clock;
    void draw(double t, double seconds) const;

    double time_;
    bool terminal_;
    bool drawn_ = false;
    int calls_ = 0;
    Clock::time_point begun_ = Clock::now(), next_ = begun_ + std::chrono::milliseconds(500);
};

} // namespace sweepdyn::app
