// The zeros of A taken out by ranks: see linear/poles.hpp.
#pragma once

#include "linear/lapack.hpp"

namespace sweepdyn::linear {

// D^-1 A D = V T V', with T = [N *; 0 A1]: N holds the poles at zero, strictly upper triangular by blocks; A1 is regular.
struct ZeroPoles {
    std::vector<double> D;
    Matrix V, T;
    std::vector<int> grades; // the sizes of N's blocks: how many shapes of grade 1, 2, ...
    int zeros = 0; // their sum

    Matrix rest() const { return lapack::block(T, zeros, zeros, T.rows() - zeros, T.rows() - zeros); }
};
ZeroPoles take_out_zeros(const Matrix& A);

} // namespace sweepdyn::linear
