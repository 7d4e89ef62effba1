#include "integrate/observer.hpp"

#include "integrate/point_choice.hpp"
#include "integrate/running_integrals.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace daedalus::integrate {

void Interpolant::integrals(double t, double* q) const {
    if (integrals_ != nullptr && !integrals_->empty()) integrals_->at(*this, t, q);
}

const DoubtfulPoint& Interpolant::doubtful() const { return consistent_.choice().worst(); }

bool Interpolant::evaluate_consistent(double t, double* x, double* dx, double accuracy) const {
    const bool reached = find_consistent(t, x, dx, accuracy);
    // Where states are kept, they are right by themselves, and the polynomial of the others is rough.
    const PointChoice& choice = consistent_.choice();
    if (reached && degree() > 0 && (choice.suspicious(x) || choice.has_nodes_of(begin_, end_))) choose(t, x, dx);
    return reached;
}

bool Interpolant::find_consistent(double t, double* x, double* dx, double accuracy) const {
    evaluate(t, x, dx);
    consistent_.choice().begin(t, x, dx);
    if (!neighbour_.x.empty()) return evaluate_with_difficulty(t, x, dx, accuracy);
    consistent_.strictly(true);
    matrix_kept_ = consistent_.refine_interpolated(t, end_ - begin_, degree(), x, dx, matrix_kept_, accuracy);
    consistent_.strictly(false);
    return matrix_kept_ || (consistent_.applicable() && evaluate_with_difficulty(t, x, dx, accuracy));
}

/// That of refine_interpolated().
double Interpolant::shift() const { return 2.0 * degree() * degree() / std::abs(end_ - begin_); }

/// Of a consistent point. The equations are looked at there, so that no matrix belongs to this step any longer.
double Interpolant::noise(const double* x, const double* dx) const {
    matrix_kept_ = false;
    return consistent_.choice().noise(shift(), x, dx);
}

/// The point lies far from the polynomial: because the polynomial is off, or because rounding moved it.
void Interpolant::choose(double t, double* x, double* dx) const {
    PointChoice& choice = consistent_.choice();
    if (!choice.known_step(begin_, end_)) choice.begin_step(begin_, end_);
    const double here = noise(x, dx);
    constexpr double harmless = 1.0; // tolerances
    if (here <= harmless) {
        if (!neighbour_.x.empty()) return choice.believe(x); // the polynomial is nowhere near
        if (!choice.knows_errors()) {
            std::vector<double> slopes(consistent_.size());
            choice.learn_errors(degree(), [&](double at, double* p) { evaluate(at, p, slopes.data()); });
        }
        if (choice.magnifies(shift(), x)) return choice.go_to_nearest(shift(), x, dx);
        return choice.believe(x);
    }
    if (!choice.has_nodes_of(begin_, end_)) look_along_step();
    // As it was: the nodes are other points.
    std::vector<double> p(consistent_.size()), dp(p.size());
    evaluate(t, p.data(), dp.data());
    choice.begin(t, p.data(), dp.data());
    choice.interpolate(here, x, dx);
}

void Interpolant::look_along_step() const {
    constexpr int places = 24; // some on either side of what lies in the middle, and enough for degree 12
    std::vector<double> x(consistent_.size()), dx(x.size());
    for (int k = 0; k <= places; ++k) {
        const double t = k == places ? end_ : begin_ + (end_ - begin_) * k / places;
        if (find_consistent(t, x.data(), dx.data(), 0.0))
            consistent_.choice().add_node(noise(x.data(), dx.data()), x.data(), dx.data());
    }
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
