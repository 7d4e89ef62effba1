#include "integrate/events.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::integrate {

namespace {
int sign_of(double value) { return (value > 0.0) - (value < 0.0); }
constexpr double doubt = 1e-9; // of the largest value: interpolation and re-initialisation move a zero by less
} // namespace

RootFinder::RootFinder(problem::ImplicitProblem& problem, EventOptions options, const Tolerance& tolerance)
    : problem_(problem), options_(options), norm_(problem, tolerance, NormKind::max), enclosure_(problem) {
    const auto n = static_cast<std::size_t>(problem.size());
    const auto m = static_cast<std::size_t>(problem.hybrid().roots.size);
    x_.resize(n);
    dx_.resize(n);
    for (auto* g : {&g_, &g_probe_, &g_before_}) g->resize(m);
    sign_.resize(m);
    largest_.resize(m);
    scale_.resize(m);
    allowed_.resize(m);
    border_.resize(m);
    rests_.resize(m);
    active_.assign(m, 1);
    for (const problem::UnknownInfo& info : problem.unknowns()) all_states_ = all_states_ && info.differential;
    which_.reserve(m);
    direction_.reserve(m);
}

bool RootFinder::just_located(std::size_t root, double t) const {
    return t == time_ && std::find(which_.begin(), which_.end(), static_cast<int>(root)) != which_.end();
}

/// 0 where a function that has no mode vanishes.
int RootFinder::side_of(std::size_t root, double value) const {
    return has_modes() ? problem_.hybrid().modes.side_of(root, value) : sign_of(value);
}

/// Whether a zero in this direction is an event; in the direction of integration.
bool RootFinder::counts(std::size_t root, int direction) const {
    return problem_.hybrid().direction.empty() || problem_.hybrid().direction[root] == 0 ||
           problem_.hybrid().direction[root] == direction;
}

void RootFinder::begin(double t, const double* x, const double* dx) {
    if (!active()) return;
    (void)problem_.roots(t, x, dx, g_before_.data());
    for (std::size_t k = 0; k < sign_.size(); ++k) {
        if (has_modes())
            sign_[k] = side_[k] > 0 ? 1 : -1;
        else // a function that was just located vanishes up to the round-off of its own evaluation
            sign_[k] = just_located(k, t) ? 0 : sign_of(g_before_[k]);
    }
}

void RootFinder::begin_modes(double t, const double* x, const double* dx, bool forward) {
    problem_.set_modes_at(t, x, dx, forward, side_);
    if (has_modes()) set_modes();
}

void RootFinder::carry(double t, const double* x, const double* dx, const std::vector<signed char>& sides) {
    if (sides.empty() || !has_modes()) return;
    norm_.set_weights(x, 1.0);
    (void)problem_.roots(t, x, dx, g_.data());
    for (std::size_t j = 0; j < x_.size(); ++j) {
        const double mixed = std::cos(1.0 + 2.4 * static_cast<double>(j)); // no two of them cancel in a difference
        x_[j] = x[j] + mixed / norm_.weights()[j];
    }
    (void)problem_.roots(t, x_.data(), dx, g_probe_.data());
    bool changed = false;
    for (std::size_t k = 0; k < side_.size(); ++k) {
        const double unknown = std::abs(g_probe_[k] - g_[k]);
        if (sides[k] == 0 || problem_.hybrid().modes.known_instant[k] || !(std::abs(g_[k]) <= unknown)) continue;
        border_[k] = unknown;
        changed = changed || side_[k] != sides[k];
        side_[k] = sides[k];
    }
    if (changed) set_modes();
}

/// Hands the sides to F.
void RootFinder::set_modes() {
    problem_.set_modes(side_.data());
    if (problem_.hybrid().modes.activity != nullptr)
        problem_.hybrid().modes.activity(problem_.code(), side_.data(), active_.data());
}

void RootFinder::set_sides(std::vector<signed char> sides) {
    side_ = std::move(sides);
    if (has_modes()) set_modes();
}

std::vector<double> RootFinder::state() const {
    std::vector<double> all = scale_;
    all.insert(all.end(), border_.begin(), border_.end());
    all.insert(all.end(), rests_.begin(), rests_.end());
    all.insert(all.end(), allowed_.begin(), allowed_.end());
    return all;
}

void RootFinder::set_state(const std::vector<double>& state) {
    const std::size_t m = scale_.size();
    if (state.size() != 4 * m) return;
    std::copy_n(state.begin(), m, scale_.begin());
    std::copy_n(state.begin() + static_cast<std::ptrdiff_t>(m), m, border_.begin());
    for (std::size_t k = 0; k < m; ++k) rests_[k] = state[2 * m + k] != 0.0 ? 1 : 0;
    std::copy_n(state.begin() + static_cast<std::ptrdiff_t>(3 * m), m, allowed_.begin());
}

void RootFinder::cross() {
    if (!has_modes()) return;
    for (std::size_t i = 0; i < which_.size(); ++i)
        side_[static_cast<std::size_t>(which_[i])] = static_cast<signed char>(direction_[i]);
    set_modes();
}

bool RootFinder::settle(double t, const double* x, const double* dx, bool forward) {
    if (!has_modes()) return false;
    (void)problem_.roots(t, x, dx, g_.data());
    (void)problem_.roots(problem::just_after(t, forward), x, dx, g_probe_.data());
    // What follows from the equations at an event is found to some roundings: a function that the equations keep at
    // zero (x² + y² > 1 on the circle) would change sides with each of them.
    constexpr double roundings = 1024 * std::numeric_limits<double>::epsilon();
    for (std::size_t j = 0; j < x_.size(); ++j)
        x_[j] = x[j] * (1.0 + roundings * std::cos(1.0 + 2.4 * static_cast<double>(j)));
    moved_.resize(g_.size());
    (void)problem_.roots(t, x_.data(), dx, moved_.data());
    bool changed = false;
    for (std::size_t k = 0; k < side_.size(); ++k) {
        const double value = problem_.hybrid().modes.known_instant[k] ? g_probe_[k] : g_[k];
        const auto now = static_cast<signed char>(side_of(k, value));
        if (now == side_[k] || !std::isfinite(value)) continue;
        if (std::abs(value) <= border_[k]) continue;
        const double noise = std::abs(moved_[k] - g_[k]);
        if (!problem_.hybrid().modes.known_instant[k] && value != 0.0 && std::abs(value) <= noise) continue;
        if (!rests_[k]) border_[k] = 0.0;
        if (just_located(k, t) && std::abs(value) <= doubt * largest_[k]) continue;
        side_[k] = now;
        changed = changed || active_[k];
    }
    if (changed) set_modes();
    return changed;
}

std::vector<int> RootFinder::decided_elsewhere() const {
    std::vector<int> list;
    for (std::size_t k = 0; k < side_.size(); ++k)
        if (watched(k) && std::find(which_.begin(), which_.end(), static_cast<int>(k)) == which_.end())
            list.push_back(static_cast<int>(k));
    return list;
}

bool RootFinder::agree(double t, const double* x, const double* dx) {
    (void)problem_.roots(t, x, dx, g_.data());
    for (std::size_t k = 0; k < side_.size(); ++k)
        if (watched(k) && side_of(k, g_[k]) != side_[k] && !(std::abs(g_[k]) <= doubt * scale_[k])) return false;
    return true;
}

void RootFinder::evaluate(const Interpolant& step, double t, bool exactly, std::vector<double>& g) {
    if (exactly && !all_states_)
        step.evaluate_with_states(t, x_.data(), dx_.data());
    else
        step.evaluate(t, x_.data(), dx_.data());
    (void)problem_.roots(t, x_.data(), dx_.data(), g.data());
}

/// Regula falsi with Illinois' modification, guarded by bisection: ends when the bracket is one rounding wide.
double RootFinder::locate(const Interpolant& step, int root, double a, double ga, double b, double gb) {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    int side = 0;
    for (int iteration = 0; iteration < 200; ++iteration) {
        const double width = std::abs(b - a);
        if (gb == 0.0 || width <= 2 * eps * std::max(std::abs(a), std::abs(b))) break;
        double c = iteration % 4 == 3 ? 0.5 * (a + b) : b - gb * (b - a) / (gb - ga);
        if (!(std::min(a, b) < c && c < std::max(a, b))) c = 0.5 * (a + b);
        if (c == a || c == b) break;
        evaluate(step, c, true, g_probe_);
        const double gc = g_probe_[static_cast<std::size_t>(root)];
        if (sign_of(gc) == sign_of(ga)) {
            a = c;
            ga = gc;
            if (side == 1) gb *= 0.5;
            side = 1;
        } else {
            b = c;
            gb = gc;
            if (side == -1) ga *= 0.5;
            side = -1;
        }
    }
    return b; // the far side: the crossing has happened
}

bool RootFinder::at_border(const Stepper& stepper, double tolerance) {
    which_.clear();
    direction_.clear();
    if (!has_modes()) return false;
    (void)problem_.roots(stepper.t(), stepper.x().data(), stepper.dx().data(), g_.data());
    for (std::size_t k = 0; k < side_.size(); ++k) {
        // What was put on the other side here before, or rests there, is not what keeps F from having a value.
        if (!active_[k] || border_[k] > 0.0 || problem_.hybrid().modes.known_instant[k] ||
            !(std::abs(g_[k]) <= tolerance * scale_[k]))
            continue;
        which_.push_back(static_cast<int>(k));
        direction_.push_back(-side_[k]);
        largest_[k] = scale_[k];
        border_[k] = tolerance * scale_[k];
    }
    time_ = stepper.t();
    return !which_.empty();
}

std::vector<signed char> RootFinder::other_sides(double t, const double* x, const double* dx, double tolerance,
                                                 std::vector<signed char> sides) {
    if (!has_modes()) return sides;
    (void)problem_.roots(t, x, dx, g_.data());
    for (std::size_t k = 0; k < sides.size(); ++k)
        if (active_[k] && !problem_.hybrid().modes.known_instant[k] && std::abs(g_[k]) <= tolerance * scale_[k])
            sides[k] = static_cast<signed char>(-sides[k]);
    return sides;
}

void RootFinder::pass_border(std::vector<double>& x, const std::vector<double>& dx, double smallest, double room) {
    std::vector<signed char> other = side_;
    for (std::size_t i = 0; i < which_.size(); ++i)
        other[static_cast<std::size_t>(which_[i])] = static_cast<signed char>(direction_[i]);
    problem_.set_modes(other.data());
    std::vector<double> r(x.size());
    const auto defined = [&](double t, const std::vector<double>& at) {
        return problem_.residual(t, at.data(), dx.data(), r.data()) == problem::EvalStatus::ok;
    };
    if (!defined(time_, x))
        for (double way = smallest; way <= std::abs(room); way *= 2.0) {
            const double ahead = std::copysign(way, room);
            for (std::size_t j = 0; j < x.size(); ++j)
                x_[j] = problem_.unknowns()[j].differential ? x[j] + ahead * dx[j] : x[j];
            (void)problem_.roots(time_ + ahead, x_.data(), dx.data(), g_.data());
            bool beyond = true, near = true;
            for (std::size_t i = 0; i < which_.size(); ++i) {
                const auto k = static_cast<std::size_t>(which_[i]);
                beyond = beyond && sign_of(g_[k]) == direction_[i];
                near = near && std::abs(g_[k]) <= border_[k];
            }
            if (!near) break;
            if (!beyond || !defined(time_ + ahead, x_)) continue;
            x = x_;
            time_ += ahead;
            for (const int root : which_) border_[static_cast<std::size_t>(root)] = 0.0; // they are where they belong
            break;
        }
    problem_.set_modes(side_.data());
}

void RootFinder::note_tolerance(double t, const double* x, const double* dx, std::span<const double> weights) {
    (void)problem_.roots(t, x, dx, g_.data());
    for (std::size_t j = 0; j < x_.size(); ++j)
        x_[j] = x[j] + (j % 2 == 0 ? 1.0 : -1.0) / std::max(weights[j], std::numeric_limits<double>::min());
    (void)problem_.roots(t, x_.data(), dx, g_probe_.data());
    for (const int root : which_) {
        const auto k = static_cast<std::size_t>(root);
        if (const double change = std::abs(g_probe_[k] - g_[k]); change > allowed_[k]) allowed_[k] = change;
    }
    // A solution that stays where it crossed (boiling water) would go back and forth with every rounding.
    constexpr double roundings = 64 * std::numeric_limits<double>::epsilon();
    for (std::size_t j = 0; j < x_.size(); ++j) x_[j] = x[j] * (1.0 + (j % 2 == 0 ? roundings : -roundings));
    (void)problem_.roots(t, x_.data(), dx, g_probe_.data());
    for (const int root : which_) {
        const auto k = static_cast<std::size_t>(root);
        if (const double change = std::abs(g_probe_[k] - g_[k]); change > border_[k]) border_[k] = change;
    }
}

void RootFinder::list_doubtful(double t, std::vector<DoubtfulCondition>& list) const {
    const auto add = [&](int root, DoubtfulCondition::Reason reason) {
        const bool known = std::any_of(list.begin(), list.end(), [&](const DoubtfulCondition& other) {
            return other.root == root && other.reason == reason;
        });
        if (!known) list.push_back({t, root, reason});
    };
    if (unresolved_ >= 0) add(unresolved_, DoubtfulCondition::Reason::too_fast);
    constexpr double half = 0.5;
    for (std::size_t k = 0; k < allowed_.size(); ++k)
        if (scale_[k] > 0.0 && allowed_[k] > half * scale_[k])
            add(static_cast<int>(k), DoubtfulCondition::Reason::below_tolerance);
}

bool RootFinder::rest(const std::vector<int>& roots, double t, const double* x, const double* dx, double tolerance) {
    if (!has_modes() || roots.empty()) return false;
    const auto n = static_cast<std::size_t>(problem_.size());
    std::vector<double> here(n), there(n), moved(n);
    const auto evaluate_rows = [&](const double* at, std::vector<double>& rows) {
        return problem_.residual(t, at, dx, rows.data()) == problem::EvalStatus::ok;
    };
    std::vector<signed char> other = side_;
    for (const int k : roots)
        other[static_cast<std::size_t>(k)] = static_cast<signed char>(-other[static_cast<std::size_t>(k)]);
    bool defined = evaluate_rows(x, here);
    for (std::size_t j = 0; j < n; ++j)
        x_[j] = x[j] + (j % 2 == 0 ? 1.0 : -1.0) * tolerance * std::max(std::abs(x[j]), problem_.unknowns()[j].nominal);
    defined = defined && evaluate_rows(x_.data(), moved);
    problem_.set_modes(other.data());
    defined = defined && evaluate_rows(x, there);
    problem_.set_modes(side_.data());
    if (!defined) return false;
    for (std::size_t i = 0; i < n; ++i)
        if (!(std::abs(there[i] - here[i]) <= std::abs(moved[i] - here[i]))) return false;
    for (const int root : roots) {
        const auto k = static_cast<std::size_t>(root);
        border_[k] = tolerance * scale_[k];
        rests_[k] = 1;
    }
    return true;
}

} // namespace daedalus::integrate
