// Steps of Levenberg and Marquardt to the nearest minimum of the gap                                    [closed/assembly.hpp]
#pragma once

#include "closed/assembly_problem.hpp"

namespace sweepdyn::detail {

class AssemblyDescent {
public:
    AssemblyDescent(AssemblyProblem& problem, const AssemblyOptions& options)
        : problem_(problem),
          options_(options)
    {
    }

    // From q, in place. True: a minimum of the gap.
    bool operator()(std::vector<double>& q);
    double F() const { return F_; } // at its end
    double part() const { return part_; }
    double tolerance() const { return options_.tolerance; }
    const std::vector<char>& stopped() const { return stopped_; } // dofs, by their limits

private:
    void step(const std::vector<double>& q, double lambda, Eigen::VectorXd& d);

    AssemblyProblem& problem_;
    const AssemblyOptions& options_;
    Eigen::MatrixXd C_;
    Eigen::VectorXd c_;
    double F_ = 0.0, part_ = 0.0;
    std::vector<char> stopped_;
};

} // namespace sweepdyn::detail
