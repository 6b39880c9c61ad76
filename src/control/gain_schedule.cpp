#include "sweepdyn/control/gain_schedule.hpp"

#include <algorithm>
#include <cmath>

#include "linear/lapack.hpp"
#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn {
using namespace lapack;

GainSchedule::GainSchedule(std::vector<ScheduledGain> gains) : gains_(std::move(gains))
{
    if (gains_.empty())
        throw UsageError("GainSchedule: got no gain, expected one or more");
    for (std::size_t i = 0; i < gains_.size(); ++i) {
        const Matrix& K = gains_[i].K;
        if (K.rows() != gains_[0].K.rows() || K.columns() != gains_[0].K.columns() ||
            gains_[i].u0.size() != static_cast<std::size_t>(K.rows()))
            throw UsageError("GainSchedule: gain " + std::to_string(i) + " is " + std::to_string(K.rows()) +
                             " x " + std::to_string(K.columns()) + " with " +
                             std::to_string(gains_[i].u0.size()) +
                             " numbers in u0; expected the size of the first, and a number per input");
        if (i > 0 && !(gains_[i].at > gains_[i - 1].at))
            throw UsageError("GainSchedule: gain " + std::to_string(i) + " is at " +
                             number_text(gains_[i].at) + ", expected above " + number_text(gains_[i - 1].at));
    }
}

ScheduledGain GainSchedule::at(double value) const
{
    const auto after = std::upper_bound(gains_.begin(), gains_.end(), value,
                                        [](double x, const ScheduledGain& gain) { return x < gain.at; });
    if (after == gains_.begin() || after == gains_.end()) {
        ScheduledGain end = after == gains_.begin() ? gains_.front() : gains_.back();
        end.at = value;
        return end;
    }
    const ScheduledGain &a = *(after - 1), &b = *after;
    const double part = (value - a.at) / (b.at - a.at);
    ScheduledGain out{value, (1.0 - part) * a.K + part * b.K, a.u0};
    for (std::size_t i = 0; i < out.u0.size(); ++i)
        out.u0[i] += part * (b.u0[i] - a.u0[i]);
    return out;
}

SuccessiveLinearization::SuccessiveLinearization(Model model, Linearize linearize_at, Design design,
                                                 double displacement, double velocity)
    : model_(std::move(model)),
      linearize_at_(std::move(linearize_at)),
      design_(std::move(design)),
      displacement_(displacement),
      velocity_(velocity),
      moved_(static_cast<std::size_t>(model_.num_dofs()))
{
    if (!linearize_at_ || !design_)
        throw UsageError("SuccessiveLinearization: expected a function that linearizes and one that designs");
}

void SuccessiveLinearization::update(std::span<const double> q, std::span<const double> v)
{
    detail::require_coordinates(model_, "SuccessiveLinearization", "q", q.size());
    detail::require_dofs(model_, "SuccessiveLinearization", "v", v.size());
    if (designs_ > 0) {
        difference<double>(model_, q_, q, moved_);
        bool near = true;
        for (std::size_t j = 0; j < v.size(); ++j)
            near = near && std::abs(moved_[j]) <= displacement_ && std::abs(v[j] - v_[j]) <= velocity_;
        if (near)
            return;
    }
    try {
        StateSpace system = linearize_at_(q, v);
        Gain gain = design_(system);
        system_ = std::move(system);
        gain_ = std::move(gain);
        ++designs_;
    } catch (const RefusedError& refused) {
        if (designs_ == 0)
            throw;
        gain_.warnings.push_back(std::string("the gain of an earlier state still serves: ") + refused.what());
    }
    q_.assign(q.begin(), q.end());
    v_.assign(v.begin(), v.end());
}

} // namespace sweepdyn
