// Operational space of a mechanism with loops, and impulses on it.
#include <Eigen/Dense>

#include "sweepdyn/dynamics/closed_mechanism.hpp"
#include "sweepdyn/dynamics/loop_multipliers.hpp"

namespace sweepdyn {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// A unit wrench on each frame in turn, and how all frames accelerate under it alone: two sweeps over the clusters per column.
std::vector<double> ClosedMechanism::compliance(std::span<const FrameId> frames)
{
    require_regular("compliance");
    const auto size = static_cast<Eigen::Index>(6 * frames.size()), n = static_cast<Eigen::Index>(g_.size());
    MatrixXd J(size, n), Omega(size, size);
    std::vector<double> columns(static_cast<std::size_t>(6 * n)), zeros(g_.size(), 0.0);
    std::vector<Force<double>> external(static_cast<std::size_t>(kin_.model.num_bodies()));
    for (Eigen::Index f = 0; 6 * f < size; ++f) {
        sweepdyn::frame_jacobian<double>(kin_, frames[static_cast<std::size_t>(f)], columns,
                                         FrameAxes::world_aligned);
        J.middleRows(6 * f, 6) = Eigen::Map<const MatrixXd>(columns.data(), 6, n);
    }
    for (Eigen::Index i = 0; i < size; ++i) {
        std::fill(external.begin(), external.end(), Force<double>{});
        Force<double> unit{};
        (i % 6 < 3 ? unit.n : unit.f)[static_cast<int>(i % 3)] = 1.0;
        add_external_wrench<double>(kin_, frames[static_cast<std::size_t>(i / 6)], unit, WrenchAxes::world,
                                    external);
        respond<double>(kin_, closure_, art_, zeros, work_, scratch_, external);
        Omega.col(i) = J * Eigen::Map<const VectorXd>(work_.data(), n);
    }
    std::vector<double> out(static_cast<std::size_t>(size * size));
    Eigen::Map<MatrixXd>(out.data(), size, size) = 0.5 * (Omega + Omega.transpose());
    return out;
}

std::vector<double> ClosedMechanism::operational_inertia(std::span<const FrameId> frames)
{
    const auto size = static_cast<Eigen::Index>(6 * frames.size());
    std::vector<double> out = compliance(frames);
    if (out.empty())
        return out;
    const Eigen::Map<MatrixXd> Omega(out.data(), size, size);
    // Turns and shifts are compared by a length: that at which both are as compliant.
    double turns = 0.0, shifts = 0.0;
    for (Eigen::Index i = 0; i < size; ++i)
        (i % 6 < 3 ? turns : shifts) += Omega(i, i);
    VectorXd scale = VectorXd::Ones(size);
    for (Eigen::Index i = 0; i < size; ++i)
        if (i % 6 < 3 && turns > 0.0 && shifts > 0.0)
            scale[i] = std::sqrt(shifts / turns);
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(scale.asDiagonal() * Omega * scale.asDiagonal());
    const VectorXd& values = solver.eigenvalues(); // ascending
    const auto rank = (values.array() > 1e-10 * values[size - 1]).count();
    if (rank < size)
        throw RefusedError("Omega has no inverse at this state: only " + std::to_string(rank) + " of " +
                           std::to_string(size) +
                           " directions of the frames can accelerate, and the "
                           "mechanism has mobility " +
                           std::to_string(mobility()) + "; Omega itself gives what can");
    const MatrixXd U = scale.asDiagonal() * solver.eigenvectors();
    Eigen::Map<MatrixXd>(out.data(), size, size) = U * values.cwiseInverse().asDiagonal() * U.transpose();
    return out;
}

// v+ = (1 + e) P v- - e v- + M^-1 of the impulses,  P = E (E'ME)^-1 E'M: what M v- as forces does.
std::vector<LoopForce> ClosedMechanism::impulse(std::span<const double> T, std::span<double> v_after,
                                                std::span<const Force<double>> external, double restitution)
{
    require_regular("impulse");
    require_size("impulse", "v_after", v_after.size(), work_.size());
    if (!T.empty())
        require_size("impulse", "T", T.size(), work_.size());
    if (!external.empty())
        require_size("impulse", "external", external.size(),
                     static_cast<std::size_t>(kin_.model.num_bodies()));
    if (!(restitution >= 0.0 && restitution <= 1.0))
        throw UsageError("impulse: restitution is " + number_text(restitution) + ", expected 0 to 1");
    const std::size_t n = work_.size();
    const double back = 1.0 + restitution;
    std::vector<double> pushed(n);
    std::vector<Force<double>> momenta(static_cast<std::size_t>(kin_.model.num_bodies()));
    for (std::size_t k = 0; k < momenta.size(); ++k) {
        momenta[k] = back * (kin_.M[k] * kin_.body[k].V);
        if (!external.empty())
            momenta[k] += external[k];
    }
    for (std::size_t j = 0; j < n; ++j)
        pushed[j] = back * kin_.armature[j] * kin_.v[j] + (T.empty() ? 0.0 : T[j]);
    respond<double>(kin_, closure_, art_, pushed, v_after, scratch_, momenta);
    for (std::size_t j = 0; j < n; ++j)
        v_after[j] -= restitution * kin_.v[j];
    // J' lambda = M (v+ - v-) - impulses, hinge by hinge
    std::vector<double> change(n);
    for (std::size_t j = 0; j < n; ++j)
        change[j] = v_after[j] - kin_.v[j];
    for (std::size_t k = 0; k < momenta.size(); ++k) {
        const BodyKinematics<double>& b = kin_.body[k];
        Motion<double> V = b.parent == ground ? Motion<double>{} : moved_[b.parent];
        if (b.shifts && b.parent != ground)
            V = PhiAdjoint<double>{b.l} * V;
        for (Index j : b.dofs())
            V += change[static_cast<std::size_t>(j)] * kin_.H[j];
        moved_[k] = V;
        momenta[k] = kin_.M[k] * V;
        if (!external.empty())
            momenta[k] -= external[k];
    }
    for (std::size_t k = momenta.size(); k-- > 0;) {
        const BodyKinematics<double>& b = kin_.body[k];
        for (Index j : b.dofs())
            work_[static_cast<std::size_t>(j)] = dot(kin_.H[j], momenta[k]) +
                                                 kin_.armature[j] * change[static_cast<std::size_t>(j)] -
                                                 (T.empty() ? 0.0 : T[static_cast<std::size_t>(j)]);
        if (b.parent != ground)
            momenta[static_cast<std::size_t>(b.parent)] +=
                b.shifts ? Phi<double>{b.l} * momenta[k] : momenta[k];
    }
    require_bases();
    std::vector<double> lambda(static_cast<std::size_t>(closure_.loops.num_rows)), room(lambda.size());
    loop_multipliers<double>(closure_, work_, lambda, room);
    return forces_of(lambda);
}

} // namespace sweepdyn
