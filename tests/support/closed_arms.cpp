#include "support/closed_arms.hpp"

#include "support/closed_golden.hpp"
#include "sweepdyn/kinematics/closure.hpp"
#include "sweepdyn/robot.hpp"

namespace sweepdyn::test {

namespace {

Model without_loops(const Model& model)
{
    ModelBuilder builder(model);
    builder.loops().clear();
    return builder.build();
}

Mat3<double> with_z(const Vec3<double>& z)
{
    const Vec3<double> other = std::abs(z.x) < 0.7 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
    Vec3<double> x = cross(other, z);
    x = (1.0 / norm(x)) * x;
    return {x, cross(z, x), z};
}

} // namespace

Numbers consistent_velocity(const Model& closed, const Numbers& q, const Numbers& v)
{
    Kinematics<double> kin(closed);
    update<double>(kin, q, v);
    Loops<double> loops(closed, closed.loops());
    update_loops(kin, loops);
    MatrixXd J = MatrixXd::Zero(loops.num_rows, closed.num_dofs());
    for (const auto& on : loops.loops)
        loop_jacobian<double>(kin, loops, on, [&](int i, int j, double x) { J(on.first_row + i, j) += x; });
    VectorXd x = VectorXd::Map(v.data(), static_cast<Eigen::Index>(v.size()));
    for (int round = 0; round < 2; ++round)
        x -= J.completeOrthogonalDecomposition().solve(J * x);
    return {x.begin(), x.end()};
}

ArmsCase random_arms(std::uint64_t seed, int arms, int dofs, GripKind kind, bool trunk, bool planar)
{
    Random random(seed);
    ModelBuilder builder("arms");
    if (trunk) {
        builder.add_body(random_body(random, "trunk"));
        builder.add_hinge(
            {.name = "waist", .kind = HingeKind::revolute, .child = "trunk", .axis = random.direction()});
    }
    for (int i = 0; i < arms; ++i)
        for (int k = 0; k < dofs; ++k) {
            const std::string name = "arm" + std::to_string(i) + "_" + std::to_string(k);
            builder.add_body(random_body(random, name));
            Hinge hinge{.name = name, .kind = HingeKind::revolute, .child = name, .axis = random.direction()};
            hinge.parent = k > 0   ? "arm" + std::to_string(i) + "_" + std::to_string(k - 1)
                           : trunk ? "trunk"
                                   : "";
            hinge.X_PF = {random.rotation(), random.vector(0.4)};
            if (planar)
                hinge.axis = {0, 0, 1},
                hinge.X_PF.R = rotation_about<double>(hinge.axis, random.uniform(-3.0, 3.0));
            if (k % 3 == 1)
                hinge.armature = {random.uniform(0.0, 0.05)};
            builder.add_hinge(hinge);
        }
    builder.add_body(random_body(random, "object"));
    builder.add_hinge({.name = "object", .kind = HingeKind::free, .child = "object"});

    ArmsCase out{builder.build(), builder.build(), {}, {}, {}, {}, "object", {}, {}};
    out.where = std::to_string(arms) + " arms of " + std::to_string(dofs) + ", seed " + std::to_string(seed);
    out.q.resize(static_cast<std::size_t>(out.open.num_coordinates()));
    random_configuration(out.open, seed, out.q);
    Kinematics<double> kin(out.open);
    update<double>(kin, out.q);
    const int object = out.open.body("object").index;
    const Pose<double> X_WC = kin.X_WB(object);
    for (int i = 0; i < arms; ++i) {
        const std::string name = "arm" + std::to_string(i) + "_" + std::to_string(dofs - 1);
        const int k = out.open.body(name).index;
        int turns = kind == GripKind::rigid      ? 0
                    : kind == GripKind::hinge    ? 1
                    : kind == GripKind::two_axes ? 2
                                                 : 3;
        if (kind == GripKind::mixed)
            turns = i % 4;
        std::vector<Vec3<double>> axes;
        const Mat3<double> R = with_z(random.direction());
        LoopKind loop = LoopKind::weld;
        if (turns == 1)
            axes = {R.z}, loop = LoopKind::revolute;
        if (turns == 2)
            axes = {R.x, R.y}, loop = LoopKind::soft_finger; // all but the spin about z
        if (turns == 3)
            axes = {R.x, R.y, R.z}, loop = LoopKind::ball;
        out.free_axes.push_back(axes);
        const Pose<double> X_Ca{R, random.vector(0.3)};
        const Pose<double> X_Bb = inverse(kin.X_WB(k)) * (X_WC * X_Ca);
        out.tips.push_back("tip" + std::to_string(i));
        builder.add_frame({.name = out.tips.back(), .body = name, .X_BF = X_Bb});
        builder.add_loop({.name = "grip" + std::to_string(i),
                          .kind = loop,
                          .body_a = "object",
                          .body_b = name,
                          .X_Aa = X_Ca,
                          .X_Bb = X_Bb});
    }
    out.closed = builder.build();
    out.open = without_loops(out.closed);
    out.v = consistent_velocity(out.closed, out.q, random_numbers(random, out.open.num_dofs(), 2.0));
    out.T = random_numbers(random, out.open.num_dofs(), 10.0);
    for (int j = 0; j < 6; ++j) // nothing drives the object
        out.T[out.T.size() - 6 + static_cast<std::size_t>(j)] = 0.0;
    return out;
}

GoldenMechanism golden_mechanism(const std::string& name)
{
    const ClosedGolden golden = closed_golden(name);
    const auto& json = golden.json;
    GoldenMechanism out{without_loops(golden.model), golden.model, golden.q, golden.v, golden.T, {}, {}, {}};
    out.v_dot = json["outputs"]["vdot"].get<Numbers>();
    for (const auto& w : json["outputs"]["loop_wrench_on_a"])
        out.wrench.push_back(w.is_array() ? w.get<Numbers>() : Numbers{w.get<double>()});
    const auto& unique = json["outputs"]["loop_wrench_unique"];
    for (const auto& loop : unique) {
        bool all = true;
        for (bool each : loop)
            all = all && each;
        out.unique.push_back(all);
    }
    return out;
}

DenseClosed dense_closed(const Model& closed, const Numbers& q, const Numbers& v, const Numbers& T)
{
    Robot robot(without_loops(closed)); // dense algebra knows no loops
    const auto vector = [](const Numbers& x) {
        return VectorXd::Map(x.data(), static_cast<Eigen::Index>(x.size())).eval();
    };
    robot.set_state(vector(q), vector(v));
    const MatrixXd M = robot.mass_matrix();
    const VectorXd C = robot.inverse_dynamics(VectorXd::Zero(closed.num_dofs()));
    Loops<double> loops(closed, closed.loops());
    update_loops(robot.kinematics(), loops);
    const int r = loops.num_rows, n = closed.num_dofs();
    DenseClosed out;
    out.J = MatrixXd::Zero(r, n);
    for (const auto& on : loops.loops)
        loop_jacobian<double>(robot.kinematics(), loops, on,
                              [&](int i, int j, double x) { out.J(on.first_row + i, j) += x; });
    MatrixXd K = MatrixXd::Zero(n + r, n + r);
    K << M, -out.J.transpose(), out.J, MatrixXd::Zero(r, r);
    VectorXd b(n + r);
    b << vector(T) - C, -vector(loops.gamma);
    const auto solver = K.completeOrthogonalDecomposition();
    const VectorXd x = solver.solve(b);
    out.v_dot = x.head(n);
    out.lambda = x.tail(r);
    out.rank = static_cast<int>(solver.rank()) - n;
    return out;
}

} // namespace sweepdyn::test
