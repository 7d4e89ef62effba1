#include "simulation/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::simulation {

namespace {
constexpr std::size_t most_rows = 16;    // output points that wait for their columns
constexpr std::size_t most_series = 200; // rows whose residual history is kept; of more rows only the maxima
constexpr long most_checks = 512;        // steps whose end is checked before every second, fourth, … is
constexpr long most_middle_checks = 64;  // the same for their middle, which costs a factorisation
// Newton leaves residuals far below the tolerance, and scales vary from step to step; what matters is far above this.
constexpr double generous = 1e3;
} // namespace

Recorder::Recorder(const problem::ImplicitProblem& problem, RecorderOptions options, output::Trajectory& trajectory)
    : problem_(problem), options_(std::move(options)), trajectory_(trajectory),
      scale_(problem, options_.rtol, options_.atol), written_(problem, options_.rtol, options_.atol) {
    const auto n = static_cast<std::size_t>(problem.size());
    x_.resize(n);
    dx_.resize(n);
    y_.resize(static_cast<std::size_t>(problem.output_count()));
    q_ = problem.quadratures().start;
    rows_.resize(most_rows * trajectory_.values.size());
    if (options_.points > 0) {
        const std::size_t expected = static_cast<std::size_t>(options_.points) + 2;
        constexpr std::size_t most_reserved = std::size_t{1} << 20U; // points; a run may end long before
        trajectory_.time.reserve(std::min(expected, most_reserved));
        for (std::vector<double>& column : trajectory_.values) column.reserve(std::min(expected, most_reserved));
    }
    const auto rows = static_cast<std::size_t>(problem.kernel_rows());
    const auto hidden = static_cast<std::size_t>(problem.hidden_constraints().function.size);
    at_step_.resize(n + hidden);
    at_midpoint_.resize(n + hidden);
    keep_series_ = rows + hidden <= most_series;
    trajectory_.residuals.resize(rows + hidden);
    for (std::size_t i = 0; i < rows + hidden && keep_series_; ++i) {
        const bool is_row = i < rows;
        const problem::Legend& legend = is_row ? problem.names() : *problem.hidden_constraints().legend;
        const int k = static_cast<int>(is_row ? i : i - rows);
        output::ResidualSeries& series = trajectory_.residuals[i];
        series.differentiations = legend.differentiations(k);
        series.name = fmt::format("{} {}", series.differentiations > 0 ? "hidden" : "eq", i + 1);
        series.text = legend.equation(k);
        series.where = legend.equation_location(k);
    }
}

double Recorder::next_output() const {
    if (next_point_ == options_.points) return options_.t1;
    return options_.t0 + (options_.t1 - options_.t0) * next_point_ / options_.points;
}

void Recorder::output_point(double t, const double* x, const double* dx) {
    finite_ = problem_.outputs(t, x, dx, y_.data()) == problem::EvalStatus::ok && finite_;
    for (std::size_t k = 0; k < q_.size(); ++k) y_[static_cast<std::size_t>(problem_.quadratures().output[k])] = q_[k];
    trajectory_.time.push_back(t);
    double* const row = rows_.data() + waiting_ * trajectory_.values.size();
    if (options_.kept)
        for (std::size_t v = 0; v < options_.kept->size(); ++v)
            row[v] = y_[static_cast<std::size_t>((*options_.kept)[v])];
    else
        std::copy(y_.begin(), y_.end(), row);
    if (++waiting_ == most_rows) write_rows();
}

// To add a point to a hundred thousand columns is as many cache misses; for a few points at a time it is no more.
void Recorder::write_rows() {
    const std::size_t columns = trajectory_.values.size();
    for (std::size_t v = 0; v < columns; ++v)
        for (std::size_t k = 0; k < waiting_; ++k) trajectory_.values[v].push_back(rows_[k * columns + v]);
    waiting_ = 0;
}

void Recorder::begin(double t, std::span<const double> x, std::span<const double> dx) {
    next_point_ = 1;
    const bool piece = t != options_.t0; // goes on with what another run began: the points behind t are its own
    const double direction = options_.t1 >= options_.t0 ? 1.0 : -1.0;
    while (piece && next_point_ <= options_.points && (t - next_output()) * direction >= 0.0) ++next_point_;
    if (!piece || options_.points == 0) output_point(t, x.data(), dx.data());
    last_t_ = t;
    last_x_.assign(x.begin(), x.end());
    last_dx_.assign(dx.begin(), dx.end());
}

// Constraints of direct integration, and of formulations that let them drift, are shown, not demanded. Equations that a
// combination replaced are hidden rows with no differentiation: they count. Rows of derivative arrays are others where
// the array is looked at anew: there the equations as written count.
bool Recorder::demanded(std::size_t i) const {
    const auto n = static_cast<std::size_t>(problem_.size());
    if (i < n) return i < static_cast<std::size_t>(problem_.kernel_rows()) && !written_.instead_of_rows();
    const int k = static_cast<int>(i - n);
    return k >= problem_.hidden_constraints().drifting &&
           problem_.hidden_constraints().legend->differentiations(k) == 0;
}

// A replaced equation may have derivatives that no row of F has any more: there x' is the slope of a polynomial, as
// inaccurate as the step is long. The equations, differentiated, know better.
void Recorder::measure(double t, double h, const double* x, const double* dx, std::vector<double>& rows) {
    const std::size_t n = x_.size();
    static_cast<void>(problem_.residual(t, x, dx, rows.data()));
    bool replaced = false;
    for (std::size_t i = n; i < rows.size(); ++i) replaced = replaced || demanded(i);
    if (replaced && find_all_slopes(t, length_of_differences(h), x, dx, slopes_)) dx = slopes_.data();
    static_cast<void>(problem_.hidden(t, x, dx, rows.data() + n));
}

/// x' with what F leaves open of it. Differences in time are taken over a hundredth of `length`.
bool Recorder::find_all_slopes(double t, double length, const double* x, const double* dx,
                               std::vector<double>& slopes) {
    slopes.assign(dx, dx + x_.size());
    if (!derivative_) derivative_.emplace(problem_, linalg::SolverKind::automatic);
    return derivative_->find(t, length, {x, x_.size()}, slopes);
}

// Over 1e-5 of a long step truncation and round-off are alike; first steps are much shorter than what they resolve, and
// there round-off would be larger.
double Recorder::length_of_differences(double h) const {
    return std::max(1e-3 * std::abs(h), std::min(std::abs(h), 1e-6 * std::abs(options_.t1 - options_.t0)));
}

// Points are consistent: all that F determines is as exact as round-off allows. Slopes that it leaves open are
// differences, and differ where one of them is not exact.
void Recorder::look_as_written(double t, double h, const double* x, const double* dx) {
    if (written_.empty()) return;
    if (!written_.needs_all_slopes()) {
        written_.look(t, h, x, dx);
        return;
    }
    const double length = length_of_differences(h);
    constexpr double longer = 10.0;
    if (!find_all_slopes(t, length, x, dx, slopes_)) return;
    written_.look(t, h, x, slopes_.data(), [&]() -> const double* {
        return find_all_slopes(t, longer * length, x, dx, other_slopes_) ? other_slopes_.data() : nullptr;
    });
}

// The scale is measured anew where the one known so far does not explain a residual.
void Recorder::look_for_violation(const integrate::AcceptedStep& step) {
    const auto ratio = [&](std::size_t i) { return std::abs(at_step_[i]) / std::max(scale_[i], 1e-15); };
    std::size_t i = 0;
    while (i < at_step_.size() && (ratio(i) <= 1.0 || !demanded(i))) ++i;
    if (i < at_step_.size()) scale_.measure(step.t, step.x.data(), step.dx.data(), step.h);
    for (i = 0; i < at_step_.size(); ++i) {
        if (ratio(i) <= worst_ || !demanded(i)) continue;
        worst_ = ratio(i);
        if (worst_ <= generous) continue;
        const bool hidden = i >= static_cast<std::size_t>(problem_.size());
        violation_ = {static_cast<int>(i) - (hidden ? problem_.size() : 0), hidden, step.t, std::abs(at_step_[i])};
    }
}

void Recorder::certify(const integrate::AcceptedStep& step, bool also_between) {
    const auto n = static_cast<std::size_t>(problem_.size());
    const auto rows = static_cast<std::size_t>(problem_.kernel_rows());
    measure(step.t, step.h, step.x.data(), step.dx.data(), at_step_);
    const auto defined = [](double r) { return std::isfinite(r); };
    const bool complete = std::all_of(at_step_.begin(), at_step_.end(), defined);
    also_between = also_between || !complete;
    if (also_between) {
        const double middle = 0.5 * (step.t_before + step.t);
        step.interpolant.evaluate_consistent(middle, x_.data(), dx_.data());
        measure(middle, step.h, x_.data(), dx_.data(), at_midpoint_);
        // Above index 1 points between steps cannot be made consistent: what Newton left at the end is better.
        if (problem_.highest_index() > 1)
            look_as_written(step.t, step.h, step.x.data(), step.dx.data());
        else
            look_as_written(middle, step.h, x_.data(), dx_.data());
    }
    // A branch may have no value where its condition has just ceased to hold: at the event, on the far side of its
    // zero.
    for (std::size_t k = 0; k < at_step_.size() && !complete; ++k)
        if (!defined(at_step_[k])) at_step_[k] = at_midpoint_[k];
    look_for_violation(step);
    for (std::size_t i = 0; i < trajectory_.residuals.size(); ++i) {
        const std::size_t k = i < rows ? i : n + (i - rows);
        const double a = std::abs(at_step_[k]), b = also_between ? std::abs(at_midpoint_[k]) : 0.0;
        if (keep_series_ && also_between)
            trajectory_.residuals[i].record(a, b);
        else
            trajectory_.residuals[i].note(a, b);
    }
}

/// Known instants show as a step that begins a rounding behind the end of the last one.
void Recorder::look_for_impulses(const integrate::AcceptedStep& step) {
    constexpr double clear = 30.0; // tolerances
    if (!before_.empty() && (behind_event_ || step.t_before != last_t_)) {
        step.interpolant.evaluate_consistent(step.t_before, x_.data(), dx_.data());
        (void)problem_.outputs(step.t_before, x_.data(), dx_.data(), y_.data());
        for (const int output : options_.differentiated) {
            const double before = before_[static_cast<std::size_t>(output)],
                         after = y_[static_cast<std::size_t>(output)];
            const double unseen = options_.rtol * std::max(std::abs(before), std::abs(after)) + options_.atol;
            const bool known = std::any_of(impulses_.begin(), impulses_.end(),
                                           [&](const LostImpulse& other) { return other.output == output; });
            if (!known && std::abs(after - before) > clear * unseen)
                impulses_.push_back({output, step.t_before, before, after});
        }
    }
    behind_event_ = false;
    before_.resize(y_.size());
    (void)problem_.outputs(step.t, step.x.data(), step.dx.data(), before_.data());
}

/// Made consistent, a point stays near the polynomial it comes from. Beside points where equations lose rank it may go
/// anywhere, and satisfy what is integrated all the same: there the equations as written decide which of both it is.
void Recorder::consistent_point(const integrate::AcceptedStep& step, double t) {
    constexpr double far = 1e4; // tolerances
    const bool reached = step.interpolant.evaluate_consistent(t, x_.data(), dx_.data());
    if (written_.empty() || problem_.highest_index() > 1) return;
    if (!reached && options_.certify != Certify::none) look_as_written(t, step.h, x_.data(), dx_.data());
    polynomial_.resize(x_.size());
    polynomial_slopes_.resize(x_.size());
    step.interpolant.evaluate(t, polynomial_.data(), polynomial_slopes_.data());
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
    const auto share = [&](const std::vector<double>& x, const std::vector<double>& dx) {
        const bool open = written_.needs_all_slopes();
        if (open && !find_all_slopes(t, length_of_differences(step.h), x.data(), dx.data(), slopes_))
            return std::numeric_limits<double>::infinity();
        return written_.largest_share(t, x.data(), open ? slopes_.data() : dx.data());
    };
    if (!(share(polynomial_, polynomial_slopes_) < share(x_, dx_))) return;
    x_ = polynomial_;
    dx_ = polynomial_slopes_;
}

integrate::Action Recorder::step(const integrate::AcceptedStep& step) {
    if (options_.dense != nullptr) options_.dense->add(step, problem_);
    if (!options_.differentiated.empty()) look_for_impulses(step);
    trajectory_.steps.push_back({step.t, step.h, step.order, step.rejected});
    if (++steps_ % certify_every_ == 0 && options_.certify != Certify::none) {
        certify(step, options_.certify == Certify::all && steps_ % between_every_ == 0);
        if (steps_ / certify_every_ >= most_checks) certify_every_ *= 2;
        if (steps_ / between_every_ >= most_middle_checks) between_every_ *= 2;
    }
    if (options_.points == 0) {
        step.interpolant.integrals(step.t, q_.data());
        output_point(step.t, step.x.data(), step.dx.data());
    } else {
        const double direction = options_.t1 >= options_.t0 ? 1.0 : -1.0;
        for (; next_point_ <= options_.points; ++next_point_) {
            const double t = next_output();
            if ((t - step.t) * direction > 0) break;
            // The end of a step satisfies its equations as well as Newton left them; made consistent, to round-off.
            if (options_.consistent_output)
                consistent_point(step, t);
            else
                step.interpolant.evaluate(t, x_.data(), dx_.data());
            step.interpolant.integrals(t, q_.data());
            output_point(t, x_.data(), dx_.data());
        }
        step.interpolant.integrals(step.t, q_.data());
    }
    last_t_ = step.t;
    std::copy(step.x.begin(), step.x.end(), last_x_.begin());
    std::copy(step.dx.begin(), step.dx.end(), last_dx_.begin());
    return integrate::Action::proceed;
}

integrate::Action Recorder::event(const integrate::EventPoint& event) {
    const integrate::Action action = options_.at_event ? options_.at_event(event) : integrate::Action::proceed;
    behind_event_ = true;
    std::string list;
    for (const int root : event.roots) list += (list.empty() ? "" : ", ") + problem_.hybrid().legend->equation(root);
    trajectory_.events.push_back({event.t, list + " changes"});
    return action;
}

void Recorder::end(double t, std::span<const double> x, std::span<const double> dx) {
    if (!trajectory_.time.empty() && trajectory_.time.back() == t) {
        write_rows();
        trajectory_.time.pop_back();
        for (std::vector<double>& column : trajectory_.values) column.pop_back();
    }
    output_point(t, x.data(), dx.data());
    write_rows();
}

/// All that was recorded and that decides what will be. One description for both directions.
template <class Archive, class Self>
void Recorder::fields(Archive& archive, Self& self) {
    auto& trajectory = self.trajectory_;
    archive(self.next_point_, self.steps_, self.certify_every_, self.between_every_, self.finite_, self.last_t_,
            self.last_x_, self.last_dx_, self.scale_.values(), self.written_.sizes(), self.worst_, self.q_,
            self.behind_event_, self.before_, trajectory.time);
    archive.option(self.violation_, [](auto& a, auto& v) { a(v.row, v.hidden, v.t, v.residual); });
    archive.list(self.impulses_, [](auto& a, auto& i) { a(i.output, i.t, i.before, i.after); });
    archive.list(trajectory.steps, [](auto& a, auto& step) { a(step.t, step.h, step.order, step.rejected); });
    for (auto& column : trajectory.values) archive(column);
    for (auto& series : trajectory.residuals)
        archive(series.at_steps, series.at_midpoints, series.max_at_steps, series.max_at_midpoints);
    archive.list(trajectory.events, [](auto& a, auto& event) { a(event.t, event.text); });
}

void Recorder::save(ByteWriter& out) {
    write_rows();
    fields(out, *this);
}

bool Recorder::load(ByteReader& in) {
    const std::size_t scales = scale_.values().size(), jets = written_.sizes().size(), integrals = q_.size();
    fields(in, *this);
    return in.at_end() && scale_.values().size() == scales && written_.sizes().size() == jets &&
           q_.size() == integrals && is_possible();
}

/// Whether a run can have recorded this.
bool Recorder::is_possible() const {
    const auto n = static_cast<std::size_t>(problem_.size());
    const std::size_t points = trajectory_.time.size();
    const auto power_of_two = [](long k) { return k >= 1 && (k & (k - 1)) == 0; };
    if (!trajectory_.is_rectangular() || last_x_.size() != n || last_dx_.size() != n) return false;
    if (steps_ < 0 || static_cast<std::size_t>(steps_) != trajectory_.steps.size()) return false;
    if (!power_of_two(certify_every_) || !power_of_two(between_every_)) return false;
    if (next_point_ < 1 || (options_.points > 0 && next_point_ > options_.points + 1)) return false;
    if (points != (options_.points > 0 ? static_cast<std::size_t>(next_point_) : trajectory_.steps.size() + 1))
        return false;
    const bool forward = options_.t1 >= options_.t0;
    for (std::size_t k = 0; k < points; ++k)
        if (!std::isfinite(trajectory_.time[k]) || (k > 0 && (forward ? trajectory_.time[k] < trajectory_.time[k - 1]
                                                                      : trajectory_.time[k] > trajectory_.time[k - 1])))
            return false;
    if (!before_.empty() && before_.size() != y_.size()) return false;
    for (const LostImpulse& i : impulses_)
        if (i.output < 0 || static_cast<std::size_t>(i.output) >= y_.size()) return false;
    if (violation_ &&
        (violation_->row < 0 || violation_->row >= (violation_->hidden ? problem_.hidden_constraints().function.size
                                                                       : problem_.kernel_rows())))
        return false;
    for (const output::ResidualSeries& series : trajectory_.residuals)
        if (series.at_steps.size() != series.at_midpoints.size() ||
            series.at_steps.size() > (keep_series_ ? trajectory_.steps.size() : 0))
            return false;
    return true;
}

void Recorder::known_solution() {
    options_.points = std::max(options_.points, 1);
    for (next_point_ = 0; next_point_ <= options_.points; ++next_point_)
        output_point(next_output(), x_.data(), dx_.data());
    last_t_ = options_.t1;
    write_rows();
}

void Recorder::finish() {
    const bool known = !trajectory_.time.empty() && trajectory_.time.back() == last_t_;
    if (!known && !last_x_.empty()) output_point(last_t_, last_x_.data(), last_dx_.data());
    write_rows();
}

} // namespace daedalus::simulation
