// User-defined hinges by functions: registering one finds each disagreement between its functions and their
// dual-number derivatives, and a model takes it from there.
#include <gtest/gtest.h>

#include "sweepdyn/kinematics/kinematics.hpp"
#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/model/random.hpp"
#include "sweepdyn/model/user_hinge.hpp"

namespace sweepdyn {
namespace {

using Texts = std::vector<std::string>;
constexpr double nan_ = std::numeric_limits<double>::quiet_NaN();

// What may be wrong with the hinge below.
struct Wrong {
    double origin = 0.0;                                       // pose(0) is not the identity
    double column1 = 0.0, column2 = 0.0;                       // added to the v.z of a column
    double rate = 0.0, derivative11 = 0.0,
           derivative21 = 0.0; // added to w.x; dH(column 1)/dq1, dH(column 1)/dq2
};
// Two dofs: turn about x by q1 and climb 0.3 sin(q1) along x, then turn about z by q2.
//     X = move(0.3 sin q1, 0, 0) rot(x, q1) rot(z, q2)
//     H1 = [u; 0.3 cos(q1) u] with u = rot(z, -q2) x = (cos q2, -sin q2, 0),  H2 = [z; 0]
struct Cam {
    static constexpr int dofs = 2;
    Wrong wrong{};

    template <class S> Pose<S> pose(std::span<const S> q) const
    {
        S s1, c1, s2, c2;
        sincos(q[0], s1, c1);
        sincos(q[1], s2, c2);
        const S o(0), i(1);
        const Mat3<S> A{{i, o, o}, {o, c1, s1}, {o, -s1, c1}}, B{{c2, s2, o}, {-s2, c2, o}, {o, o, i}};
        return {A * B, {S(0.3) * s1, o, S(wrong.origin)}};
    }
    template <class S> void columns(std::span<const S> q, std::span<Motion<S>> H) const
    {
        S s1, c1, s2, c2;
        sincos(q[0], s1, c1);
        sincos(q[1], s2, c2);
        const Vec3<S> direction{c2, -s2, S(0)};
        H[0] = {direction, S(0.3) * c1 * direction};
        H[1] = {{S(0), S(0), S(1)}, {}};
        H[0].v.z += S(wrong.column1), H[1].v.z += S(wrong.column2);
    }
    template <class S> Motion<S> columns_rate(std::span<const S> q, std::span<const S> v) const
    {
        Motion<S> out{}, dH[2];
        for (int j = 0; j < 2; ++j) {
            exact_derivative(q, j, dH);
            out += v[j] * (v[0] * dH[0] + v[1] * dH[1]);
        }
        out.w.x += S(wrong.rate);
        return out;
    }
    template <class S> void columns_derivative(std::span<const S> q, int j, std::span<Motion<S>> dH) const
    {
        exact_derivative(q, j, dH.data());
        dH[0].w.x += S(j == 0 ? wrong.derivative11 : wrong.derivative21);
    }

private:
    template <class S> void exact_derivative(std::span<const S> q, int j, Motion<S>* dH) const
    {
        S s1, c1, s2, c2;
        sincos(q[0], s1, c1);
        sincos(q[1], s2, c2);
        const Vec3<S> direction{c2, -s2, S(0)}, turned{-s2, -c2, S(0)};
        dH[0] = j == 0 ? Motion<S>{{}, S(-0.3) * s1 * direction} : Motion<S>{turned, S(0.3) * c1 * turned};
        dH[1] = {};
    }
};
template <int n>
struct Sized : Cam {
    static constexpr int dofs = n;
};

Texts faults(const Wrong& wrong)
{
    try {
        user_hinge("cam", Cam{wrong});
    } catch (const ModelError& error) {
        EXPECT_EQ(std::string(error.what()).rfind("user hinge 'cam': ", 0), 0u) << error.what();
        return error.faults;
    }
    return {};
}
void expect_one_fault(const Wrong& wrong, const std::string& beginning)
{
    const Texts found = faults(wrong);
    ASSERT_EQ(found.size(), 1u) << beginning;
    EXPECT_EQ(found[0].substr(0, beginning.size()), beginning);
    EXPECT_NE(found[0].find(", its dual-number derivative gives ["), std::string::npos) << found[0];
}

TEST(BuilderUserHinge, ARightOneIsAccepted)
{
    const auto hinge = user_hinge("cam", Cam{});
    EXPECT_EQ(hinge->name(), "cam");
    EXPECT_EQ(hinge->dofs(), 2);
}

TEST(BuilderUserHinge, WrongColumns)
{
    expect_one_fault({.column1 = 1e-6}, "columns(q) for dof 1 is [");
    expect_one_fault({.column2 = -1.0}, "columns(q) for dof 2 is [0, 0, 1, 0, 0, -1]");
}

TEST(BuilderUserHinge, WrongRate) { expect_one_fault({.rate = 1e-6}, "columns_rate(q, v) is ["); }

TEST(BuilderUserHinge, WrongDerivative)
{
    expect_one_fault({.derivative11 = 1e-6}, "columns_derivative(q) for dof 1, column 1 is [1e-6, 0, 0, ");
    expect_one_fault({.derivative21 = 1e-6}, "columns_derivative(q) for dof 2, column 1 is [");
}

TEST(BuilderUserHinge, WrongOrigin)
{
    EXPECT_EQ(faults({.origin = 0.1}), Texts{"pose(0) is not the identity"});
}

TEST(BuilderUserHinge, SeveralFaultsAtOnce)
{
    const Texts found = faults({.column1 = 1, .column2 = 1, .rate = 1, .derivative11 = 1, .derivative21 = 1});
    ASSERT_EQ(found.size(), 5u);
    EXPECT_EQ(found[0].rfind("columns(q) for dof 1 is ", 0), 0u);
    EXPECT_EQ(found[1].rfind("columns_derivative(q) for dof 1, column 1 is ", 0), 0u);
    EXPECT_EQ(found[2].rfind("columns(q) for dof 2 is ", 0), 0u);
    EXPECT_EQ(found[3].rfind("columns_derivative(q) for dof 2, column 1 is ", 0), 0u);
    EXPECT_EQ(found[4].rfind("columns_rate(q, v) is ", 0), 0u);
}

// In any of the numbers, not only in the first that is compared.
TEST(BuilderUserHinge, NotANumberIsADisagreement)
{
    EXPECT_EQ(faults({.origin = nan_}), Texts{"pose(0) is not the identity"});
    EXPECT_FALSE(faults({.column1 = nan_}).empty());
    EXPECT_FALSE(faults({.column2 = nan_}).empty());
    EXPECT_FALSE(faults({.rate = nan_}).empty());
    EXPECT_FALSE(faults({.derivative21 = nan_}).empty());
}

TEST(BuilderUserHinge, WrongNumberOfDofs)
{
    const auto text = [](auto definition) -> std::string {
        try {
            user_hinge("cam", definition);
        } catch (const ModelError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(text(Sized<0>{}), "user hinge 'cam': 1 fault\n  - dofs is 0, expected 1 to 6");
    EXPECT_EQ(text(Sized<7>{}), "user hinge 'cam': 1 fault\n  - dofs is 7, expected 1 to 6");
}

// Its columns and their derivatives agree with the pose; but the pose stretches.
struct Stretching {
    static constexpr int dofs = 1;
    template <class S> Pose<S> pose(std::span<const S> q) const
    {
        const S one(1), zero(0);
        return {{{one, q[0], zero}, {-q[0], one, zero}, {zero, zero, one}}, {}};
    }
    template <class S> void columns(std::span<const S>, std::span<Motion<S>> H) const
    {
        H[0] = {{S(0), S(0), S(1)}, {}};
    }
    template <class S> Motion<S> columns_rate(std::span<const S>, std::span<const S>) const { return {}; }
    template <class S> void columns_derivative(std::span<const S>, int, std::span<Motion<S>> dH) const
    {
        dH[0] = {};
    }
};

TEST(BuilderUserHinge, ItsPoseMustTurnAndNotStretch)
{
    try {
        user_hinge("stretching", Stretching{});
        FAIL();
    } catch (const ModelError& error) {
        ASSERT_EQ(error.faults.size(), 1u);
        EXPECT_EQ(error.faults[0].find("pose(q).R is not a rotation matrix (off by "), 0u) << error.what();
    }
}

ModelBuilder cam_on_the_ground()
{
    ModelBuilder builder("cam");
    builder.add_body({"follower", 1.0, {0, 0, 0.1}, Sym3<double>::diagonal(0.25, 0.25, 0.25)});
    Hinge hinge;
    hinge.name = "cam", hinge.kind = HingeKind::user, hinge.child = "follower";
    hinge.user = user_hinge("cam", Cam{});
    builder.add_hinge(hinge);
    return builder;
}

TEST(BuilderUserHinge, EntersAModel)
{
    const Model model = cam_on_the_ground().build();
    EXPECT_TRUE(model.notes().empty());
    EXPECT_EQ(model.num_dofs(), 2);
    EXPECT_EQ(model.num_coordinates(), 2);
    EXPECT_EQ(model.dof_names()[0], "cam.1");
    EXPECT_EQ(model.dof_names()[1], "cam.2");
    // Its pose is the function's.
    Kinematics<double> kin(model);
    const std::vector<double> q{0.4, -0.9};
    update<double>(kin, q);
    const Pose<double> X = Cam{}.pose<double>(q);
    const Pose<double> difference = inverse(X) * kin.X_WB(0);
    EXPECT_NEAR(norm(difference.p), 0.0, 1e-16);
    EXPECT_NEAR(norm(difference.R.x - Vec3<double>{1, 0, 0}), 0.0, 1e-15);
}

TEST(BuilderUserHinge, IsGivenByFunctionsOrByStepsNotBoth)
{
    ModelBuilder builder = cam_on_the_ground();
    builder.hinges()[0].steps = {{}};
    try {
        builder.build();
        FAIL();
    } catch (const ModelError& error) {
        EXPECT_EQ(error.faults,
                  Texts{"hinge 'cam': a user hinge is given by its functions or by steps, not by both"});
    }
}

} // namespace
} // namespace sweepdyn
