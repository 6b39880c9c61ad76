// Dual numbers a + b e with e^2 = 0: exact first derivatives along one direction.
// f(x + dx e) = f(x) + f'(x) dx e, for every algorithm of the library, with no step size to choose.
#pragma once

#include "sweepdyn/spatial/scalar.hpp"

namespace sweepdyn {

template <class S>
struct Dual {
    S real{};
    S tangent{};

    Dual() = default;
    Dual(S real_part) : real(real_part), tangent(S(0)) {}
    Dual(S real_part, S tangent_part) : real(real_part), tangent(tangent_part) {}
    template <class N>
        requires std::is_arithmetic_v<N> && (!std::same_as<N, S>)
    Dual(N number) : real(static_cast<S>(number)),
                     tangent(S(0))
    {
    }

    friend Dual operator+(const Dual& a, const Dual& b) { return {a.real + b.real, a.tangent + b.tangent}; }
    friend Dual operator-(const Dual& a, const Dual& b) { return {a.real - b.real, a.tangent - b.tangent}; }
    friend Dual operator-(const Dual& a) { return {-a.real, -a.tangent}; }
    friend Dual operator*(const Dual& a, const Dual& b)
    {
        return {a.real * b.real, a.tangent * b.real + a.real * b.tangent};
    }
    friend Dual operator/(const Dual& a, const Dual& b)
    {
        const S quotient = a.real / b.real;
        return {quotient, (a.tangent - quotient * b.tangent) / b.real};
    }
    Dual& operator+=(const Dual& b) { return *this = *this + b; }
    Dual& operator-=(const Dual& b) { return *this = *this - b; }
    Dual& operator*=(const Dual& b) { return *this = *this * b; }
    Dual& operator/=(const Dual& b) { return *this = *this / b; }

    friend auto operator<(const Dual& a, const Dual& b) { return a.real < b.real; }
    friend auto operator>(const Dual& a, const Dual& b) { return a.real > b.real; }
    friend auto operator<=(const Dual& a, const Dual& b) { return a.real <= b.real; }
    friend auto operator>=(const Dual& a, const Dual& b) { return a.real >= b.real; }
};

template <class Mask, class S> Dual<S> select(Mask mask, const Dual<S>& a, const Dual<S>& b)
{
    return {select(mask, a.real, b.real), select(mask, a.tangent, b.tangent)};
}
template <class S> Dual<S> max(const Dual<S>& a, const Dual<S>& b) { return select(a > b, a, b); }
template <class S> Dual<S> min(const Dual<S>& a, const Dual<S>& b) { return select(a < b, a, b); }
template <class S> Dual<S> abs(const Dual<S>& a) { return select(a < Dual<S>(0), -a, a); }
template <class S> Dual<S> sqrt(const Dual<S>& a)
{
    const S root = sqrt(a.real);
    return {root, a.tangent / (root + root)};
}
template <class S> Dual<S> round(const Dual<S>& a) { return {round(a.real), S(0)}; }
template <class S> Dual<S> tanh(const Dual<S>& a)
{
    const S t = tanh(a.real);
    return {t, (S(1) - t * t) * a.tangent};
}
template <class S> Dual<S> atan2(const Dual<S>& y, const Dual<S>& x)
{
    return {atan2(y.real, x.real),
            (x.real * y.tangent - y.real * x.tangent) / (x.real * x.real + y.real * y.real)};
}
template <class S> void sincos(const Dual<S>& a, Dual<S>& sine, Dual<S>& cosine)
{
    S s, c;
    sincos(a.real, s, c);
    sine = {s, c * a.tangent};
    cosine = {c, -s * a.tangent};
}
template <class S> double value(const Dual<S>& a) { return value(a.real); }

template <class S> struct Precision<Dual<S>> : Precision<S> {};

} // namespace sweepdyn
