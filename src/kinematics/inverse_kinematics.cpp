// Inverse kinematics: what is asked, the search over seeds, and what is told. One descent: inverse_kinematics_descent.cpp.
#include "sweepdyn/kinematics/inverse_kinematics.hpp"

#include <algorithm>
#include <cstdio>

#include "sweepdyn/model/random.hpp"

namespace sweepdyn {
namespace {

constexpr double pi = 3.141592653589793;
constexpr int descents = 4; // without limits, from one seed
constexpr int images = 32; // from which the best is taken
constexpr double to_the_end = 1.0 - 1e-9; // how F must shrink to go on

bool finite(const Vec3<double>& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

[[noreturn]] void refuse(const std::string& text) { throw UsageError("InverseKinematics: " + text); }

void check_target(const Model& model, const FrameTask& task)
{
    const auto refuse_task = [&](const char* text) {
        refuse("task of frame " + detail::quoted(model.frame_at(task.frame).name) + ": " + text);
    };
    const Mat3<double>& R = task.target.R;
    if (!finite(task.target.p))
        refuse_task("the target position has a number that is not finite");
    const Mat3<double> off = transpose(R) * R - Mat3<double>::identity();
    const double error = std::max({norm(off.x), norm(off.y), norm(off.z)});
    if (!(error < 1e-6) || !(dot(cross(R.x, R.y), R.z) > 0.0))
        refuse_task("the target orientation is no rotation: expected right-handed axes of unit length");
    if (task.kind == FrameTask::Kind::look_at && !(std::abs(norm(task.axis) - 1.0) < 1e-6))
        refuse_task("the axis to look along has no direction, expected one such as 0 0 1");
}

bool is_angle(HingeKind kind, int dof)
{
    switch (kind) {
    case HingeKind::revolute:
    case HingeKind::continuous:
    case HingeKind::universal: return true;
    case HingeKind::cylindrical:
    case HingeKind::planar: return dof == 0;
    default: return false;
    }
}

std::string brief(double number)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", number);
    return text;
}

std::string counted(int n, const char* one, const char* many)
{
    return std::to_string(n) + " " + (n == 1 ? one : many);
}

} // namespace

InverseKinematics::InverseKinematics(const Model& model, std::vector<FrameTask> tasks,
                                     const InverseKinematicsOptions& options)
    : tasks_(std::move(tasks)),
      options_(options),
      per_metre_(1.0 / (options.length * options.length)),
      kin_(model),
      trial_kin_(model),
      weights_(model),
      ls_(model),
      forces_(model.num_bodies(), {})
{
    if (tasks_.empty())
        refuse("no task; give at least one frame and where it should be");
    if (options_.seeds < 1 || options_.iterations < 1)
        refuse("seeds and iterations are " + std::to_string(options_.seeds) + " and " +
               std::to_string(options_.iterations) + ", expected at least 1 each");
    if (!(options_.tolerance > 0.0) || !(options_.length > 0.0) || !std::isfinite(per_metre_))
        refuse("tolerance and length are " + number_text(options_.tolerance) + " and " +
               number_text(options_.length) + ", expected numbers above zero");

    // Only the bodies between the ground and a task's frame matter.
    const Tree& tree = model.tree();
    const auto bodies = static_cast<std::size_t>(model.num_bodies());
    std::vector<char> carries(bodies, 0), stays(bodies, 0);
    for (FrameTask& task : tasks_) {
        if (const double length = norm(task.axis); length > 0.0 && std::isfinite(length))
            task.axis = (1.0 / length) * task.axis;
        check_target(model, task);
        const int body = model.frame_body(task.frame);
        places_.push_back({body, kin_.body[body].X_IB * model.frame_at(task.frame).X_BF});
        for (int k = body; k != ground; k = tree.parent[k])
            carries[k] = 1;
    }
    for (const std::string& name : options_.locked)
        stays[model.hinge(name)] = 1;
    if (const std::optional<int> base = model.floating_base(); base && !options_.move_base)
        stays[*base] = 1;

    ls_.bodies.clear();
    locked_.assign(static_cast<std::size_t>(model.num_dofs()), 1);
    moves_.assign(bodies, 0);
    random_.assign(bodies, 0);
    for (int k : tree.base_to_tip()) {
        if (!carries[k])
            continue;
        ls_.bodies.push_back(k);
        if (stays[k])
            continue;
        const Hinge& hinge = model.hinges()[k];
        moves_[k] = 1;
        random_[k] = hinge.kind != HingeKind::free;
        const bool has_limits = options_.limits && hinge.kind != HingeKind::spherical &&
                                hinge.kind != HingeKind::free && hinge.kind != HingeKind::continuous;
        for (int i = 0; i < num_dofs(hinge); ++i) {
            const int dof = tree.first_dof[k] + i, coordinate = tree.first_coordinate[k] + i;
            const bool angle = is_angle(hinge.kind, i);
            locked_[dof] = 0;
            if (angle)
                angles_.push_back(coordinate);
            const auto at = static_cast<std::size_t>(i);
            const double lower = at < hinge.limits.lower.size() ? hinge.limits.lower[at] : -INFINITY,
                         upper = at < hinge.limits.upper.size() ? hinge.limits.upper[at] : INFINITY;
            if (has_limits && lower <= upper && (lower > -INFINITY || upper < INFINITY))
                limits_.push_back(
                    {dof, coordinate, lower, upper, hinge.kind != HingeKind::planar || i == 0, angle});
        }
    }

    errors_.resize(tasks_.size());
    trial_errors_ = best_errors_ = errors_;
    first_.assign(static_cast<std::size_t>(model.num_coordinates()), 0.0);
    seed_ = q_ = trial_ = image_ = best_ = first_;
    delta_ = pull_ = std::vector<double>(locked_.size(), 0.0);
    result_.tasks.resize(tasks_.size());
    result_.limits.reserve(limits_.size());
}

void InverseKinematics::set_target(std::size_t task, const Pose<double>& target)
{
    if (task >= tasks_.size())
        refuse("task " + std::to_string(task) + " of " + std::to_string(tasks_.size()) +
               ", expected a number below that");
    FrameTask wanted = tasks_[task];
    wanted.target = target;
    check_target(model(), wanted);
    tasks_[task].target = target;
}

// --- the search ----------------------------------------------------------------------------------------------------------
const InverseKinematicsResult& InverseKinematics::solve(std::span<const double> first, std::span<double> q)
{
    detail::require_coordinates(model(), "InverseKinematics::solve", "first", first.size());
    detail::require_coordinates(model(), "InverseKinematics::solve", "q", q.size());
    for (double x : first)
        if (!std::isfinite(x))
            refuse("the first seed has a number that is not finite");
    std::copy(first.begin(), first.end(), first_.begin());
    result_.solved = false;
    result_.seeds = result_.iterations = 0;
    best_F_ = INFINITY;
    while (!result_.solved && result_.seeds < options_.seeds)
        result_.solved = search(result_.seeds++);
    if (!result_.solved) { // the best becomes as good as it can be
        std::copy(best_.begin(), best_.end(), q_.begin());
        result_.solved = descend(Within::limits, to_the_end);
    }
    report();
    const Tree& tree = model().tree();
    for (int k : tree.base_to_tip()) // what stays does so to the last bit
        for (int i = tree.first_coordinate[k]; i < tree.first_coordinate[k + 1]; ++i)
            q[i] = moves_[k] ? best_[i] : first_[i];
    return result_;
}

void InverseKinematics::seed(int number, std::span<const double> first, std::span<double> q) const
{
    if (number > 0)
        random_configuration(model(), options_.random_seed + static_cast<std::uint64_t>(number), q);
    const Tree& tree = model().tree();
    for (int k : tree.base_to_tip())
        if (number == 0 || !random_[k])
            for (int i = tree.first_coordinate[k]; i < tree.first_coordinate[k + 1]; ++i)
                q[i] = first[i];
    normalise(model(), q);
}

bool InverseKinematics::search(int number)
{
    seed(number, first_, seed_);
    std::copy(seed_.begin(), seed_.end(), q_.begin());
    for (int descent = 0; descent < descents; ++descent) {
        const bool met = descend(Within::nothing);
        if (limits_.empty() && met)
            return true;
        take_turns_off(q_);
        std::copy(q_.begin(), q_.end(), image_.begin());
        if (!limits_.empty() && descend(Within::limits))
            return true;
        if (descent + 1 < descents && !mirror(number * descents + descent))
            break;
    }
    std::copy(seed_.begin(), seed_.end(), q_.begin());
    return !limits_.empty() && descend(Within::limits);
}

// q_ becomes the best of some mirror images of image_, within the limits. False when there is nothing to mirror.
bool InverseKinematics::mirror(int number)
{
    Random random(options_.random_seed + static_cast<std::uint64_t>(number));
    double F_best = INFINITY;
    for (int i = 0; i < images && !angles_.empty(); ++i) {
        std::copy(image_.begin(), image_.end(), trial_.begin());
        for (int coordinate : angles_) {
            double& x = trial_[coordinate];
            switch (random.integer(0, 3)) {
            case 1: x = -x; break;
            case 2: x = x + pi; break;
            case 3: x = pi - x; break;
            }
        }
        take_turns_off(trial_);
        clamp(trial_);
        if (trial_ == image_)
            continue; // where it was
        if (const double F = evaluate(trial_kin_, trial_, trial_errors_); F < F_best) {
            F_best = F;
            std::copy(trial_.begin(), trial_.end(), q_.begin());
        }
    }
    return F_best < INFINITY;
}

// Angles outside their limits by less than full turns' difference come inside, or as near above or below as they can.
void InverseKinematics::take_turns_off(std::span<double> q) const
{
    for (const Limit& limit : limits_) {
        double& x = q[limit.coordinate];
        if (limit.angle && x > limit.upper)
            x -= 2 * pi * std::ceil((x - limit.upper) / (2 * pi));
        else if (limit.angle && x < limit.lower)
            x += 2 * pi * std::ceil((limit.lower - x) / (2 * pi));
    }
}

void InverseKinematics::clamp(std::span<double> q) const
{
    for (const Limit& limit : limits_)
        q[limit.coordinate] = std::clamp(q[limit.coordinate], limit.lower, limit.upper);
}

// --- what is told --------------------------------------------------------------------------------------------------------
void InverseKinematics::report()
{
    result_.residual = largest_error(best_errors_);
    for (std::size_t i = 0; i < tasks_.size(); ++i)
        result_.tasks[i] = {norm(best_errors_[i].turn), norm(best_errors_[i].move)};
    result_.limits.clear();
    if (result_.solved)
        return;
    std::copy(best_.begin(), best_.end(), q_.begin());
    evaluate(kin_, q_, errors_);
    linearise();
    for (const Limit& limit : limits_) {
        const double x = best_[limit.coordinate], pull = pull_[limit.dof];
        if (x <= limit.lower && pull < -options_.tolerance)
            result_.limits.push_back({limit.dof, false, limit.lower});
        if (x >= limit.upper && pull > options_.tolerance)
            result_.limits.push_back({limit.dof, true, limit.upper});
    }
}

std::string InverseKinematics::words() const
{
    static constexpr const char* kinds[] = {"pose", "position", "orientation", "look_at"};
    const std::string effort = counted(result_.seeds, "seed", "seeds") + ", " +
                               counted(result_.iterations, "iteration", "iterations");
    if (result_.solved)
        return "solved to " + brief(result_.residual) + " with " + effort;
    std::string text =
        "no solution found within " + brief(options_.tolerance) + " (" + effort + "); the best misses";
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
        const FrameTask& task = tasks_[i];
        const auto& [angle, distance] = result_.tasks[i];
        text += "\n  " + detail::quoted(model().frame_at(task.frame).name) + ", " +
                kinds[static_cast<int>(task.kind)] + ": by ";
        if (task.kind != FrameTask::Kind::position)
            text += brief(angle) + " rad";
        if (task.kind == FrameTask::Kind::pose)
            text += " and ";
        if (task.kind == FrameTask::Kind::pose || task.kind == FrameTask::Kind::position)
            text += brief(distance) + " m";
        bool moves = false;
        for (int k = places_[i].body; k != ground; k = model().tree().parent[k])
            for (int j : model().tree().dofs(k))
                moves = moves || !locked_[j];
        if (!moves)
            text += "; no hinge that may move carries this frame";
    }
    for (const auto& [dof, upper, limit] : result_.limits)
        text += "\n  in the way: hinge " + detail::quoted(model().dof_names()[dof]) + " at its " +
                (upper ? "upper" : "lower") + " limit " + brief(limit);
    return text;
}

} // namespace sweepdyn
