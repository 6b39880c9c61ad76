// A and C of linear models of mechanisms with loops against the whole closed dynamics in dual numbers: kinematics, loops, clusters,
// multipliers and reactions, exact to the last digit. A state moves by its column, dq = Eq du, dv = Ev dw + Fm du; that the loops stay
// closed to first order in positions and velocities is checked in the same numbers.
#include <map>

#include <gtest/gtest.h>

#include "support/closed_golden.hpp"
#include "support/dual_dynamics.hpp"
#include "sweepdyn/dynamics/closed_forward_dynamics.hpp"
#include "sweepdyn/dynamics/loop_multipliers.hpp"
#include "sweepdyn/kinematics/frames.hpp"
#include "sweepdyn/linear/closed_linearization.hpp"
#include "sweepdyn/linear/linearize.hpp"
#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn::test {
namespace {

using D = DualNumber;

Mat3<double> rotation_part(const Mat3<D>& R)
{
    Mat3<double> out;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            out(i, j) = value(R(i, j));
    return out;
}

class ClosedOutputs : public testing::TestWithParam<std::string> {};

TEST_P(ClosedOutputs, are_those_of_dual_numbers)
{
    const ClosedGolden golden = closed_golden(GetParam());
    const Model& model = golden.model;
    const auto n = golden.v.size();
    const std::vector<int> independent = golden.json["independent_velocity"].get<std::vector<int>>();
    OperatingPoint point(model);
    point.q = golden.q, point.v = golden.v, point.T = golden.T;
    LinearizeOptions options;
    for (int j : independent)
        options.independent.push_back(model.dof_names()[static_cast<std::size_t>(j)]);
    options.outputs = {"velocity:*", "acceleration:*", "gyro:*", "reaction:*", "loop:*"};
    const StateSpace system = linearize(model, point, options);
    ClosedLinearization lin(model);
    lin.set_independent(independent);
    lin.set(golden.q, golden.v, golden.T);
    const int nq = static_cast<int>(lin.positions().size()), nv = static_cast<int>(lin.velocities().size());
    ASSERT_EQ(system.num_states(), nq + nv);

    ClosedMechanism mechanism(model);
    mechanism.prefer_independent(independent);
    mechanism.set(golden.q, golden.v);
    Numbers J(6 * independent.size());

    // How far each kind of output is off, of its largest.
    std::map<std::string, std::pair<double, double>> off;
    const auto compare = [&](const std::string& kind, double got, double expected) {
        auto& [worst, largest_entry] = off[kind];
        worst = std::max(worst, std::abs(got - expected));
        largest_entry = std::max(largest_entry, std::abs(expected));
    };
    // Rolling and soft fingers too: velocities are J_ind u.
    for (int f = 0; f < static_cast<int>(model.frames().size()); ++f) {
        mechanism.frame_jacobian(FrameId{f}, J);
        const Motion<double> V = frame_velocity(mechanism.kinematics(), FrameId{f});
        for (int i = 0; i < 6; ++i) {
            double sum = 0.0;
            for (std::size_t j = 0; j < independent.size(); ++j)
                sum += J[6 * j + static_cast<std::size_t>(i)] *
                       golden.v[static_cast<std::size_t>(independent[j])];
            compare("J_ind u", sum, i < 3 ? V.w[i] : V.v[i - 3]);
        }
    }
    for (int column = 0; column < nq + nv; ++column) {
        Numbers dq(n), dv(n);
        for (std::size_t j = 0; j < n; ++j) {
            const int row = static_cast<int>(j);
            dq[j] = column < nq ? lin.Eq(row, column) : 0.0;
            dv[j] = column < nq ? lin.Fm(row, column) : lin.Ev(row, column - nq);
        }
        std::vector<D> q(golden.q.size()), v = dual(golden.v, dv), T = dual(golden.T), v_dot(n);
        integrate<D>(model, dual(golden.q), dual(Numbers(n), dq), q);
        Kinematics<D> kin(model);
        Closure<D> closure(model, model.topology().distant.empty() ? model.topology() : one_cluster(model));
        closure.prefer(independent);
        ClusterArticulation<D> art(model, closure, Elimination::basis);
        BodyForces<D> scratch(model);
        update<D>(kin, q, v);
        update_inertias(kin);
        update_closure(kin, closure);
        articulate(kin, closure, art);
        forward_dynamics<D>(kin, closure, art, T, v_dot, scratch);

        // The loops stay closed to first order.
        for (const LoopOnTree<D>& on : closure.loops.loops) {
            std::vector<D> rate(static_cast<std::size_t>(on.rows));
            double size = 0.0;
            loop_jacobian<D>(kin, closure.loops, on, [&](int i, int dof, const D& x) {
                rate[static_cast<std::size_t>(i)] += x * v[static_cast<std::size_t>(dof)];
                size =
                    std::max({size, std::abs(value(x)),
                              std::abs(value(x) * dv[static_cast<std::size_t>(dof)]), std::abs(x.tangent)});
            });
            for (int i = 0; i < on.rows; ++i) {
                EXPECT_NEAR(rate[static_cast<std::size_t>(i)].tangent, 0.0, 1e-11 * size) << on.loop.name;
                if (i < on.holonomic) {
                    EXPECT_NEAR(closure.loops.gap[static_cast<std::size_t>(on.first_row + i)].tangent, 0.0,
                                1e-11 * size)
                        << on.loop.name;
                }
            }
        }

        // What the loops carry, and the reactions with it.
        std::vector<D> missing(n), lambda(static_cast<std::size_t>(closure.loops.num_rows)),
            room(lambda.size());
        inverse_dynamics<D>(kin, v_dot, missing, scratch);
        for (std::size_t j = 0; j < n; ++j)
            missing[j] -= T[j];
        loop_multipliers<D>(closure, missing, lambda, room);
        std::vector<Force<D>> external(static_cast<std::size_t>(model.num_bodies()));
        int output = 0;
        std::vector<std::array<D, 6>> loop_wrenches;
        for (const LoopOnTree<D>& on : closure.loops.loops) {
            Force<D> w{};
            for (int i = 0; i < on.rows && on.loop.kind != LoopKind::coupling; ++i)
                w += lambda[static_cast<std::size_t>(on.first_row + i)] *
                     closure.loops.A[static_cast<std::size_t>(on.first_row + i)];
            if (on.a != ground)
                external[static_cast<std::size_t>(on.a)] += Phi<D>{on.o - kin.r(on.a)} * w;
            if (on.b != ground)
                external[static_cast<std::size_t>(on.b)] += Phi<D>{on.o - kin.r(on.b)} * (-w);
            const Force<D> seen = rotate_back(on.R, w);
            loop_wrenches.push_back({seen.n.x, seen.n.y, seen.n.z, seen.f.x, seen.f.y, seen.f.z});
            if (on.loop.kind == LoopKind::coupling)
                loop_wrenches.back()[0] = lambda[static_cast<std::size_t>(on.first_row)];
        }
        const auto check = [&](const std::string& kind, const D& expected) {
            ASSERT_TRUE(system.outputs[static_cast<std::size_t>(output)].starts_with(kind))
                << system.outputs[static_cast<std::size_t>(output)];
            compare(kind, system.C(output++, column), expected.tangent);
        };
        const auto motion = [&](const std::string& kind, const Motion<D>& V) {
            for (const Vec3<D>& half : {V.w, V.v})
                for (const D& x : {half.x, half.y, half.z})
                    check(kind, x);
        };
        const int frames = static_cast<int>(model.frames().size());
        for (int f = 0; f < frames; ++f)
            motion("velocity:", frame_velocity(kin, FrameId{f}));
        for (int f = 0; f < frames; ++f)
            motion("acceleration:", frame_acceleration<D>(kin, FrameId{f}, v_dot));
        for (int f = 0; f < frames; ++f) {
            const Vec3<D> w = frame_velocity(kin, FrameId{f}, FrameAxes::body).w;
            for (const D& x : {w.x, w.y, w.z})
                check("gyro:", x);
        }
        inverse_dynamics<D>(kin, v_dot, missing, scratch, external);
        for (int k = 0; k < model.num_bodies(); ++k) {
            const Force<D> f = hinge_reaction(kin, scratch, k);
            for (const Vec3<D>& half : {f.n, f.f})
                for (const D& x : {half.x, half.y, half.z})
                    check("reaction:", x);
        }
        for (std::size_t l = 0; l < loop_wrenches.size(); ++l)
            for (std::size_t i = 0; i < (model.loops()[l].kind == LoopKind::coupling ? 1u : 6u); ++i)
                check("loop:", loop_wrenches[l][i]);

        // Jacobians per independent dof: how poses move.
        for (int f = 0; f < frames && nq == nv && column < nq; ++f) {
            mechanism.frame_jacobian(FrameId{f}, J);
            const Pose<D> X = frame_pose(kin, FrameId{f});
            const Mat3<D> turn = X.R * transpose(cast<D>(rotation_part(X.R))); // 1 + [w]
            const double V[] = {turn(2, 1).tangent, turn(0, 2).tangent, turn(1, 0).tangent,
                                X.p.x.tangent,      X.p.y.tangent,      X.p.z.tangent};
            for (std::size_t i = 0; i < 6; ++i)
                compare("J_ind", J[6 * static_cast<std::size_t>(column) + i], V[i]);
        }

        // A: accelerations of the independent dofs.
        for (int i = 0; i < nv; ++i)
            compare("A", system.A(nq + i, column),
                    v_dot[static_cast<std::size_t>(lin.velocities()[static_cast<std::size_t>(i)])].tangent);
    }
    // A body that only loops hold has no reaction, but for what they carry.
    for (const char* kind : {"reaction:", "loop:"})
        off[kind].second = std::max(off["reaction:"].second, off["loop:"].second);
    std::string seen;
    for (const auto& [kind, errors] : off) {
        EXPECT_LE(errors.first, 1e-11 * errors.second) << kind;
        char text[64];
        std::snprintf(text, sizeof text, " %s %.0e", kind.c_str(),
                      errors.first / std::max(errors.second, 1e-300));
        seen += text;
    }
    std::printf("outputs of %s:%s\n", GetParam().c_str(), seen.c_str());
}

INSTANTIATE_TEST_SUITE_P(Golden, ClosedOutputs, testing::ValuesIn(closed_names()),
                         [](const auto& test) { return test.param; });

} // namespace
} // namespace sweepdyn::test
