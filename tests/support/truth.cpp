#include "support/truth.hpp"

#include "sweepdyn/model/user_hinge.hpp"

namespace sweepdyn::test {

Eigen::Matrix3d cross_matrix(const Vector3d& a)
{
    Eigen::Matrix3d out;
    out << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
    return out;
}

Matrix4d pose_matrix(const Eigen::Matrix3d& R, const Vector3d& p)
{
    Matrix4d X = Matrix4d::Identity();
    X.topLeftCorner<3, 3>() = R;
    X.topRightCorner<3, 1>() = p;
    return X;
}

MatrixXd twist_map(const Matrix4d& X_AB)
{
    const Eigen::Matrix3d R = X_AB.topLeftCorner<3, 3>();
    MatrixXd out = MatrixXd::Zero(6, 6);
    out.topLeftCorner(3, 3) = out.bottomRightCorner(3, 3) = R;
    out.bottomLeftCorner(3, 3) = cross_matrix(X_AB.topRightCorner<3, 1>()) * R;
    return out;
}

namespace {

// The displacement X_FM and the columns of H*, in the axes and about the origin of M.
struct DenseHinge {
    Matrix4d X = Matrix4d::Identity();
    MatrixXd H = MatrixXd(6, 0);

    // One more factor on the right; the columns so far are seen from the new frame.
    void then(const Matrix4d& Y)
    {
        X = X * Y;
        H = twist_map(Y.inverse()) * H;
    }
    void column(const Vector3d& w, const Vector3d& v)
    {
        H.conservativeResize(6, H.cols() + 1);
        H.rightCols(1) << w, v;
    }
    void turn(const Vector3d& axis, double angle, double advance = 0.0)
    {
        then(pose_matrix(Eigen::AngleAxisd(angle, axis).toRotationMatrix(), advance * axis));
    }
};

DenseHinge dense_hinge(const Hinge& hinge, const double* q)
{
    DenseHinge out;
    const Vector3d zero = Vector3d::Zero(), a = dense(hinge.axis), a2 = dense(hinge.axis2);
    const Eigen::Matrix3d one = Eigen::Matrix3d::Identity();
    const auto ball = [&] {
        return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
    };
    switch (hinge.kind) {
    case HingeKind::weld: break;
    case HingeKind::revolute:
    case HingeKind::continuous: out.turn(a, q[0]), out.column(a, zero); break;
    case HingeKind::prismatic: out.then(pose_matrix(one, q[0] * a)), out.column(zero, a); break;
    case HingeKind::helical: out.turn(a, q[0], hinge.pitch * q[0]), out.column(a, hinge.pitch * a); break;
    case HingeKind::cylindrical: out.turn(a, q[0], q[1]), out.column(a, zero), out.column(zero, a); break;
    case HingeKind::universal:
        out.turn(a, q[0]), out.column(a, zero), out.turn(a2, q[1]), out.column(a2, zero);
        break;
    case HingeKind::planar: {
        // The plane's x: the axis after the largest component's, in the cyclic order x y z, made orthogonal.
        int big = 2;
        big = std::abs(a[1]) > std::abs(a[big]) ? 1 : big;
        big = std::abs(a[0]) > std::abs(a[big]) ? 0 : big;
        const Vector3d e = Vector3d::Unit((big + 1) % 3), x = (e - e.dot(a) * a).normalized(), y = a.cross(x);
        out.then(pose_matrix(one, q[1] * x + q[2] * y)), out.turn(a, q[0]);
        out.column(a, zero), out.column(zero, x), out.column(zero, y);
        break;
    }
    case HingeKind::spherical:
        out.then(pose_matrix(ball(), zero));
        for (int i = 0; i < 3; ++i)
            out.column(Vector3d::Unit(i), zero);
        break;
    case HingeKind::free:
        out.then(pose_matrix(ball(), {q[4], q[5], q[6]}));
        out.H = MatrixXd::Identity(6, 6);
        break;
    case HingeKind::user:
        for (std::size_t i = 0; i < hinge.steps.size(); ++i) {
            const HingeStep& step = hinge.steps[i];
            const Vector3d s = dense(step.axis);
            out.then(numbers(step.placement));
            switch (step.motion) {
            case HingeStep::Motion::turn: out.turn(s, q[i]), out.column(s, zero); break;
            case HingeStep::Motion::slide: out.then(pose_matrix(one, q[i] * s)), out.column(zero, s); break;
            case HingeStep::Motion::screw:
                out.turn(s, q[i], step.pitch * q[i]), out.column(s, step.pitch * s);
                break;
            }
        }
        if (hinge.user) {
            const auto n = static_cast<std::size_t>(hinge.user->dofs());
            std::vector<Motion<double>> H(n);
            out.X = numbers(hinge.user->functions<double>().pose({q, n}));
            hinge.user->functions<double>().columns({q, n}, H);
            for (const Motion<double>& h : H)
                out.column(dense(h.w), dense(h.v));
        }
    }
    return out;
}

} // namespace

std::vector<DenseBody> dense_bodies(const Model& model, const std::vector<double>& q)
{
    std::vector<DenseBody> out;
    for (int k = 0; k < model.num_bodies(); ++k) {
        const auto at = static_cast<std::size_t>(k);
        const int parent = model.tree().parent[at];
        const Hinge& hinge = model.hinges()[at];
        const Body& body = model.bodies()[at];
        const DenseHinge moved = dense_hinge(hinge, q.data() + model.tree().first_coordinate[at]);
        DenseBody b;
        b.X_WM =
            (parent == ground ? Matrix4d(Matrix4d::Identity()) : out[static_cast<std::size_t>(parent)].X_WB) *
            numbers(hinge.X_PF) * moved.X;
        b.X_WB = b.X_WM * numbers(hinge.X_CM).inverse();
        b.J = parent == ground ? MatrixXd(MatrixXd::Zero(6, model.num_dofs()))
                               : out[static_cast<std::size_t>(parent)].J;
        b.J.middleCols(model.tree().first_dof[at], moved.H.cols()) = twist_map(b.X_WM) * moved.H;
        // M = E' [Jc, 0; 0, m] E, E from a twist about the origin to one about the centre of mass, body axes
        const MatrixXd E =
            twist_map(b.X_WB * pose_matrix(Eigen::Matrix3d::Identity(), dense(body.com))).inverse();
        MatrixXd own = body.mass * MatrixXd::Identity(6, 6);
        own.topLeftCorner(3, 3) = dense(body.inertia_com);
        b.M = E.transpose() * own * E;
        out.push_back(b);
    }
    return out;
}

MatrixXd dense_mass_matrix(const Model& model, const std::vector<DenseBody>& bodies)
{
    MatrixXd M = MatrixXd::Zero(model.num_dofs(), model.num_dofs());
    int j = 0;
    for (const Hinge& hinge : model.hinges())
        for (double armature : hinge.armature)
            M(j, j) = armature, ++j;
    for (const DenseBody& b : bodies)
        M += b.J.transpose() * b.M * b.J;
    return M;
}

} // namespace sweepdyn::test
