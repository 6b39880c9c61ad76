// Inverse kinematics on targets that random configurations within the limits reach: ours, and KDL's ChainIkSolverPos_LMA from
// the same seeds. Part of bench/inverse_kinematics:    PROGRAM MODEL FRAME TARGETS SEEDS
//
// Prints one line per way of solving: name, solved, solved by the first seed, seeds per target, microseconds per target.
// Solved means: the pose, recomputed by our kinematics, is the target's to 1e-8 rad and m; and, where limits count, every
// angle is within them. KDL knows no limits, so its angles are brought inside by full turns where that can be.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "sweepdyn/io/model/load.hpp"
#include "sweepdyn/kinematics/inverse_kinematics.hpp"
#include "sweepdyn/model/edit.hpp"

#ifdef SWEEPDYN_BENCH_KDL
#include <kdl/chain.hpp>
#include <kdl/chainiksolverpos_lma.hpp>
#endif

using namespace sweepdyn;
using Clock = std::chrono::steady_clock;

namespace {

constexpr double tolerance = 1e-8, round_off = 1e-12;

struct Arm {
    Model model;
    FrameId frame;
    int targets, seeds;
    Kinematics<double> kin;
    std::vector<int> path; // bodies, base to tip

    Pose<double> pose(std::span<const double> q) { return update<double>(kin, q), frame_pose(kin, frame); }
    std::vector<double> configuration(int stream, int number) const
    {
        std::vector<double> q(static_cast<std::size_t>(model.num_coordinates()));
        random_configuration(
            model, 1000003u * static_cast<std::uint64_t>(stream) + static_cast<std::uint64_t>(number), q);
        return q;
    }
    bool reaches(std::span<const double> q, const Pose<double>& X)
    {
        const Pose<double> Y = pose(q);
        return std::max(norm(X.p - Y.p), norm(log_rotation(transpose(X.R) * Y.R))) <= tolerance + round_off;
    }
    bool within_limits(std::span<const double> q) const
    {
        for (int k : path)
            for (std::size_t i = 0; i < model.hinges()[k].limits.lower.size(); ++i) {
                const double x = q[static_cast<std::size_t>(model.tree().first_coordinate[k]) + i];
                if (x < model.hinges()[k].limits.lower[i] || x > model.hinges()[k].limits.upper[i])
                    return false;
            }
        return true;
    }
    void fold(std::span<double> q) const // full turns off
    {
        constexpr double turn = 6.283185307179586;
        for (int k : path)
            if (const Hinge& hinge = model.hinges()[k];
                hinge.kind == HingeKind::revolute && !hinge.limits.lower.empty()) {
                double& x = q[static_cast<std::size_t>(model.tree().first_coordinate[k])];
                x -= turn * std::ceil((x - hinge.limits.upper[0]) / turn);
            }
    }
};

struct Score {
    int solved = 0, first = 0;
    long seeds = 0;
    double seconds = 0.0;

    void print(const char* name, int targets) const
    {
        std::printf("%s %d %d %.4f %.3f\n", name, solved, first, static_cast<double>(seeds) / targets,
                    1e6 * seconds / targets);
    }
};

void ours(Arm& arm, const char* name, bool limits)
{
    InverseKinematicsOptions options;
    options.seeds = arm.seeds;
    options.tolerance = tolerance;
    options.limits = limits;
    InverseKinematics ik(arm.model, {FrameTask::pose(arm.frame, {})}, options);
    Score score;
    for (int i = 0; i < arm.targets; ++i) {
        const Pose<double> X = arm.pose(arm.configuration(1, i));
        std::vector<double> q = arm.configuration(2, i);
        ik.set_target(0, X);
        const auto start = Clock::now();
        const InverseKinematicsResult& result = ik.solve(q, q);
        score.seconds += std::chrono::duration<double>(Clock::now() - start).count();
        score.seeds += result.seeds;
        const bool solved = result.solved && arm.reaches(q, X) && (!limits || arm.within_limits(q));
        if (solved != result.solved)
            std::printf("error: target %d is said to be solved and is not\n", i);
        score.solved += solved;
        score.first += solved && result.seeds == 1;
    }
    score.print(name, arm.targets);
}

#ifdef SWEEPDYN_BENCH_KDL
KDL::Frame kdl(const Pose<double>& X)
{
    const auto& R = X.R;
    return {KDL::Rotation(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)),
            KDL::Vector(X.p.x, X.p.y, X.p.z)};
}

KDL::Chain chain_of(const Arm& arm)
{
    KDL::Chain chain;
    for (int k : arm.path) {
        const Hinge& hinge = arm.model.hinges()[k];
        const Pose<double>& F = hinge.X_PF;
        const KDL::Vector axis = kdl(F).M * KDL::Vector(hinge.axis.x, hinge.axis.y, hinge.axis.z);
        const bool turns = num_dofs(hinge) == 1;
        chain.addSegment(KDL::Segment(hinge.name,
                                      turns ? KDL::Joint(hinge.name, kdl(F).p, axis, KDL::Joint::RotAxis)
                                            : KDL::Joint(hinge.name, KDL::Joint::None),
                                      kdl(F * inverse(hinge.X_CM))));
    }
    chain.addSegment(KDL::Segment("frame", KDL::Joint("frame", KDL::Joint::None),
                                  kdl(arm.model.frame_at(arm.frame).X_BF)));
    return chain;
}

void kdl(Arm& arm, const char* name, bool limits)
{
    // Its rotations below this angle count as none, and 1e-6 is the default: too coarse for our tolerance.
    KDL::epsilon = 1e-12;
    const KDL::Chain chain = chain_of(arm);
    const Eigen::Matrix<double, 6, 1> weights = Eigen::Matrix<double, 6, 1>::Ones();
    KDL::ChainIkSolverPos_LMA lma(chain, weights, tolerance); // 500 iterations, as it comes
    std::vector<std::size_t> at;
    for (int k : arm.path)
        if (num_dofs(arm.model.hinges()[k]) == 1)
            at.push_back(static_cast<std::size_t>(arm.model.tree().first_coordinate[k]));
    KDL::JntArray first(chain.getNrOfJoints()), found(chain.getNrOfJoints());

    const InverseKinematics seeds(arm.model, {FrameTask::pose(arm.frame, {})});
    Score score;
    for (int i = 0; i < arm.targets; ++i) {
        const Pose<double> X = arm.pose(arm.configuration(1, i));
        const std::vector<double> given = arm.configuration(2, i);
        std::vector<double> q = given;
        bool solved = false;
        for (int seed = 0; seed < arm.seeds && !solved; ++seed) {
            seeds.seed(seed, given, q);
            for (std::size_t j = 0; j < at.size(); ++j)
                first(static_cast<unsigned>(j)) = q[at[j]];
            const auto start = Clock::now();
            lma.CartToJnt(first, kdl(X), found);
            score.seconds += std::chrono::duration<double>(Clock::now() - start).count();
            ++score.seeds;
            for (std::size_t j = 0; j < at.size(); ++j)
                q[at[j]] = found(static_cast<unsigned>(j));
            if (limits)
                arm.fold(q);
            solved = arm.reaches(q, X) && (!limits || arm.within_limits(q));
            score.first += solved && seed == 0;
        }
        score.solved += solved;
    }
    score.print(name, arm.targets);
}
#endif

} // namespace

int main(int argc, char** argv)
{
    if (argc != 5)
        return std::fprintf(stderr, "usage: PROGRAM MODEL FRAME TARGETS SEEDS\n"), 2;
    const Model model = drop_couplings(with_base(load_model(argv[1]), BaseKind::fixed));
    Arm arm{model, model.frame(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]), Kinematics<double>(model),
            {}};
    for (int k = model.frame_body(arm.frame); k != ground; k = model.tree().parent[k])
        arm.path.insert(arm.path.begin(), k);
    ours(arm, "sweepdyn-within-limits", true);
    ours(arm, "sweepdyn-without-limits", false);
#ifdef SWEEPDYN_BENCH_KDL
    kdl(arm, "kdl-within-limits", true);
    kdl(arm, "kdl-without-limits", false);
#endif
}
