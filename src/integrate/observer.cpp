#include "integrate/observer.hpp"

#include "integrate/running_integrals.hpp"

#include <vector>

namespace daedalus::integrate {

void Interpolant::integrals(double t, double* q) const {
    if (integrals_ != nullptr && !integrals_->empty()) integrals_->at(*this, t, q);
}

/// In long steps polynomials may be far from what they end in: an unknown that dies out is of the wrong size between.
/// The ends of the step are of the right one. What round-off leaves of corrections is accepted last.
bool Interpolant::evaluate_with_difficulty(double t, double* x, double* dx, double accuracy) const {
    std::vector<double> y(consistent_.size()), dy(consistent_.size());
    const double h = end_ - begin_;
    bool reached = false;
    consistent_.strictly(true);
    for (const double end : {end_, begin_}) {
        evaluate(end, y.data(), dy.data());
        evaluate(t, x, dx);
        reached = consistent_.refine_beside(t, h, y.data(), dy.data(), x, dx);
        if (reached) break;
    }
    consistent_.strictly(false);
    if (reached) return true;
    evaluate(t, x, dx);
    return consistent_.refine_interpolated(t, h, degree(), x, dx, false, accuracy);
}

} // namespace daedalus::integrate
