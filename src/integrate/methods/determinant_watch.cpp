#include "integrate/methods/determinant_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace daedalus::integrate {

namespace {

// A tenth of both ends: what it determines is ten times as sensitive inside the step as at them. 2e-9 of the largest
// since the start: eight digits are lost.
constexpr long double deep = 0.1L, vanished = 2e-9L;
// Stages nearer to each other say the same twice, and polynomials through them swing where no stage is.
constexpr double apart = 0.1;
// Between values of which the smallest is half of the largest no polynomial of so low a degree has a deep minimum.
constexpr long double level = 0.5L;
// Of the largest value: as much a polynomial may be off near the ends of a step; and at the stages that it does not
// know. Chosen by determinant_watch_test: with less, double zeros near the ends are missed by the five nodes of DOPRI5.
constexpr long double resolution = 1e-3L, believed = 0.02L;

/// Newton's form, and its derivative.
std::pair<long double, long double> polynomial(const std::vector<long double>& divided, const std::vector<double>& c,
                                               const std::vector<int>& nodes, long double theta) {
    long double value = 0.0L, slope = 0.0L;
    for (std::size_t k = nodes.size(); k-- > 0;) {
        const long double from_node = theta - c[static_cast<std::size_t>(nodes[k])];
        slope = slope * from_node + value;
        value = value * from_node + divided[k];
    }
    return {value, slope};
}

} // namespace

DeterminantWatch::DeterminantWatch(std::span<const double> c) : c_(c.begin(), c.end()), values_(c.size()) {
    const int last = static_cast<int>(c_.size()) - 1;
    nodes_ = {0, last};
    for (int i = 1; i < last; ++i) {
        const double here = c_[static_cast<std::size_t>(i)];
        const auto separate = [&](int j) { return std::abs(here - c_[static_cast<std::size_t>(j)]) >= apart; };
        if (std::all_of(nodes_.begin(), nodes_.end(), separate)) nodes_.push_back(i);
    }
    divided_.resize(nodes_.size());
}

void DeterminantWatch::reset() { at_beginning_ = largest_ = 0.0L; }

void DeterminantWatch::begin_step() {
    values_[0] = at_beginning_;
    complete_ = true;
}

/// At the end of a step, of all its stages.
bool DeterminantWatch::nearly_vanishes() {
    const long double sign = values_[0] < 0.0L ? -1.0L : 1.0L; // all that are known have it
    long double low = std::numeric_limits<long double>::infinity(), high = 0.0L;
    for (std::size_t i = 1; i < values_.size(); ++i) {
        const long double modulus = sign * values_[i];
        if (modulus == 0.0L) continue; // not known
        low = std::min(low, modulus);
        high = std::max(high, modulus);
        if (modulus < vanished * std::max(largest_, high)) {
            largest_ = std::max(largest_, high);
            return true;
        }
    }
    largest_ = std::max(largest_, high);
    const long double first = sign * values_.front(), last = sign * values_.back();
    return low < deep * std::min(first, last) || vanishes_between(std::min(low, first), std::max(high, first));
}

void DeterminantWatch::accept() { at_beginning_ = values_.back(); }

bool DeterminantWatch::vanishes_between(long double low, long double high) {
    if (!complete_ || low > level * high) return false;
    for (std::size_t k = 0; k < nodes_.size(); ++k) divided_[k] = values_[static_cast<std::size_t>(nodes_[k])];
    const auto node = [&](std::size_t k) { return c_[static_cast<std::size_t>(nodes_[k])]; };
    for (std::size_t order = 1; order < nodes_.size(); ++order)
        for (std::size_t k = nodes_.size() - 1; k >= order; --k)
            divided_[k] = (divided_[k] - divided_[k - 1]) / (node(k) - node(k - order));
    const auto at = [&](long double theta) { return polynomial(divided_, c_, nodes_, theta); };
    const long double sign = values_[0] < 0.0L ? -1.0L : 1.0L;
    const long double ends = std::min(std::abs(values_.front()), std::abs(values_.back()));
    // At the other stages.
    long double off = 0.0L;
    for (std::size_t i = 0; i < c_.size(); ++i) off = std::max(off, std::abs(at(c_[i]).first - values_[i]));
    if (off > believed * high) return false;
    const long double limit = std::max(deep * ends, std::min(level * ends, resolution * high));
    constexpr int parts = 16, halvings = 60;
    long double left = 0.0L, slope_left = sign * at(left).second;
    for (int p = 1; p <= parts; ++p) {
        const long double right = static_cast<long double>(p) / parts, slope_right = sign * at(right).second;
        if (slope_left < 0.0L && slope_right >= 0.0L) { // a minimum
            long double a = left, b = right;
            for (int k = 0; k < halvings; ++k) {
                const long double middle = 0.5L * (a + b);
                (sign * at(middle).second < 0.0L ? a : b) = middle;
            }
            if (sign * at(b).first < limit) return true;
        }
        left = right;
        slope_left = slope_right;
    }
    return false;
}

} // namespace daedalus::integrate
