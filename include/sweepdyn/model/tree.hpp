// The topology of a forest, as plain integers for the sweeps. Bodies are numbered base to tip:
// parent[k] < k, and the ground is -1. Hinge k carries body k; its dofs and coordinates are consecutive.
#pragma once

#include <cstddef>
#include <vector>

namespace sweepdyn {

inline constexpr int ground = -1;
using Index = std::ptrdiff_t; // in sweeps: no sign extension on the way to an address

// Consecutive integers, upwards or downwards, for range-for.
struct Up {
    struct Iterator {
        Index i;
        Index operator*() const { return i; }
        Iterator& operator++() { return ++i, *this; }
        bool operator!=(const Iterator& other) const { return i < other.i; }
    };
    Index first, last; // first .. last - 1
    Iterator begin() const { return {first}; }
    Iterator end() const { return {last}; }
};
struct Down {
    struct Iterator {
        Index i;
        Index operator*() const { return i; }
        Iterator& operator++() { return --i, *this; }
        bool operator!=(const Iterator& other) const { return i > other.i; }
    };
    Index first, last; // last - 1 .. first
    Iterator begin() const { return {last - 1}; }
    Iterator end() const { return {first - 1}; }
};

// One value per body and one for the ground, so that sweeps need not ask whether a parent is the ground.
template <class T>
class PerBody {
public:
    PerBody() = default;
    PerBody(int bodies, const T& value)
        : values_(static_cast<std::size_t>(bodies) + 1, value),
          num_bodies_(static_cast<std::size_t>(bodies))
    {
    }
    T& operator[](Index k) { return values_.data()[k + 1]; }
    const T& operator[](Index k) const { return values_.data()[k + 1]; }
    std::size_t num_bodies() const { return num_bodies_; }

private:
    std::vector<T> values_;
    std::size_t num_bodies_ = 0;
};

struct Tree {
    std::vector<int> parent;           // of each body
    std::vector<int> first_dof;        // of each hinge, and one past the last
    std::vector<int> first_coordinate; // likewise
    std::vector<int> depth;            // number of ancestors
    std::vector<int> root;             // the first body of its tree, on the ground
    std::vector<int> body_of_dof;
    std::vector<char> is_leaf;       // has no children
    std::vector<char> is_last_child; // of its parent: the first that a tip-to-base sweep meets

    int num_bodies() const { return static_cast<int>(parent.size()); }
    int num_dofs() const { return first_dof.back(); }
    int num_coordinates() const { return first_coordinate.back(); }

    Up base_to_tip() const { return {0, num_bodies()}; }
    Down tip_to_base() const { return {0, num_bodies()}; }
    Up dofs(int k) const { return {first_dof[k], first_dof[k + 1]}; }
    Down dofs_reversed(int k) const { return {first_dof[k], first_dof[k + 1]}; }
    int num_dofs(int k) const { return first_dof[k + 1] - first_dof[k]; }
};

} // namespace sweepdyn
