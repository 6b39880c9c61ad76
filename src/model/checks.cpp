#include "checks.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "neutral_columns.hpp"
#include "sweepdyn/spatial/dense.hpp"

namespace sweepdyn {
namespace {

bool finite(double a) { return std::isfinite(a); }
bool finite(const Vec3<double>& a) { return finite(a.x) && finite(a.y) && finite(a.z); }
bool finite(const Mat3<double>& A) { return finite(A.x) && finite(A.y) && finite(A.z); }
bool finite(const Pose<double>& X) { return finite(X.R) && finite(X.p); }
bool finite(const Sym3<double>& A)
{
    return finite(Vec3<double>{A.xx, A.xy, A.xz}) && finite(Vec3<double>{A.yy, A.yz, A.zz});
}

// A rotation matrix that is off by more than 1e-6 is a fault; by more than 1e-12 it is made orthonormal.
void check_rotation(const std::string& where, Mat3<double>& R, Faults& faults)
{
    const Matrix3<double> A = dense(R);
    const double error = std::max((A.transpose() * A - Matrix3<double>::Identity()).cwiseAbs().maxCoeff(),
                                  std::abs(A.determinant() - 1.0));
    if (!(error <= 1e-6))
        faults.push_back(where + ": not a rotation matrix (off by " + number_text(error) +
                         "); rows must be orthonormal and right-handed");
    else if (error > 1e-12)
        R = rotation_matrix(quaternion(R));
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

void check_dof_numbers(const std::string& where, std::string_view what, std::vector<double>& numbers,
                       std::size_t dofs, Faults& faults)
{
    if (numbers.empty())
        numbers.assign(dofs, 0.0);
    if (numbers.size() != dofs)
        faults.push_back(where + ": " + std::string(what) + " has " + std::to_string(numbers.size()) +
                         " numbers, expected " + std::to_string(dofs) + ", one per dof");
    else if (!std::all_of(numbers.begin(), numbers.end(), [](double x) { return finite(x); }))
        faults.push_back(where + ": " + std::string(what) + " is not finite");
}
void check_limits(const std::string& where, Limits& limits, std::size_t dofs, Faults& faults, Notes& notes)
{
    for (auto [what, numbers] : {std::pair{"limit lower", &limits.lower},
                                 {"limit upper", &limits.upper},
                                 {"limit velocity", &limits.velocity},
                                 {"limit effort", &limits.effort}})
        if (!numbers->empty()) {
            if (numbers->size() != dofs)
                faults.push_back(where + ": " + what + " has " + std::to_string(numbers->size()) +
                                 " numbers, expected " + std::to_string(dofs) + ", one per dof");
            else if (std::any_of(numbers->begin(), numbers->end(), [](double x) { return std::isnan(x); }))
                faults.push_back(where + ": " + what + " is not a number");
        }
    if (limits.lower.size() == dofs && limits.upper.size() == dofs)
        for (std::size_t i = 0; i < dofs; ++i)
            if (limits.lower[i] > limits.upper[i])
                notes.push_back({Note::Kind::doubt, where + ": lower limit " + number_text(limits.lower[i]) +
                                                        " is above upper limit " +
                                                        number_text(limits.upper[i])});
}

} // namespace

std::string text(const Vec3<double>& a)
{
    return "[" + number_text(a.x) + ", " + number_text(a.y) + ", " + number_text(a.z) + "]";
}

bool is_finite(const Vec3<double>& a) { return finite(a); }

void check_pose(const std::string& where, Pose<double>& X, Faults& faults)
{
    if (!finite(X))
        faults.push_back(where + ": placement has a number that is not finite");
    else if (!(norm(X.p) < too_large))
        faults.push_back(where + ": it is placed at " + text(X.p) + " m, expected lengths below " +
                         number_text(too_large) + ", whose products are numbers still");
    else
        check_rotation(where, X.R, faults);
}

void check_body(const Body& body, Faults& faults, Notes& notes)
{
    const std::string where = "body " + quoted(body.name);
    if (!finite(body.mass) || !finite(body.com) || !finite(body.inertia_com)) {
        faults.push_back(where + ": mass " + number_text(body.mass) + ", com " + text(body.com) +
                         " or its inertia is not finite");
        return;
    }
    if (body.mass < 0.0)
        faults.push_back(where + ": mass is " + number_text(body.mass) + ", expected zero or more");
    const Eigen::SelfAdjointEigenSolver<Matrix3<double>> solver(dense(body.inertia_com),
                                                                Eigen::EigenvaluesOnly);
    const Vector3<double> moments = solver.eigenvalues();
    const double trace = std::max(std::abs(moments.sum()), moments.cwiseAbs().maxCoeff());
    const std::string values = text({moments[0], moments[1], moments[2]});
    const double noise = 1e-12 * body.mass; // a radius of gyration of a micrometre
    if (trace <= noise)
        return; // a point mass, whatever the rounding of zeros says
    if (moments[0] < -1e-9 * trace)
        faults.push_back(where + ": inertia about the centre of mass has principal moments " + values +
                         ", expected none negative");
    else if (trace > 0.0 && moments[0] <= 1e-9 * trace)
        notes.push_back(
            {Note::Kind::doubt, where + ": inertia is only semidefinite, principal moments " + values});
    else if (trace > 0.0 && moments[0] + moments[1] < moments[2] * (1.0 - 1e-9))
        notes.push_back(
            {Note::Kind::doubt, where + ": inertia breaks the triangle inequality, principal moments " +
                                    values + "; no rigid body has it"});
}

void check_shapes(const Body& body, Faults& faults)
{
    for (auto [what, shapes] : {std::pair{"visual", &body.visuals}, {"collision", &body.collisions}})
        for (const Shape& shape : *shapes) {
            const auto all_finite = [](const std::vector<double>& numbers) {
                return std::all_of(numbers.begin(), numbers.end(), [](double x) { return finite(x); });
            };
            if (!finite(shape.X_BS) || !all_finite(shape.size) || !all_finite(shape.color))
                faults.push_back("body " + quoted(body.name) + ": a " + what +
                                 " shape has a placement, size or colour that is not finite");
        }
}

void check_hinge(Hinge& hinge, Faults& faults, Notes& notes)
{
    const std::string where = "hinge " + quoted(hinge.name);
    const std::size_t faults_before = faults.size();
    check_pose(where + ", placement in the parent", hinge.X_PF, faults);
    check_pose(where + ", placement in the child", hinge.X_CM, faults);
    switch (hinge.kind) {
    case HingeKind::universal: check_axis(where + ": axis2", hinge.axis2, faults); [[fallthrough]];
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
            faults.push_back(where + ": a user hinge needs its functions or one to six steps, got " +
                             std::to_string(hinge.steps.size()) + " steps");
        for (HingeStep& step : hinge.steps) {
            check_axis(where + ": axis of a step", step.axis, faults);
            check_pose(where + ": placement of a step", step.placement, faults);
            if (!finite(step.pitch))
                faults.push_back(where + ": pitch of a step is not finite");
        }
        break;
    default: break;
    }
    if (hinge.kind != HingeKind::user && (hinge.user || !hinge.steps.empty()))
        faults.push_back(where + ": functions or steps are given, but the kind is " +
                         std::string(name(hinge.kind)) + ", expected user");
    if (hinge.kind == HingeKind::universal && faults.size() == faults_before &&
        norm(cross(hinge.axis, hinge.axis2)) < 1e-6)
        faults.push_back(where + ": axis and axis2 of a universal hinge are parallel");
    if (!finite(hinge.pitch))
        faults.push_back(where + ": pitch is not finite");
    else if (!(std::abs(hinge.pitch) < too_large))
        faults.push_back(where + ": pitch is " + number_text(hinge.pitch) + " m/rad, expected one below " +
                         number_text(too_large));
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
                notes.push_back({Note::Kind::doubt, where + ": " + what + " is " + number_text(x) +
                                                        ", negative: it feeds energy in"});
    check_limits(where, hinge.limits, dofs, faults, notes);
    if (!hinge.actuated.empty() && hinge.actuated.size() != dofs)
        faults.push_back(where + ": actuated has " + std::to_string(hinge.actuated.size()) +
                         (hinge.actuated.size() == 1 ? " entry" : " entries") + ", expected " +
                         std::to_string(dofs) + ", one per dof");
}

// A hinge with no inertia to move, even with everything outboard of it held rigid: D = H R H' + Ja at neutral.
void note_singular_hinges(const std::vector<int>& parent, const std::vector<char>& fixed,
                          const std::vector<Body>& bodies, const std::vector<Hinge>& hinges, Notes& notes)
{
    const int n = static_cast<int>(parent.size());
    std::vector<Pose<double>> X_WM(n), X_WB(n);
    std::vector<Inertia<double>> R(n); // about the world origin, world axes
    for (int k = 0; k < n; ++k) {
        X_WM[k] = (parent[k] == ground ? Pose<double>{} : X_WB[parent[k]]) * hinges[k].X_PF;
        X_WB[k] = X_WM[k] * inverse(hinges[k].X_CM);
        R[k] = Inertia<double>::about_point(bodies[k].mass, transform_point(X_WB[k], bodies[k].com),
                                            rotate(X_WB[k].R, bodies[k].inertia_com));
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
            notes.push_back(
                {Note::Kind::doubt, "hinge " + quoted(hinges[k].name) +
                                        " has no inertia to move: give mass and inertia to body " +
                                        quoted(bodies[k].name) +
                                        " or to what hangs on it; forward dynamics needs it, kinematics and "
                                        "inverse dynamics do not"});
    }
}

} // namespace sweepdyn
