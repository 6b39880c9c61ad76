#include "support/linear.hpp"

namespace sweepdyn::test {

Matrix rows(std::initializer_list<std::initializer_list<double>> of)
{
    Matrix out(static_cast<int>(of.size()), of.size() ? static_cast<int>(of.begin()->size()) : 0);
    int i = 0;
    for (const auto& row : of) {
        int j = 0;
        for (double entry : row)
            out(i, j++) = entry;
        ++i;
    }
    return out;
}

StateSpace named(Matrix A, Matrix B, std::vector<std::string> states)
{
    StateSpace out;
    const auto n = static_cast<std::size_t>(A.rows()), m = static_cast<std::size_t>(B.columns());
    out.C = Matrix::identity(A.rows());
    out.D = Matrix(A.rows(), B.columns());
    out.A = std::move(A);
    out.B = std::move(B);
    for (std::size_t i = states.size(); i < n; ++i)
        states.push_back("x" + std::to_string(i + 1));
    out.states = out.outputs = states;
    for (std::size_t j = 0; j < m; ++j)
        out.inputs.push_back("u" + std::to_string(j + 1));
    out.f0 = out.x0 = out.y0 = std::vector<double>(n);
    out.u0 = std::vector<double>(m);
    return out;
}

MatrixXd random_matrix(Random& random, int rows, int columns)
{
    MatrixXd out(rows, columns);
    for (Eigen::Index i = 0; i < out.size(); ++i)
        out(i) = random.uniform(-1.0, 1.0);
    return out;
}

double pole_distance(std::vector<std::complex<double>> got, const std::vector<std::complex<double>>& expected)
{
    if (got.size() != expected.size())
        return INFINITY;
    double worst = 0.0;
    for (const std::complex<double>& s : expected) {
        const auto nearest = std::min_element(got.begin(), got.end(), [&](const auto& a, const auto& b) {
            return std::abs(a - s) < std::abs(b - s);
        });
        worst = std::max(worst, std::abs(*nearest - s) / (1.0 + std::abs(s)));
        got.erase(nearest);
    }
    return worst;
}

std::vector<std::complex<double>> eigenvalues(const MatrixXd& A)
{
    if (A.size() == 0)
        return {};
    const Eigen::VectorXcd values = A.eigenvalues();
    return {values.data(), values.data() + values.size()};
}

} // namespace sweepdyn::test
