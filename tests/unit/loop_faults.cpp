// Every fault of a loop or coupling that the builder finds, and the words of loops.
#include <cmath>

#include <gtest/gtest.h>

#include "sweepdyn/model/builder.hpp"

namespace sweepdyn {
namespace {

using Texts = std::vector<std::string>;

// crank and coupler on the ground's left, rocker on its right; a bracket is welded to the rocker, and a ball to the bracket.
ModelBuilder linkage()
{
    ModelBuilder builder("linkage");
    for (const auto& [name, parent, kind] : {std::tuple{"crank", "", HingeKind::revolute},
                                             {"coupler", "crank", HingeKind::revolute},
                                             {"rocker", "", HingeKind::revolute},
                                             {"bracket", "rocker", HingeKind::weld},
                                             {"head", "bracket", HingeKind::spherical}}) {
        builder.add_body({name, 1.0, {0.1, 0, 0}, Sym3<double>::diagonal(0.1, 0.1, 0.1)});
        Hinge hinge;
        hinge.name = name;
        hinge.kind = kind;
        hinge.parent = parent;
        hinge.child = name;
        hinge.axis = {0, 0, 1};
        builder.add_hinge(hinge);
    }
    return builder;
}
Loop pin()
{
    Loop loop;
    loop.name = "pin";
    loop.kind = LoopKind::planar_pin;
    loop.body_a = "coupler";
    loop.body_b = "rocker";
    return loop;
}
Texts faults(const ModelBuilder& builder)
{
    try {
        builder.build();
    } catch (const ModelError& error) {
        return error.faults;
    }
    return {};
}
Texts faults(const Loop& loop) { return faults(linkage().add_loop(loop)); }
Texts faults(const std::vector<Loop>& loops)
{
    ModelBuilder builder = linkage();
    for (const Loop& loop : loops)
        builder.add_loop(loop);
    return faults(builder);
}
Loop coupling(std::vector<CouplingTerm> terms, double offset = 0.0)
{
    Loop loop;
    loop.name = "gear";
    loop.kind = LoopKind::coupling;
    loop.terms = std::move(terms);
    loop.offset = offset;
    return loop;
}

TEST(LoopFaults, OfEnds)
{
    EXPECT_EQ(faults(pin()), Texts{});
    Loop loop = pin();
    loop.body_a = "copler";
    loop.body_b = "frame";
    EXPECT_EQ(
        faults(loop),
        (Texts{"loop 'pin', body a: unknown body 'copler'; did you mean 'coupler'?",
               "loop 'pin', body b: unknown body 'frame'; known: crank, coupler, rocker, bracket, head"}));
    loop = pin();
    loop.body_b = "coupler";
    EXPECT_EQ(faults(loop),
              Texts{"loop 'pin' closes on itself: both its ends are on body 'coupler', expected two bodies"});
    loop.body_a = loop.body_b = "";
    EXPECT_EQ(faults(loop),
              Texts{"loop 'pin' closes on itself: both its ends are on the ground, expected two bodies"});
    loop = pin();
    loop.body_a = "bracket";
    EXPECT_EQ(faults(loop),
              Texts{"loop 'pin' (planar_pin) joins body 'bracket' and body 'rocker', which only "
                    "welds lie between: nothing can move there; remove it"});
}

TEST(LoopFaults, OfFrames)
{
    Loop loop = pin();
    loop.X_Aa.p.x = NAN;
    loop.X_Bb.R.x.x = -1;
    EXPECT_EQ(faults(loop),
              (Texts{"loop 'pin', frame a: placement has a number that is not finite",
                     "loop 'pin', frame b: not a rotation matrix (off by 2); rows must be orthonormal and "
                     "right-handed"}));
}

TEST(LoopFaults, OfKinds)
{
    Loop loop = pin();
    loop.kind = LoopKind::rows;
    EXPECT_EQ(faults(loop), Texts{"loop 'pin' has no rows, expected some of rx, ry, rz, x, y, z"});
    loop.rows = {LoopRow::x, LoopRow::rz, LoopRow::x};
    EXPECT_EQ(faults(loop), Texts{"loop 'pin': row x stands there twice"});
    loop.rows = {LoopRow::x, LoopRow::rz};
    EXPECT_EQ(faults(loop), Texts{});
    EXPECT_EQ(num_rows(loop), 2);

    for (LoopKind kind : {LoopKind::rolling_sphere, LoopKind::rolling_disc})
        for (double radius : {0.0, -0.1, double(NAN), double(INFINITY)}) {
            loop = pin();
            loop.kind = kind;
            loop.radius = radius;
            EXPECT_EQ(faults(loop),
                      Texts{"loop 'pin': radius is " + number_text(radius) + ", expected a length above 0"});
        }
    loop = pin();
    loop.X_Aa.p = {0.0, 1e300, 0.0}; // where a gap over a size is infinity over infinity
    EXPECT_EQ(faults(loop),
              Texts{"loop 'pin', frame a: it is placed at [0, 1e300, 0] m, expected lengths below 1e100, "
                    "whose products are numbers still"});
    loop = pin();
    loop.kind = LoopKind::rolling_disc;
    loop.radius = 1e200;
    EXPECT_EQ(faults(loop), Texts{"loop 'pin': radius is 1e200, expected a length above 0 and below 1e100"});
    loop = pin();
    loop.terms = {{"crank", {1.0}}};
    EXPECT_EQ(faults(loop),
              Texts{"loop 'pin' is of kind planar_pin and has terms; only couplings have them"});
}

TEST(LoopFaults, OfNames)
{
    Loop other = pin();
    other.body_b = "";
    EXPECT_EQ(faults({pin(), other}), Texts{"loop name 'pin' is used 2 times"});
    other.name = "";
    const Model model = linkage().add_loop(pin()).add_loop(other).build();
    EXPECT_EQ(model.loops()[1].name, "loop1");
    EXPECT_EQ(model.loop("loop1"), 1);
    EXPECT_THROW(model.loop("loop7"), UsageError);
}

TEST(LoopFaults, OfCouplings)
{
    EXPECT_EQ(faults(coupling({{"crank", {1.0}}, {"rocker", {-2.0}}})), Texts{});
    EXPECT_EQ(faults(coupling({})),
              Texts{"coupling 'gear' has 0 terms, expected 2 or more: one for each coupled dof"});
    EXPECT_EQ(faults(coupling({{"crank", {1.0}}})),
              Texts{"coupling 'gear' has 1 term, expected 2 or more: one for each coupled dof"});
    EXPECT_EQ(faults(coupling({{"crank", {1.0}}, {"crank", {2.0}}})),
              Texts{"coupling 'gear', dof 'crank' is coupled with itself, expected another dof"});
    const std::string zero = ": its coefficient is 0, so it takes no part; expected a ratio other than 0, or "
                             "remove the term";
    EXPECT_EQ(faults(mimic("gear", "crank", "rocker", 0.0)), Texts{"coupling 'gear', dof 'rocker'" + zero});
    EXPECT_EQ(faults(coupling({{"crank", {}}, {"rocker", {0.0, 0.0}}})),
              (Texts{"coupling 'gear', dof 'crank'" + zero, "coupling 'gear', dof 'rocker'" + zero}));
    EXPECT_EQ(faults(coupling({{"crank", {1.0, NAN}}, {"rocker", {1.0}}}, INFINITY)),
              (Texts{"coupling 'gear': offset is inf, expected a finite number",
                     "coupling 'gear', dof 'crank': coefficient nan, expected a finite number"}));
    EXPECT_EQ(faults(coupling({{"crank", {1e308}}, {"rocker", {1.0}}}, -1e300)),
              (Texts{"coupling 'gear': offset is -1e300, expected a number below 1e100",
                     "coupling 'gear', dof 'crank': coefficient 1e308, expected a number below 1e100"}));
    const std::string more = ", expected 0, or a number of 1e-100 or more";
    EXPECT_EQ(faults(coupling({{"crank", {1.0, -1e-300}}, {"rocker", {1e-101}}})),
              (Texts{"coupling 'gear', dof 'crank': coefficient -1e-300" + more,
                     "coupling 'gear', dof 'rocker': coefficient 1e-101" + more}));
    EXPECT_EQ(faults(mimic("gear", "crank", "rocker", 1e-100)), Texts{});
    EXPECT_EQ(faults(mimic("gear", "crank", "roker")),
              Texts{"coupling 'gear': unknown dof 'roker'; did you mean 'rocker'?"});
    EXPECT_EQ(faults(mimic("gear", "crank", "head")),
              Texts{"coupling 'gear': hinge 'head' has 3 dofs, expected 1, or the name of one dof"});
    EXPECT_EQ(
        faults(mimic("gear", "crank", "head.wz")),
        Texts{"coupling 'gear': dof 'head.wz' is of a spherical hinge, whose rates have no coordinate of "
              "their own; expected a turn or a slide"});
}

TEST(LoopFaults, CouplingsThatDisagree)
{
    const std::string one = "coupling 'a' ('crank' = 2 'rocker')";
    EXPECT_EQ(faults({mimic("a", "crank", "rocker", 2.0), mimic("b", "rocker", "crank", 0.5)}),
              Texts{"coupling 'b' ('rocker' = 0.5 'crank') says again what " + one + " says: remove one"});
    EXPECT_EQ(faults({mimic("a", "crank", "rocker", 2.0), mimic("b", "crank", "rocker", 2.0, 0.1)}),
              Texts{"coupling 'b' ('crank' = 2 'rocker' + 0.1) contradicts " + one +
                    ": together they cannot hold; remove one"});
    // Two different ratios hold together, at rest: the hinges cannot move.
    EXPECT_EQ(faults({mimic("a", "crank", "rocker", 2.0), mimic("b", "crank", "rocker", 3.0)}), Texts{});
    ModelBuilder still = linkage();
    still.add_loop(mimic("a", "crank", "rocker", 2.0)).add_loop(mimic("b", "rocker", "crank", 0.6));
    std::vector<std::string> doubts;
    const Model locked = still.build();
    for (const Note& note : locked.notes())
        if (note.kind == Note::Kind::doubt)
            doubts.push_back(note.text);
    EXPECT_EQ(
        doubts,
        Texts{"coupling 'a' ('crank' = 2 'rocker'), coupling 'b' ('rocker' = 0.6 'crank') together hold "
              "'crank', 'rocker' still; if that is to move, correct or remove one"});
    // By way of a third: what follows from two others is told, and is no fault.
    ModelBuilder round = linkage();
    round.add_loop(mimic("a", "crank", "coupler"))
        .add_loop(mimic("b", "coupler", "rocker"))
        .add_loop(mimic("c", "rocker", "crank"));
    const Model model = round.build();
    EXPECT_EQ(model.notes().back().text, "coupling 'c' ('rocker' = 1 'crank') follows from coupling 'a' "
                                         "('crank' = 1 'coupler'), coupling 'b' ('coupler' = 1 "
                                         "'rocker'): redundant, so their multipliers are not unique");
    EXPECT_EQ(
        faults({mimic("a", "crank", "coupler"), mimic("b", "coupler", "rocker"),
                mimic("c", "rocker", "crank", 1.0, 0.25)}),
        Texts{"coupling 'c' ('rocker' = 1 'crank' + 0.25) contradicts coupling 'a' ('crank' = 1 "
              "'coupler'), coupling 'b' ('coupler' = 1 'rocker'): together they cannot hold; remove one"});
}

// Who is blamed is who takes part, not all that were met on the way.
TEST(LoopFaults, CouplingsThatRepeatOneOfSeveral)
{
    const std::string b = "coupling 'b' ('crank' = 1 'rocker')";
    EXPECT_EQ(faults({mimic("a", "crank", "coupler"), mimic("b", "crank", "rocker"),
                      mimic("c", "crank", "rocker")}),
              Texts{"coupling 'c' ('crank' = 1 'rocker') says again what " + b + " says: remove one"});
    EXPECT_EQ(faults({mimic("a", "crank", "coupler"), mimic("b", "crank", "rocker"),
                      mimic("c", "crank", "rocker", 1.0, 0.5)}),
              Texts{"coupling 'c' ('crank' = 1 'rocker' + 0.5) contradicts " + b +
                    ": together they cannot hold; remove one"});
    // Polynomials: one a multiple of the other, and with another offset.
    const auto cam = [](const std::string& name, double factor, double offset) {
        Loop loop = coupling({{"crank", {factor}}, {"rocker", {0.0, -2.0 * factor}}}, factor * offset);
        loop.name = name;
        return loop;
    };
    EXPECT_EQ(
        faults({cam("a", 1.0, 0.1), cam("b", -3.0, 0.1)}),
        Texts{"coupling 'b' (-3 'crank' + 6 'rocker'^2 = -0.30000000000000004) says again what coupling "
              "'a' ('crank' - 2 'rocker'^2 = 0.1) says: remove one"});
    EXPECT_EQ(faults({cam("a", 1.0, 0.1), cam("b", 1.0, 0.2)}),
              Texts{"coupling 'b' ('crank' - 2 'rocker'^2 = 0.2) contradicts coupling 'a' ('crank' - 2 "
                    "'rocker'^2 = 0.1): together they cannot hold; remove one"});
    // The same powers in other proportions hold together.
    EXPECT_EQ(faults({cam("a", 1.0, 0.0), mimic("b", "crank", "rocker")}), Texts{});
}

TEST(LoopFaults, LoopsThatAreThereTwice)
{
    const auto twice = [](LoopKind kind, auto change) {
        Loop one = pin(), other = pin();
        one.kind = other.kind = kind;
        one.X_Aa.p = other.X_Aa.p = {0.5, 0, 0};
        other.name = "bolt";
        change(other);
        return faults({one, other});
    };
    const auto again = [](const std::string& kind) {
        return Texts{"loop 'bolt' (" + kind + ") says again what loop 'pin' (" + kind + ") says: remove one"};
    };
    const auto as_it_is = [](Loop&) {};
    const auto swapped = [](Loop& loop) {
        std::swap(loop.body_a, loop.body_b), std::swap(loop.X_Aa, loop.X_Bb);
    };
    const Mat3<double> about_z{{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}};
    const auto turned = [&](Loop& loop) { loop.X_Aa.R = about_z; };
    EXPECT_EQ(twice(LoopKind::planar_pin, as_it_is), again("planar_pin"));
    EXPECT_EQ(twice(LoopKind::ball, swapped), again("ball"));
    EXPECT_EQ(twice(LoopKind::ball, turned), again("ball"));
    EXPECT_EQ(twice(LoopKind::revolute, turned), again("revolute"));
    EXPECT_EQ(twice(LoopKind::weld, turned), Texts{}); // they cannot both close, which their state tells
    EXPECT_EQ(twice(LoopKind::planar_pin, swapped), Texts{});
    EXPECT_EQ(twice(LoopKind::ball, [](Loop& loop) { loop.X_Bb.p.z = 1.0; }), Texts{});
    const auto rows = [&](std::vector<LoopRow> second) {
        Loop one = pin(), other = pin();
        one.kind = other.kind = LoopKind::rows;
        one.rows = {LoopRow::x, LoopRow::y};
        other.rows = std::move(second);
        other.name = "bolt";
        return faults({one, other});
    };
    EXPECT_EQ(rows({LoopRow::y, LoopRow::x}), again("rows"));
    EXPECT_EQ(rows({LoopRow::rz}), Texts{});
}

TEST(LoopWords, KindsAndRows)
{
    for (LoopKind kind :
         {LoopKind::weld, LoopKind::ball, LoopKind::revolute, LoopKind::prismatic, LoopKind::cylindrical,
          LoopKind::universal, LoopKind::planar_pin, LoopKind::rows, LoopKind::soft_finger,
          LoopKind::rolling_sphere, LoopKind::rolling_disc, LoopKind::coupling})
        EXPECT_EQ(loop_kind(name(kind)), kind);
    for (LoopRow row : {LoopRow::rx, LoopRow::ry, LoopRow::rz, LoopRow::x, LoopRow::y, LoopRow::z})
        EXPECT_EQ(loop_row(name(row)), row);
    EXPECT_THROW(loop_kind("bal"), UsageError);
    EXPECT_THROW(loop_row("w"), UsageError);
    const auto rows = [](LoopKind kind) {
        Loop loop;
        loop.kind = kind;
        return std::pair{num_rows(loop), num_holonomic_rows(loop)};
    };
    EXPECT_EQ(rows(LoopKind::weld), (std::pair{6, 6}));
    EXPECT_EQ(rows(LoopKind::revolute), (std::pair{5, 5}));
    EXPECT_EQ(rows(LoopKind::universal), (std::pair{4, 4}));
    EXPECT_EQ(rows(LoopKind::soft_finger), (std::pair{4, 3}));
    EXPECT_EQ(rows(LoopKind::rolling_disc), (std::pair{3, 1}));
    EXPECT_EQ(rows(LoopKind::coupling), (std::pair{1, 1}));
}

TEST(LoopWords, Equations)
{
    EXPECT_EQ(equation(mimic("g", "right", "left", -1.0, 0.005)), "'right' = -1 'left' + 0.005");
    EXPECT_EQ(equation(mimic("g", "right", "left", 2.0, -0.5)), "'right' = 2 'left' - 0.5");
    EXPECT_EQ(equation(mimic("g", "right", "left")), "'right' = 1 'left'");
    EXPECT_EQ(equation(coupling({{"sun", {1}}, {"ring", {2}}, {"carrier", {-3}}})),
              "'sun' + 2 'ring' - 3 'carrier' = 0");
    EXPECT_EQ(equation(coupling({{"a", {-1}}, {"b", {-1}}}, 0.5)), "-'a' - 'b' = 0.5");
    EXPECT_EQ(equation(coupling({{"a", {1}}, {"b", {0, -2, 1}}}, -1)), "'a' - 2 'b'^2 + 'b'^3 = -1");
    EXPECT_EQ(equation(coupling({{"a", {0}}, {"b", {}}})), "0 = 0");
}

} // namespace
} // namespace sweepdyn
