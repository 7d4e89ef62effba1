// Passes over arrays against the plain loops that say what they mean.
#include "linalg/largest.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
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

TEST(Largest, CopiesAreWatched) {
    std::mt19937 random(5);
    const double infinity = std::numeric_limits<double>::infinity();
    for (std::size_t n = 0; n < 23; ++n)
        for (const bool limited : {false, true}) {
            std::vector<double> v = numbers(n, random), least(n, 0.0), most(n, std::numeric_limits<double>::max());
            for (std::size_t k = 0; k < n; ++k) {
                if (k % 3 == 0) least[k] = std::abs(v[k]); // just so
                if (k % 2 == 0) most[k] = std::abs(v[k]);
            }
            const double* const limit = limited ? most.data() : nullptr;
            std::vector<double> to(n + 1, 7.0);
            EXPECT_TRUE(copy_watched(v, least.data(), limit, to.data()));
            EXPECT_TRUE(none_exceeds(v, limit));
            EXPECT_TRUE(std::equal(v.begin(), v.end(), to.begin()));
            EXPECT_EQ(to[n], 7.0);
            for (std::size_t k = 0; k < n; ++k) {
                const double before = v[k];
                for (const double wrong : {infinity, -infinity, std::nan(""), -std::nan("")}) {
                    v[k] = wrong;
                    EXPECT_FALSE(copy_watched(v, least.data(), limit, to.data())) << n << ' ' << k;
                    EXPECT_FALSE(none_exceeds(v, limit));
                }
                v[k] = std::nextafter(before, before < 0.0 ? -infinity : infinity); // more
                EXPECT_EQ(copy_watched(v, least.data(), limit, to.data()), !limited || k % 2 != 0) << n << ' ' << k;
                EXPECT_EQ(none_exceeds(v, limit), !limited || k % 2 != 0);
                EXPECT_EQ(to[k], v[k]);
                v[k] = 0.5 * before; // less
                EXPECT_EQ(copy_watched(v, least.data(), limit, to.data()), k % 3 != 0 || before == 0.0);
                EXPECT_TRUE(none_exceeds(v, limit));
                v[k] = before;
            }
        }
}
