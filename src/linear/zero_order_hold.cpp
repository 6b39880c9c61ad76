#include "sweepdyn/linear/zero_order_hold.hpp"

#include <algorithm>
#include <cmath>

#include "linear/lapack.hpp"
#include "sweepdyn/model/errors.hpp"

namespace sweepdyn {
using namespace lapack;

Matrix exponential(const Matrix& of)
{
    const int n = of.rows();
    if (of.columns() != n || !finite(of))
        throw UsageError("exponential: expected a square matrix of finite numbers");
    Matrix A = of;
    const std::vector<double> D = balance(A);
    double size = 0.0; // the 1-norm
    for (int j = 0; j < n; ++j) {
        double sum = 0.0;
        for (double a : A.column(j))
            sum += std::abs(a);
        size = std::max(size, sum);
    }
    const int squarings = size > 5.37 ? static_cast<int>(std::ceil(std::log2(size / 5.37))) : 0;
    A = std::ldexp(1.0, -squarings) * A;

    // e^A = (V - U)^-1 (V + U), U = A (odd part), V = even part
    constexpr double b[] = {64764752532480000.0,
                            32382376266240000.0,
                            7771770303897600.0,
                            1187353796428800.0,
                            129060195264000.0,
                            10559470521600.0,
                            670442572800.0,
                            33522128640.0,
                            1323241920.0,
                            40840800.0,
                            960960.0,
                            16380.0,
                            182.0,
                            1.0};
    const Matrix I = Matrix::identity(n), A2 = A * A, A4 = A2 * A2, A6 = A4 * A2;
    const auto sum = [&](int first) { // b A6 + b A4 + b A2 + ..., every second coefficient
        return A6 * (b[first + 12] * A6 + b[first + 10] * A4 + b[first + 8] * A2) + b[first + 6] * A6 +
               b[first + 4] * A4 + b[first + 2] * A2 + b[first] * I;
    };
    const Matrix U = A * sum(1), V = sum(0);
    Matrix out = solve(V - U, V + U);
    for (int k = 0; k < squarings; ++k)
        out = out * out;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            out(i, j) *= D[static_cast<std::size_t>(i)] / D[static_cast<std::size_t>(j)];
    return out;
}

StateSpace zero_order_hold(const StateSpace& system, double sample_time)
{
    if (!(sample_time > 0.0) || !std::isfinite(sample_time))
        throw UsageError("zero_order_hold: the sample time is " + number_text(sample_time) +
                         ", expected a number above zero, in seconds");
    const int n = system.num_states(), m = system.num_inputs();
    require_size("zero_order_hold", "f0", system.f0.size(), static_cast<std::size_t>(n));
    Matrix all(n + m + 1, n + m + 1);
    set_block(all, 0, 0, system.A);
    set_block(all, 0, n, system.B);
    std::copy(system.f0.begin(), system.f0.end(), all.column(n + m).begin());
    const Matrix sampled = exponential(sample_time * all);
    if (!finite(sampled))
        throw RefusedError("zero_order_hold: over " + number_text(sample_time) +
                           " s the unstable modes grow beyond the range of numbers; sample more often");
    StateSpace out = system;
    out.A = block(sampled, 0, 0, n, n);
    out.B = block(sampled, 0, n, n, m);
    std::copy_n(sampled.column(n + m).begin(), n, out.f0.begin());
    out.notes.push_back("sampled every " + number_text(sample_time) +
                        " s, inputs held: x(k+1) = A x(k) + B u(k) + f0");
    return out;
}

} // namespace sweepdyn
