// Sliding contacts of a grasp: which of them part, and whether the laws of friction leave one motion, several or none.
#include <algorithm>
#include <cmath>

#include "sweepdyn/closed/grasp.hpp"

namespace sweepdyn {

// Whether two sets of forces of the sliding rows, the others following, give one motion: with d their difference, b a row's hinge forces and
// X = M^-1 b* what they cause,
//     |sum d_i X_i|_M <= doubt sum |d_i| |X_i|_M,    |X|_M^2 = b X
// all dofs in one norm: those that should not move at all differ by rounding. doubt: of the directions of slips, at least 1e-9.
bool Grasp::moves_alike(std::span<const double> one, std::span<const double> other)
{
    const int r = static_cast<int>(rows().size()), held = on_.num_held(), s = r - held;
    const std::size_t n = zeros_.size();
    for (int i = 0; i < held; ++i) {
        z_[i] = 0.0;
        for (int k = 0; k < s; ++k)
            z_[i] -= Omega_[static_cast<std::size_t>(i * r + held + k)] * (one[k] - other[k]);
    }
    factor_.solve(z_);
    std::fill(step_.begin(), step_.end(), 0.0); // forces
    std::fill(apart_.begin(), apart_.end(), 0.0); // accelerations
    double size = 0.0, doubt = 1e-9;
    for (int i = 0; i < r; ++i) {
        const int k = i - held;
        const double d = k < 0 ? z_[i] : one[k] - other[k];
        const double* X = X_.data() + static_cast<std::size_t>(i) * n;
        on_.hinge_forces(kin_, rows()[i].contact, on_.applied(rows()[i]), b_);
        double bX = 0.0;
        for (std::size_t j = 0; j < n; ++j) {
            bX += b_[j] * X[j];
            step_[j] += d * b_[j];
            apart_[j] += d * X[j];
        }
        size += (k < 0 ? std::abs(d) : std::abs(one[k]) + std::abs(other[k])) * std::sqrt(std::max(bX, 0.0));
        if (k >= 0)
            doubt = std::max(doubt, on_.doubt(rows()[i].contact));
    }
    double square = 0.0;
    for (std::size_t j = 0; j < n; ++j)
        square += step_[j] * apart_[j];
    return std::sqrt(std::max(square, 0.0)) <= doubt * size;
}

// Forces of the rows in contact that together do nothing: M^-1 of them is zero. Of rows that do not slide Omega tells; what slides has
// friction too, so here it is the Gram matrix of what the rows' forces cause.
void Grasp::find_idle_forces()
{
    const int r = static_cast<int>(rows().size());
    const std::size_t n = zeros_.size();
    for (int i = 0; i < r; ++i)
        for (int k = 0; k <= i; ++k) {
            double sum = 0.0;
            if (!parted(rows()[i].contact) && !parted(rows()[k].contact))
                for (std::size_t j = 0; j < n; ++j)
                    sum += X_[static_cast<std::size_t>(i) * n + j] * X_[static_cast<std::size_t>(k) * n + j];
            else if (i == k)
                sum = 1.0; // a row of its own
            W_[static_cast<std::size_t>(i * r + k)] = sum;
        }
    idle_.factor(W_.data(), r, r);
    idle_.unique(unique_, z_);
}

// Below h mu f_n / m, with 1/m = b_x M^-1 b_x* + b_y M^-1 b_y*: b the hinge forces of unit forces across.
void Grasp::turn_slowly(double step)
{
    require_forces("Grasp::turn_slowly");
    require_finite("Grasp::turn_slowly", "step", {&step, 1});
    for (std::size_t r = static_cast<std::size_t>(on_.num_held()); r < rows().size(); ++r) {
        const int i = rows()[r].contact;
        const LoopOnTree<double>& on = loops().loops[i];
        double compliance = 0.0;
        for (const Vec3<double>& axis : {on.R.x, on.R.y}) {
            const Force<double> F = on_.through_hand(i, axis);
            respond_to(F, on, step_);
            on_.hinge_forces(kin_, i, F, b_);
            for (std::size_t j = 0; j < b_.size(); ++j)
                compliance += b_[j] * step_[j];
        }
        on_.turn_slowly(i, step * contacts()[i].mu * lambda_[r] * compliance);
    }
}

// Where a point begins to slide. With f its force now, at rest, and K its rows' block of Omega^-1, a slip that accelerates by alpha along d
// has the force f - K (alpha d, 0), and that is friction against d:
//     f_t - alpha K_tt d = mu (f_n - alpha K_nt d) d       for alpha > 0 and the angle from f_t to d, by Newton from zero
Vec3<double> Grasp::onset(int i)
{
    if (!attached(i) || contacts()[i].kind != ContactKind::point)
        return {};
    require_forces("Grasp::slide");
    const Vec3<double> f = wrench(i).f;
    const int r = on_.num_held();
    int first = 0;
    while (rows()[first].contact != i)
        ++first;
    if (factor_.rank < r)
        return f;
    double K[3][3];
    for (int k = 0; k < 3; ++k) {
        std::fill(z_.begin(), z_.begin() + r, 0.0);
        z_[first + k] = 1.0;
        factor_.solve(z_);
        for (int m = 0; m < 3; ++m)
            K[m][k] = z_[first + m];
    }
    const double mu = contacts()[i].mu;
    const double size = std::hypot(f.x, f.y);
    const auto turned = [&](double angle) {
        const double c = std::cos(angle) / size, s = std::sin(angle) / size;
        return Vec3<double>{c * f.x - s * f.y, s * f.x + c * f.y, 0.0};
    };
    const auto off = [&](double angle) { // alpha eliminated from the parts along d and across it
        const auto [x, y, z] = turned(angle);
        const double Kx = K[0][0] * x + K[0][1] * y, Ky = K[1][0] * x + K[1][1] * y,
                     Kn = K[2][0] * x + K[2][1] * y;
        return (x * f.y - y * f.x) * (x * Kx + y * Ky - mu * Kn) -
               (x * f.x + y * f.y - mu * f.z) * (x * Ky - y * Kx);
    };
    double angle = 0.0, change = 1.0;
    for (int round = 0; round < 20 && std::abs(change) > 1e-14; ++round) {
        const double h = 1e-6, slope = (off(angle + h) - off(angle - h)) / (2.0 * h);
        change = slope != 0.0 ? std::clamp(-off(angle) / slope, -0.3, 0.3) : 0.0;
        angle += change;
    }
    return std::abs(change) < 1e-9 && std::abs(angle) < 1.5 ? turned(angle) : f;
}

// a = W lambda + c of the sliding rows, the others eliminated; every combination of kept and parting ones is tried.
Existence Grasp::solve_sliding()
{
    const int r = static_cast<int>(rows().size()), held = on_.num_held(), s = r - held;
    const auto Omega = [&](int i, int k) { return Omega_[static_cast<std::size_t>(i * r + k)]; };
    for (int i = 0; i < held; ++i)
        z_[i] = rhs_[i];
    factor_.solve(z_);
    double scale = 0.0; // of the terms, whose round-off is left where they cancel
    for (int i = 0; i < s; ++i) {
        c_[i] = rhs_[held + i];
        double terms = std::abs(c_[i]);
        for (int k = 0; k < held; ++k) {
            c_[i] -= Omega(held + i, k) * z_[k];
            terms += std::abs(Omega(held + i, k) * z_[k]);
        }
        scale = std::max(scale, terms);
    }
    for (int k = 0; k < s; ++k) {
        for (int i = 0; i < held; ++i)
            z_[i] = Omega(i, held + k);
        factor_.solve(z_);
        for (int i = 0; i < s; ++i) {
            W_[static_cast<std::size_t>(i * s + k)] = Omega(held + i, held + k);
            for (int m = 0; m < held; ++m)
                W_[static_cast<std::size_t>(i * s + k)] -= Omega(held + i, m) * z_[m];
        }
    }
    const double small = 1e-12 * scale;
    // Whether what holds pushes too under the forces tried: where these forces are unique.
    const auto holds_by_pushing = [&] {
        for (int i = 0; i < held; ++i) {
            z_[i] = -rhs_[i];
            for (int k = 0; k < s; ++k)
                z_[i] -= Omega(i, held + k) * tried_[k];
        }
        factor_.solve(z_);
        bool pushes = true;
        for (int i = 0; i < held && factor_.rank == held; ++i)
            pushes = pushes && !(on_.is_normal(rows()[i]) && z_[i] < 0.0);
        return pushes;
    };
    int found = 0, best_rating = -1;
    for (unsigned mode = 0; mode < (1u << s); ++mode) {
        // lambda of the kept from W lambda = -c, by elimination with pivots
        int kept = 0;
        std::array<int, most_sliding_contacts> which{};
        for (int i = 0; i < s; ++i)
            if (mode >> i & 1u)
                which[static_cast<std::size_t>(kept++)] = i;
        std::array<double, most_sliding_contacts*(most_sliding_contacts + 1)> B{};
        const auto at = [&](int i, int k) -> double& {
            return B[static_cast<std::size_t>(i * (most_sliding_contacts + 1) + k)];
        };
        for (int i = 0; i < kept; ++i) {
            for (int k = 0; k < kept; ++k)
                at(i, k) = W_[static_cast<std::size_t>(which[i] * s + which[k])];
            at(i, kept) = -c_[which[i]];
        }
        bool regular = true;
        for (int p = 0; p < kept && regular; ++p) {
            int best = p;
            for (int i = p + 1; i < kept; ++i)
                if (std::abs(at(i, p)) > std::abs(at(best, p)))
                    best = i;
            // a row that others say already leaves round-off of what it was before they were eliminated
            regular = std::abs(at(best, p)) > 1e-10 * std::abs(Omega(held + which[p], held + which[p]));
            for (int k = 0; k <= kept; ++k)
                std::swap(at(p, k), at(best, k));
            for (int i = 0; i < kept && regular; ++i)
                if (i != p) {
                    const double factor = at(i, p) / at(p, p);
                    for (int k = p; k <= kept; ++k)
                        at(i, k) -= factor * at(p, k);
                }
        }
        if (!regular)
            continue;
        for (int i = 0; i < s; ++i)
            tried_[i] = 0.0;
        bool obeys = true;
        for (int i = 0; i < kept; ++i) {
            tried_[which[i]] = at(i, kept) / at(i, i);
            obeys = obeys && tried_[which[i]] >= 0.0;
        }
        for (int i = 0; i < s && obeys; ++i)
            if (!(mode >> i & 1u)) {
                double a = c_[i];
                for (int k = 0; k < s; ++k)
                    a += W_[static_cast<std::size_t>(i * s + k)] * tried_[k];
                obeys = a > -small;
            }
        if (!obeys)
            continue;
        if (found == 0 ||
            !moves_alike(tried_, best_)) // one that just touches, or rests on others, is found twice
            ++found;
        const int rating = kept + (holds_by_pushing() ? s + 1 : 0);
        if (rating > best_rating) {
            best_rating = rating;
            std::copy(tried_.begin(), tried_.begin() + s, best_.begin());
        }
    }
    for (int i = 0; i < s; ++i) {
        lambda_[held + i] = found > 0 ? best_[i] : 0.0;
        double a = c_[i];
        for (int k = 0; k < s && found > 0; ++k)
            a += W_[static_cast<std::size_t>(i * s + k)] * best_[k];
        const double W = W_[static_cast<std::size_t>(i * s + i)];
        if (found > 0 && !(best_[i] > 0.0) && a > small)
            parting_[rows()[held + i].contact] = W > 0.0 ? a / W : a;
    }
    find_idle_forces();
    return found == 0 ? Existence::none : found == 1 ? Existence::unique : Existence::several;
}

} // namespace sweepdyn
