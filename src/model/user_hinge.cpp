#include "sweepdyn/model/user_hinge.hpp"

#include <algorithm>
#include <vector>

#include "sweepdyn/model/random.hpp"

namespace sweepdyn::detail {
namespace {

// NaN when any entry is.
double largest(const Motion<double>& a)
{
    double out = 0.0;
    for (double x : {a.w.x, a.w.y, a.w.z, a.v.x, a.v.y, a.v.z})
        out = std::isnan(x) || std::abs(x) > out ? std::abs(x) : out;
    return out;
}
// NaN counts as a disagreement.
bool agree(const Motion<double>& a, const Motion<double>& b)
{
    return largest(a - b) <= 1e-10 * std::max(1.0, largest(b));
}
std::string text(const Motion<double>& a)
{
    std::string out = "[";
    for (double x : {a.w.x, a.w.y, a.w.z, a.v.x, a.v.y, a.v.z})
        out += (out.size() > 1 ? ", " : "") + number_text(x);
    return out + "]";
}
// How far from a rotation matrix: the largest entry of R'R - 1, or of det R - 1.
double rotation_error(const Mat3<double>& R)
{
    const Vec3<double> x = transpose_times(R, R.x), y = transpose_times(R, R.y), z = transpose_times(R, R.z);
    return std::max({largest({x - Vec3<double>{1, 0, 0}, y - Vec3<double>{0, 1, 0}}),
                     largest({z - Vec3<double>{0, 0, 1}, {dot(R.x, cross(R.y, R.z)) - 1.0, 0, 0}})});
}
Vec3<double> tangent(const Vec3<Dual<double>>& a) { return {a.x.tangent, a.y.tangent, a.z.tangent}; }
Vec3<double> real(const Vec3<Dual<double>>& a) { return {a.x.real, a.y.real, a.z.real}; }

} // namespace

void check_user_hinge(const UserHinge& hinge)
{
    using D = Dual<double>;
    const int n = hinge.dofs();
    const auto size = static_cast<std::size_t>(n);
    std::vector<std::string> faults;
    const auto compare = [&](const std::string& what, const Motion<double>& got,
                             const Motion<double>& expected) {
        if (!agree(got, expected))
            faults.push_back(what + " is " + text(got) + ", its dual-number derivative gives " +
                             text(expected));
    };
    if (n < 1 || n > 6)
        throw ModelError("user hinge '" + hinge.name() + "'",
                         {"dofs is " + std::to_string(n) + ", expected 1 to 6"});

    const auto& f = hinge.functions<double>();
    const auto& fd = hinge.functions<D>();
    const std::vector<double> zero(size, 0.0);
    const Pose<double> X0 = f.pose(zero);
    if (!(largest(log_pose(X0)) <= 1e-12))
        faults.push_back("pose(0) is not the identity");

    Random random(1);
    std::vector<double> q(size), v(size);
    std::vector<D> qd(size);
    std::vector<Motion<double>> H(size), dH(size);
    std::vector<Motion<D>> Hd(size);
    for (int trial = 0; trial < 5 && faults.empty(); ++trial) {
        for (int i = 0; i < n; ++i)
            q[i] = random.uniform(-1, 1), v[i] = random.uniform(-1, 1);
        f.columns(q, H);
        Motion<double> rate{};
        for (int j = 0; j < n; ++j) {
            for (int i = 0; i < n; ++i)
                qd[i] = D(q[i], i == j ? 1.0 : 0.0);
            const std::string at = "(q) for dof " + std::to_string(j + 1);
            // Column j is the twist of dX/dq_j: R' dR = w~, R' dp = v.
            const Pose<D> X = fd.pose(qd);
            const Mat3<double> R{real(X.R.x), real(X.R.y), real(X.R.z)};
            if (!(rotation_error(R) <= 1e-12)) {
                faults.push_back("pose(q).R is not a rotation matrix (off by " +
                                 number_text(rotation_error(R)) +
                                 "); its columns must be orthonormal and right-handed for every q");
                throw ModelError("user hinge '" + hinge.name() + "'", faults);
            }
            const Vec3<double> dx = transpose_times(R, tangent(X.R.x)),
                               dy = transpose_times(R, tangent(X.R.y));
            const Vec3<double> dz = transpose_times(R, tangent(X.R.z));
            compare("columns" + at, H[j], {{dy.z, dz.x, dx.y}, transpose_times(R, tangent(X.p))});
            fd.columns(qd, Hd);
            f.columns_derivative(q, j, dH);
            for (int i = 0; i < n; ++i) {
                const Motion<double> expected{tangent(Hd[i].w), tangent(Hd[i].v)};
                compare("columns_derivative" + at + ", column " + std::to_string(i + 1), dH[i], expected);
                rate += (v[j] * v[i]) * expected;
            }
        }
        compare("columns_rate(q, v)", f.columns_rate(q, v), rate);
    }
    if (!faults.empty())
        throw ModelError("user hinge '" + hinge.name() + "'", faults);
}

} // namespace sweepdyn::detail
