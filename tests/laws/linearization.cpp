// The Linearization object and what sensors see, against dual numbers through forward dynamics.
#include "sweepdyn/linear/linearization.hpp"

#include <Eigen/Cholesky>

#include "support/dual_dynamics.hpp"
#include "support/truth.hpp"
#include "sweepdyn/linear/frame_derivatives.hpp"
#include "sweepdyn/model/inertial_parameters.hpp"

namespace sweepdyn::test {
namespace {

using D = DualNumber;

// Wrenches on the bodies' frames: every other one keeps its axes.
std::vector<ExternalWrench> loads_of(const Case& c)
{
    std::vector<ExternalWrench> out;
    for (int k = 0; k < c.model.num_bodies(); ++k)
        out.push_back({c.model.frame(c.model.bodies()[static_cast<std::size_t>(k)].name),
                       c.wrench[static_cast<std::size_t>(k)], k % 2 ? WrenchAxes::world : WrenchAxes::frame});
    return out;
}
std::vector<Force<D>> external_of(const Case& c, const DualState& state)
{
    std::vector<Force<D>> fixed = state.external(c, true), followers = state.external(c, false);
    for (std::size_t k = 0; k < fixed.size(); k += 2)
        fixed[k] = followers[k];
    return fixed;
}

// A few dozen cases: every kind of hinge, alone and in a tree, and forests.
std::vector<Case> some_cases()
{
    std::vector<Case> out;
    for (std::size_t i = 2; i < hinge_cases().size(); i += 4)
        out.push_back(hinge_cases()[i]);
    for (std::size_t i = 0; i < forest_cases().size(); i += 8)
        if (!forest_cases()[i].v.empty())
            out.push_back(forest_cases()[i]);
    return out;
}

struct Scales {
    double condition, compliance, force;
    Rule rule() const { return {.condition = condition, .terms = compliance * force}; }
};
Scales scales_of(Linearization& lin)
{
    const MatrixXd M = dense(lin.inverse_matrices().M);
    double force = 1.0;
    for (Index k : lin.model().tree().base_to_tip())
        force = std::max(force, largest(dense(lin.derivatives().motion[k].f)));
    return {condition_of(M), largest(M.inverse()), force};
}

// With damping and smooth friction.
Model with_passive(const Model& model)
{
    ModelBuilder builder(model);
    Random random(9);
    for (Hinge& hinge : builder.hinges()) {
        hinge.damping.clear(), hinge.friction.clear();
        for (int i = 0; i < num_dofs(hinge); ++i) {
            hinge.damping.push_back(random.uniform(0.1, 1.0));
            hinge.friction.push_back(random.uniform(0.1, 1.0));
        }
    }
    return builder.build();
}

VectorXd dual_forward(const Case& c, const Numbers& dq, const Numbers& dv, const Numbers& dT)
{
    DualState state(c, dq, dv);
    state.update_all();
    std::vector<D> T = dual(c.T, dT), passive(T.size());
    passive_forces<D>(c.model, state.v, 0.4, passive);
    for (std::size_t i = 0; i < T.size(); ++i)
        T[i] -= passive[i];
    return change_of(state.stages.forward(T, external_of(c, state)));
}

TEST(Linearization, AppliesAndTransposes)
{
    for (Case c : some_cases()) {
        c.model = with_passive(c.model);
        const auto n = c.v.size();
        Linearization lin(c.model, {.friction_speed = 0.4});
        lin.set(c.q, c.v, c.T, loads_of(c));
        const Rule rule = scales_of(lin).rule();
        Random random(5);
        const auto numbers = [&] { return random_numbers(random, static_cast<int>(n), 1.0); };
        const Numbers dq = numbers(), dv = numbers(), dT = numbers(), weights = numbers();
        Numbers dv_dot(n), on_dq(n), on_dv(n), on_dT(n);
        lin.apply(dq, dv, dT, dv_dot);
        const VectorXd expected = dual_forward(c, dq, dv, dT);
        expect_equal("apply", c.where, MatrixXd(eigen(dv_dot)), MatrixXd(expected), rule);
        lin.apply_adjoint(weights, on_dq, on_dv, on_dT);
        const double left = eigen(weights).dot(expected), right = eigen(on_dq).dot(eigen(dq)) +
                                                                  eigen(on_dv).dot(eigen(dv)) +
                                                                  eigen(on_dT).dot(eigen(dT));
        expect_equal("adjoint", c.where, right, left,
                     {.condition = rule.condition, .terms = rule.terms * static_cast<double>(n)});
        for (LinearRoute route : {LinearRoute::automatic, LinearRoute::by_mass_matrix, LinearRoute::direct}) {
            const auto& [M_inverse, A_C, B_C] = lin.matrices(route);
            const VectorXd by_matrices =
                dense(M_inverse) * eigen(dT) - dense(A_C) * eigen(dv) - dense(B_C) * eigen(dq);
            expect_equal("matrices", c.where, MatrixXd(by_matrices), MatrixXd(expected), rule);
        }
        // At the accelerations found, the same model.
        Linearization again(c.model, {.friction_speed = 0.4});
        const Numbers found(lin.v_dot().begin(), lin.v_dot().end());
        again.set_at(c.q, c.v, found, loads_of(c));
        expect_equal("T", c.where, Numbers(again.T().begin(), again.T().end()), c.T,
                     {.condition = rule.condition, .terms = scales_of(lin).force});
    }
}

TEST(Linearization, ByGravityAndWrenches)
{
    for (const Case& c : some_cases()) {
        Linearization lin(c.model, {.damping = false});
        lin.set(c.q, c.v, c.T, loads_of(c));
        const Scales scales = scales_of(lin);
        const Numbers zero(c.v.size());
        const auto dual_change = [&](const auto& set_up) {
            DualState state(c, zero, zero);
            state.update_all();
            std::vector<Force<D>> external = external_of(c, state);
            set_up(state, external);
            return change_of(state.stages.forward(dual(c.T), external));
        };
        const Matrix by_gravity = lin.by_gravity();
        for (int i = 0; i < 3; ++i) {
            const VectorXd expected =
                dual_change([&](DualState& state, auto&) { state.stages.kin.A0.v[i].tangent = -1.0; });
            expect_equal("by gravity", c.where, MatrixXd(dense(by_gravity).col(i)), MatrixXd(expected),
                         scales.rule());
        }
        const FrameId frame{static_cast<int>(c.model.frames().size()) - 1};
        for (WrenchAxes axes : {WrenchAxes::world, WrenchAxes::frame}) {
            const Matrix by_wrench = lin.by_wrench(frame, axes);
            for (int i = 0; i < 6; ++i) {
                Force<D> wrench{};
                (i < 3 ? wrench.n : wrench.f)[i % 3].tangent = 1.0;
                const VectorXd expected = dual_change([&](DualState& state, auto& external) {
                    add_external_wrench<D>(state.stages.kin, frame, wrench, axes, external);
                });
                expect_equal("by wrench", c.where, MatrixXd(dense(by_wrench).col(i)), MatrixXd(expected),
                             scales.rule());
            }
        }
    }
}

// Ten numbers of one body changed in the dual model: m, m c, J about the body's origin, in the axes of its frame.
void change_parameter(Kinematics<D>& kin, int k, int which)
{
    BodyKinematics<D>& b = kin.body[k];
    const Body& body = kin.model.bodies()[static_cast<std::size_t>(k)];
    D m(body.mass);
    Vec3<D> h = m * cast<D>(body.com);
    Sym3<D> J = Inertia<D>::about_point(m, cast<D>(body.com), cast<D>(body.inertia_com)).J;
    D* const numbers[10] = {&m, &h.x, &h.y, &h.z, &J.xx, &J.xy, &J.xz, &J.yy, &J.yz, &J.zz};
    numbers[which]->tangent = 1.0;
    const Vec3<D> c = (D(1.0) / m) * h;
    const Sym3<D> central = J - Inertia<D>::about_point(m, c, {}).J;
    b.mass = m;
    b.com = transform_point(b.X_IB, c);
    b.inertia_com = rotate(b.X_IB.R, central);
}

TEST(Linearization, ByParameters)
{
    for (const Case& c : some_cases()) {
        Linearization lin(c.model, {.damping = false});
        lin.set(c.q, c.v, c.T, loads_of(c));
        const Scales scales = scales_of(lin);
        const Numbers zero(c.v.size());
        const auto forward = [&](const auto& change) {
            DualState state(c, zero, zero);
            change(state.stages.kin);
            state.update_all();
            return change_of(state.stages.forward(dual(c.T), external_of(c, state)));
        };
        const int k = c.model.num_bodies() / 2;
        const Matrix parameters = lin.by_inertial_parameters();
        for (int i = 0; i < parameters_per_body; ++i) {
            const VectorXd expected = forward([&](Kinematics<D>& kin) { change_parameter(kin, k, i); });
            // A unit of inertia is many times the body's own.
            expect_equal(
                "by inertial parameters", c.where,
                MatrixXd(dense(parameters).col(parameters_per_body * k + i)), MatrixXd(expected),
                {.condition = scales.condition, .terms = scales.compliance * std::max(scales.force, 1e3)});
        }
        const Matrix placement = lin.by_hinge_placement(k);
        for (int i = 0; i < 6; ++i) {
            const VectorXd expected = forward([&](Kinematics<D>& kin) {
                // X_PF exp(twist): before the step's own placement, whose frame is the parent's inner one
                BodyKinematics<D>& b = kin.body[k];
                const Pose<D> X_PF = cast<D>(c.model.hinges()[static_cast<std::size_t>(k)].X_PF),
                              X_IF = b.parent == ground ? X_PF : kin.body[b.parent].X_IB * X_PF;
                Pose<D> small{};
                if (i < 3) {
                    Vec3<D> turn{};
                    turn[i].tangent = 1.0;
                    small.R = small.R + tilde(turn);
                } else
                    small.p[i - 3].tangent = 1.0;
                const Pose<D> change = X_IF * small * inverse(X_IF);
                b.placement = change * b.placement;
                kin.steps[static_cast<std::size_t>(b.first_step)].placement =
                    change * kin.steps[static_cast<std::size_t>(b.first_step)].placement;
            });
            expect_equal("by hinge placement", c.where, MatrixXd(dense(placement).col(i)), MatrixXd(expected),
                         scales.rule());
        }
    }
}

// What a sensor says, in dual numbers.
std::vector<D> dual_sensor(const Kinematics<D>& kin, FrameId frame, Sensor sensor, std::span<const D> v_dot)
{
    const Pose<D> X = frame_pose(kin, frame);
    const auto list = [](const Vec3<D>& a) { return std::vector<D>{a.x, a.y, a.z}; };
    const auto both = [](const Vec3<D>& a, const Vec3<D>& b) {
        return std::vector<D>{a.x, a.y, a.z, b.x, b.y, b.z};
    };
    const Motion<D> V = frame_velocity(kin, frame), A = frame_acceleration<D>(kin, frame, v_dot);
    switch (sensor) {
    case Sensor::pose: return both(log_rotation(X.R), X.p);
    case Sensor::velocity: return both(V.w, V.v);
    case Sensor::acceleration: return both(A.w, A.v);
    case Sensor::gyro: return list(transpose_times(X.R, V.w));
    case Sensor::accelerometer: return list(transpose_times(X.R, A.v + kin.A0.v));
    }
    return {};
}

TEST(FrameDerivatives, AreWhatSensorsSee)
{
    for (const Case& c : some_cases()) {
        const auto n = c.v.size();
        Linearization lin(c.model, {.damping = false});
        lin.set_at(c.q, c.v, c.a, loads_of(c));
        const Numbers zero(n);
        const FrameId frame{static_cast<int>(c.model.frames().size()) - 1};
        const double size = 10.0 * (1.0 + largest(eigen(c.v)) * largest(eigen(c.v)) * static_cast<double>(n));
        for (Sensor sensor :
             {Sensor::pose, Sensor::velocity, Sensor::acceleration, Sensor::gyro, Sensor::accelerometer}) {
            const int rows = sensor_size(sensor);
            SensorDerivatives y(rows, static_cast<int>(n));
            differentiate_sensor(lin.kinematics(), lin.derivatives(), frame, sensor, y);
            const auto compare = [&](const char* what, const std::vector<double>& got, std::size_t j,
                                     const Numbers& dq, const Numbers& dv, const Numbers& da,
                                     int gravity = -1) {
                DualState state(c, dq, dv);
                if (gravity >= 0)
                    state.stages.kin.A0.v[gravity].tangent = -1.0;
                update<D>(state.stages.kin, state.q, state.v);
                const VectorXd expected =
                    change_of(dual_sensor(state.stages.kin, frame, sensor, dual(c.a, da)));
                const auto first = got.begin() + static_cast<std::ptrdiff_t>(j) * rows;
                expect_equal(what, c.where + ", sensor " + std::to_string(static_cast<int>(sensor)),
                             MatrixXd(eigen(Numbers(first, first + rows))), MatrixXd(expected),
                             {.terms = size});
            };
            for (std::size_t j = 0; j < n; ++j) {
                compare("y_q", y.y_q, j, unit(n, j), zero, zero);
                compare("y_v", y.y_v, j, zero, unit(n, j), zero);
                compare("y_a", y.y_a, j, zero, zero, unit(n, j));
            }
            for (int i = 0; i < 3; ++i)
                compare("y_g", y.y_g, static_cast<std::size_t>(i), zero, zero, zero, i);
            // and the reading itself
            DualState state(c, zero, zero);
            update<D>(state.stages.kin, state.q, state.v);
            Numbers reading(static_cast<std::size_t>(rows)), expected;
            read_sensor(lin.kinematics(), lin.derivatives(), frame, sensor, reading);
            for (const D& number : dual_sensor(state.stages.kin, frame, sensor, dual(c.a)))
                expected.push_back(number.real);
            expect_equal("reading", c.where, reading, expected, {.terms = size});
        }
        // Forces through a hinge.
        const int k = c.model.num_bodies() / 2;
        SensorDerivatives y(6, static_cast<int>(n));
        differentiate_reaction(lin.kinematics(), lin.composite(), lin.derivatives(), lin.composite_loads(), k,
                               y);
        const double force = scales_of(lin).force * 10.0;
        const auto compare = [&](const char* what, const std::vector<double>& got, std::size_t j,
                                 const Numbers& dq, const Numbers& dv, const Numbers& da, int gravity = -1) {
            DualState state(c, dq, dv);
            if (gravity >= 0)
                state.stages.kin.A0.v[gravity].tangent = -1.0;
            update<D>(state.stages.kin, state.q, state.v);
            state.stages.inverse(dual(c.a, da), external_of(c, state));
            const Force<D> f = hinge_reaction(state.stages.kin, state.stages.forces, k);
            const VectorXd expected = change_of(Motion<D>{f.n, f.f});
            const auto first = got.begin() + static_cast<std::ptrdiff_t>(j) * 6;
            expect_equal(what, c.where + ", reaction", MatrixXd(eigen(Numbers(first, first + 6))),
                         MatrixXd(expected), {.terms = force});
        };
        for (std::size_t j = 0; j < n; ++j) {
            compare("y_q", y.y_q, j, unit(n, j), zero, zero);
            compare("y_v", y.y_v, j, zero, unit(n, j), zero);
            compare("y_a", y.y_a, j, zero, zero, unit(n, j));
        }
        for (int i = 0; i < 3; ++i)
            compare("y_g", y.y_g, static_cast<std::size_t>(i), zero, zero, zero, i);
    }
}

} // namespace
} // namespace sweepdyn::test
