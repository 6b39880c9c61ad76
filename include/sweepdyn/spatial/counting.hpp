// Counting: a double that counts what is done to it. Run any algorithm with it and read the operation
// counts, which do not wobble as times do. Multiplications by a constant and by another number count alike;
// negation is free; select, max, min and abs count as comparisons.
#pragma once

#include "sweepdyn/spatial/scalar.hpp"

namespace sweepdyn {

struct OperationCount {
    long multiplications = 0;
    long additions = 0; // and subtractions
    long divisions = 0;
    long square_roots = 0;
    long trigonometric = 0; // sincos (as one), atan2, tanh
    long comparisons = 0;

    friend OperationCount operator-(const OperationCount& a, const OperationCount& b)
    {
        return {a.multiplications - b.multiplications,
                a.additions - b.additions,
                a.divisions - b.divisions,
                a.square_roots - b.square_roots,
                a.trigonometric - b.trigonometric,
                a.comparisons - b.comparisons};
    }
    friend bool operator==(const OperationCount&, const OperationCount&) = default;
};

struct Counting {
    double number = 0.0;

    Counting() = default;
    template <class N>
        requires std::is_arithmetic_v<N>
    Counting(N n) : number(static_cast<double>(n))
    {
    }

    // The running count of the calling thread; take two readings and subtract.
    static OperationCount& count()
    {
        thread_local OperationCount counted;
        return counted;
    }

    friend Counting operator+(Counting a, Counting b)
    {
        return ++count().additions, Counting(a.number + b.number);
    }
    friend Counting operator-(Counting a, Counting b)
    {
        return ++count().additions, Counting(a.number - b.number);
    }
    friend Counting operator-(Counting a) { return Counting(-a.number); }
    friend Counting operator*(Counting a, Counting b)
    {
        return ++count().multiplications, Counting(a.number * b.number);
    }
    friend Counting operator/(Counting a, Counting b)
    {
        return ++count().divisions, Counting(a.number / b.number);
    }
    Counting& operator+=(Counting b) { return *this = *this + b; }
    Counting& operator-=(Counting b) { return *this = *this - b; }
    Counting& operator*=(Counting b) { return *this = *this * b; }
    Counting& operator/=(Counting b) { return *this = *this / b; }

    friend bool operator<(Counting a, Counting b) { return ++count().comparisons, a.number < b.number; }
    friend bool operator>(Counting a, Counting b) { return ++count().comparisons, a.number > b.number; }
    friend bool operator<=(Counting a, Counting b) { return ++count().comparisons, a.number <= b.number; }
    friend bool operator>=(Counting a, Counting b) { return ++count().comparisons, a.number >= b.number; }
};

inline Counting select(bool mask, Counting a, Counting b) { return mask ? a : b; }
inline Counting max(Counting a, Counting b) { return a > b ? a : b; }
inline Counting min(Counting a, Counting b) { return a < b ? a : b; }
inline Counting abs(Counting a) { return ++Counting::count().comparisons, Counting(std::abs(a.number)); }
inline Counting sqrt(Counting a) { return ++Counting::count().square_roots, Counting(std::sqrt(a.number)); }
inline Counting round(Counting a) { return ++Counting::count().comparisons, Counting(std::round(a.number)); }
inline Counting tanh(Counting a) { return ++Counting::count().trigonometric, Counting(std::tanh(a.number)); }
inline Counting atan2(Counting y, Counting x)
{
    return ++Counting::count().trigonometric, Counting(std::atan2(y.number, x.number));
}
inline void sincos(Counting a, Counting& sine, Counting& cosine)
{
    ++Counting::count().trigonometric;
    sine = Counting(std::sin(a.number));
    cosine = Counting(std::cos(a.number));
}
inline double value(Counting a) { return a.number; }

} // namespace sweepdyn
