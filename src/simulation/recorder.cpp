#include "simulation/recorder.hpp"

#include "problem/drift.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::simulation {

namespace {
constexpr std::size_t most_series = 200; // rows whose residual history is kept; of more rows only the maxima
constexpr long most_checks = 512;        // steps whose end is checked before every second, fourth, … is
// Points between steps cost two Jacobians and factorisations each, about half a step: in every fourth step they cost an
// eighth of the integration. Branches that become active are looked at in their first step.
constexpr long sampled_at_first = 2, sampled_every = 4;
constexpr long most_middle_checks = 64; // of them before every second, fourth, … is left
// Newton leaves residuals far below the tolerance, and scales vary from step to step; what matters is far above this.
constexpr double generous = 1e3;
} // namespace

Recorder::Recorder(const problem::ImplicitProblem& problem, RecorderOptions options, output::Trajectory& trajectory)
    : problem_(problem), options_(std::move(options)), trajectory_(trajectory),
      check_(problem, options_.rtol, options_.atol, options_.t1 - options_.t0),
      points_(problem,
              {options_.t0, options_.t1, options_.points, options_.consistent_output, options_.rtol, options_.atol,
               options_.certify != Certify::none, options_.kept},
              check_, trajectory),
      waiting_(options_.points_may_wait && options_.dense && options_.points > 1),
      scale_(problem, options_.rtol, options_.atol) {
    if (options_.constant_steps) check_.written().grant_relaxed_slopes();
    const auto n = static_cast<std::size_t>(problem.size());
    x_.resize(n);
    dx_.resize(n);
    y_.resize(static_cast<std::size_t>(problem.output_count()));
    if (!waiting_) points_.reserve();
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

void Recorder::begin(double t, std::span<const double> x, std::span<const double> dx) {
    points_.next() = 1;
    const bool piece = t != options_.t0; // goes on with what another run began: the points behind t are its own
    while (piece && points_.is_due(t)) ++points_.next();
    if (!piece || options_.points == 0) points_.add(t, x.data(), dx.data());
    last_t_ = t;
    last_x_.assign(x.begin(), x.end());
    last_dx_.assign(dx.begin(), dx.end());
}

// Constraints of direct integration, and of formulations that let them drift, are shown, not demanded. Equations that a
// combination replaced are hidden rows with no differentiation: they count. Rows of derivative arrays are others where
// the array is looked at anew: there the equations as written count.
bool Recorder::demanded(std::size_t i) const {
    const auto n = static_cast<std::size_t>(problem_.size());
    if (i < n) return i < static_cast<std::size_t>(problem_.kernel_rows()) && !check_.written().instead_of_rows();
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
    if (replaced)
        if (const double* all = check_.all_slopes(t, h, x, dx)) dx = all;
    static_cast<void>(problem_.hidden(t, x, dx, rows.data() + n));
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

/// What errors of all steps so far can have moved hidden constraint k off zero (HW VII.2, Thm 2.1): each step by what
/// an error of some tolerances makes of it; and where its derivative has drifted too, by that times the time.
double Recorder::explained_drift(int k, double t) const {
    constexpr double tolerances = 30.0; // of a step: norms are means, and estimates no bounds (as in written_check.cpp)
    const std::vector<int>& above = problem_.facet<problem::Drift>().above;
    double explained = 0.0, time = 1.0;
    for (int l = k; l >= 0; l = above[static_cast<std::size_t>(l)]) {
        const double scale = std::max(scale_[x_.size() + static_cast<std::size_t>(l)], 1e-15);
        explained += time * tolerances * scale * static_cast<double>(steps_);
        time *= std::abs(t - options_.t0);
    }
    return explained;
}

/// Constraints that hold through their derivatives only drift, but not by more than errors of steps: else these are not
/// their derivatives.
void Recorder::look_for_drift(const integrate::AcceptedStep& step) {
    const int count = problem_.facet<problem::Drift>().above.empty() ? 0 : problem_.hidden_constraints().drifting;
    if (options_.constant_steps || violation_) return;
    bool measured = false;
    for (int k = 0; k < count; ++k) {
        const double residual = std::abs(at_step_[x_.size() + static_cast<std::size_t>(k)]);
        if (residual <= explained_drift(k, step.t)) continue;
        if (!measured) scale_.measure(step.t, step.x.data(), step.dx.data(), step.h);
        measured = true;
        if (residual > explained_drift(k, step.t)) violation_ = {k, true, step.t, residual};
    }
}

void Recorder::certify(const integrate::AcceptedStep& step, bool also_between) {
    const auto n = static_cast<std::size_t>(problem_.size());
    const auto rows = static_cast<std::size_t>(problem_.kernel_rows());
    measure(step.t, step.h, step.x.data(), step.dx.data(), at_step_);
    const auto defined = [](double r) { return std::isfinite(r); };
    const bool complete = std::all_of(at_step_.begin(), at_step_.end(), defined);
    // What an event at the very start cuts to less than a rounding of the run has nothing between its ends.
    const double rounding = std::numeric_limits<double>::epsilon() * std::abs(options_.t1 - options_.t0);
    also_between = (also_between || !complete) && std::abs(step.t - step.t_before) > rounding;
    ++checked_at_steps_;
    if (also_between) {
        ++checked_between_;
        const double middle = 0.5 * (step.t_before + step.t);
        (void)step.interpolant.evaluate_once(middle, x_.data(), dx_.data(), options_.any_matrix && !other_branches_);
        measure(middle, step.h, x_.data(), dx_.data(), at_midpoint_);
        // Above index 1 points between steps cannot be made consistent: what Newton left at the end is better.
        if (problem_.highest_index() > 1)
            check_.look(step.t, step.h, step.x.data(), step.dx.data());
        else
            check_.look(middle, step.h, x_.data(), dx_.data());
    }
    // A branch may have no value where its condition has just ceased to hold: at the event, on the far side of its
    // zero.
    for (std::size_t k = 0; k < at_step_.size() && !complete; ++k)
        if (!defined(at_step_[k])) at_step_[k] = at_midpoint_[k];
    look_for_violation(step);
    look_for_drift(step);
    for (std::size_t i = 0; i < trajectory_.residuals.size(); ++i) {
        const std::size_t k = i < rows ? i : n + (i - rows);
        const double a = std::abs(at_step_[k]), b = also_between ? std::abs(at_midpoint_[k]) : 0.0;
        output::ResidualSeries& series = trajectory_.residuals[i];
        series.note(a, b);
        if (!keep_series_ || options_.certify != Certify::all) continue;
        series.at_steps.push_back(a); // and between them what was found last
        const double last = series.at_midpoints.empty() ? a : series.at_midpoints.back();
        series.at_midpoints.push_back(also_between ? b : last);
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

/// Whether the inside of a step is looked at: in the first ones, behind events, and in a sample.
bool Recorder::is_sampled(const integrate::AcceptedStep& step) const {
    return steps_ <= sampled_at_first || steps_ % (sampled_every * between_every_) == 0 ||
           (other_branches_ && checked_between_ < most_middle_checks) || step.t == options_.t1;
}

/// The step goes to the solution that is kept. One that becomes too large for that is no longer kept, and what waited
/// for it is found now.
void Recorder::keep_piece(const integrate::AcceptedStep& step) {
    if (!options_.dense || options_.dense->add(step, problem_)) return;
    deliver();
    options_.dense->give_up();
}

/// Nothing waits any longer.
void Recorder::deliver() {
    points_.flush();
    if (const auto rest = pending()) {
        const PendingPoints::Found found = rest->find(trajectory_);
        if (found.violation) check_.written().note(*found.violation);
        doubtful_ = found.doubtful;
        while (points_.is_due(options_.dense->end())) ++points_.next();
    }
    waiting_ = false;
}

std::shared_ptr<const PendingPoints> Recorder::pending() const {
    if (!waiting_ || options_.dense->given_up() || options_.dense->own_pieces() == 0) return nullptr;
    return std::make_shared<const PendingPoints>(options_.dense, points_.options(), points_.next(), end_row_,
                                                 check_.written().sizes());
}

integrate::Action Recorder::step(const integrate::AcceptedStep& step) {
    keep_piece(step);
    if (!options_.differentiated.empty()) look_for_impulses(step);
    trajectory_.steps.push_back({step.t, step.h, step.order, step.rejected});
    other_branches_ = other_branches_ || step.t_before != last_t_;
    if (++steps_ % certify_every_ == 0 && options_.certify != Certify::none) {
        certify(step, options_.certify == Certify::all && is_sampled(step));
        if (steps_ / certify_every_ >= most_checks) certify_every_ *= 2;
        if (steps_ / (sampled_every * between_every_) >= most_middle_checks) between_every_ *= 2;
    }
    const auto integrals = [&](double t, double* q) { step.interpolant.integrals(t, q); };
    if (waiting_) {
        if (step.t == options_.t1) {
            points_.find(step.interpolant, step.h, step.t);
            integrals(step.t, points_.integrals().data());
            end_row_ = points_.row(step.t, points_.x(), points_.dx());
        }
    } else if (options_.points > 0) {
        points_.add_due(step.interpolant, step.h, step.t, integrals);
    }
    integrals(step.t, points_.integrals().data());
    if (options_.points == 0) points_.add(step.t, step.x.data(), step.dx.data());
    other_branches_ = false;
    last_t_ = step.t;
    std::copy(step.x.begin(), step.x.end(), last_x_.begin());
    std::copy(step.dx.begin(), step.dx.end(), last_dx_.begin());
    return integrate::Action::proceed;
}

integrate::Action Recorder::event(const integrate::EventPoint& event) {
    const integrate::Action action = options_.at_event ? options_.at_event(event) : integrate::Action::proceed;
    behind_event_ = other_branches_ = true;
    std::string list;
    for (const int root : event.roots) list += (list.empty() ? "" : ", ") + problem_.hybrid().legend->equation(root);
    trajectory_.events.push_back({event.t, list + " changes"});
    return action;
}

void Recorder::end(double t, std::span<const double> x, std::span<const double> dx) {
    deliver();
    if (!trajectory_.time.empty() && trajectory_.time.back() == t) points_.remove_last();
    points_.add(t, x.data(), dx.data());
    points_.flush();
}

/// All that was recorded and that decides what will be. One description for both directions.
template <class Archive, class Self>
void Recorder::fields(Archive& archive, Self& self) {
    auto& trajectory = self.trajectory_;
    archive(self.points_.next(), self.steps_, self.certify_every_, self.between_every_, self.checked_at_steps_,
            self.checked_between_, self.last_t_, self.last_x_, self.last_dx_, self.scale_.values(),
            self.check_.written().sizes(), self.worst_, self.points_.integrals(), self.behind_event_,
            self.other_branches_, self.before_, trajectory.time);
    archive.option(self.violation_, [](auto& a, auto& v) { a(v.row, v.hidden, v.t, v.residual); });
    archive.list(self.impulses_, [](auto& a, auto& i) { a(i.output, i.t, i.before, i.after); });
    archive.list(trajectory.steps, [](auto& a, auto& step) { a(step.t, step.h, step.order, step.rejected); });
    for (auto& column : trajectory.values) archive(column);
    for (auto& series : trajectory.residuals)
        archive(series.at_steps, series.at_midpoints, series.max_at_steps, series.max_at_midpoints);
    archive.list(trajectory.events, [](auto& a, auto& event) { a(event.t, event.text); });
}

void Recorder::save(ByteWriter& out) {
    deliver();
    fields(out, *this);
}

bool Recorder::load(ByteReader& in) {
    const std::size_t scales = scale_.values().size(), jets = check_.written().sizes().size(),
                      integrals = points_.integrals().size();
    waiting_ = false;
    fields(in, *this);
    return in.at_end() && scale_.values().size() == scales && check_.written().sizes().size() == jets &&
           points_.integrals().size() == integrals && is_possible();
}

/// Whether a run can have recorded this.
bool Recorder::is_possible() const {
    const auto n = static_cast<std::size_t>(problem_.size());
    const std::size_t points = trajectory_.time.size();
    const auto power_of_two = [](long k) { return k >= 1 && (k & (k - 1)) == 0; };
    if (!trajectory_.is_rectangular() || last_x_.size() != n || last_dx_.size() != n) return false;
    if (steps_ < 0 || static_cast<std::size_t>(steps_) != trajectory_.steps.size()) return false;
    if (!power_of_two(certify_every_) || !power_of_two(between_every_)) return false;
    if (checked_at_steps_ < 0 || checked_at_steps_ > steps_ || checked_between_ < 0 || checked_between_ > steps_)
        return false;
    const int next = points_.next();
    if (next < 1 || (options_.points > 0 && next > options_.points + 1)) return false;
    if (points != (options_.points > 0 ? static_cast<std::size_t>(next) : trajectory_.steps.size() + 1)) return false;
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
    points_.fill(x_.data(), dx_.data());
    waiting_ = false;
    last_t_ = options_.t1;
}

void Recorder::finish() {
    points_.flush();
    if (!end_row_.empty() && pending()) return; // all points are known or will be found
    deliver();
    const bool known = !trajectory_.time.empty() && trajectory_.time.back() == last_t_;
    if (!known && !last_x_.empty()) points_.add(last_t_, last_x_.data(), last_dx_.data());
    points_.flush();
}

} // namespace daedalus::simulation
