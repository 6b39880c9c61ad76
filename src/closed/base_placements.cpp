#include "sweepdyn/closed/base_placements.hpp"

#include <algorithm>

#include "sweepdyn/closed/grasp.hpp"
#include "sweepdyn/model/builder.hpp"
#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn {

WellPosedTrials try_base_placements(const Model& model, const std::vector<Contact>& contacts, int trials,
                                    std::uint64_t seed)
{
    const auto root_of = [&](int k) {
        while (k != ground && model.tree().parent[k] != ground)
            k = model.tree().parent[k];
        return k;
    };
    if (contacts.empty() || trials < 1)
        throw UsageError("try_base_placements: got " + std::to_string(contacts.size()) + " contacts and " +
                         std::to_string(trials) + " trials, expected at least one of each");
    std::vector<int> roots;
    for (const Contact& contact : contacts) {
        const int hand = root_of(model.frame_body(model.frame(contact.hand)));
        const int object = root_of(model.frame_body(model.frame(contact.object)));
        if (hand == ground || hand == object || std::find(roots.begin(), roots.end(), hand) != roots.end())
            throw UsageError("try_base_placements: the hand '" + contact.hand +
                             "' does not have a tree of its own on the ground, whose base could be placed");
        roots.push_back(hand);
    }
    WellPosedTrials out;
    std::vector<double> q(static_cast<std::size_t>(model.num_coordinates())),
        v(static_cast<std::size_t>(model.num_dofs()), 0.0);
    Kinematics<double> kin(model);
    for (int trial = 0; trial < trials; ++trial) {
        random_configuration(model, seed + static_cast<std::uint64_t>(trial), q);
        update<double>(kin, q);
        ModelBuilder builder(model);
        for (std::size_t i = 0; i < contacts.size(); ++i) { // the whole tree moves so that hand meets object
            const Pose<double> X_Wb = frame_pose(kin, model.frame(contacts[i].hand)),
                               X_Wa = frame_pose(kin, model.frame(contacts[i].object));
            Pose<double>& X_PF = builder.hinges()[roots[i]].X_PF;
            X_PF = X_Wa * inverse(X_Wb) * X_PF;
        }
        Grasp grasp(builder.build(), contacts);
        for (int i = 0; i < static_cast<int>(contacts.size()); ++i)
            grasp.attach(i);
        grasp.set_state(q, v);
        const Grasp::WellPosedness report = grasp.well_posedness();
        ++out.trials;
        out.well_posed += report.well_posed();
        if (report.well_posed())
            out.smallest_pivot = std::min(out.smallest_pivot, report.smallest_kept);
    }
    return out;
}

} // namespace sweepdyn
