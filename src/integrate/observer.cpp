#include "integrate/observer.hpp"

#include "integrate/running_integrals.hpp"

#include <vector>

namespace daedalus::integrate {

void Interpolant::integrals(double t, double* q) const {
    if (integrals_ != nullptr && !integrals_->empty()) integrals_->at(*this, t, q);
}

bool Interpolant::evaluate_once(double t, double* x, double* dx, bool any_matrix) const {
    if (!consistent_.applicable()) return evaluate_consistent(t, x, dx);
    degree() == 0 ? output_.interpolate_states(t, x, dx) : output_.interpolate(t, x, dx);
    consistent_.strictly(true);
    const bool reached = consistent_.refine_sample(t, end_ - begin_, degree(), x, dx, any_matrix);
    consistent_.strictly(false);
    matrix_kept_ = false;
    return reached || evaluate_consistent(t, x, dx);
}

/// In long steps polynomials may be far from what they end in: an unknown that dies out is of the wrong size between.
/// The ends of the step are of the right one, and so is the last point that was found beside them. What round-off
/// leaves of corrections is accepted last.
bool Interpolant::evaluate_with_difficulty(double t, double* x, double* dx, double accuracy) const {
    const std::size_t n = consistent_.size();
    const double h = end_ - begin_;
    const auto beside = [&](const std::vector<double>& y, const std::vector<double>& dy) {
        evaluate(t, x, dx);
        return consistent_.refine_beside(t, h, y.data(), dy.data(), x, dx);
    };
    consistent_.strictly(true);
    bool reached = !neighbour_.x.empty() && beside(neighbour_.x, neighbour_.dx);
    std::vector<double> y(n), dy(n);
    for (const double end : {end_, begin_}) {
        if (reached) break;
        evaluate(end, y.data(), dy.data());
        reached = beside(y, dy);
    }
    consistent_.strictly(false);
    if (!reached) {
        evaluate(t, x, dx);
        return consistent_.refine_interpolated(t, h, degree(), x, dx, false, accuracy);
    }
    neighbour_.x.assign(x, x + n);
    neighbour_.dx.assign(dx, dx + n);
    return true;
}

} // namespace daedalus::integrate
