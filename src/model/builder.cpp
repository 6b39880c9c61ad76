#include "sweepdyn/model/builder.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <Eigen/Eigenvalues>

#include "sweepdyn/spatial/dense.hpp"
#include "neutral_columns.hpp"

namespace sweepdyn {
namespace {

using Faults = std::vector<std::string>;
using Notes = std::vector<Note>;

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }
std::string text(const Vec3<double>& a) { return "[" + number_text(a.x) + ", " + number_text(a.y) + ", " + number_text(a.z) + "]"; }

bool finite(double a) { return std::isfinite(a); }
bool finite(const Vec3<double>& a) { return finite(a.x) && finite(a.y) && finite(a.z); }
bool finite(const Mat3<double>& A) { return finite(A.x) && finite(A.y) && finite(A.z); }
bool finite(const Pose<double>& X) { return finite(X.R) && finite(X.p); }
bool finite(const Sym3<double>& A) { return finite(Vec3<double>{A.xx, A.xy, A.xz}) && finite(Vec3<double>{A.yy, A.yz, A.zz}); }

// A rotation matrix that is off by more than 1e-6 is a fault; by more than 1e-12 it is made orthonormal.
void check_rotation(const std::string& where, Mat3<double>& R, Faults& faults)
{
    const Matrix3<double> A = dense(R);
    const double error = std::max((A.transpose() * A - Matrix3<double>::Identity()).cwiseAbs().maxCoeff(), std::abs(A.determinant() - 1.0));
    if (!(error <= 1e-6))
        faults.push_back(where + ": not a rotation matrix (off by " + number_text(error) + "); rows must be orthonormal and right-handed");
    else if (error > 1e-12)
        R = rotation_matrix(quaternion(R));
}
void check_pose(const std::string& where, Pose<double>& X, Faults& faults)
{
    if (!finite(X))
        faults.push_back(where + ": placement has a number that is not finite");
    else
        check_rotation(where, X.R, faults);
}
// Made of unit length, unless it is already.
void check_axis(const std::string& where, Vec3<double>& axis, Faults& faults)
{
    const double length = norm(axis);
    if (!finite(axis))
        faults.push_back(where + " is " + text(axis) + ", expected finite numbers");
    else if (length < 1e-9 || !finite(length))
        faults.push_back(where + " is " + text(axis) + ", expected a direction");
    else if (std::abs(length - 1.0) > 1e-15)
        axis = (1.0 / length) * axis;
}

void check_body(const Body& body, Faults& faults, Notes& notes)
{
    const std::string where = "body " + quoted(body.name);
    if (!finite(body.mass) || !finite(body.com) || !finite(body.inertia_com)) {
        faults.push_back(where + ": mass " + number_text(body.mass) + ", com " + text(body.com) + " or its inertia is not finite");
        return;
    }
    if (body.mass < 0.0)
        faults.push_back(where + ": mass is " + number_text(body.mass) + ", expected zero or more");
    const Eigen::SelfAdjointEigenSolver<Matrix3<double>> solver(dense(body.inertia_com), Eigen::EigenvaluesOnly);
    const Vector3<double> moments = solver.eigenvalues();
    const double trace = std::max(std::abs(moments.sum()), moments.cwiseAbs().maxCoeff());
    const std::string values = text({moments[0], moments[1], moments[2]});
    const double noise = 1e-12 * body.mass; // a radius of gyration of a micrometre
    if (trace <= noise)
        return; // a point mass, whatever the rounding of zeros says
    if (moments[0] < -1e-9 * trace)
        faults.push_back(where + ": inertia about the centre of mass has principal moments " + values + ", expected none negative");
    else if (trace > 0.0 && moments[0] <= 1e-9 * trace)
        notes.push_back({Note::Kind::doubt, where + ": inertia is only semidefinite, principal moments " + values});
    else if (trace > 0.0 && moments[0] + moments[1] < moments[2] * (1.0 - 1e-9))
        notes.push_back({Note::Kind::doubt, where + ": inertia breaks the triangle inequality, principal moments " + values + "; no rigid body has it"});
}

void check_dof_numbers(const std::string& where, std::string_view what, std::vector<double>& numbers, std::size_t dofs, Faults& faults)
{
    if (numbers.empty())
        numbers.assign(dofs, 0.0);
    if (numbers.size() != dofs)
        faults.push_back(where + ": " + std::string(what) + " has " + std::to_string(numbers.size()) + " numbers, expected " + std::to_string(dofs) + ", one per dof");
    else if (!std::all_of(numbers.begin(), numbers.end(), [](double x) { return finite(x); }))
        faults.push_back(where + ": " + std::string(what) + " is not finite");
}
void check_limits(const std::string& where, Limits& limits, std::size_t dofs, Faults& faults, Notes& notes)
{
    for (auto [what, numbers] : {std::pair{"limit lower", &limits.lower}, {"limit upper", &limits.upper}, {"limit velocity", &limits.velocity}, {"limit effort", &limits.effort}})
        if (!numbers->empty()) {
            if (numbers->size() != dofs)
                faults.push_back(where + ": " + what + " has " + std::to_string(numbers->size()) + " numbers, expected " + std::to_string(dofs) + ", one per dof");
            else if (std::any_of(numbers->begin(), numbers->end(), [](double x) { return std::isnan(x); }))
                faults.push_back(where + ": " + what + " is not a number");
        }
    if (limits.lower.size() == dofs && limits.upper.size() == dofs)
        for (std::size_t i = 0; i < dofs; ++i)
            if (limits.lower[i] > limits.upper[i])
                notes.push_back({Note::Kind::doubt, where + ": lower limit " + number_text(limits.lower[i]) + " is above upper limit " + number_text(limits.upper[i])});
}

void check_hinge(Hinge& hinge, Faults& faults, Notes& notes)
{
    const std::string where = "hinge " + quoted(hinge.name);
    check_pose(where + ", placement in the parent", hinge.X_PF, faults);
    check_pose(where + ", placement in the child", hinge.X_CM, faults);
    switch (hinge.kind) {
    case HingeKind::universal:
        check_axis(where + ": axis2", hinge.axis2, faults);
        [[fallthrough]];
    case HingeKind::revolute:
    case HingeKind::continuous:
    case HingeKind::prismatic:
    case HingeKind::helical:
    case HingeKind::cylindrical:
    case HingeKind::planar: check_axis(where + ": axis", hinge.axis, faults); break;
    case HingeKind::user:
        if (hinge.user && !hinge.steps.empty())
            faults.push_back(where + ": a user hinge is given by its functions or by steps, not by both");
        if (!hinge.user && (hinge.steps.empty() || hinge.steps.size() > 6))
            faults.push_back(where + ": a user hinge needs its functions or one to six steps, got " + std::to_string(hinge.steps.size()) + " steps");
        for (HingeStep& step : hinge.steps) {
            check_axis(where + ": axis of a step", step.axis, faults);
            check_pose(where + ": placement of a step", step.placement, faults);
            if (!finite(step.pitch))
                faults.push_back(where + ": pitch of a step is not finite");
        }
        break;
    default: break;
    }
    if (hinge.kind == HingeKind::universal && norm(cross(hinge.axis, hinge.axis2)) < 1e-6)
        faults.push_back(where + ": axis and axis2 of a universal hinge are parallel");
    if (!finite(hinge.pitch))
        faults.push_back(where + ": pitch is not finite");
    const auto dofs = static_cast<std::size_t>(num_dofs(hinge));
    check_dof_numbers(where, "armature", hinge.armature, dofs, faults);
    check_dof_numbers(where, "damping", hinge.damping, dofs, faults);
    check_dof_numbers(where, "friction", hinge.friction, dofs, faults);
    for (double a : hinge.armature)
        if (a < 0.0)
            faults.push_back(where + ": armature is " + number_text(a) + ", expected zero or more");
    for (auto [what, numbers] : {std::pair{"damping", &hinge.damping}, {"friction", &hinge.friction}})
        for (double x : *numbers)
            if (x < 0.0)
                notes.push_back({Note::Kind::doubt, where + ": " + what + " is " + number_text(x) + ", negative: it feeds energy in"});
    check_limits(where, hinge.limits, dofs, faults, notes);
}

// Names of one family must be there and differ.
template <class Items> void check_names(std::string_view what, const Items& items, Faults& faults)
{
    std::map<std::string, int> seen;
    for (const auto& item : items)
        ++seen[item.name];
    for (const auto& [name, count] : seen) {
        if (name.empty())
            faults.push_back("a " + std::string(what) + " has no name");
        else if (count > 1)
            faults.push_back(std::string(what) + " name " + quoted(name) + " is used " + std::to_string(count) + " times");
    }
}

// The order of the bodies: as given when parents come first, else depth first; the unreachable are in cycles.
std::vector<int> order_bodies(const std::vector<int>& parent, const std::vector<Body>& bodies, Faults& faults)
{
    const int n = static_cast<int>(parent.size());
    std::vector<int> order;
    bool sorted = true;
    for (int k = 0; k < n; ++k)
        sorted = sorted && parent[k] < k;
    if (sorted) {
        for (int k = 0; k < n; ++k)
            order.push_back(k);
        return order;
    }
    std::vector<std::vector<int>> children(static_cast<std::size_t>(n) + 1);
    for (int k = 0; k < n; ++k)
        children[static_cast<std::size_t>(parent[k] + 1)].push_back(k);
    std::vector<int> stack(children[0].rbegin(), children[0].rend());
    while (!stack.empty()) {
        const int k = stack.back();
        stack.pop_back();
        order.push_back(k);
        const auto& next = children[static_cast<std::size_t>(k) + 1];
        stack.insert(stack.end(), next.rbegin(), next.rend());
    }
    if (static_cast<int>(order.size()) < n) {
        const std::set<int> reached(order.begin(), order.end());
        std::string names;
        for (int k = 0; k < n; ++k)
            if (!reached.contains(k))
                names += (names.empty() ? "" : ", ") + quoted(bodies[k].name);
        faults.push_back("cycle: the bodies " + names + " hang on one another and not on the ground");
    }
    return order;
}

// A hinge with no inertia to move, even with everything outboard of it held rigid: D = H R H' + Ja at neutral.
void note_singular_hinges(const std::vector<int>& parent, const std::vector<char>& fixed, const std::vector<Body>& bodies,
                          const std::vector<Hinge>& hinges, Notes& notes)
{
    const int n = static_cast<int>(parent.size());
    std::vector<Pose<double>> X_WM(n), X_WB(n);
    std::vector<Inertia<double>> R(n); // about the world origin, world axes
    for (int k = 0; k < n; ++k) {
        X_WM[k] = (parent[k] == ground ? Pose<double>{} : X_WB[parent[k]]) * hinges[k].X_PF;
        X_WB[k] = X_WM[k] * inverse(hinges[k].X_CM);
        R[k] = Inertia<double>::about_point(bodies[k].mass, transform_point(X_WB[k], bodies[k].com), rotate(X_WB[k].R, bodies[k].inertia_com));
    }
    for (int k = n - 1; k >= 0; --k) {
        if (parent[k] != ground)
            R[parent[k]] += R[k];
        const auto H = neutral_columns(hinges[k]);
        if (H.empty() || fixed[k])
            continue;
        const Inertia<double> about_hinge = shift(R[k], -X_WM[k].p);
        // Columns scaled to D(i,i) = 1, so that metres and radians compare; then pivots of the Cholesky factorization.
        std::vector<Motion<double>> scaled;
        bool singular = false;
        for (std::size_t i = 0; i < H.size(); ++i) {
            const Motion<double> Hi = rotate(X_WM[k].R, H[i]);
            const double D = dot(Hi, about_hinge * Hi) + hinges[k].armature[i];
            const double scale = about_hinge.J.trace() * dot(Hi.w, Hi.w) + about_hinge.m * dot(Hi.v, Hi.v);
            singular = singular || !(D > 1e-12 * scale);
            scaled.push_back((1.0 / std::sqrt(D)) * Hi);
        }
        const std::size_t m = singular ? 0 : H.size();
        std::array<std::array<double, 6>, 6> L{};
        for (std::size_t i = 0; i < m; ++i)
            for (std::size_t j = 0; j <= i; ++j) {
                double sum = i == j ? 1.0 : dot(scaled[i], about_hinge * scaled[j]);
                for (std::size_t c = 0; c < j; ++c)
                    sum -= L[i][c] * L[j][c];
                singular = singular || (i == j && sum < 1e-12);
                L[i][j] = i == j ? std::sqrt(std::max(sum, 1e-12)) : sum / L[j][j];
            }
        if (singular)
            notes.push_back({Note::Kind::doubt, "hinge " + quoted(hinges[k].name) + " has no inertia to move: give mass and inertia to body " + quoted(bodies[k].name) +
                                                    " or to what hangs on it; forward dynamics needs it, kinematics and inverse dynamics do not"});
    }
}

template <class T> std::vector<T> permuted(const std::vector<T>& items, const std::vector<int>& order)
{
    std::vector<T> out;
    for (int i : order)
        out.push_back(items[static_cast<std::size_t>(i)]);
    return out;
}

} // namespace

ModelBuilder::ModelBuilder(const Model& model)
    : name_(model.name()), gravity_(model.gravity()), bodies_(model.bodies().begin(), model.bodies().end()),
      hinges_(model.hinges().begin(), model.hinges().end()), mimics_(model.mimics().begin(), model.mimics().end())
{
    // Frames that follow from the bodies and the ground are made anew.
    for (const Frame& frame : model.frames().subspan(static_cast<std::size_t>(model.num_bodies())))
        if (!(frame.name == "world" && frame.body.empty() && frame.X_BF == Pose<double>{}))
            frames_.push_back(frame);
}

Model ModelBuilder::build() const
{
    Faults faults = faults_;
    Notes notes = notes_;
    std::vector<Body> bodies = bodies_;
    std::vector<Hinge> hinges = hinges_;
    std::vector<Frame> frames = frames_;
    const int n = static_cast<int>(bodies.size());

    if (!finite(gravity_))
        faults.push_back("gravity is " + text(gravity_) + ", expected finite numbers");
    if (bodies.empty())
        faults.push_back("the model has no bodies");
    check_names("body", bodies, faults);
    std::map<std::string, int> body_index;
    std::vector<std::string> body_names;
    for (int k = 0; k < n; ++k) {
        body_index.emplace(bodies[k].name, k);
        body_names.push_back(bodies[k].name);
        check_body(bodies[k], faults, notes);
    }
    for (Hinge& hinge : hinges) {
        if (hinge.name.empty())
            hinge.name = hinge.child;
        check_hinge(hinge, faults, notes);
    }
    check_names("hinge", hinges, faults);

    // Each body hangs on exactly one hinge.
    std::vector<int> hinge_of(n, -1), parent(n, ground);
    for (std::size_t i = 0; i < hinges.size(); ++i) {
        const Hinge& hinge = hinges[i];
        const std::string where = "hinge " + quoted(hinge.name);
        if (!hinge.parent.empty() && !body_index.contains(hinge.parent))
            faults.push_back(where + ", parent: " + unknown_name("body", hinge.parent, body_names));
        const auto child = body_index.find(hinge.child);
        if (child == body_index.end()) {
            faults.push_back(where + ", child: " + unknown_name("body", hinge.child, body_names));
            continue;
        }
        if (const int other = hinge_of[child->second]; other >= 0)
            faults.push_back("body " + quoted(hinge.child) + " has two parents: by hinge " + quoted(hinges[other].name) + " and by hinge " + quoted(hinge.name));
        hinge_of[child->second] = static_cast<int>(i);
        if (const auto p = body_index.find(hinge.parent); !hinge.parent.empty() && p != body_index.end())
            parent[child->second] = p->second;
    }
    for (int k = 0; k < n; ++k)
        if (hinge_of[k] < 0)
            faults.push_back("body " + quoted(bodies[k].name) + " hangs on no hinge: add one (a weld or a free hinge to the ground, if nothing else)");
    const std::vector<int> order = order_bodies(parent, bodies, faults);

    // Frames: the bodies' own, the ground's, then the others.
    for (const Frame& frame : frames) {
        if (!frame.body.empty() && !body_index.contains(frame.body))
            faults.push_back("frame " + quoted(frame.name) + ": " + unknown_name("body", frame.body, body_names));
        if (body_index.contains(frame.name))
            faults.push_back("frame " + quoted(frame.name) + " has the name of a body");
    }
    for (Frame& frame : frames)
        check_pose("frame " + quoted(frame.name), frame.X_BF, faults);
    check_names("frame", frames, faults);
    for (const Mimic& mimic : mimics_) {
        if (!finite(mimic.multiplier) || !finite(mimic.offset))
            faults.push_back("coupling " + quoted(mimic.name) + ": multiplier " + number_text(mimic.multiplier) + " or offset " + number_text(mimic.offset) + " is not finite");
        for (const std::string& name : {mimic.hinge, mimic.of}) {
            const auto found = std::find_if(hinges.begin(), hinges.end(), [&](const Hinge& h) { return h.name == name; });
            if (found == hinges.end()) {
                std::vector<std::string> known;
                for (const Hinge& h : hinges)
                    known.push_back(h.name);
                faults.push_back("coupling " + quoted(mimic.name) + ": " + unknown_name("hinge", name, known));
            } else if (num_dofs(*found) != 1)
                faults.push_back("coupling " + quoted(mimic.name) + ": hinge " + quoted(name) + " has " + std::to_string(num_dofs(*found)) + " dofs, expected 1");
        }
    }
    const auto refuse_faults = [&] {
        if (strict_)
            for (const Note& note : notes)
                if (note.kind == Note::Kind::doubt)
                    faults.push_back(note.text);
        if (!faults.empty())
            throw ModelError("model " + quoted(name_) + (strict_ ? " (strict)" : ""), faults);
    };
    if (!faults.empty())
        refuse_faults();

    auto data = std::make_shared<Model::Data>();
    data->name = name_;
    data->gravity = gravity_;
    data->bodies = permuted(bodies, order);
    data->hinges = permuted(hinges, permuted(hinge_of, order));
    data->mimics = mimics_;

    std::vector<int> place(n);
    for (int k = 0; k < n; ++k)
        place[order[k]] = k;
    Tree& tree = data->tree;
    tree.first_dof = tree.first_coordinate = {0};
    int free_roots = 0;
    for (int k = 0; k < n; ++k) {
        const Hinge& hinge = data->hinges[k];
        const int p = parent[order[k]] == ground ? ground : place[parent[order[k]]];
        tree.parent.push_back(p);
        tree.depth.push_back(p == ground ? 0 : tree.depth[p] + 1);
        tree.first_dof.push_back(tree.first_dof.back() + num_dofs(hinge));
        tree.first_coordinate.push_back(tree.first_coordinate.back() + num_coordinates(hinge));
        tree.body_of_dof.insert(tree.body_of_dof.end(), static_cast<std::size_t>(num_dofs(hinge)), k);
        data->fixed.push_back(hinge.kind == HingeKind::weld && (p == ground || data->fixed[p]));
        if (p == ground && hinge.kind == HingeKind::free) {
            data->floating_base = k;
            ++free_roots;
        }
    }
    tree.is_leaf.assign(n, true);
    tree.is_last_child.assign(n, false);
    for (int k = n - 1; k >= 0; --k)
        if (const int p = tree.parent[k]; p != ground) {
            tree.is_last_child[k] = tree.is_leaf[p];
            tree.is_leaf[p] = false;
        }
    if (free_roots != 1)
        data->floating_base.reset();
    for (int k = 0; k < n; ++k)
        for (const std::string& suffix : dof_suffixes(data->hinges[k]))
            data->dof_names.push_back((data->floating_base == k ? "base" : data->hinges[k].name) + suffix);

    for (const Body& body : data->bodies)
        data->frames.push_back({body.name, body.name, {}});
    if (!body_index.contains("world") && std::none_of(frames.begin(), frames.end(), [](const Frame& f) { return f.name == "world"; }))
        data->frames.push_back({"world", "", {}});
    data->frames.insert(data->frames.end(), frames.begin(), frames.end());
    for (const Frame& frame : data->frames)
        data->frame_body.push_back(frame.body.empty() ? ground : place[body_index.at(frame.body)]);

    for (int k = 0; k < n; ++k) {
        const Body& body = data->bodies[k];
        if (data->fixed[k] || data->hinges[k].kind == HingeKind::weld)
            continue;
        if (body.mass == 0.0)
            notes.push_back({Note::Kind::doubt, "body " + quoted(body.name) + " has no mass"});
        else if (std::abs(body.inertia_com.trace()) <= 1e-12 * body.mass)
            notes.push_back({Note::Kind::doubt, "body " + quoted(body.name) + " has mass but no inertia: a point mass"});
    }
    note_singular_hinges(tree.parent, data->fixed, data->bodies, data->hinges, notes);
    refuse_faults();
    data->notes = std::move(notes);

    Model model;
    model.data_ = std::move(data);
    return model;
}

} // namespace sweepdyn
