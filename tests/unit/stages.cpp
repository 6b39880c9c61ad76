// Stages: NaN until computed; a stale one is refused in words; wrong sizes are refused and change nothing.
#include <gtest/gtest.h>

#include <functional>

#include "support/cases.hpp"
#include "sweepdyn/dynamics/dynamics.hpp"
#include "sweepdyn/robot.hpp"
#include "sweepdyn/spatial/dense.hpp"

namespace sweepdyn {
namespace {

// Whether all numbers of a quantity are NaN, or all are finite.
bool all_of(const auto& is, const auto& quantity)
{
    const auto numbers = dense(quantity);
    for (int i = 0; i < numbers.size(); ++i)
        if (!is(value(numbers.reshaped()[i])))
            return false;
    return true;
}
template <class S> bool all_of(const auto& is, const Pose<S>& X)
{
    return all_of(is, X.R) && all_of(is, X.p);
}
bool poisoned(const auto& quantity)
{
    return all_of([](double x) { return std::isnan(x); }, quantity);
}
bool finite(const auto& quantity)
{
    return all_of([](double x) { return std::isfinite(x); }, quantity);
}

// Every kind of hinge in one model, on the ground's two trees; deep enough for a second pole.
Model every_hinge()
{
    Random random(5);
    ModelBuilder builder("every hinge");
    std::string parent;
    for (const test::HingeCase& which : test::hinge_kinds()) {
        const std::string name = "link" + std::to_string(builder.bodies().size());
        builder.add_body(test::random_body(random, name));
        Hinge hinge = test::random_hinge(random, which.kind, parent, name);
        hinge.steps = which.steps, hinge.user = which.user;
        builder.add_hinge(hinge);
        parent = name;
    }
    builder.add_body(test::random_body(random, "other"))
        .add_hinge(test::random_hinge(random, HingeKind::revolute, "", "other"));
    return builder.build();
}

template <class S>
class Stages : public testing::Test {
protected:
    Stages()
    {
        std::vector<double> numbers(static_cast<std::size_t>(model.num_coordinates()));
        random_configuration(model, 3, numbers);
        q.assign(numbers.begin(), numbers.end());
    }
    Model model = every_hinge();
    std::size_t dofs = static_cast<std::size_t>(model.num_dofs()),
                bodies = static_cast<std::size_t>(model.num_bodies());
    std::vector<S> q, v = std::vector<S>(dofs, S(0.5)), v_dot = std::vector<S>(dofs, S(-1)),
                      T = std::vector<S>(dofs), mass = std::vector<S>(dofs * dofs);
};
using Scalars = testing::Types<double, float, long double, Dual<double>>;
TYPED_TEST_SUITE(Stages, Scalars);

TYPED_TEST(Stages, KinematicsIsNaNUntilComputed)
{
    using S = TypeParam;
    for (Reference reference : {Reference::automatic, Reference::hinges, Reference::pole}) {
        Kinematics<S> kin(this->model, reference);
        const auto expect = [&](bool position, bool velocity, bool inertia) {
            const Tree& tree = kin.tree();
            for (Index k : tree.base_to_tip()) {
                const BodyKinematics<S>& b = kin.body[k];
                EXPECT_TRUE(position ? finite(b.X_WI) : poisoned(b.X_WI)) << k;
                EXPECT_TRUE(position ? finite(kin.X_WB(k)) : poisoned(kin.X_WB(k))) << k;
                EXPECT_TRUE(position && b.shifts ? finite(b.l) : poisoned(b.l)) << k;
                EXPECT_TRUE(velocity ? finite(b.V) && finite(b.a) : poisoned(b.V) && poisoned(b.a)) << k;
                EXPECT_TRUE(
                    inertia ? finite(kin.M[k].J) && finite(kin.M[k].h) && std::isfinite(value(kin.M[k].m))
                            : poisoned(kin.M[k].J) && poisoned(kin.M[k].h) && std::isnan(value(kin.M[k].m)))
                    << k;
                for (Index i = b.first_step; i < b.end_step; ++i)
                    EXPECT_TRUE(position && b.one_turn < 0 ? finite(kin.X_WI_steps[i])
                                                           : poisoned(kin.X_WI_steps[i]))
                        << k;
            }
            for (const Motion<S>& column : kin.H)
                EXPECT_TRUE(position ? finite(column) : poisoned(column));
            for (const S& x : kin.q)
                EXPECT_EQ(std::isnan(value(x)), !position);
            for (const S& x : kin.v)
                EXPECT_EQ(std::isnan(value(x)), !velocity);
            // The ground is there from the beginning: at the origin, at rest.
            EXPECT_TRUE(finite(kin.body[ground].X_WI) && finite(kin.body[ground].V));
            EXPECT_EQ(value(norm(kin.body[ground].V.w)), 0.0);
            EXPECT_TRUE(finite(kin.A0));
        };
        expect(false, false, false);
        update<S>(kin, this->q);
        expect(true, false, false);
        update_inertias(kin);
        expect(true, false, true);
        update<S>(kin, this->q, this->v);
        expect(true, true, true);
    }
}

TYPED_TEST(Stages, DynamicsIsNaNUntilComputed)
{
    using S = TypeParam;
    const Model& robot = this->model;
    Kinematics<S> kin(robot);
    CompositeInertias<S> composite(robot);
    Articulation<S> art(robot);
    BodyForces<S> scratch(robot);
    for (std::size_t k = 0; k < this->bodies; ++k) {
        EXPECT_TRUE(poisoned(composite.R[k].J) && poisoned(composite.R[k].h) &&
                    std::isnan(value(composite.R[k].m)));
        EXPECT_TRUE(poisoned(art.R.R[k].J) && poisoned(art.R.R[k].h));
        EXPECT_TRUE(poisoned(art.P_plus[k].I) && poisoned(art.P_plus[k].B) && poisoned(art.P_plus[k].M));
    }
    for (std::size_t j = 0; j < this->dofs; ++j)
        EXPECT_TRUE(std::isnan(value(art.D_inverse[j])) && poisoned(art.G[j]));
    for (int k = ground; k < robot.num_bodies(); ++k)
        EXPECT_TRUE(poisoned(scratch[k].A) && poisoned(scratch[k].f));

    update<S>(kin, this->q, this->v);
    update_inertias(kin);
    composite_inertias(kin, composite);
    articulate(kin, art);
    inverse_dynamics<S>(kin, this->v_dot, this->T, scratch);
    for (std::size_t k = 0; k < this->bodies; ++k) {
        EXPECT_TRUE(finite(composite.R[k]));
        // What children hand down: nothing ever arrives at a leaf.
        EXPECT_TRUE(robot.tree().is_leaf[k] ? poisoned(art.P_plus[k].I) : finite(art.P_plus[k])) << k;
        EXPECT_TRUE(finite(scratch[static_cast<int>(k)].A) && finite(scratch[static_cast<int>(k)].f));
    }
    for (std::size_t j = 0; j < this->dofs; ++j)
        EXPECT_TRUE(std::isfinite(value(art.D_inverse[j])) && finite(art.G[j]) &&
                    std::isfinite(value(this->T[j])));
    EXPECT_TRUE(art.singular.empty());
}

TYPED_TEST(Stages, NoPositionIsRefused)
{
    using S = TypeParam;
    Kinematics<S> kin(this->model);
    BodyForces<S> scratch(this->model);
    EXPECT_THROW(frame_pose(kin, this->model.frame("link3")), UsageError);
    EXPECT_THROW(potential_energy(kin), UsageError);
    EXPECT_THROW(gravity_forces<S>(kin, this->T, scratch), UsageError);
    EXPECT_THROW(update_inertias(kin), UsageError);
}

class StaleStages : public Stages<double> {
protected:
    Kinematics<double> kin{model};
    CompositeInertias<double> composite{model};
    Articulation<double> art{model};
    BodyForces<double> scratch{model};
    ColumnRates<double> rates{model};
    CompositeBiasInertias<double> bias{model};
    CompositeInertiaRates<double> inertia_rates{model};
    ReferenceMotions<double> motions{model};
    std::vector<double> Y = std::vector<double>(10 * dofs * bodies);
    FrameId tool = model.frame("link3");

    struct Call {
        const char* function;
        const char*
            needs_velocity; // what to call after a position only; empty where a velocity is not needed
        const char* needs_stage;    // what to call after a new state, when nothing else was renewed
        std::function<void()> call;
    };
    std::vector<Call> calls{
        {"frame_velocity", "update(kin, q, v)", "", [this] { frame_velocity(kin, tool); }},
        {"frame_acceleration", "update(kin, q, v)", "",
         [this] { frame_acceleration<double>(kin, tool, v_dot); }},
        {"inverse_dynamics", "update(kin, q, v)", "",
         [this] { inverse_dynamics<double>(kin, v_dot, T, scratch); }},
        {"inertial_inverse_dynamics", "update(kin, q, v)", "update_inertias",
         [this] { inertial_inverse_dynamics<double>(kin, {}, v_dot, T, scratch); }},
        {"composite_inertias", "", "update_inertias", [this] { composite_inertias(kin, composite); }},
        {"composite_inverse_dynamics", "update(kin, q, v)", "composite_inertias",
         [this] { composite_inverse_dynamics<double>(kin, composite, v_dot, T, scratch); }},
        {"mass_matrix", "", "composite_inertias", [this] { mass_matrix<double>(kin, composite, mass); }},
        {"mass_matrix_trace", "", "composite_inertias", [this] { mass_matrix_trace(kin, composite); }},
        {"column_rates", "update(kin, q, v)", "", [this] { column_rates(kin, rates); }},
        {"regressor", "update(kin, q, v)", "", [this] { regressor<double>(kin, v_dot, Y, scratch); }},
        {"coriolis_matrix", "column_rates", "column_rates",
         [this] { coriolis_matrix<double>(kin, rates, composite, mass, bias); }},
        {"mass_matrix_rate", "column_rates", "column_rates",
         [this] { mass_matrix_rate<double>(kin, rates, composite, mass, inertia_rates); }},
        {"passivity_inverse_dynamics", "column_rates", "column_rates",
         [this] { passivity_inverse_dynamics<double>(kin, rates, v, v_dot, T, motions); }},
        {"passivity_regressor", "column_rates", "column_rates",
         [this] { passivity_regressor<double>(kin, rates, v, v_dot, Y, motions); }},
        {"articulate", "", "update_inertias", [this] { articulate(kin, art); }},
        {"forward_dynamics", "update(kin, q, v)", "articulate",
         [this] { forward_dynamics<double>(kin, art, T, v_dot, scratch); }},
        {"momentum", "update(kin, q, v)", "update_inertias(kin)", [this] { momentum(kin); }},
        {"system_inertia", "", "update_inertias(kin)", [this] { system_inertia(kin); }},
        {"kinetic_energy", "update(kin, q, v)", "update_inertias(kin)", [this] { kinetic_energy(kin); }},
    };
    static std::string words(const std::function<void()>& call)
    {
        try {
            call();
        } catch (const UsageError& error) {
            return error.what();
        }
        return "";
    }
    static std::string stale(const Call& c, const std::string& needed)
    {
        return needed.empty() ? ""
                              : std::string(c.function) + ": the stage that it reads is stale; call " +
                                    needed + " first, for this state";
    }
    void renew()
    {
        update<double>(kin, q, v);
        update_inertias(kin);
        composite_inertias(kin, composite);
        column_rates(kin, rates);
        articulate(kin, art);
    }
};

TEST_F(StaleStages, AreFreshOnceAllIsComputed)
{
    renew();
    for (const Call& c : calls)
        EXPECT_EQ(words(c.call), "") << c.function;
}

TEST_F(StaleStages, AreRefusedWhenNothingWasComputed)
{
    for (const Call& c : calls)
        EXPECT_EQ(words(c.call), stale(c, *c.needs_velocity ? c.needs_velocity : c.needs_stage))
            << c.function;
}

TEST_F(StaleStages, AreRefusedAfterANewState)
{
    renew();
    for (const Call& c : calls) {
        if (c.needs_stage == std::string("composite_inertias") || c.needs_stage == std::string("articulate"))
            renew(); // the calls between may have renewed it
        update<double>(kin, q, v);
        EXPECT_EQ(words(c.call), stale(c, c.needs_stage)) << c.function;
    }
}

TEST_F(StaleStages, AreRefusedAfterAPositionWithoutVelocity)
{
    renew();
    update<double>(kin, q);
    update_inertias(kin);
    composite_inertias(kin, composite);
    articulate(kin, art);
    for (const Call& c : calls)
        EXPECT_EQ(words(c.call), stale(c, c.needs_velocity)) << c.function;
}

// Gravity and positions ask for neither velocities nor inertias.
TEST_F(StaleStages, DoNotStopWhatDoesNotReadThem)
{
    update<double>(kin, q);
    std::vector<double> J(6 * dofs);
    EXPECT_NO_THROW(gravity_forces<double>(kin, T, scratch));
    EXPECT_NO_THROW(potential_energy(kin));
    EXPECT_NO_THROW(frame_pose(kin, tool));
    EXPECT_NO_THROW(frame_jacobian<double>(kin, tool, J));
}

// What one stage needs from two: each in turn.
TEST_F(StaleStages, FromAnotherStageAreRefusedUntilEachIsRenewed)
{
    renew();
    update<double>(kin, q, v);
    EXPECT_EQ(words([&] { mass_matrix<double>(kin, composite, mass); }),
              "mass_matrix: the stage that it reads is stale; call composite_inertias first, for this state");
    EXPECT_EQ(
        words([&] { composite_inertias(kin, composite); }),
        "composite_inertias: the stage that it reads is stale; call update_inertias first, for this state");
    update_inertias(kin);
    composite_inertias(kin, composite);
    EXPECT_NO_THROW(mass_matrix<double>(kin, composite, mass));
    EXPECT_NE(words([&] { forward_dynamics<double>(kin, art, T, v_dot, scratch); }), "");
    articulate(kin, art);
    EXPECT_NO_THROW(forward_dynamics<double>(kin, art, T, v_dot, scratch));
}

TEST_F(StaleStages, WrongSizesAreRefusedAndChangeNothing)
{
    renew();
    const std::vector<double> q_before = kin.q, v_before = kin.v;
    const auto version = kin.position_version;
    const std::vector<double> short_q(q.size() - 1, 0.0), long_v(dofs + 1, 0.0);
    const std::string n = std::to_string(dofs), nq = std::to_string(q.size());
    EXPECT_EQ(words([&] { update<double>(kin, short_q); }),
              "update: q has size " + std::to_string(q.size() - 1) + ", expected " + nq);
    EXPECT_EQ(words([&] { update<double>(kin, short_q, v); }),
              "update: q has size " + std::to_string(q.size() - 1) + ", expected " + nq);
    EXPECT_EQ(words([&] { update<double>(kin, q, long_v); }),
              "update: v has size " + std::to_string(dofs + 1) + ", expected " + n);
    EXPECT_EQ(words([&] { mass_matrix<double>(kin, composite, T); }),
              "mass_matrix: mass has size " + n + ", expected " + std::to_string(dofs * dofs));
    EXPECT_EQ(words([&] { frame_jacobian<double>(kin, tool, T); }),
              "frame_jacobian: J has size " + n + ", expected " + std::to_string(6 * dofs));
    EXPECT_EQ(words([&] { mass_matrix_by_inverse_dynamics<double>(kin, q, T, T, scratch); }),
              "mass_matrix_by_inverse_dynamics: mass has size " + n + ", expected " +
                  std::to_string(dofs * dofs));
    EXPECT_EQ(words([&] { mass_matrix_by_inverse_dynamics<double>(kin, q, mass, mass, scratch); }),
              "mass_matrix_by_inverse_dynamics: unit has size " + std::to_string(dofs * dofs) +
                  ", expected " + n);
    EXPECT_EQ(kin.position_version, version);
    EXPECT_EQ(kin.q, q_before);
    EXPECT_EQ(kin.v, v_before);
    EXPECT_NO_THROW(forward_dynamics<double>(kin, art, T, v_dot, scratch)); // all is as fresh as before
}

TEST_F(StaleStages, WrongSizesOfDynamicsAreRefused)
{
    renew();
    std::vector<double> few(dofs - 1);
    std::vector<Force<double>> external(3);
    BodyForces<double> small(*generate_model("chain:3"));
    const std::string n = std::to_string(dofs), all = std::to_string(model.num_bodies());
    const std::string short_v_dot = "v_dot has size " + std::to_string(dofs - 1) + ", expected " + n;
    const std::string short_T = "T has size " + std::to_string(dofs - 1) + ", expected " + n;
    EXPECT_EQ(words([&] { inverse_dynamics<double>(kin, few, T, scratch); }),
              "inverse_dynamics: " + short_v_dot);
    EXPECT_EQ(words([&] { inverse_dynamics<double>(kin, v_dot, few, scratch); }),
              "inverse_dynamics: " + short_T);
    EXPECT_EQ(words([&] { inverse_dynamics<double>(kin, v_dot, T, small); }),
              "inverse_dynamics: scratch has size 3, expected " + all);
    EXPECT_EQ(words([&] { inverse_dynamics<double>(kin, v_dot, T, scratch, external); }),
              "inverse_dynamics: external has size 3, expected " + all);
    EXPECT_EQ(words([&] { forward_dynamics<double>(kin, art, few, v_dot, scratch); }),
              "forward_dynamics: " + short_T);
    EXPECT_EQ(words([&] { forward_dynamics<double>(kin, art, T, few, scratch); }),
              "forward_dynamics: " + short_v_dot);
    EXPECT_EQ(words([&] { composite_inverse_dynamics<double>(kin, composite, v_dot, few, scratch); }),
              "composite_inverse_dynamics: " + short_T);
    EXPECT_EQ(words([&] { inertial_inverse_dynamics<double>(kin, {}, v_dot, few, scratch); }),
              "inertial_inverse_dynamics: " + short_T);
    EXPECT_EQ(words([&] { regressor<double>(kin, few, Y, scratch); }), "regressor: " + short_v_dot);
    EXPECT_EQ(words([&] { regressor<double>(kin, v_dot, T, scratch); }),
              "regressor: Y has size " + n + ", expected " + std::to_string(Y.size()));
    EXPECT_EQ(words([&] { passivity_inverse_dynamics<double>(kin, rates, v, v_dot, few, motions); }),
              "passivity_inverse_dynamics: " + short_T);
    EXPECT_EQ(words([&] { passivity_inverse_dynamics<double>(kin, rates, few, v_dot, T, motions); }),
              "passivity_inverse_dynamics: v_r has size " + std::to_string(dofs - 1) + ", expected " + n);
    EXPECT_EQ(words([&] { passivity_regressor<double>(kin, rates, v, few, Y, motions); }),
              "passivity_regressor: a_r has size " + std::to_string(dofs - 1) + ", expected " + n);
    EXPECT_EQ(words([&] { coriolis_matrix<double>(kin, rates, composite, T, bias); }),
              "coriolis_matrix: C has size " + n + ", expected " + std::to_string(dofs * dofs));
    EXPECT_EQ(words([&] { mass_matrix_rate<double>(kin, rates, composite, T, inertia_rates); }),
              "mass_matrix_rate: M_dot has size " + n + ", expected " + std::to_string(dofs * dofs));
    EXPECT_EQ(words([&] { gravity_forces<double>(kin, few, scratch); }).substr(0, 15), "gravity_forces:");
    EXPECT_EQ(words([&] { passive_forces<double>(model, v, 0.0, few); }), "passive_forces: " + short_T);
    EXPECT_EQ(words([&] { frame_acceleration<double>(kin, tool, few); }),
              "frame_acceleration: " + short_v_dot);
    EXPECT_EQ(words([&] { add_external_wrench<double>(kin, tool, {}, WrenchAxes::world, external); }),
              "add_external_wrench: external has size 3, expected " + all);
}

// What was computed from one robot's state is stale for another's, however alike they are.
TEST_F(StaleStages, OfAnotherRobotAreRefused)
{
    renew();
    Kinematics<double> twin(model);
    update<double>(twin, q, v);
    update_inertias(twin);
    EXPECT_NE(words([&] { mass_matrix<double>(twin, composite, mass); }), "");
    EXPECT_NE(words([&] { forward_dynamics<double>(twin, art, T, v_dot, scratch); }), "");
    const Kinematics<double> copy = kin; // holds the same state
    EXPECT_EQ(words([&] { mass_matrix<double>(copy, composite, mass); }), "");

    const Model other = *generate_model("chain:3");
    CompositeInertias<double> of_other(other);
    Articulation<double> art_of_other(other);
    EXPECT_NE(words([&] { composite_inertias(kin, of_other); }), "");
    EXPECT_NE(words([&] { articulate(kin, art_of_other); }), "");
}

TEST_F(StaleStages, WrongSizesOfConfigurationsAreRefused)
{
    const Eigen::VectorXd q_right = neutral(model), q_short = q_right.head(3),
                          d_short = Eigen::VectorXd::Zero(2);
    const std::string n = std::to_string(dofs), nq = std::to_string(q.size());
    EXPECT_EQ(words([&] { normalise(model, q_short); }), "normalise: q has size 3, expected " + nq);
    EXPECT_EQ(words([&] { integrate(model, q_short, d_short); }), "integrate: q has size 3, expected " + nq);
    EXPECT_EQ(words([&] { integrate(model, q_right, d_short); }),
              "integrate: displacement has size 2, expected " + n);
    EXPECT_EQ(words([&] { difference(model, q_short, q_right); }),
              "difference: from has size 3, expected " + nq);
    EXPECT_EQ(words([&] { difference(model, q_right, q_short); }),
              "difference: to has size 3, expected " + nq);
    EXPECT_EQ(words([&] { interpolate(model, q_right, q_short, 0.5); }),
              "difference: to has size 3, expected " + nq);
}

TEST_F(StaleStages, AQuaternionOfNoLengthIsRefusedByName)
{
    Eigen::VectorXd none = neutral(model);
    const int spherical = model.hinge("link8_hinge");
    ASSERT_EQ(model.hinges()[static_cast<std::size_t>(spherical)].kind, HingeKind::spherical);
    none[model.tree().first_coordinate[static_cast<std::size_t>(spherical)]] = 0.0;
    EXPECT_EQ(words([&] { normalise(model, none); }),
              "normalise: the quaternion of hinge 'link8_hinge' has length 0, expected more than zero");
}

// What inverse_dynamics left is read, not what another algorithm or another state did.
TEST_F(StaleStages, HingeReactionsAreThoseOfThisState)
{
    renew();
    const auto reaction = [&] { hinge_reaction(kin, scratch, 1); };
    const std::string refused =
        "hinge_reaction: the stage that it reads is stale; call inverse_dynamics first, for this state";
    EXPECT_EQ(words(reaction), refused);
    inverse_dynamics<double>(kin, v_dot, T, scratch);
    EXPECT_EQ(words(reaction), "");
    for (const std::function<void()>& other : std::vector<std::function<void()>>{
             [&] { forward_dynamics<double>(kin, art, T, v_dot, scratch); },
             [&] { composite_inverse_dynamics<double>(kin, composite, v_dot, T, scratch); },
             [&] { inertial_inverse_dynamics<double>(kin, {}, v_dot, T, scratch); },
             [&] { gravity_forces<double>(kin, T, scratch); },
             [&] { regressor<double>(kin, v_dot, Y, scratch); }, [&] { update<double>(kin, q, v); }}) {
        renew();
        inverse_dynamics<double>(kin, v_dot, T, scratch);
        other();
        EXPECT_EQ(words(reaction), refused);
    }
}

// T may take the place of v_dot.
TEST_F(StaleStages, InverseDynamicsInPlace)
{
    renew();
    for (const std::function<void(std::span<const double>, std::span<double>)>&run :
         std::vector<std::function<void(std::span<const double>, std::span<double>)>>{
             [&](auto a, auto f) { inverse_dynamics<double>(kin, a, f, scratch); },
             [&](auto a, auto f) { composite_inverse_dynamics<double>(kin, composite, a, f, scratch); },
             [&](auto a, auto f) { inertial_inverse_dynamics<double>(kin, {}, a, f, scratch); },
             [&](auto f, auto a) { forward_dynamics<double>(kin, art, f, a, scratch); }}) {
        std::vector<double> in_place = v_dot;
        run(v_dot, T);
        run(in_place, in_place);
        EXPECT_EQ(in_place, T);
    }
}

TEST_F(StaleStages, AFrameOfAnotherModelIsRefused)
{
    renew();
    EXPECT_EQ(words([&] { frame_pose(kin, FrameId{}); }).find("model 'every hinge': frame id -1"), 0u);
    EXPECT_NE(words([&] { frame_velocity(kin, FrameId{1000}); }).find("frame id 1000, expected 0 to "),
              std::string::npos);
}

TEST_F(StaleStages, ARobotRefusesAStateThatIsNone)
{
    Robot robot(model);
    const Eigen::VectorXd rest = Eigen::VectorXd::Zero(model.num_dofs()), q0 = neutral(model);
    EXPECT_NE(words([&] { robot.set_state(Eigen::VectorXd::Zero(q0.size()), rest); }), "");
    EXPECT_EQ(words([&] { robot.set_state(q0 * NAN, rest); }),
              "set_state: q has a number that is not finite");
    EXPECT_EQ(words([&] { robot.set_state(q0, rest.array() + INFINITY); }),
              "set_state: v has a number that is not finite");
}

} // namespace
} // namespace sweepdyn
