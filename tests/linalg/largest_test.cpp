// Passes over arrays against the plain loops that say what they mean.
#include "linalg/largest.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

using namespace daedalus::linalg;

namespace {

std::vector<double> numbers(std::size_t n, std::mt19937& random) {
    std::vector<double> v(n);
    for (double& x : v) x = random() % 4 == 0 ? 0.0 : std::uniform_real_distribution<double>(-2, 2)(random);
    return v;
}

template <class Scalar>
void check_shift(Scalar shift) {
    std::mt19937 random(3);
    for (std::size_t n = 0; n < 23; ++n) {
        std::vector<double> a = numbers(n, random), b = numbers(n, random);
        std::vector<Scalar> to(n, Scalar(7.0));
        EXPECT_EQ(shift_matrix(a, b, shift, to.data()), n == 0);
        for (std::size_t k = 0; k < n; ++k) EXPECT_EQ(to[k], a[k] + shift * b[k]) << n << ' ' << k;
        EXPECT_TRUE(shift_matrix(a, b, shift, to.data())) << n;
        for (std::size_t k = 0; k < n; ++k) { // one number changes, and back
            const double before = std::exchange(a[k], a[k] + 1.0);
            EXPECT_FALSE(shift_matrix(a, b, shift, to.data())) << n << ' ' << k;
            EXPECT_EQ(to[k], a[k] + shift * b[k]);
            a[k] = before;
            EXPECT_FALSE(shift_matrix(a, b, shift, to.data())) << n << ' ' << k;
            a[k] = NAN; // never the same
            EXPECT_FALSE(shift_matrix(a, b, shift, to.data()));
            EXPECT_FALSE(shift_matrix(a, b, shift, to.data()));
            a[k] = before;
            EXPECT_FALSE(shift_matrix(a, b, shift, to.data()));
        }
    }
}

} // namespace

TEST(Largest, ShiftedMatrices) {
    check_shift(1.75);
    check_shift(std::complex<double>(1.75, -0.6));
}
