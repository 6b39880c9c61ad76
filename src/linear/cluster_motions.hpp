// How the dofs of one cluster follow its independent ones, to first order.
//
//     J dq = 0,   J dv + Gm dq = 0,   J dv_dot + Gv dv + Gq dq = 0                          [linear/loop_derivatives.hpp]
//     dq = Eq du,   dv = Ev dw + Fm du,   dv_dot = Ev dw_dot + Fv dw + Fq du
//
// Positions follow the holonomic rows, velocities all of them; without nonholonomic rows Eq = Ev. Columns are those of the cluster.
#pragma once

#include <Eigen/Dense>

#include "sweepdyn/linear/loop_derivatives.hpp"

namespace sweepdyn::detail {

struct ClusterRows {
    Eigen::MatrixXd J, Gm, Gv, Gq;
    std::vector<int> holonomic; // rows
};

// Rows J x = b, solved for the dependent columns: x_dep = J_dep^+ b, by rank-revealing least squares on scaled rows.
class Follow {
public:
    Follow() = default;
    Follow(const Eigen::MatrixXd& J, std::vector<int> rows, std::vector<int> dependent,
           const ClusterClosure<double>& c);
    // b: all rows of the cluster. All columns of the cluster, zero where independent.
    Eigen::MatrixXd operator()(const Eigen::MatrixXd& b) const;

private:
    std::vector<int> rows_, dependent_;
    const ClusterClosure<double>* c_ = nullptr;
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr_;

    double scale(Eigen::Index i) const
    {
        return c_->row_scale[static_cast<std::size_t>(rows_[static_cast<std::size_t>(i)])];
    }
};

struct ClusterMotions {
    const ClusterClosure<double>* c = nullptr;
    ClusterRows rows;
    std::vector<int> positions, velocities; // independent columns, ascending
    Follow follow, follow_positions;
    Eigen::MatrixXd Eq, Ev, Fm, Fv, Fq;
    std::vector<int> kept; // rows that say something new: holonomic ones first, ascending in each kind
};

// asked: dofs of the model that are to be among the positions of a cluster with nonholonomic rows; else those of the velocities.
ClusterMotions cluster_motions(const Kinematics<double>& kin, const ColumnDerivatives<double>& d,
                               std::span<const double> v_dot, const Loops<double>& loops,
                               const ClusterClosure<double>& c, std::span<const int> asked);

} // namespace sweepdyn::detail
