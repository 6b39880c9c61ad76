// What the blocks of the operators are over: hinges, each with its body, or clusters, the bodies that share loops and hang on one base
// body, with independent dofs for columns. The same expressions serve both.                       [constraint embedding: Jain 2009]
//
//                   a hinge            a cluster c with base body b
//     hinge space   dofs of the hinge  independent dofs of c:  v = E u,  J E = 0                            [kinematics/closure.hpp]
//     H             H(k)               H(k) = sum over the hinges j of c between b and k of E' H_j phi(j,k)       n_c x 6 per body k
//     E_phi         phi(p,k)           phi(b,k) for every body k of c
//     J_a           armature           E' J_a E
//     D, G          of one hinge       H P H* + J_a,  P H* D^-1: full blocks, P one per body
//
// Independent dofs are chosen once, so that plans do not depend on the state; where the others do not follow them, stages refuse.
// A model without loops has the same blocks either way. Cheap to copy. Specified by tests/laws/cluster_algebra.cpp.
#pragma once

#include <memory>

#include "sweepdyn/model/model.hpp"
#include "sweepdyn/operators/spaces.hpp"

namespace sweepdyn::algebra {

class BlockTree {
public:
    // A block per hinge, loops left out.
    BlockTree(const Model& model) : model_(model) {}
    // By clusters. The independent dofs are those preferred (without any, the model's actuated ones), where the rest can follow them
    // at q; else the best conditioned there.
    static BlockTree clusters_at(const Model& model, std::span<const double> q,
                                 std::span<const int> preferred = {});

    struct Cluster {
        int base = ground;
        std::vector<int> bodies; // base to tip
        std::vector<int> columns; // places of its independent dofs in hinge space
        int first_H = 0; // bodies x columns, of all clusters one after the other
        int first_square = 0; // columns x columns
        int first_full = 0; // (6 bodies) x (6 bodies)
        int size() const { return static_cast<int>(columns.size()); }
    };

    const Model& model() const { return model_; }
    bool by_clusters() const { return tree_ != nullptr; }
    bool same_as(const BlockTree& other) const;
    // Of hinge space: the dofs of the model, or the independent ones, in order.
    int num_columns() const;
    std::vector<std::string> column_names() const;
    // What follows is of clusters only.
    std::span<const Cluster> clusters() const { return tree_->clusters; }
    std::span<const int> independent() const { return tree_->independent; }
    std::span<const double> configuration() const { return tree_->q; } // at which they were chosen
    const Topology& topology() const { return tree_->topology; }
    const Cluster& cluster_of(int body) const { return tree_->clusters[tree_->topology.cluster_of[body]]; }
    int base(int body) const { return cluster_of(body).base; }
    int num_H() const { return tree_->num_H; }
    int num_square() const { return tree_->num_square; }
    int num_full() const { return tree_->num_full; }

private:
    struct ClusterTree {
        Topology topology;
        std::vector<double> q;
        std::vector<Cluster> clusters{}; // a cluster comes after that of its base
        std::vector<int> independent{}; // dofs, in order
        int num_H = 0, num_square = 0, num_full = 0;
    };
    Model model_;
    std::shared_ptr<const ClusterTree> tree_; // of clusters
};

// How many numbers a vector has; `frames`: how many, for a frame space.
int dimension(const BlockTree& over, Space space, std::size_t frames);
// Where the numbers of each block are, of hinges or clusters, bodies or frames, in a vector of that many.
std::vector<std::vector<int>> block_places(const BlockTree& over, Space space, int dimension);

} // namespace sweepdyn::algebra
