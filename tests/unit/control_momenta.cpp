// Momenta of floating bases: their derivatives, what reduce drops by them in steady motion, and what is refused elsewhere.
#include <gtest/gtest.h>

#include "support/dual_dynamics.hpp"
#include "support/linear.hpp"
#include "sweepdyn/control/lqr.hpp"
#include "sweepdyn/control/reduce.hpp"
#include "sweepdyn/control/regulator.hpp"
#include "sweepdyn/dynamics/momentum.hpp"
#include "sweepdyn/io/model/load.hpp"
#include "sweepdyn/io/model/native.hpp"
#include "sweepdyn/linear/momentum_derivatives.hpp"
#include "sweepdyn/linear/zero_order_hold.hpp"
#include "sweepdyn/model/edit.hpp"
#include "sweepdyn/sim/simulate.hpp"

namespace sweepdyn::test {
namespace {

using D = DualNumber;

// A bus that floats, with a wheel about z and a mast on top that tilts about x.
Model spinner(const std::string& gravity = "[0, 0, 0]", const std::string& damping = "[0, 0, 0, 0, 0, 0]")
{
    return parse_native(R"({"format": "sweepdyn-model/1", "name": "spinner", "gravity": )" + gravity + R"(,
        "bodies": [{"name": "bus", "mass": 100, "com": [0, 0, 0], "inertia_com": [[20, 0, 0], [0, 22, 0], [0, 0, 30]]},
                   {"name": "wheel", "mass": 5, "com": [0, 0, 0], "inertia_com": [[0.2, 0, 0], [0, 0.2, 0], [0, 0, 0.4]]},
                   {"name": "mast", "mass": 8, "com": [0, 0, 1.5], "inertia_com": [[2, 0, 0], [0, 2, 0], [0, 0, 0.1]]}],
        "hinges": [{"name": "base", "kind": "free", "parent": -1, "child": "bus", "damping": )" +
                            damping + R"(},
                   {"name": "wheel", "kind": "revolute", "parent": "bus", "child": "wheel", "axis": [0, 0, 1],
                    "position_in_parent": [0, 0, -0.3]},
                   {"name": "mast", "kind": "revolute", "parent": "bus", "child": "mast", "axis": [1, 0, 0],
                    "position_in_parent": [0, 0, 0.5]}]})",
                        "spinner.json");
}

OperatingPoint turning(const Model& model, double wx, double wz)
{
    OperatingPoint out(model);
    out.v[0] = wx, out.v[2] = wz;
    return out;
}

Force<double> momentum_at(const Model& model, const Numbers& q, const Numbers& v)
{
    Kinematics<double> kin(model);
    update<double>(kin, q, v);
    update_inertias(kin);
    return momentum_about_com(kin);
}

TEST(MomentumDerivatives, AreThoseOfDualNumbers)
{
    int seen = 0;
    for (const auto* cases : {&hinge_cases(), &model_cases()})
        for (const Case& c : *cases) {
            if (c.v.empty() || c.model.hinges()[0].kind != HingeKind::free || c.model.num_bodies() < 2 ||
                c.model.tree().root.back() != 0)
                continue;
            ++seen;
            std::vector<ExternalWrench> loads;
            for (WrenchAxes axes : {WrenchAxes::world, WrenchAxes::frame})
                loads.push_back({c.model.frame(c.model.bodies().back().name), c.wrench.back(), axes});
            Linearization lin(c.model);
            lin.set_at(c.q, c.v, c.a, loads);
            const MomentumDerivatives d = differentiate_momentum(lin, 0, loads);
            const Numbers zero(c.v.size());
            for (std::size_t j = 0; j < c.v.size(); ++j)
                for (bool velocity : {false, true}) {
                    const Numbers one = unit(c.v.size(), j);
                    DualState state(c, velocity ? zero : one, velocity ? one : zero);
                    state.update_all();
                    const Kinematics<D>& kin = state.stages.kin;
                    const Force<D> h = momentum_about_com(kin);
                    const auto column = static_cast<Eigen::Index>(j);
                    expect_equal("dh", c.where, MatrixXd(dense(velocity ? d.on_v : d.on_q).col(column)),
                                 MatrixXd(change_of(Motion<D>{h.n, h.f})),
                                 {.terms = largest(dense(d.on_v)) * (1 + largest(eigen(c.v)))});
                    Force<D> sum{};
                    for (const ExternalWrench& load : loads) {
                        const Pose<D> X = frame_pose(kin, load.frame);
                        Force<D> w{cast<D>(load.wrench.n), cast<D>(load.wrench.f)};
                        if (load.axes == WrenchAxes::frame)
                            w = rotate(X.R, w);
                        sum += Phi<D>{X.p - center_of_mass(kin)} * w;
                    }
                    if (!velocity)
                        expect_equal("loads", c.where, MatrixXd(dense(d.loads_on_q).col(column)),
                                     MatrixXd(change_of(Motion<D>{sum.n, sum.f})), {.terms = 10.0});
                }
        }
    EXPECT_GE(seen, 5);
}

// The loop closed on the mechanism itself: momentum stays, and what is kept moves as exp((A - B K) t) says.
void expect_regulated(const Model& model, const OperatingPoint& point, const Reduced& reduced, double time)
{
    const StateSpace& rest = reduced.system;
    const Gain gain = lqr(rest, Matrix::identity(rest.num_states()),
                          matrix(1e-2 * MatrixXd::Identity(rest.num_inputs(), rest.num_inputs())));
    const Controller law =
        controller(model, {gain.K, rest.states, rest.inputs, rest.q0, rest.v0, rest.u0, {}, {}});
    Plant plant(model, {.controller = law});
    Instant at{0.0, point.q, point.v};
    for (std::size_t j = 6; j < at.v.size(); ++j)
        at.q[j + 1] += 1e-5 * static_cast<double>(j), at.v[j] -= 2e-5;
    at.v[0] += 1e-5, at.v[1] -= 2e-5; // where the momentum leaves them free
    const Force<double> nominal = momentum_at(model, point.q, point.v);
    {
        Kinematics<double> kin(model);
        update<double>(kin, at.q, at.v);
        update_inertias(kin);
        reset_momentum<double>(kin, nominal, at.v);
    }
    const auto deviation = [&](const Instant& now) -> VectorXd {
        Numbers d(point.v.size()), out;
        difference<double>(model, point.q, now.q, d);
        for (const std::string& state : rest.states) {
            const auto j = static_cast<std::size_t>(model.dof(state.substr(2)));
            out.push_back(state[0] == 'q' ? d[j] : now.v[j] - point.v[j]);
        }
        return eigen(out);
    };
    const VectorXd x0 = deviation(at);
    const Instant last = simulate(plant, at, {.time = time, .step = 2e-3, .every = time}).last;
    StateSpace closed = rest;
    closed.A = matrix(dense(rest.A) - dense(rest.B) * dense(gain.K));
    const VectorXd expected = dense(zero_order_hold(closed, time).A) * x0, found = deviation(last);
    EXPECT_LT((found - expected).norm(), 1e-3 * x0.norm());
    EXPECT_LT(found.norm(), 0.7 * x0.norm());
    const Force<double> h = momentum_at(model, last.q, last.v);
    EXPECT_LT(norm(h.n - nominal.n) + norm(h.f - nominal.f), 1e-7);
}

TEST(Momenta, OfASteadySpinAreDropped)
{
    const Model model = spinner();
    const OperatingPoint point = turning(model, 0.0, 0.5);
    const LinearizeOptions options{.inputs = {"T:wheel", "T:mast"}};
    const StateSpace system = linearize(model, point, options);
    const Reduced found = reduce(model, point, options, system);
    EXPECT_EQ(found.ignorable.size(), 6u);
    EXPECT_EQ(found.momenta, (std::vector<std::string>{
                                 "angular momentum about z of 'bus'", "linear momentum along x of 'bus'",
                                 "linear momentum along y of 'bus'", "linear momentum along z of 'bus'"}));
    EXPECT_EQ(found.conserved,
              (std::vector<std::string>{"v:base.wz", "v:base.vx", "v:base.vy", "v:base.vz"}));
    EXPECT_NE(found.system.notes.back().find("conserved, for no input changes it: angular momentum about z"),
              std::string::npos);
    EXPECT_EQ(found.system.num_states() + 10, system.num_states());
    // What the matrices alone show is less, and a design on it is refused.
    EXPECT_EQ(reduce(system).conserved.size(), 2u);
    EXPECT_THROW(lqr(reduce(system).system, Matrix::identity(8), Matrix::identity(2)), RefusedError);
    expect_regulated(model, point, found, 4.0);
}

TEST(Momenta, AtRestAllSixAre)
{
    const Model model = spinner();
    OperatingPoint point(model);
    point.q[8] = 0.4;
    const LinearizeOptions options{.inputs = {"T:wheel", "T:mast"}};
    const Reduced found = reduce(model, point, options, linearize(model, point, options));
    EXPECT_EQ(found.momenta.size(), 6u);
    EXPECT_EQ(found.momenta[1], "angular momentum about y of 'bus'");
    EXPECT_EQ(found.system.states, (std::vector<std::string>{"q:wheel", "q:mast", "v:wheel", "v:mast"}));
    expect_regulated(model, point, found, 4.0);
}

TEST(Momenta, OfASpacecraftWithItsArmBent)
{
    const Model model =
        with_gravity(load_model(std::string(SWEEPDYN_MODELS) + "/spacecraft.urdf"), {0, 0, 0});
    OperatingPoint point(model);
    for (std::size_t j = 7; j < point.q.size(); ++j)
        point.q[j] = 0.1 * static_cast<double>(j % 4);
    LinearizeOptions options{.inputs = {}};
    for (std::size_t j = 6; j < point.v.size(); ++j)
        options.inputs.push_back("T:" + model.dof_names()[j]);
    const Reduced found = reduce(model, point, options, linearize(model, point, options));
    EXPECT_EQ(found.momenta.size(), 6u);
    EXPECT_EQ(found.system.num_states(), 2 * (model.num_dofs() - 6));
    expect_regulated(model, point, found, 20.0);
}

TEST(Momenta, HiddenByAnInstantAreRefused)
{
    const Model model = spinner();
    const LinearizeOptions options{.inputs = {"T:wheel", "T:mast"}};
    const auto words = [&](const Model& of, const OperatingPoint& point, const LinearizeOptions& with) {
        const StateSpace system = linearize(of, point, with);
        const std::string refused =
            words_of<RefusedError>([&] { refuse_hidden_momenta(of, point, with, system); });
        EXPECT_EQ(words_of<RefusedError>([&] { reduce(of, point, with, system); }), refused);
        return refused;
    };
    const std::string tumbling = words(model, turning(model, 0.2, 0.5), options);
    for (const char* part :
         {"the floating base 'bus' is in no steady motion here: by itself v:", "per second",
          "No input changes the angular momentum about x of 'bus'", "principal axis"})
        EXPECT_NE(tumbling.find(part), std::string::npos) << tumbling;
    // Falling, it accelerates.
    EXPECT_NE(words(spinner("[0, 0, -9.81]"), OperatingPoint(model), options), "");
    // At rest, spinning, with inputs on the base, or held by damping there is nothing to hide.
    EXPECT_EQ(words(model, OperatingPoint(model), options), "");
    EXPECT_EQ(words(model, turning(model, 0.0, 0.5), options), "");
    EXPECT_EQ(words(model, turning(model, 0.2, 0.5), {.inputs = {"T:*"}}), "");
    EXPECT_EQ(words(spinner("[0, 0, 0]", "[1, 1, 1, 1, 1, 1]"), turning(model, 0.2, 0.5), options), "");
}

TEST(Momenta, OfAnotherSystemAreRefused)
{
    const Model model = spinner();
    const OperatingPoint point(model);
    StateSpace other = linearize(model, point);
    other.states[0] = "q:elbow";
    EXPECT_NE(words_of<UsageError>([&] {
                  reduce(model, point, {}, other);
              }).find("expected linearize(model, point, options)"),
              std::string::npos);
}

// Forces on the bus push some momenta and leave the others.
TEST(Momenta, ThatInputsPushStay)
{
    const Model model = spinner();
    const OperatingPoint point(model);
    const LinearizeOptions options{.inputs = {"T:wheel", "T:mast", "T:base.wx", "T:base.vz"}};
    const Reduced found = reduce(model, point, options, linearize(model, point, options));
    EXPECT_EQ(found.momenta, (std::vector<std::string>{
                                 "angular momentum about y of 'bus'", "angular momentum about z of 'bus'",
                                 "linear momentum along x of 'bus'", "linear momentum along y of 'bus'"}));
}

} // namespace
} // namespace sweepdyn::test
