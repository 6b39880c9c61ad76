// Inverse kinematics: a configuration that puts frames where tasks want them, within the limits of the hinges.
//
// A descent minimises F = 1/2 sum |e|^2 over the errors e of the tasks by steps of Levenberg and Marquardt on the manifold,
//     (J* W J + lambda) delta = J* W e,      q <- q exp(delta),
// each solved in O(n) by the articulation recursion (frame_least_squares.hpp): damping stands where armature does, and a hinge
// that its limit stops is a dof held. lambda = mu F vanishes with the error, so the end is quadratic, near singular poses too
// (Yamashita and Fukushima 2001; Sugihara 2011); mu follows the gain, true beside predicted (Nielsen 1999).
//
// From each seed, until the tasks are met within the limits:
//     1. descend without limits, take full turns off the angles, and descend within the limits from there;
//     2. again, a few times, from the best of many mirror images of where that ended: who reaches a pose in one way reaches
//        it in others, elbow up and down, wrist to and fro, whose angles are about -x, x + pi or pi - x;
//     3. descend within the limits from the seed itself.
// The first seed is given, the others are random and the same every time.
//
// Works for any tree, hinge and set of tasks. The constructor makes all workspaces; solve allocates nothing.
// Specified by tests/laws/inverse_kinematics.cpp; how often it finds a solution, and how fast: bench/inverse_kinematics.
#pragma once

#include <string>
#include <vector>

#include "sweepdyn/kinematics/frame_least_squares.hpp"
#include "sweepdyn/model/configuration.hpp"

namespace sweepdyn {

// What one frame should do. Errors: an angle in rad, a distance in m; a kind that does not ask for one has zero.
struct FrameTask {
    enum class Kind { pose, position, orientation, look_at };

    static FrameTask pose(FrameId frame, const Pose<double>& X_WF) { return {Kind::pose, frame, X_WF, {}}; }
    static FrameTask position(FrameId frame, const Vec3<double>& p_WF)
    {
        return {Kind::position, frame, {Mat3<double>::identity(), p_WF}, {}};
    }
    static FrameTask orientation(FrameId frame, const Mat3<double>& R_WF)
    {
        return {Kind::orientation, frame, {R_WF, {}}, {}};
    }
    // The half-line from the frame's origin along an axis, in the frame's own axes, goes through a point of the world.
    static FrameTask look_at(FrameId frame, const Vec3<double>& axis, const Vec3<double>& p_W)
    {
        return {Kind::look_at, frame, {Mat3<double>::identity(), p_W}, axis};
    }

    Kind kind = Kind::pose;
    FrameId frame{};
    Pose<double> target{};
    Vec3<double> axis{};
};

struct InverseKinematicsOptions {
    int seeds = 10; // the given configuration, then random ones
    int iterations = 100; // of one descent
    double tolerance = 1e-8; // of every error, rad and m
    double length = 1.0; // the distance that counts as much as one radian, m
    bool limits =
        true; // keep to the limits of the hinges; those of spherical and free hinges are never looked at
    bool move_base = false; // whether a floating base may move
    std::vector<std::string> locked{}; // hinges that stay as given
    std::uint64_t random_seed = 1;
};

struct InverseKinematicsResult {
    struct Error {
        double angle = 0.0, distance = 0.0; // rad, m
    };
    // A dof at its limit that would go further to bring the tasks nearer; told when they are not met.
    struct ActiveLimit {
        int dof = 0;
        bool upper = false;
        double limit = 0.0;
    };

    bool solved = false;
    int seeds = 0, iterations = 0; // used, of all descents
    double residual = 0.0; // the largest error
    std::vector<Error> tasks{};
    std::vector<ActiveLimit> limits{};
};

class InverseKinematics {
public:
    // Throws UsageError: no task, a target or an axis that makes no sense, unknown hinges, options out of range.
    InverseKinematics(const Model& model, std::vector<FrameTask> tasks,
                      const InverseKinematicsOptions& options = {});

    const Model& model() const { return kin_.model; }
    std::span<const FrameTask> tasks() const { return tasks_; }
    // Another target for the same task. Throws UsageError as the constructor does.
    void set_target(std::size_t task, const Pose<double>& target);

    // Starts at `first`, brought within the limits; q, which may be `first`, becomes the best configuration found, met or not.
    const InverseKinematicsResult& solve(std::span<const double> first, std::span<double> q);
    const InverseKinematicsResult& result() const { return result_; }
    // What came of it, in words: the errors by name, the limits in the way.
    std::string words() const;
    // Seed number 0 is `first`, the others are random but for hinges that stay, that carry no task, or are free.
    void seed(int number, std::span<const double> first, std::span<double> q) const;

private:
    struct Place { // of a task's frame
        int body = ground;
        Pose<double> X_IF{}; // in its body's inner frame
    };
    struct Limit { // of a dof that moves
        int dof = 0, coordinate = 0;
        double lower = 0.0, upper = 0.0;
        bool alone = true; // whether the dof moves this coordinate and no other
        bool angle = false; // whether full turns change nothing
    };
    struct Errors { // of a task, still to do; world axes
        Vec3<double> turn{}, move{};
        Vec3<double> p{}; // origin of the frame
        Vec3<double> sight{}; // of look_at: the direction to the point
        double nearness = 0.0; // of look_at: 1 / distance
    };
    enum class Within { nothing, limits };

    // One descent, from q_.
    bool descend(Within within, double shrinking = 0.9);
    double evaluate(Kinematics<double>& kin, std::span<const double> q, std::vector<Errors>& errors) const;
    double largest_error(const std::vector<Errors>& errors) const;
    void linearise();
    void step(double lambda, Within within);
    double predicted() const;
    // Many descents, from one seed.
    bool search(int number);
    void take_turns_off(std::span<double> q) const;
    void clamp(std::span<double> q) const;
    bool mirror(int number);
    void report();

    std::vector<FrameTask> tasks_;
    InverseKinematicsOptions options_;
    double per_metre_ = 1.0; // weight of a distance squared
    std::vector<Place> places_;
    std::vector<Limit> limits_;
    std::vector<int> angles_; // coordinates that mirror images are made of
    std::vector<char> locked_; // per dof
    std::vector<char> moves_, random_; // per hinge: whether it may move, whether it differs from seed to seed
    Kinematics<double> kin_, trial_kin_;
    FrameWeights<double> weights_;
    FrameLeastSquares<double> ls_;
    PerBody<Force<double>> forces_;
    std::vector<Errors> errors_, trial_errors_, best_errors_;
    std::vector<double> first_, seed_, q_, trial_, image_, best_;
    std::vector<double> pull_, delta_; // per dof: J* W e, and the step
    double best_F_ = 0.0;
    InverseKinematicsResult result_;
};

} // namespace sweepdyn
