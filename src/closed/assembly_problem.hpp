// The gaps of loops as a function of the configuration, for assembly: c(q) and its exact slope, held dofs, limits of hinges.
//
// Lengths count in units of the mechanism's size, turns in radians; a dof that slides counts by that size too.
#pragma once

#include <limits>

#include <Eigen/Core>

#include "sweepdyn/closed/assembly.hpp"

namespace sweepdyn::detail {

// A dof that moves one coordinate and no other.
struct Bound {
    int coordinate = -1;
    double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
    bool turns = false; // a full turn changes nothing
};

class AssemblyProblem {
public:
    // which: of the model's loops.
    AssemblyProblem(const Model& model, std::span<const double> guess, const AssemblyOptions& options,
                    std::vector<int> which);

    const Model& model() const { return model_; }
    const Kinematics<double>& kinematics() const { return kin_; }
    const Loops<double>& loops() const { return loops_; }
    int loop_at(std::size_t place) const { return which_[place]; } // in the model
    const std::vector<double>& guess() const { return guess_; } // normalised
    Eigen::Index num_rows() const { return holonomic_; }
    std::size_t num_dofs() const { return held.size(); }
    const Bound& bound(std::size_t dof) const { return bounds_[dof]; }
    bool in_loop(int body) const { return in_loop_[static_cast<std::size_t>(body)]; }
    bool moves(std::size_t j) const { return !held[j] && in_loop(model_.tree().body_of_dof[j]); }
    bool bends(std::size_t j) const
    {
        return bends_[j];
    } // c is not linear in it: in a loop of bodies, or a polynomial's
    void clamp(std::vector<double>& q) const;
    // A slide counts by the size of the mechanism. At the configuration evaluated last.
    double column_scale(std::size_t j) const;

    std::vector<char> held; // per dof

    // c, scaled; F = |c|^2 / 2, and the largest gap as a part of its loop's size.
    void evaluate(const std::vector<double>& q, Eigen::VectorXd& c, double& F, double& part);
    // C = -dc/dq where it was evaluated last, scaled; c moves with the twist u of frame b in frame a, whatever the distance.
    void linearise(Eigen::MatrixXd& C) const;

private:
    void find_bounds(bool limits);
    double row_scale(const LoopOnTree<double>& on, int i) const;

    const Model& model_;
    Kinematics<double> kin_;
    std::vector<int> which_;
    Loops<double> loops_;
    std::vector<double> guess_;
    std::vector<Bound> bounds_; // per dof
    std::vector<char> in_loop_; // per body
    std::vector<char> bends_; // per dof
    Eigen::Index holonomic_ = 0;
    double size_ = 1.0; // of the mechanism, m
    std::vector<double> weight_; // of the distances of each loop: small ones count by their own size
};

} // namespace sweepdyn::detail
