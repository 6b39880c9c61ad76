// An integrator takes a plant from one instant to the next.
#pragma once

#include <memory>

#include "sweepdyn/sim/events.hpp"
#include "sweepdyn/sim/plant.hpp"

namespace sweepdyn {

class Integrator {
public:
    virtual ~Integrator() = default;
    // The motion begins here, or goes on after a jump of its state or of a held force: nothing before it counts.
    virtual void restart(const Instant&) {}
    // One step, to the time `limit` at most. True when it ended where a watched event happened.
    virtual bool step(double limit, Instant& at) = 0;
    virtual double fixed_step() const { return 0.0; } // s; 0: steps of any length
    virtual VelocityError velocity_error() const { return {}; } // that a step may leave, where it is watched
    // Asks step() to end at events. False: it does not look for any, whoever calls must.
    virtual bool watch(std::span<const Event>) { return false; }
    // Which of the watched events happened where step() ended.
    virtual bool happened(std::size_t) const { return false; }
};

// Steps of one length h, ending at multiples of it: t = n h, so that no error gathers in the time. A step that `limit` cuts
// short is a shorter one of the same method.
class FixedStep : public Integrator {
public:
    FixedStep(Plant& plant, double h);
    bool step(double limit, Instant& at) final;
    double fixed_step() const final { return h_; }
    // From `at` over h, on the manifold; the time is the caller's.
    virtual void advance(double h, Instant& at) = 0;

protected:
    Plant& plant_;

private:
    double h_;
};

} // namespace sweepdyn
