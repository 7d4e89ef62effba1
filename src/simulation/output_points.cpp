#include "simulation/output_points.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::simulation {

namespace {
constexpr std::size_t most_rows = 16; // output points that wait for their columns
}

OutputPoints::OutputPoints(const problem::ImplicitProblem& problem, PointOptions options, PointCheck& check,
                           output::Trajectory& trajectory)
    : problem_(problem), options_(std::move(options)), check_(check), trajectory_(trajectory) {
    const auto n = static_cast<std::size_t>(problem.size());
    for (auto* v : {&x_, &dx_, &polynomial_, &polynomial_slopes_}) v->resize(n);
    y_.resize(static_cast<std::size_t>(problem.output_count()));
    q_ = problem.quadratures().start;
}

void OutputPoints::reserve() {
    if (options_.points == 0) return;
    constexpr std::size_t most_reserved = std::size_t{1} << 20U; // points; a run may end long before
    const std::size_t expected = std::min(static_cast<std::size_t>(options_.points) + 2, most_reserved);
    trajectory_.time.reserve(expected);
    for (std::vector<double>& column : trajectory_.values) column.reserve(expected);
}

double OutputPoints::next_time() const {
    if (next_ == options_.points) return options_.t1;
    return options_.t0 + (options_.t1 - options_.t0) * next_ / options_.points;
}

bool OutputPoints::is_due(double t) const {
    const double direction = options_.t1 >= options_.t0 ? 1.0 : -1.0;
    return next_ <= options_.points && (next_time() - t) * direction <= 0.0;
}

void OutputPoints::evaluate(double t, const double* x, const double* dx, double* row) {
    (void)problem_.outputs(t, x, dx, y_.data());
    for (std::size_t k = 0; k < q_.size(); ++k) y_[static_cast<std::size_t>(problem_.quadratures().output[k])] = q_[k];
    if (options_.kept)
        for (const int output : *options_.kept) *row++ = y_[static_cast<std::size_t>(output)];
    else
        std::copy(y_.begin(), y_.end(), row);
}

void OutputPoints::add(double t, const double* x, const double* dx) {
    const std::size_t rows = // of a run with few points, not more than those and their ends
        options_.points == 0 ? most_rows : std::min(most_rows, static_cast<std::size_t>(options_.points) + 1);
    rows_.resize(rows * trajectory_.values.size());
    trajectory_.time.push_back(t);
    evaluate(t, x, dx, rows_.data() + waiting_ * trajectory_.values.size());
    if (++waiting_ == rows) flush();
}

std::vector<double> OutputPoints::row(double t, const double* x, const double* dx) {
    std::vector<double> row(trajectory_.values.size());
    evaluate(t, x, dx, row.data());
    return row;
}

void OutputPoints::fill(const double* x, const double* dx) {
    options_.points = std::max(options_.points, 1);
    for (next_ = 0; next_ <= options_.points; ++next_) add(next_time(), x, dx);
    flush();
}

void OutputPoints::add_row(double t, const std::vector<double>& row) {
    flush();
    trajectory_.time.push_back(t);
    for (std::size_t v = 0; v < row.size(); ++v) trajectory_.values[v].push_back(row[v]);
}

// To add a point to a hundred thousand columns is as many cache misses; for a few points at a time it is no more.
void OutputPoints::flush() {
    const std::size_t columns = trajectory_.values.size();
    for (std::size_t v = 0; v < columns && waiting_ > 0; ++v)
        for (std::size_t k = 0; k < waiting_; ++k) trajectory_.values[v].push_back(rows_[k * columns + v]);
    waiting_ = 0;
}

void OutputPoints::remove_last() {
    flush();
    trajectory_.time.pop_back();
    for (std::vector<double>& column : trajectory_.values) column.pop_back();
}

void OutputPoints::add_due(const integrate::Interpolant& step, double h, double end, const Integrals& integrals) {
    // The middle first: where the polynomial is nowhere near, that shows there, and points are looked for from the
    // ends.
    if (options_.consistent && is_due(end))
        (void)step.evaluate_consistent(0.5 * (step.begin() + step.end()), x_.data(), dx_.data());
    for (; is_due(end); ++next_) {
        const double t = next_time();
        // The end of a step satisfies its equations as well as Newton left them; made consistent, to round-off.
        find(step, h, t);
        if (!q_.empty()) integrals(t, q_.data());
        add(t, x_.data(), dx_.data());
    }
}

void OutputPoints::find(const integrate::Interpolant& step, double h, double t) {
    if (!options_.consistent) return step.evaluate(t, x_.data(), dx_.data());
    const bool reached = step.evaluate_consistent(t, x_.data(), dx_.data());
    if (check_.written().empty() || problem_.highest_index() > 1) return;
    if (!reached && options_.check) check_.look(t, h, x_.data(), dx_.data());
    choose_between(step, h, t);
}

/// Made consistent, a point stays near the polynomial it comes from. Beside points where equations lose rank it may go
/// anywhere, and satisfy what is integrated all the same: there the equations as written decide which of both it is.
void OutputPoints::choose_between(const integrate::Interpolant& step, double h, double t) {
    constexpr double far = 1e4; // tolerances
    step.evaluate(t, polynomial_.data(), polynomial_slopes_.data());
    const double share_of_size = far * (options_.rtol + options_.atol);
    bool near = true;
    for (std::size_t i = 0; i < x_.size() && near; ++i) {
        const double moved = std::abs(x_[i] - polynomial_[i]);
        if (moved <= share_of_size * std::abs(x_[i])) continue;
        const problem::UnknownInfo& info = problem_.unknowns()[i];
        const double size = std::max({std::abs(x_[i]), std::abs(polynomial_[i]), std::abs(info.nominal)});
        near = info.auxiliary || moved <= share_of_size * size;
    }
    if (near) return;
    const double of_polynomial = check_.largest_share(t, h, polynomial_.data(), polynomial_slopes_.data());
    if (!(of_polynomial < check_.largest_share(t, h, x_.data(), dx_.data()))) return;
    x_ = polynomial_;
    dx_ = polynomial_slopes_;
}

} // namespace daedalus::simulation
