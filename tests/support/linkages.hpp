// Planar linkages, and what recordings of their motion say.
#pragma once

#include <cmath>
#include <stdexcept>

#include "support/compare.hpp"
#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/sim/recording.hpp"

namespace sweepdyn::test {

inline std::size_t column(const Recording& recording, const std::string& name)
{
    for (std::size_t i = 0; i < recording.columns.size(); ++i)
        if (recording.columns[i].name == name)
            return i;
    throw std::runtime_error("no column " + name);
}

inline double largest(const Recording& recording, const std::string& name)
{
    const std::size_t at = column(recording, name);
    double out = 0.0;
    for (std::size_t i = 0; i < recording.num_rows(); ++i)
        out = worse(out, std::abs(recording(i, at)));
    return out;
}

// |E - E(0)| over the largest of kinetic + |V - V(0)|.
inline double energy_drift(const Recording& recording)
{
    const std::size_t kinetic = column(recording, "energy:kinetic"),
                      potential = column(recording, "energy:potential"),
                      total = column(recording, "energy:total");
    double drift = 0.0, size = 0.0;
    for (std::size_t i = 0; i < recording.num_rows(); ++i) {
        drift = worse(drift, std::abs(recording(i, total) - recording(0, total)));
        size = std::max(size,
                        recording(i, kinetic) + std::abs(recording(i, potential) - recording(0, potential)));
    }
    return drift / size;
}

// Bars in the plane xy, gravity along -y.
struct Bar {
    std::string name, parent;
    double length;
    Vec3<double> place;
    HingeKind kind = HingeKind::revolute;
    Vec3<double> axis{0, 0, 1};
};
inline Model linkage(const std::string& name, double gravity, const std::vector<Bar>& bars, const Loop& loop)
{
    ModelBuilder builder(name);
    builder.set_gravity({0, -gravity, 0});
    for (const Bar& bar : bars) {
        const double m = 1.0 + 0.5 * bar.length;
        builder.add_body({bar.name,
                          m,
                          {0.5 * bar.length, 0, 0},
                          Sym3<double>::diagonal(0.01, m * (0.01 + bar.length * bar.length / 12),
                                                 m * (0.01 + bar.length * bar.length / 12))});
        builder.add_hinge({.name = bar.name,
                           .kind = bar.kind,
                           .parent = bar.parent,
                           .child = bar.name,
                           .X_PF = {.p = bar.place},
                           .axis = bar.axis});
    }
    builder.add_loop(loop);
    return builder.build();
}
inline Loop pin(const std::string& a, double at_a, const std::string& b, double at_b)
{
    Loop out;
    out.name = "pin";
    out.kind = LoopKind::planar_pin;
    out.body_a = a;
    out.body_b = b;
    out.X_Aa.p = {at_a, 0, 0};
    out.X_Bb.p = {at_b, 0, 0};
    return out;
}

// A crank of 0.3 m turns a lever about a point 0.8 m below by a block that slides along it; the lever's frame is `offset` along it.
inline Model quick_return(LoopKind kind, double offset)
{
    ModelBuilder builder("quick return");
    builder.set_gravity({0, -9.81, 0});
    const auto bar = [&](const std::string& name, const std::string& parent, double mass, double com,
                         const Vec3<double>& at) {
        builder.add_body(
            {name, mass, {com, 0, 0}, Sym3<double>::diagonal(0.01 * mass, 0.1 * mass, 0.1 * mass)});
        builder.add_hinge(
            {.name = name, .kind = HingeKind::revolute, .parent = parent, .child = name, .X_PF = {.p = at}});
    };
    bar("crank", "", 1.0, 0.15, {});
    bar("block", "crank", 0.2, 0.02, {0.3, 0, 0});
    bar("lever", "", 2.0, 0.6, {0, -0.8, 0});
    const Mat3<double> along{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}; // z is the lever
    builder.add_loop({.name = "slot",
                      .kind = kind,
                      .body_a = "block",
                      .body_b = "lever",
                      .X_Aa = {along, {}},
                      .X_Bb = {along, {offset, 0, 0}}});
    return builder.build();
}
inline std::vector<double> quick_return_at(double crank)
{
    const double lever = std::atan2(0.3 * std::sin(crank) + 0.8, 0.3 * std::cos(crank));
    return {crank, lever - crank, lever};
}

} // namespace sweepdyn::test
