// Matrices of few entries, such as the motions that small clusters leave: what is multiplied by them costs as many products as they have
// entries for each column.
#pragma once

#include <Eigen/SparseCore>

#include "sweepdyn/linear/matrix.hpp"

namespace sweepdyn::detail {

inline Eigen::SparseMatrix<double> sparse(const Matrix& m) { return view(m).sparseView(); }

} // namespace sweepdyn::detail
