#include "simulation/written_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace daedalus::simulation {

namespace {
constexpr double many = 30.0;               // tolerances: errors of steps add up over a run
constexpr double much = 30.0;               // of what those explain: effects of different signs are added up
constexpr double most_of_terms = 1.0 / 3.0; // a residual as large as its terms is not an error of them
constexpr double sure = 4.0;                // differences between two estimates, of which one may be right by chance
constexpr int patterns = 4;                 // of signs, and their opposites
constexpr double eps = std::numeric_limits<double>::epsilon();
} // namespace

WrittenCheck::WrittenCheck(const problem::ImplicitProblem& problem, double rtol, double atol)
    : problem_(problem), equations_(problem.facet<problem::WrittenEquations>()), rtol_(rtol), atol_(atol) {
    for (auto* v : {&y_, &size_, &uncertain_, &moved_}) v->resize(equations_.jets.size());
    for (auto* v : {&r_, &terms_, &other_, &other_terms_, &explained_})
        v->resize(static_cast<std::size_t>(equations_.size));
}

void WrittenCheck::find_explained(double t, double h) {
    std::fill(explained_.begin(), explained_.end(), 0.0);
    const double shorter = std::min(1.0, std::abs(h));
    std::minstd_rand random(54321);
    std::uniform_real_distribution<double> share(0.5, 1.0); // not all alike: equal changes can cancel
    for (int k = 0; k < 2 * patterns; ++k) {
        for (std::size_t j = 0; j < y_.size(); ++j) {
            const problem::WrittenEquations::Jet& jet = equations_.jets[j];
            if (k % 2 == 1) {
                moved_[j] = y_[j] - (moved_[j] - y_[j]);
                continue;
            }
            double weight = rtol_ * size_[j] + atol_ * jet.nominal;
            for (int i = 1; i < jet.index && shorter > 0.0; ++i) weight /= shorter;
            // Slopes are differences of values over the step: so is their round-off.
            if (jet.order > 0 && h != 0.0) weight += eps * size_[j] / shorter;
            if (relaxed_granted_ && jet.relaxed) weight = size_[j];
            const double change = many * weight + sure * uncertain_[j];
            moved_[j] = y_[j] + (random() & 1U ? 1.0 : -1.0) * share(random) * change;
        }
        if (equations_.residual(problem_.call(), t, moved_.data(), other_.data(), other_terms_.data()) !=
            problem::EvalStatus::ok) {
            // Beyond the domain of an equation anything is explained.
            for (std::size_t i = 0; i < other_.size(); ++i)
                if (!std::isfinite(other_[i])) explained_[i] = std::numeric_limits<double>::infinity();
        }
        for (std::size_t i = 0; i < other_.size(); ++i)
            explained_[i] = std::max(explained_[i], std::abs(other_[i] - r_[i]));
    }
}

bool WrittenCheck::is_suspicious() const {
    // What the tolerance allows relative to the terms themselves needs no explanation, nor do some hundred roundings.
    const double harmless = std::max(rtol_, 1e3 * eps);
    for (std::size_t i = 0; i < r_.size(); ++i)
        if (std::abs(r_[i]) > harmless * terms_[i]) return true;
    return false;
}

bool WrittenCheck::evaluate(double t, const double* x, const double* dx) {
    return problem_.evaluate(equations_.values, t, x, dx, y_.data()) == problem::EvalStatus::ok &&
           equations_.residual(problem_.call(), t, y_.data(), r_.data(), terms_.data()) == problem::EvalStatus::ok;
}

double WrittenCheck::largest_share(double t, const double* x, const double* dx) {
    if (!evaluate(t, x, dx)) return std::numeric_limits<double>::infinity();
    double largest = 0.0;
    for (std::size_t i = 0; i < r_.size(); ++i)
        if (terms_[i] > 0.0) largest = std::max(largest, std::abs(r_[i]) / terms_[i]);
    return largest;
}

void WrittenCheck::look(double t, double h, const double* x, const double* dx,
                        const std::function<const double*()>& other_slopes) {
    if (!evaluate(t, x, dx)) return;
    for (std::size_t j = 0; j < y_.size(); ++j) size_[j] = std::max(size_[j], std::abs(y_[j]));
    if (!is_suspicious()) return;
    std::fill(uncertain_.begin(), uncertain_.end(), 0.0);
    if (other_slopes) {
        const double* other = other_slopes();
        if (other == nullptr ||
            problem_.evaluate(equations_.values, t, x, other, uncertain_.data()) != problem::EvalStatus::ok)
            return;
        for (std::size_t j = 0; j < y_.size(); ++j) uncertain_[j] = std::abs(uncertain_[j] - y_[j]);
    }
    find_explained(t, h);
    for (std::size_t i = 0; i < r_.size(); ++i) {
        const double r = std::abs(r_[i]);
        // Where a relation decides, and both sides are within the tolerance, the branch explains all of r but for what
        // the moves themselves did to the values beside it.
        const double explained = explained_[i] * (1.0 + many * (rtol_ + atol_)) + 1e3 * eps * terms_[i];
        if (r <= explained || !(r > much * explained || r > most_of_terms * terms_[i])) continue;
        if (r <= worst_ * explained) continue;
        worst_ = r / explained;
        violation_ = {static_cast<int>(i), t, r, terms_[i]};
    }
}

} // namespace daedalus::simulation
