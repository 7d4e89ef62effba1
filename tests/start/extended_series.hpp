// Truncated Taylor series in long double: an evaluation of equations and their time derivatives that shares nothing
// with the library but the numbers it is fed. Coefficient k is the k-th derivative over k!.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace daedalus::testing_support {

class ExtendedSeries {
public:
    using Real = long double;
    explicit ExtendedSeries(std::size_t order, Real value = 0) : a_(order + 1, 0) { a_[0] = value; }
    explicit ExtendedSeries(std::vector<Real> coefficients) : a_(std::move(coefficients)) {}

    [[nodiscard]] std::size_t order() const { return a_.size() - 1; }
    Real& operator[](std::size_t k) { return a_[k]; }
    Real operator[](std::size_t k) const { return a_[k]; }

    /// d/dt, one order shorter.
    [[nodiscard]] ExtendedSeries derivative() const {
        std::vector<Real> d;
        for (std::size_t k = 1; k < a_.size(); ++k) d.push_back(static_cast<Real>(k) * a_[k]);
        return ExtendedSeries(std::move(d));
    }

    friend ExtendedSeries operator+(const ExtendedSeries& x, const ExtendedSeries& y) {
        ExtendedSeries z(std::min(x.order(), y.order()));
        for (std::size_t k = 0; k <= z.order(); ++k) z[k] = x[k] + y[k];
        return z;
    }
    friend ExtendedSeries operator*(Real factor, ExtendedSeries x) {
        for (Real& a : x.a_) a *= factor;
        return x;
    }
    friend ExtendedSeries operator-(const ExtendedSeries& x, const ExtendedSeries& y) { return x + Real(-1) * y; }
    friend ExtendedSeries operator*(const ExtendedSeries& x, const ExtendedSeries& y) {
        ExtendedSeries z(std::min(x.order(), y.order()));
        for (std::size_t k = 0; k <= z.order(); ++k) {
            z[k] = 0;
            for (std::size_t j = 0; j <= k; ++j) z[k] += x[j] * y[k - j];
        }
        return z;
    }
    friend ExtendedSeries sin(const ExtendedSeries& x) { return sine_and_cosine(x).first; }
    friend ExtendedSeries cos(const ExtendedSeries& x) { return sine_and_cosine(x).second; }

private:
    // s' = c x', c' = −s x'.
    static std::pair<ExtendedSeries, ExtendedSeries> sine_and_cosine(const ExtendedSeries& x) {
        ExtendedSeries s(x.order(), std::sin(x[0])), c(x.order(), std::cos(x[0]));
        for (std::size_t k = 1; k <= x.order(); ++k) {
            for (std::size_t j = 1; j <= k; ++j) {
                s[k] += static_cast<Real>(j) * x[j] * c[k - j];
                c[k] -= static_cast<Real>(j) * x[j] * s[k - j];
            }
            s[k] /= static_cast<Real>(k);
            c[k] /= static_cast<Real>(k);
        }
        return {std::move(s), std::move(c)};
    }

    std::vector<Real> a_;
};

} // namespace daedalus::testing_support
