// What the closed-chain algorithms of 003 II and 004 cost, counted: exactly linear in the links of each arm; with l arms a cubic at most, and
// as inertias of the object exactly linear in l.
#include <gtest/gtest.h>

#include "support/closed_arms.hpp"
#include "sweepdyn/closed/ccfd.hpp"
#include "sweepdyn/closed/object_inertias.hpp"
#include "sweepdyn/closed/rccfd1.hpp"
#include "sweepdyn/closed/rccfd2.hpp"
#include "sweepdyn/closed/rccfd3.hpp"
#include "sweepdyn/closed/single_cut.hpp"
#include "sweepdyn/spatial/counting.hpp"

namespace sweepdyn {
namespace {

using namespace test;
using C = Counting;

struct Counts {
    long ccfd = 0, rccfd1 = 0, rccfd2 = 0, rccfd3 = 0, single_cut = 0, reflect_arms = 0, hold = 0;
};

template <class Run> long count(const Run& run)
{
    const OperationCount before = C::count();
    run();
    const OperationCount done = C::count() - before;
    return done.multiplications + done.additions + done.divisions;
}

Counts counts(int arms, int dofs)
{
    const ArmsCase c = random_arms(400, arms, dofs, GripKind::rigid);
    const std::vector<C> q(c.q.begin(), c.q.end()), v(c.v.begin(), c.v.end()), T(c.T.begin(), c.T.end());
    Kinematics<C> kin(c.open);
    update<C>(kin, q, v);
    update_inertias(kin);
    Articulation<C> art(c.open);
    articulate(kin, art);
    const HeldObject<C> object = held_object(kin, c.open.body(c.object).index);
    std::vector<Grip> grips;
    for (const std::string& tip : c.tips)
        grips.push_back({c.open.frame(tip)});
    ArmsOnObject<C> held(c.open, grips);
    Rccfd3<C> parts(c.open, arms);
    ObjectInertias<C> all(c.open, grips);
    SingleCut<C> cut(c.open, grips[0].tip, grips[1].tip);
    std::vector<C> v_dot(v.size());
    Counts out;
    out.ccfd = count([&] { ccfd<C>(kin, art, object, T, v_dot, held); });
    out.rccfd1 = count([&] { rccfd1<C>(kin, art, object, T, v_dot, held); });
    out.rccfd2 = count([&] { rccfd2<C>(kin, art, object, T, v_dot, held); });
    out.rccfd3 = count([&] { rccfd3<C>(kin, art, object, T, v_dot, held, parts); });
    out.single_cut = count([&] { single_cut<C>(kin, art, T, v_dot, cut); });
    out.reflect_arms = count([&] { reflect_arms<C>(kin, art, object, T, all); });
    out.hold = count([&] { hold<C>(kin, art, object, all, v_dot); });
    return out;
}

// The differences of the given order.
std::vector<long> differences(std::vector<long> x, int order)
{
    for (; order > 0; --order) {
        for (std::size_t i = 0; i + 1 < x.size(); ++i)
            x[i] = x[i + 1] - x[i];
        x.pop_back();
    }
    return x;
}

std::vector<long> of(const std::vector<Counts>& all, long Counts::* which)
{
    std::vector<long> out;
    for (const Counts& one : all)
        out.push_back(one.*which);
    return out;
}

TEST(PapersClosedGrowth, LinearInTheLinks)
{
    std::vector<Counts> all;
    for (int dofs : {10, 34, 58, 82}) // every third hinge has armature, every eighth body a new pole
        all.push_back(counts(3, dofs));
    const std::vector<long> none(2, 0);
    for (auto which : {&Counts::ccfd, &Counts::rccfd1, &Counts::rccfd2, &Counts::rccfd3, &Counts::single_cut,
                       &Counts::reflect_arms, &Counts::hold}) {
        EXPECT_EQ(differences(of(all, which), 2), none);
        EXPECT_GT(of(all, which)[0], 0);
    }
}

TEST(PapersClosedGrowth, InTheArms)
{
    std::vector<Counts> all;
    for (int arms = 2; arms <= 8; ++arms)
        all.push_back(counts(arms, 7));
    for (auto which : {&Counts::ccfd, &Counts::rccfd1, &Counts::rccfd2, &Counts::rccfd3}) {
        EXPECT_EQ(differences(of(all, which), 4), std::vector<long>(3, 0));
        EXPECT_NE(differences(of(all, which), 3), std::vector<long>(4, 0)); // Omega is factored
    }
    for (auto which : {&Counts::reflect_arms, &Counts::hold})
        EXPECT_EQ(differences(of(all, which), 2), std::vector<long>(5, 0));
    EXPECT_LT(4 * all.back().hold, all.back().reflect_arms); // taking hold anew computes no arm
}

} // namespace
} // namespace sweepdyn
