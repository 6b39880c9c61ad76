// Stacked<X>: the numbers of a vector over a space, one block per hinge or cluster, body or frame. Its type keeps motions and forces apart, and
// it converts from and to Eigen at the border.
//
//     Stacked<HingeForce> T(model, Eigen::VectorXd::Ones(7));
//     Stacked<HingeMotion> v_dot = apply(inverse(Mass), stages, T);
//     double power = dot(T, v);                       // a force with the motion that is its dual
//     Eigen::VectorXd x = v_dot.numbers();
//
// Inline: memory of Eigen values is the user's own.
#pragma once

#include <Eigen/Core>

#include "sweepdyn/operators/evaluate.hpp"

namespace sweepdyn::algebra {

inline void require_same_blocks(const BlockTree& a, const BlockTree& b)
{
    if (!a.model().same_as(b.model()))
        throw UsageError("stacked vectors of two models, '" + a.model().name() + "' and '" +
                         b.model().name() + "', do not meet");
    if (!a.same_as(b))
        detail::throw_wrong_blocks(a, b);
}

template <class X>
class Stacked {
public:
    // Zeros, or given numbers. `frames`: how many, for a frame space.
    explicit Stacked(const BlockTree& over, std::size_t frames = 0)
        : over_(over),
          numbers_(Eigen::VectorXd::Zero(dimension(over, X::space, frames)))
    {
    }
    Stacked(const BlockTree& over, Eigen::VectorXd numbers, std::size_t frames = 0)
        : over_(over),
          numbers_(std::move(numbers))
    {
        require_size(name(X::space).data(), "numbers", static_cast<std::size_t>(numbers_.size()),
                     static_cast<std::size_t>(dimension(over, X::space, frames)));
    }

    const Model& model() const { return over_.model(); }
    const BlockTree& over() const { return over_; }
    const Eigen::VectorXd& numbers() const { return numbers_; }
    Eigen::VectorXd& numbers() { return numbers_; }
    explicit operator const Eigen::VectorXd&() const { return numbers_; }
    // Of hinge or cluster, body or frame k; the only one of the world.
    auto block(int k = 0) { return numbers_(places(k)); }
    auto block(int k = 0) const { return numbers_(places(k)); }

    friend Stacked operator+(const Stacked& a, const Stacked& b)
    {
        return {a, a.numbers_ + same(a, b).numbers_};
    }
    friend Stacked operator-(const Stacked& a, const Stacked& b)
    {
        return {a, a.numbers_ - same(a, b).numbers_};
    }
    friend Stacked operator*(double c, const Stacked& a) { return {a, c * a.numbers_}; }

private:
    Stacked(const Stacked& like, Eigen::VectorXd numbers) : over_(like.over_), numbers_(std::move(numbers)) {}
    static const Stacked& same(const Stacked& a, const Stacked& b)
    {
        require_same_blocks(a.over_, b.over_);
        require_size(name(X::space).data(), "numbers", static_cast<std::size_t>(b.numbers_.size()),
                     static_cast<std::size_t>(a.numbers_.size()));
        return b;
    }
    std::vector<int> places(int k) const
    {
        if (X::space == Space::one)
            return {0};
        return block_places(over_, X::space, static_cast<int>(numbers_.size()))[static_cast<std::size_t>(k)];
    }

    BlockTree over_;
    Eigen::VectorXd numbers_;
};

template <class X> double dot(const Stacked<X>& a, const Stacked<Dual<X>>& b)
{
    require_same_blocks(a.over(), b.over());
    return a.numbers().dot(b.numbers());
}

template <class R, class D, class X> Stacked<R> apply(const Op<R, D>& op, Stages<double>& stages,
                                                      const Stacked<X>& x)
{
    static_assert(std::same_as<D, X>,
                  "wrong application: the vector must be of the space on which the operator acts");
    require_same_blocks(op.arena->over(), x.over());
    const std::size_t frames = is_frame(R::space) ? op.arena->frames(op.node->range.frames).size() : 0;
    return {op.arena->over(), apply(op, stages, x.numbers()), frames};
}
// Of a vector that needs nothing but the state.
template <class X> Stacked<X> value_of(const Vector<X>& vector, Stages<double>& stages)
{
    const std::size_t frames =
        is_frame(X::space) ? vector.arena->frames(vector.node->range.frames).size() : 0;
    return {vector.arena->over(), apply(vector, stages, Eigen::VectorXd()), frames};
}

} // namespace sweepdyn::algebra
