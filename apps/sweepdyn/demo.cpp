// sweepdyn demo: an arm of ours, from its file to its motion under a regulator, checked before the reader's eyes. Fits 80 columns.
#include <chrono>

#include <fmt/format.h>

#include "commands.hpp"
#include "demo_control.hpp"
#include "laws.hpp"
#include "sweepdyn/model/random.hpp"
#include "tree_drawing.hpp"

namespace sweepdyn::app {
namespace {

using Eigen::VectorXd;

Model shipped(const char* file) { return load_model((shipped_models() / file).lexically_normal().string()); }

class Demo {
public:
    explicit Demo(const DemoOptions& options)
        : terminal_(Terminal::of_stdout(options.ascii)),
          arm_(shipped("arm7.urdf")),
          robot_(arm_),
          x_{random_configuration(arm_, 7), VectorXd(arm_.num_dofs())},
          T_(arm_.num_dofs())
    {
        Random random(7);
        VectorXd a(T_.size());
        for (Eigen::Index j = 0; j < T_.size(); ++j) {
            x_.v[j] = random.uniform(-1, 1);
            a[j] = random.uniform(-5, 5);
        }
        robot_.set_state(x_.q, x_.v);
        // Forces of a size that suits each hinge, with few digits.
        T_ = (robot_.inverse_dynamics(a) * 1000).array().round() / 1000;
    }

    std::string text()
    {
        const auto start = std::chrono::steady_clock::now();
        heading(fmt::format("The robot: {}, {}", arm_.name(), totals(arm_)));
        out_ += draw_tree(arm_, terminal_, false);
        mass_matrix();
        round_trip();
        simulation();
        control_ = control_story(arm_, terminal_);
        out_ += control_.text;
        laws();
        const auto time = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start);
        out_ += fmt::format("\n  All of it took {:.0f} ms.\n", time.count());
        next();
        return "Sweepdyn " SWEEPDYN_VERSION ": dynamics as sweeps over the bodies, each O(n)\n" + out_;
    }

private:
    void heading(std::string_view text) { out_ += "\n" + terminal_.bold(text) + "\n\n"; }

    std::string dof_column(Eigen::Index j) const
    {
        return padded("  " + arm_.dof_names()[static_cast<std::size_t>(j)], 18);
    }

    void mass_matrix()
    {
        heading("Its mass matrix at a random configuration (kg m^2)");
        const Eigen::MatrixXd M = robot_.mass_matrix();
        for (Eigen::Index i = 0; i < M.rows(); ++i) {
            out_ += dof_column(i);
            for (Eigen::Index j = 0; j < M.cols(); ++j)
                out_ += fmt::format("{:8.4f}", M(i, j));
            out_ += "\n";
        }
    }

    void round_trip()
    {
        heading("There and back: forces T to accelerations, accelerations to forces");
        const VectorXd qdd = robot_.forward_dynamics(T_), T = robot_.inverse_dynamics(qdd);
        out_ += terminal_.dim(fmt::format("{:18}{:>9}{:>9}{:>10}{:>15}{:>15}", "  hinge", "q", "v", "T (N m)",
                                          "FD (rad/s^2)", "ID (N m)")) +
                "\n";
        for (Eigen::Index j = 0; j < T.size(); ++j)
            out_ += dof_column(j) + fmt::format("{:9.4f}{:9.4f}{:10.4f}{:15.4f}{:15.4f}\n", x_.q[j], x_.v[j],
                                                T_[j], qdd[j], T[j]);
        out_ += fmt::format("\n  largest difference {:.1e} N m\n", (T - T_).cwiseAbs().maxCoeff());
    }

    void simulation()
    {
        heading("One second of free fall, 4000 steps of a fourth-order method");
        out_ += terminal_.dim(fmt::format("  {:>6}{:>16}{:>16}{:>18}", "t (s)", "kinetic (J)",
                                          "potential (J)", "sum (J)")) +
                "\n";
        constexpr int steps = 4000, shown_every = 1000;
        const VectorXd no_force = VectorXd::Zero(T_.size());
        Moving x = x_;
        double first = 0.0, drift = 0.0, most_kinetic = 0.0;
        for (int i = 0; i <= steps; ++i) {
            robot_.set_state(x.q, x.v);
            const double kinetic = robot_.kinetic_energy(), potential = robot_.potential_energy();
            if (i == 0)
                first = kinetic + potential;
            drift = std::max(drift, std::abs(kinetic + potential - first));
            most_kinetic = std::max(most_kinetic, kinetic);
            if (i % shown_every == 0)
                out_ += fmt::format("  {:6.2f}{:16.6f}{:16.6f}{:18.9f}\n", static_cast<double>(i) / steps,
                                    kinetic, potential, kinetic + potential);
            x = step(robot_, x, no_force, 1.0 / steps);
        }
        out_ += fmt::format("\n  energy drift {:.1e} J\n", drift);
        energy_law_ = {"energy is kept in free fall, for 1 s", fmt::format("{:.1e}", drift / most_kinetic),
                       drift / most_kinetic <= 1e-7};
    }

    void laws()
    {
        heading("The laws of mechanics, checked here and now (relative errors)");
        std::vector<Law> all = laws_at(arm_, x_, T_);
        all.push_back(energy_law_);
        for (const Law& law : control_.laws)
            all.push_back(law);
        for (const Law& law : laws_of_floating(shipped("spacecraft.urdf"), "hand"))
            all.push_back(law);
        std::string broken;
        for (const Law& law : all) {
            out_ += fmt::format("  {} {}{:>9}\n", terminal_.tick(law.holds), padded(law.statement, 64),
                                law.number);
            if (!law.holds)
                broken += "\n  " + law.statement + ": " + law.number;
        }
        if (!broken.empty())
            throw RefusedError("demo: what must hold does not; please report it:" + broken);
    }

    void next()
    {
        const std::string program = program_name();
        heading("What to type next");
        for (const auto& [arguments, what] : {std::pair{"info quadruped", "another robot, or your .urdf"},
                                              {"compute arm7 --get M,gravity --indent", "numbers, as JSON"},
                                              {"compute chain:1000 --get qdd", "a thousand links"},
                                              {"linearize arm7 --indent", "A, B, C, D"},
                                              {"simulate arm7 --time 1 -o fall.csv", "the fall, as a table"},
                                              {"compute --help", "all that can be asked for"}})
            out_ += fmt::format("  {:<49}{}\n", program + " " + arguments, terminal_.dim(what));
    }

    Terminal terminal_;
    Model arm_;
    Robot robot_;
    Moving x_;
    VectorXd T_;
    Law energy_law_;
    ControlStory control_;
    std::string out_;
};

} // namespace

std::string run_demo(const DemoOptions& options) { return Demo(options).text(); }

} // namespace sweepdyn::app
