#include "sweepdyn/io/results/analysis.hpp"

#include "to_json.hpp"

namespace sweepdyn {
using results::OrderedJson;
namespace {

OrderedJson pole_json(const Pole& pole)
{
    static const std::string key = "poles";
    const results::ToJson number{key};
    OrderedJson out;
    out["re"] = number(pole.s.real());
    out["im"] = number(pole.s.imag());
    out["frequency_hz"] = number(pole.frequency_hz);
    out["damping"] = number(pole.damping);
    return out;
}

OrderedJson staircase_json(const Staircase& stairs)
{
    OrderedJson out, lost = OrderedJson::array();
    for (const LostMode& mode : stairs.lost_modes) {
        OrderedJson one;
        one["re"] = mode.s.real();
        one["im"] = mode.s.imag();
        one["multiplicity"] = mode.multiplicity;
        one["states"] = mode.states;
        one["strictly_stable"] = mode.strictly_stable;
        lost.push_back(std::move(one));
    }
    out["rank"] = stairs.rank;
    out["of"] = stairs.rank + stairs.lost.columns();
    out["lost"] = std::move(lost);
    return out;
}

} // namespace

std::string write_poles(const StateSpace& system, const std::string& model, const PolesAsked& asked,
                        ResultLayout layout)
{
    OrderedJson out, list = OrderedJson::array();
    if (asked.modes)
        for (const Mode& mode : modes(system)) {
            OrderedJson one = pole_json(mode.pole), shape = OrderedJson::object();
            for (const auto& [joint, motion] : joint_shapes(system, mode))
                shape[joint] = {motion.real(), motion.imag()};
            one["shape"] = std::move(shape);
            if (mode.grade > 1)
                one["grade"] = mode.grade;
            list.push_back(std::move(one));
        }
    else
        for (const Pole& pole : poles(system))
            list.push_back(pole_json(pole));
    out["model"] = model;
    out["conventions"] = "sweepdyn-1";
    out["units"] = "SI";
    out["poles"] = std::move(list);
    if (asked.controllability)
        out["controllability"] = staircase_json(controllability(system));
    if (asked.observability)
        out["observability"] = staircase_json(observability(system));
    return results::json_text(out, layout == ResultLayout::indented);
}

} // namespace sweepdyn
