// One model shared by threads, each with its own workspaces: every number is the same as in one thread.
#include <gtest/gtest.h>

#include <thread>

#include "support/cases.hpp"
#include "sweepdyn/dynamics/dynamics.hpp"
#include "sweepdyn/kinematics/frames.hpp"

namespace sweepdyn {
namespace {

// All results at a number of states, one after the other.
std::vector<double> everything(const Model& model, int states)
{
    Kinematics<double> kin(model);
    CompositeInertias<double> composite(model);
    Articulation<double> art(model);
    BodyForces<double> scratch(model);
    const auto n = static_cast<std::size_t>(model.num_dofs());
    std::vector<double> q(static_cast<std::size_t>(model.num_coordinates())), v(n), v_dot(n), T(n),
        mass(n * n), out;
    for (int state = 0; state < states; ++state) {
        random_configuration(model, static_cast<std::uint64_t>(state), q);
        for (std::size_t i = 0; i < n; ++i)
            v[i] = 0.01 * static_cast<double>(i) - 0.1 * state,
            v_dot[i] = 1.0 - 0.02 * static_cast<double>(i);
        update<double>(kin, q, v);
        update_inertias(kin);
        inverse_dynamics<double>(kin, v_dot, T, scratch);
        out.insert(out.end(), T.begin(), T.end());
        articulate(kin, art);
        forward_dynamics<double>(kin, art, T, v_dot, scratch);
        out.insert(out.end(), v_dot.begin(), v_dot.end());
        composite_inertias(kin, composite);
        mass_matrix<double>(kin, composite, mass);
        out.insert(out.end(), mass.begin(), mass.end());
        integrate<double>(model, q, v, q);
        out.insert(out.end(), q.begin(), q.end());
        out.push_back(kinetic_energy(kin));
        out.push_back(potential_energy(kin));
        const Model copy = model; // copies come and go meanwhile
        out.push_back(frame_pose(kin, copy.frame(copy.bodies().back().name)).p.x);
    }
    return out;
}

TEST(Threads, ShareAModel)
{
    std::vector<Model> models;
    for (int seed = 1; seed <= 3; ++seed)
        models.push_back(*generate_model("random:20:" + std::to_string(seed)));
    for (const test::HingeCase& which :
         test::hinge_kinds()) // a user's hinge has functions that are shared too
        models.push_back(test::hinge_model(which, false, true));
    for (const Model& model : models) {
        const int states = 20;
        const std::vector<double> expected = everything(model, states);
        std::vector<double> results[2];
        {
            std::thread first([&] { results[0] = everything(model, states); });
            std::thread second([&] { results[1] = everything(model, states); });
            first.join();
            second.join();
        }
        for (const std::vector<double>& result : results)
            EXPECT_EQ(result, expected) << model.name(); // bit by bit
    }
}

// The model lives as long as the last workspace that refers to it, whichever thread that is in.
TEST(Threads, KeepTheModelAlive)
{
    std::vector<double> result;
    std::thread worker;
    {
        const Model model = *generate_model("chain:5");
        worker = std::thread([&result, kin = Kinematics<double>(model)]() mutable {
            const std::vector<double> q(5, 0.1);
            update<double>(kin, q);
            result = {kin.X_WB(4).p.x, kin.X_WB(4).p.y, kin.X_WB(4).p.z};
        });
    }
    worker.join();
    Kinematics<double> kin(*generate_model("chain:5"));
    update<double>(kin, std::vector<double>(5, 0.1));
    EXPECT_EQ(result, (std::vector<double>{kin.X_WB(4).p.x, kin.X_WB(4).p.y, kin.X_WB(4).p.z}));
}

} // namespace
} // namespace sweepdyn
