// Matrix: numbers in columns, what linear models are made of. It owns plain memory, so it may cross the compiled border, which
// Eigen's matrices may not (docs/decisions/0002); dense(matrix), view(matrix) and matrix(eigen) lead from one to the other.
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

namespace sweepdyn {

class Matrix {
public:
    Matrix() = default;
    // Zeros.
    Matrix(int rows, int columns)
        : rows_(rows),
          columns_(columns),
          values_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns), 0.0)
    {
    }
    static Matrix identity(int size)
    {
        Matrix out(size, size);
        for (int i = 0; i < size; ++i)
            out(i, i) = 1.0;
        return out;
    }

    int rows() const { return rows_; }
    int columns() const { return columns_; }
    double& operator()(int i, int j) { return values_[index(i, j)]; }
    double operator()(int i, int j) const { return values_[index(i, j)]; }
    // Column by column.
    double* data() { return values_.data(); }
    const double* data() const { return values_.data(); }
    std::span<double> values() { return values_; }
    std::span<const double> values() const { return values_; }
    std::span<double> column(int j) { return values().subspan(index(0, j), static_cast<std::size_t>(rows_)); }
    std::span<const double> column(int j) const
    {
        return values().subspan(index(0, j), static_cast<std::size_t>(rows_));
    }
    bool operator==(const Matrix&) const = default;

private:
    int rows_ = 0, columns_ = 0;
    std::vector<double> values_;

    std::size_t index(int i, int j) const
    {
        return static_cast<std::size_t>(j) * static_cast<std::size_t>(rows_) + static_cast<std::size_t>(i);
    }
};

// The numbers themselves, where they are.
inline Eigen::Map<Eigen::MatrixXd> view(Matrix& m) { return {m.data(), m.rows(), m.columns()}; }
inline Eigen::Map<const Eigen::MatrixXd> view(const Matrix& m) { return {m.data(), m.rows(), m.columns()}; }
inline Eigen::MatrixXd dense(const Matrix& m) { return view(m); }
template <class Derived> Matrix matrix(const Eigen::MatrixBase<Derived>& m)
{
    Matrix out(static_cast<int>(m.rows()), static_cast<int>(m.cols()));
    Eigen::Map<Eigen::MatrixXd>(out.data(), m.rows(), m.cols()) = m;
    return out;
}

} // namespace sweepdyn
