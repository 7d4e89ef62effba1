#include "integrate/explicit_form.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

namespace {

// Where linalg/straight_line_lu refuses fixed pivots, max |L| max |U| above 1e4, others are chosen for the point; and
// where pivots have become a millionth of what they were.
constexpr double largest_growth = 1e4, smaller_pivots = 1e6;

double at_least_one(double a) { return a <= 1.0 ? 1.0 : a; } // NaN stays

bool trustworthy(const double* sums) {
    return sums[0] * at_least_one(sums[1]) <= largest_growth * largest_growth &&
           sums[2] <= smaller_pivots * smaller_pivots;
}

} // namespace

bool ExplicitForm::evaluate(double t, const double* x, double* z) {
    double* const out = z_watched_.data();
    if (code_.evaluate(problem_.call(), t, x, out) != problem::EvalStatus::ok || !trustworthy(out + n_ + 1))
        return false;
    std::copy_n(out, n_, z);
    return true;
}

void ExplicitForm::compare(double t, const double* x, const double* z) {
    if (code_.empty()) return;
    constexpr double alike = 1e-6; // consistent values are better than that
    std::vector<double> own(n_);
    double difference = 0.0, size = 0.0;
    if (!evaluate(t, x, own.data())) return; // others may be; this one is solved otherwise
    for (std::size_t k = 0; k < n_; ++k) {
        difference += std::abs(own[k] - z[k]);
        size += std::abs(z[k]);
    }
    if (!(difference <= alike * size)) code_ = {};
}

} // namespace daedalus::integrate
