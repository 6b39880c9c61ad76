// Gain scheduling: gains that follow the operating point.
//
//   GainSchedule               gains designed at several values of one number (an angle, a load, a time), straight in between
//   SuccessiveLinearization    linearizes and designs anew whenever the state has moved far enough from where it last did
//
// Specified by tests/unit/control_structure.cpp.
#pragma once

#include <functional>

#include "sweepdyn/control/gain.hpp"
#include "sweepdyn/model/model.hpp"

namespace sweepdyn {

struct ScheduledGain {
    double at = 0.0; // the value it was designed at
    Matrix K;
    std::vector<double> u0; // per input, at the operating point
};

class GainSchedule {
public:
    // Values must rise, sizes agree. Throws UsageError.
    explicit GainSchedule(std::vector<ScheduledGain> gains);
    // Beyond the ends the first and the last.
    ScheduledGain at(double value) const;

private:
    std::vector<ScheduledGain> gains_;
};

class SuccessiveLinearization {
public:
    using Linearize = std::function<StateSpace(std::span<const double> q, std::span<const double> v)>;
    using Design = std::function<Gain(const StateSpace&)>;

    // A new design once a displacement (rad or m) or a velocity has changed by more than these.
    SuccessiveLinearization(Model model, Linearize linearize_at, Design design, double displacement = 0.1,
                            double velocity = 0.5);

    // The linear model and the gain that serve at this state. A design that is refused leaves the last one, and a warning with it;
    // the first must succeed.
    void update(std::span<const double> q, std::span<const double> v);
    const StateSpace& system() const { return system_; }
    const Gain& gain() const { return gain_; }
    int designs() const { return designs_; }

private:
    Model model_;
    Linearize linearize_at_;
    Design design_;
    double displacement_, velocity_;
    std::vector<double> q_, v_, moved_;
    StateSpace system_;
    Gain gain_;
    int designs_ = 0;
};

} // namespace sweepdyn
