// An arm that does not know what it holds, and follows its path all the same: adaptive control after Slotine and Li (1987).
// docs/adaptive-control.md has the argument; the tests run this program and compare what it prints with that page.
//
//     adaptive_control MODEL.urdf
#include <algorithm>
#include <cstdio>
#include <sweepdyn/model/edit.hpp>
#include <sweepdyn/sweepdyn.hpp>

using namespace sweepdyn;
using Eigen::MatrixXd, Eigen::VectorXd;

namespace {

// q_d(t) = 0.5 sin(w t) for each hinge, with its two rates.
struct Path {
    VectorXd q, v, a;
    Path(double t, int n)
    {
        const Eigen::ArrayXd w = Eigen::ArrayXd::LinSpaced(n, 1.0, 3.0), phase = w * t;
        q = 0.5 * phase.sin();
        v = 0.5 * w * phase.cos();
        a = -0.5 * w.square() * phase.sin();
    }
};

// q, v, the load's parameters as believed, and the work that the gain K has taken out.
struct State {
    VectorXd q, v, pi;
    double work = 0.0;
    friend State operator+(const State& x, const State& y)
    {
        return {x.q + y.q, x.v + y.v, x.pi + y.pi, x.work + y.work};
    }
    friend State operator*(double h, const State& x) { return {h * x.q, h * x.v, h * x.pi, h * x.work}; }
};

struct Controlled {
    Robot known, loaded; // the arm as the controller knows it, and as it is
    int hand; // the body that holds the load
    VectorXd pi_true, gamma; // of the load; gains of the adaptation
    VectorXd K; // gains of the hinges, from base to tip
    double lambda = 5.0;

    // s = v - v_r and what it is made of.
    struct Error {
        VectorXd v_r, a_r, s;
    };
    Error error(double t, const State& x) const
    {
        const Path d(t, known.model().num_dofs());
        const VectorXd v_r = d.v - lambda * (x.q - d.q);
        return {v_r, d.a - lambda * (x.v - d.v), x.v - v_r};
    }

    State rate(double t, const State& x)
    {
        const auto [v_r, a_r, s] = error(t, x);
        known.set_state(x.q, x.v);
        const MatrixXd Y = known.passivity_regressor(v_r, a_r).middleCols(10 * hand, 10);
        // T = M a_r + C v_r + g of the known arm + Y pi - K s,      pi_dot = -Gamma Y' s
        const VectorXd T = known.passivity_inverse_dynamics(v_r, a_r) + Y * x.pi - K.cwiseProduct(s);
        loaded.set_state(x.q, x.v);
        return {x.v, loaded.forward_dynamics(T), -gamma.cwiseProduct(Y.transpose() * s),
                s.dot(K.cwiseProduct(s))};
    }
    State step(double t, double h, const State& x) // Runge and Kutta's
    {
        const State k1 = rate(t, x), k2 = rate(t + h / 2, x + h / 2 * k1),
                    k3 = rate(t + h / 2, x + h / 2 * k2), k4 = rate(t + h, x + h * k3);
        return x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }

    // V = 1/2 s' M s + 1/2 (pi - pi_true)' Gamma^-1 (pi - pi_true)
    double lyapunov(double t, const State& x)
    {
        const VectorXd s = error(t, x).s, wrong = x.pi - pi_true;
        loaded.set_state(x.q, x.v);
        double V = 0.5 * s.dot(loaded.mass_matrix() * s);
        for (int i = 0; i < wrong.size(); ++i)
            if (gamma[i] > 0.0)
                V += 0.5 * wrong[i] * wrong[i] / gamma[i];
        return V;
    }
};

} // namespace

int main(int count, char** words)
try {
    if (count != 2)
        throw UsageError("give one model with a body named 'tool'");
    const Model arm = load_model(words[1]);
    const Model loaded = add_payload(arm, "tool", 4.0, {0.03, -0.02, 0.1}, {0.02, 0, 0, 0.03, 0, 0.015});
    const int hand = arm.body("tool").index;
    VectorXd pi_true(10), gamma(10);
    const std::vector<double> before = inertial_parameters(arm), after = inertial_parameters(loaded);
    for (int i = 0; i < 10; ++i)
        pi_true[i] =
            after[static_cast<std::size_t>(10 * hand + i)] - before[static_cast<std::size_t>(10 * hand + i)];
    gamma << 50, 5, 5, 5, 2, 2, 2, 2, 2, 2;

    const int n = arm.num_dofs();
    Controlled adaptive{Robot(arm), Robot(loaded), hand,
                        pi_true,    gamma,         40 * Eigen::ArrayXd::LinSpaced(n, 0, -4).exp()};
    Controlled fixed = adaptive;
    fixed.gamma.setZero();
    State x{VectorXd::Constant(n, 0.2), VectorXd::Zero(n), VectorXd::Zero(10)}, y = x;

    const double h = 5e-4, start = adaptive.lyapunov(0, x);
    double last = start, rise = 0.0, imbalance = 0.0;
    std::printf("   t      largest error of a hinge [rad]     V      mass believed\n"
                "  [s]    adaptive    without adaptation              [kg]\n");
    for (int i = 0; i <= 40000; ++i) {
        const double t = i * h, V = adaptive.lyapunov(t, x);
        rise = std::max(rise, V - last);
        imbalance = std::max(imbalance, std::abs(V + x.work - start));
        last = V;
        if (i % 8000 == 0 || i == 2000) {
            const VectorXd q_d = Path(t, n).q;
            std::printf("%5.0f %11.2g %15.2g %17.3g %11.3f\n", t, (x.q - q_d).cwiseAbs().maxCoeff(),
                        (y.q - q_d).cwiseAbs().maxCoeff(), V, x.pi[0]);
        }
        x = adaptive.step(t, h, x);
        y = fixed.step(t, h, y);
    }
    // V_dot = -s' K s, to what the integrator can do; this is where M_dot = C + C' is needed.
    const bool falls = rise <= 1e-12 * start, balances = imbalance <= 1e-6 * start;
    std::printf("V fell at every step: %s\nV + work of K is constant within 1e-6: %s\n", falls ? "yes" : "no",
                balances ? "yes" : "no");
    return falls && balances ? 0 : 1;
} catch (const std::exception& error) {
    std::fprintf(stderr, "adaptive_control: %s\n", error.what());
    return 1;
}
