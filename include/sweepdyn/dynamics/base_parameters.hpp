// Base parameters: the combinations of inertial parameters that hinge forces can tell, and no more.
//
//     T = Y pi = Y_b beta,      beta = G pi,      Y_b the columns `independent` of Y
//
// Some columns of Y vanish for every motion, others are combinations of the rest: the mass of a body on a revolute hinge
// cannot be told from the mass of what carries it. Two sets pi are alike exactly when G pi is. G has a unit column for each
// independent parameter: beta(i) = pi(independent i) + sum of G(i,j) pi(j) over the parameters j that are not.
//
// How: regressors of random motions are stacked, W, until they have twice as many rows as columns; columns are scaled to
// length one, and a QR with column pivoting tells the rank. The structure is exact, so the pivots fall off a cliff, from
// `least_pivot` to `largest_dropped`; a rank in doubt, with less than a factor of 1e4 between them, is refused. Then columns
// are taken base to tip, in each body J, then m c, then m, where they are independent and weigh something: what a hinge
// hides of a body is counted with its parent's. Gravity is that of the model; armature is nowhere in Y.
//
// For set-up: O(rows * columns^2), and it allocates. Specified by tests/laws/base_parameters.cpp.
#pragma once

#include <Eigen/QR>

#include "sweepdyn/dynamics/regressor.hpp"
#include "sweepdyn/model/configuration.hpp"
#include "sweepdyn/model/random.hpp"

namespace sweepdyn {

struct BaseParameters {
    std::vector<int> independent; // indices into pi, rising
    Eigen::MatrixXd G; // base parameters x (10 bodies)
    std::vector<std::string> names; // "forearm.Jxx - forearm.Jyy"
    double least_pivot = 1.0, largest_dropped = 0.0; // of the scaled columns, relative to the first

    Eigen::VectorXd operator()(const Eigen::VectorXd& pi) const { return G * pi; }
    // The columns of Y that go with beta.
    Eigen::MatrixXd columns_of(const Eigen::MatrixXd& Y) const { return Y(Eigen::all, independent); }
};

namespace detail {

// Regressors of random motions, stacked: at least twice as many rows as columns, so that chance hides nothing.
inline Eigen::MatrixXd random_regressors(const Model& model, std::uint64_t seed)
{
    const int n = model.num_dofs(), columns = parameters_per_body * model.num_bodies();
    const int motions = 2 * columns / n + 10;
    Kinematics<double> kin(model);
    BodyForces<double> scratch(model);
    Random random(seed);
    Eigen::MatrixXd W(motions * n, columns), Y(n, columns);
    std::vector<double> q(static_cast<std::size_t>(model.num_coordinates())), v(static_cast<std::size_t>(n)),
        v_dot = v;
    for (int i = 0; i < motions; ++i) {
        random_configuration(model, random.bits(), q);
        for (std::size_t j = 0; j < v.size(); ++j)
            v[j] = random.uniform(-2, 2), v_dot[j] = random.uniform(-5, 5);
        update<double>(kin, q, v);
        regressor<double>(kin, v_dot, {Y.data(), static_cast<std::size_t>(Y.size())}, scratch);
        W.middleRows(i * n, n) = Y;
    }
    return W;
}

// Columns to take first: base to tip, in each body J, m c, m.
inline std::vector<int> preference(int bodies)
{
    std::vector<int> order;
    for (int k = 0; k < bodies; ++k)
        for (int c : {4, 5, 6, 7, 8, 9, 1, 2, 3, 0})
            order.push_back(parameters_per_body * k + c);
    return order;
}

// How much a column is beside those of its kind: the J of its body, its m c, its m.
inline Eigen::VectorXd weights(const Eigen::VectorXd& scale)
{
    Eigen::VectorXd out = Eigen::VectorXd::Zero(scale.size());
    for (Eigen::Index k = 0; k < scale.size(); k += parameters_per_body)
        for (auto [first, count] : {std::pair{0, 1}, {1, 3}, {4, 6}})
            if (const double most = scale.segment(k + first, count).maxCoeff(); most > 0.0)
                out.segment(k + first, count) = scale.segment(k + first, count) / most;
    return out;
}

// As many independent columns of A, which has full row rank and columns of length one or zero, as it has rows: those preferred
// first, but before them those that weigh something and stand well out of the rest, so that G is not large for nothing.
inline std::vector<int> independent_columns(const Eigen::MatrixXd& A, const Eigen::VectorXd& weight,
                                            const std::vector<int>& order)
{
    std::vector<int> taken;
    std::vector<char> is_taken(order.size(), 0);
    Eigen::MatrixXd Q(A.rows(), A.rows());
    for (double least = 1e-1; least > 1e-12; least *= 1e-1)
        for (int j : order) {
            const auto count = static_cast<Eigen::Index>(taken.size());
            if (count == A.rows())
                return taken;
            Eigen::VectorXd rest = A.col(j);
            for (int twice = 0; twice < 2; ++twice)
                rest -= Q.leftCols(count) * (Q.leftCols(count).transpose() * rest);
            if (is_taken[static_cast<std::size_t>(j)] || weight[j] * rest.norm() < least)
                continue;
            Q.col(count) = rest.normalized();
            taken.push_back(j);
            is_taken[static_cast<std::size_t>(j)] = 1;
        }
    return taken;
}

inline std::string combination(const Eigen::VectorXd& row, int first, const std::vector<std::string>& names)
{
    std::string text = names[static_cast<std::size_t>(first)];
    for (Eigen::Index j = 0; j < row.size(); ++j)
        if (row[j] != 0.0 && j != first) {
            const double size = std::abs(row[j]), rounded = std::round(size * 1e6) / 1e6;
            text += row[j] < 0.0 ? " - " : " + ";
            if (rounded != 1.0)
                text += number_text(rounded > 0.0 ? rounded : size) + " ";
            text += names[static_cast<std::size_t>(j)];
        }
    return text;
}

} // namespace detail

// Throws RefusedError when the rank is in doubt.
inline BaseParameters base_parameters(const Model& model, std::uint64_t seed = 1)
{
    BaseParameters out;
    const int columns = parameters_per_body * model.num_bodies();
    out.G.resize(0, columns);
    if (model.num_dofs() == 0)
        return out;

    // Scaled columns; one that is nothing but rounding beside the largest is zero.
    Eigen::MatrixXd W = detail::random_regressors(model, seed);
    Eigen::VectorXd scale = W.colwise().norm();
    const double largest = scale.maxCoeff();
    for (int j = 0; j < columns; ++j) {
        if (scale[j] <= 1e-12 * largest)
            scale[j] = 0.0;
        W.col(j) *= scale[j] > 0.0 ? 1.0 / scale[j] : 0.0;
    }

    // W P = Q R; the rank is where the pivots fall off the cliff.
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(W);
    const Eigen::VectorXd pivots = qr.matrixQR().diagonal().cwiseAbs() / std::max(qr.maxPivot(), 1e-300);
    Eigen::Index rank = 0;
    while (rank < columns && pivots[rank] > 1e-8)
        ++rank;
    out.least_pivot = rank > 0 ? pivots[rank - 1] : 1.0;
    out.largest_dropped = rank < columns ? pivots[rank] : 0.0;
    if (out.largest_dropped > 1e-4 * out.least_pivot)
        throw RefusedError("base_parameters: the rank of the regressor is in doubt, " + std::to_string(rank) +
                           " pivots down to " + number_text(out.least_pivot) + ", the next is " +
                           number_text(out.largest_dropped) +
                           "; a length or a mass of the model is out of proportion to the others");

    // The row space, and columns that span it.
    const Eigen::MatrixXd R = Eigen::MatrixXd(qr.matrixQR().topRows(rank).triangularView<Eigen::Upper>()) *
                              qr.colsPermutation().transpose();
    out.independent =
        detail::independent_columns(R, detail::weights(scale), detail::preference(model.num_bodies()));
    std::sort(out.independent.begin(), out.independent.end());

    // R = R_b G in the scaled columns; what is rounding becomes zero, and then the scale is taken back.
    out.G = R(Eigen::all, out.independent).colPivHouseholderQr().solve(R);
    for (Eigen::Index i = 0; i < rank; ++i)
        for (int j = 0; j < columns; ++j)
            out.G(i, j) *= std::abs(out.G(i, j)) < 1e-10
                               ? 0.0
                               : scale[j] / scale[out.independent[static_cast<std::size_t>(i)]];
    const std::vector<std::string> names = inertial_parameter_names(model);
    for (Eigen::Index i = 0; i < rank; ++i) {
        const int own = out.independent[static_cast<std::size_t>(i)];
        out.G.col(own).setZero();
        out.G(i, own) = 1.0;
    }
    for (Eigen::Index i = 0; i < rank; ++i)
        out.names.push_back(
            detail::combination(out.G.row(i), out.independent[static_cast<std::size_t>(i)], names));
    return out;
}

} // namespace sweepdyn
