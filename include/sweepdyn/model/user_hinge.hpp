// User-defined hinges given by functions. Minimum API, for a definition T with n dofs and n coordinates:
//
//     static constexpr int dofs = n;
//     template <class S> Pose<S>   pose(std::span<const S> q) const;                    X_FM(q), identity at q = 0
//     template <class S> void      columns(std::span<const S> q, std::span<Motion<S>> H) const;
//                                                      H*(q): relative twist of M in F is H* v, axes and origin of M
//     template <class S> Motion<S> columns_rate(std::span<const S> q, std::span<const S> v) const;   (d/dt H*) v
//     template <class S> void      columns_derivative(std::span<const S> q, int j, std::span<Motion<S>> dH) const;
//                                                                                             dH*/dq_j
// Deduced: everything else. user_hinge(name, T{}) compares the columns with the dual-number derivative of the pose,
// and both derivatives with that of the columns, at random q, and throws ModelError naming what does not agree.
// A hinge that is a product of turns, slides and screws needs none of this: see HingeStep.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "sweepdyn/model/errors.hpp"
#include "sweepdyn/spatial/counting.hpp"
#include "sweepdyn/spatial/dual.hpp"
#include "sweepdyn/spatial/spatial.hpp"

namespace sweepdyn {

template <class S>
struct UserHingeFunctions {
    virtual ~UserHingeFunctions() = default;
    virtual Pose<S> pose(std::span<const S> q) const = 0;
    virtual void columns(std::span<const S> q, std::span<Motion<S>> H) const = 0;
    virtual Motion<S> columns_rate(std::span<const S> q, std::span<const S> v) const = 0;
    virtual void columns_derivative(std::span<const S> q, int j, std::span<Motion<S>> dH) const = 0;
};

// The scalars that a user hinge serves.
class UserHinge : public UserHingeFunctions<double>,
                  public UserHingeFunctions<float>,
                  public UserHingeFunctions<long double>,
                  public UserHingeFunctions<Dual<double>>,
                  public UserHingeFunctions<Counting> {
public:
    UserHinge(std::string name, int dofs) : name_(std::move(name)), dofs_(dofs) {}
    const std::string& name() const { return name_; }
    int dofs() const { return dofs_; }
    template <class S> const UserHingeFunctions<S>& functions() const { return *this; }

private:
    std::string name_;
    int dofs_;
};

namespace detail {

// Each scalar's functions have the same names, on purpose; newer compilers warn that they hide one another.
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverloaded-virtual"
#endif

template <class T, class... Scalars> class UserHingeOf;
template <class T>
class UserHingeOf<T> : public UserHinge {
public:
    UserHingeOf(std::string name, T definition)
        : UserHinge(std::move(name), T::dofs),
          definition_(std::move(definition))
    {
    }

protected:
    T definition_;
};
template <class T, class S, class... Rest>
class UserHingeOf<T, S, Rest...> : public UserHingeOf<T, Rest...> {
public:
    using UserHingeOf<T, Rest...>::UserHingeOf;
    Pose<S> pose(std::span<const S> q) const override { return this->definition_.pose(q); }
    void columns(std::span<const S> q, std::span<Motion<S>> H) const override
    {
        this->definition_.columns(q, H);
    }
    Motion<S> columns_rate(std::span<const S> q, std::span<const S> v) const override
    {
        return this->definition_.columns_rate(q, v);
    }
    void columns_derivative(std::span<const S> q, int j, std::span<Motion<S>> dH) const override
    {
        this->definition_.columns_derivative(q, j, dH);
    }
};

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

// Throws ModelError with every disagreement between a user hinge's functions and their dual-number derivatives.
void check_user_hinge(const UserHinge& hinge);

} // namespace detail

template <class T> std::shared_ptr<const UserHinge> user_hinge(std::string name, T definition)
{
    auto hinge = std::make_shared<detail::UserHingeOf<T, double, float, long double, Dual<double>, Counting>>(
        std::move(name), std::move(definition));
    detail::check_user_hinge(*hinge);
    return hinge;
}

} // namespace sweepdyn
