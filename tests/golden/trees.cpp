// The numbers of the NumPy oracle behind the formulas: two-link, R-P-R, 6R, a tree, a floating tree, at rtol 1e-9.
// The oracle works about hinge origins with classical accelerations; ours are spatial, about a reference point.
#include <fstream>

#include <Eigen/LU>
#include <nlohmann/json.hpp>

#include "support/compare.hpp"
#include "support/stages.hpp"
#include "sweepdyn/linear/linearization.hpp"

namespace sweepdyn::test {
namespace {

using nlohmann::json;

MatrixXd matrix(const json& rows)
{
    if (!rows.at(0).is_array())
        return numbers(rows.get<std::vector<double>>());
    MatrixXd out(rows.size(), rows[0].size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < rows[i].size(); ++j)
            out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = rows[i][j].get<double>();
    return out;
}
Vec3<double> vector3(const json& a) { return {a[0], a[1], a[2]}; }

struct Golden {
    Model model;
    Numbers q;
};

Golden build(const json& golden)
{
    ModelBuilder builder(golden["name"].get<std::string>());
    builder.set_gravity(-vector3(golden["base_pseudo_accel"]));
    Numbers q;
    for (std::size_t k = 0; k < golden["parent"].size(); ++k) {
        const int parent = golden["parent"][k];
        const std::string name = "body" + std::to_string(k), letter = golden["joint"][k];
        builder.add_body({.name = name,
                          .mass = golden["mass"][k],
                          .com = vector3(golden["com"][k]),
                          .inertia_com = sym3(matrix(golden["inertia_at_com"][k]))});
        const Vec3<double> axis = vector3(golden["axis"][k]), d = vector3(golden["joint_d"][k]);
        const Mat3<double> R = mat3(matrix(golden["joint_R"][k]));
        const Quaternion<double> r = quaternion(R);
        HingeKind kind{};
        if (letter == "R")
            kind = HingeKind::revolute, q.push_back(dot(axis, log_rotation(R)));
        else if (letter == "P")
            kind = HingeKind::prismatic, q.push_back(dot(axis, d));
        else if (letter == "C")
            kind = HingeKind::cylindrical, q.insert(q.end(), {dot(axis, log_rotation(R)), dot(axis, d)});
        else if (letter == "S")
            kind = HingeKind::spherical, q.insert(q.end(), {r.w, r.x, r.y, r.z});
        else
            kind = HingeKind::free, q.insert(q.end(), {r.w, r.x, r.y, r.z, d.x, d.y, d.z});
        builder.add_hinge({.kind = kind,
                           .parent = parent < 0 ? "" : "body" + std::to_string(parent),
                           .child = name,
                           .X_PF = {mat3(matrix(golden["R0"][k])), vector3(golden["r0"][k])},
                           .axis = axis});
    }
    return {builder.build(), q};
}

class Trees : public testing::TestWithParam<int> {};

TEST_P(Trees, EqualTheOracle)
{
    std::ifstream file(std::string(SWEEPDYN_TEST_DATA) + "/golden/golden.json");
    const json golden = json::parse(file)[static_cast<std::size_t>(GetParam())];
    const json& out = golden["out"];
    const auto [model, q] = build(golden);
    const Numbers v = golden["beta"], a = golden["betadot"];
    const Rule rule{.tolerance = 1e-9};
    const Rule may_vanish{.terms = 1.0, .tolerance = 1e-9}; // the two-link hangs still: zeros against 1e-31

    for (const ReferenceChoice& choice : reference_choices) {
        const std::string where = model.name() + ", " + choice.name;
        Stages<double> s(model, choice, q, v);
        const Kinematics<double>& kin = s.kin;
        std::vector<Force<double>> external(static_cast<std::size_t>(model.num_bodies()));
        for (int k = 0; k < model.num_bodies(); ++k)
            add_external_wrench<double>(
                kin, FrameId{k},
                force(matrix(golden["f_ext_on_body_at_O"][static_cast<std::size_t>(k)]).col(0)),
                WrenchAxes::world, external);

        expect_equal("T", where, s.inverse(a, external), matrix(out["T"]), may_vanish);
        for (int k = 0; k < model.num_bodies(); ++k) {
            const auto i = static_cast<std::size_t>(k);
            const Vec3<double> to_hinge = kin.body[k].X_WI.p - kin.r(k);
            const PhiAdjoint<double> at_hinge{to_hinge};
            const Motion<double> V = at_hinge * kin.body[k].V;
            Motion<double> A = at_hinge * s.forces[k].A;
            A.v = add_cross(A.v, V.w, V.v); // classical
            expect_equal("V", where, V, matrix(out["V"][i]), may_vanish);
            expect_equal("alpha", where, A, matrix(out["alpha_pseudo"][i]), may_vanish);
            expect_equal("f", where, inverse(Phi<double>{to_hinge}) * s.forces[k].f, matrix(out["f"][i]),
                         may_vanish);
        }
        expect_equal("bias", where, s.inverse(Numbers(a.size(), 0.0), external), matrix(out["bias_T"]),
                     may_vanish);
        expect_equal("v_dot", where, s.forward(out["T"].get<Numbers>(), external), numbers(a), may_vanish);

        Numbers mass(a.size() * a.size());
        mass_matrix<double>(kin, s.composite, mass);
        const auto n = static_cast<Eigen::Index>(a.size());
        const MatrixXd M = Eigen::Map<MatrixXd>(mass.data(), n, n);
        expect_equal("M", where, M, matrix(out["mass_matrix"]), rule);
        expect_equal("M^-1", where, M.inverse().eval(), matrix(out["M_inverse"]), rule);

        // Linearized; the wrenches turn with the bodies.
        Linearization lin(model, {.damping = false}, choice.reference);
        std::vector<ExternalWrench> loads;
        for (int k = 0; k < model.num_bodies(); ++k)
            loads.push_back(
                {FrameId{k},
                 rotate_back(kin.X_WB(k).R,
                             force(matrix(golden["f_ext_on_body_at_O"][static_cast<std::size_t>(k)]).col(0))),
                 WrenchAxes::frame});
        lin.set_at(q, v, a, loads);
        expect_equal("A_D", where, dense(lin.inverse_matrices().A_D), matrix(out["A_D"]), may_vanish);
        expect_equal("B_D", where, dense(lin.inverse_matrices().B_D), matrix(out["B_D_follower_loads"]),
                     may_vanish);
        for (LinearRoute route : {LinearRoute::by_mass_matrix, LinearRoute::direct}) {
            expect_equal("M^-1 of the linear model", where, dense(lin.matrices(route).M_inverse),
                         matrix(out["M_inverse"]), rule);
            expect_equal("A_C", where, dense(lin.matrices(route).A_C), matrix(out["A_C"]), may_vanish);
            expect_equal("B_C", where, dense(lin.matrices(route).B_C), matrix(out["B_C_follower_loads"]),
                         may_vanish);
        }

        // Inertias of the root, at its hinge origin.
        const Vec3<double> from_hinge = kin.r(0) - kin.body[0].X_WI.p;
        ArticulatedInertia<double> P =
            model.tree().is_leaf[0] ? ArticulatedInertia<double>{} : s.art.P_plus[0];
        P += kin.M[0];
        expect_equal("R of the root", where, shift(s.composite.R[0], from_hinge), matrix(out["crb_root"]),
                     rule);
        expect_equal("P of the root", where, shift(P, from_hinge), matrix(out["P_root"]), rule);
        // D = H P H* of each hinge, all of the block; its determinant is the product of the pivots of its columns.
        for (int k = 0; k < model.num_bodies(); ++k) {
            ArticulatedInertia<double> P_k = model.tree().is_leaf[static_cast<std::size_t>(k)]
                                                 ? ArticulatedInertia<double>{}
                                                 : s.art.P_plus[static_cast<std::size_t>(k)];
            P_k += kin.M[static_cast<std::size_t>(k)];
            MatrixXd H(6, model.tree().num_dofs(k));
            double pivots = 1.0;
            for (Index j : model.tree().dofs(k)) {
                H.col(j - model.tree().first_dof[static_cast<std::size_t>(k)]) =
                    dense(kin.H[static_cast<std::size_t>(j)]);
                pivots /= s.art.D_inverse[static_cast<std::size_t>(j)];
            }
            const MatrixXd D = matrix(out["D"][static_cast<std::size_t>(k)]);
            expect_equal("D", where, MatrixXd(H.transpose() * dense(P_k) * H), D, rule);
            expect_equal("det D", where, pivots, D.determinant(), rule);
        }
        // Diagonalized, without external forces.
        DiagonalDynamics<double> diagonal(model);
        diagonalize(kin, diagonal);
        Numbers nu(v.size()), C_nu(v.size());
        nu_of_v<double>(kin, diagonal, v, nu);
        diagonal_coriolis<double>(kin, diagonal, C_nu);
        expect_equal("nu", where, nu, matrix(out["nu"]), may_vanish);
        expect_equal("C_nu", where, C_nu, matrix(out["C_nu_no_ext"]), may_vanish);

        // M^-1 by forward dynamics, column by column: at rest, without gravity.
        s.set(q, Numbers(v.size(), 0.0));
        s.kin.set_gravity({});
        MatrixXd inverse(n, n);
        for (Eigen::Index j = 0; j < n; ++j)
            inverse.col(j) = eigen(s.forward(plain(VectorXd::Unit(n, j))));
        expect_equal("M^-1 by forward dynamics", where, inverse, matrix(out["M_inverse"]), rule);
    }
}

INSTANTIATE_TEST_SUITE_P(Golden, Trees, testing::Range(0, 5));

} // namespace
} // namespace sweepdyn::test
