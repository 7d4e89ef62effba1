#include "integrate/events.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::integrate {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

// Interpolation and re-initialisation move a zero by a part of the tolerance of the point, which is 1e-9 of the largest
// value or more at any tolerance that is asked for.
constexpr double doubt = 1e-9;
// What follows from the equations at an event is found to some roundings: a function that the equations keep at zero
// (x²
// + y² > 1 on the circle) would change sides with each of them. 1024: what iterations for it count as round-off.
constexpr double roundings_of_equations = 1024 * eps;
// A solution that stays where it crossed (boiling water) would go back and forth with every rounding: as many as
// expressions of a few dozen operations make.
constexpr double roundings_of_point = 64 * eps;
// A function whose values are no larger than twice what the tolerance lets them be off has no sign to be trusted.
constexpr double half = 0.5;

} // namespace

RootFinder::RootFinder(problem::ImplicitProblem& problem, EventOptions options, const Tolerance& tolerance)
    : problem_(problem), options_(options), norm_(problem, tolerance, NormKind::max), sides_(problem), values_(problem),
      search_(problem, sides_, values_, norm_) {}

void RootFinder::begin(double t, const double* x, const double* dx) {
    if (!active()) return;
    values_.at(t, x, dx, search_.before());
    sides_.begin(t, search_.before(), located_);
}

bool RootFinder::find(const Stepper& stepper, ConsistentOutput& consistent, double t_before) {
    return search_.find(Interpolant(stepper, consistent, t_before, stepper.t()), located_);
}

void RootFinder::carry(double t, const double* x, const double* dx, const std::vector<signed char>& sides) {
    if (sides.empty() || !has_modes()) return;
    norm_.set_weights(x, 1.0);
    values_.at(t, x, dx, g_);
    values_.near_by(
        t, dx, [&](std::size_t j) { return x[j] + mixed(j) / norm_.weights()[j]; }, g_probe_);
    bool changed = false;
    for (std::size_t k = 0; k < sides_.size(); ++k) {
        const double unknown = std::abs(g_probe_[k] - g_[k]);
        if (sides[k] == 0 || sides_.known_instant(k) || !(std::abs(g_[k]) <= unknown)) continue;
        sides_[k].border = unknown;
        changed = changed || sides_.mode(k) != sides[k];
        sides_.set_mode(k, sides[k]);
    }
    if (changed) sides_.hand_over();
}

void RootFinder::cross() {
    if (has_modes()) sides_.set_modes(sides_.modes_beyond(located_));
}

void RootFinder::find_changes(double t, const double* x, const double* dx, bool forward) {
    changes_.clear();
    values_.at(t, x, dx, g_);
    values_.at(problem::just_after(t, forward), x, dx, g_probe_);
    values_.near_by(
        t, dx, [&](std::size_t j) { return x[j] * (1.0 + roundings_of_equations * mixed(j)); }, moved_);
    for (std::size_t k = 0; k < sides_.size(); ++k) {
        RootSides::Function& function = sides_[k];
        const double value = sides_.known_instant(k) ? g_probe_[k] : g_[k];
        const int now = sides_.side_of(k, value);
        if (now == sides_.mode(k) || !std::isfinite(value) || std::abs(value) <= function.border) continue;
        const double noise = std::abs(moved_[k] - g_[k]);
        if (!sides_.known_instant(k) && value != 0.0 && std::abs(value) <= noise) continue;
        if (!function.rests) function.border = 0.0;
        const bool just_located = t == located_.time && located_.contain(k);
        if (just_located && std::abs(value) <= doubt * function.largest) continue;
        changes_.emplace_back(k, now);
    }
}

bool RootFinder::settle(double t, const double* x, const double* dx, bool forward) {
    if (!has_modes()) return false;
    find_changes(t, x, dx, forward);
    bool changed = false;
    for (const auto& [k, now] : changes_) {
        sides_.set_mode(k, now);
        changed = changed || sides_.active(k);
    }
    if (changed) sides_.hand_over();
    return changed;
}

std::optional<double> RootFinder::settle_first(double t, std::span<const double> from_x,
                                               std::span<const double> from_dx, const double* x, const double* dx,
                                               bool forward) {
    if (!has_modes()) return std::nullopt;
    find_changes(t, x, dx, forward);
    std::erase_if(changes_, [&](const auto& change) { return !sides_.active(change.first); });
    if (changes_.empty()) return std::nullopt;
    values_.at(t, from_x.data(), from_dx.data(), g_probe_);
    std::vector<double> part;
    for (const auto& [k, now] : changes_) {
        const bool on_the_way = sign_of(g_probe_[k]) == -sign_of(g_[k]);
        part.push_back(on_the_way ? g_probe_[k] / (g_probe_[k] - g_[k]) : 0.0);
    }
    const double first = *std::min_element(part.begin(), part.end());
    for (std::size_t i = 0; i < part.size(); ++i)
        if (part[i] <= first + roundings_of_point) sides_.set_mode(changes_[i].first, changes_[i].second);
    sides_.hand_over();
    return first;
}

std::vector<int> RootFinder::decided_elsewhere() const {
    std::vector<int> list;
    for (std::size_t k = 0; k < sides_.modes().size(); ++k)
        if (sides_.watched(k) && !located_.contain(k)) list.push_back(static_cast<int>(k));
    return list;
}

bool RootFinder::agree(double t, const double* x, const double* dx) {
    values_.at(t, x, dx, g_);
    for (std::size_t k = 0; k < sides_.modes().size(); ++k)
        if (sides_.watched(k) && sides_.side_of(k, g_[k]) != sides_.mode(k) &&
            !(std::abs(g_[k]) <= doubt * sides_[k].scale))
            return false;
    return true;
}

bool RootFinder::far_from_zero(const std::vector<int>& roots, double t, const double* x, const double* dx) {
    constexpr double far = 1e-6; // root of rounding: what an iteration leaves of a function that it cannot move is less
    values_.at(t, x, dx, g_);
    return std::all_of(roots.begin(), roots.end(), [&](int root) {
        const auto k = static_cast<std::size_t>(root);
        return std::abs(g_[k]) > far * sides_[k].scale;
    });
}

bool RootFinder::at_border(const Stepper& stepper, double tolerance) {
    located_.clear();
    if (!has_modes()) return false;
    values_.at(stepper.t(), stepper.x().data(), stepper.dx().data(), g_);
    for (std::size_t k = 0; k < sides_.size(); ++k) {
        RootSides::Function& function = sides_[k];
        // What was put on the other side here before, or rests there, is not what keeps F from having a value.
        if (!sides_.active(k) || function.border > 0.0 || sides_.known_instant(k) ||
            !(std::abs(g_[k]) <= tolerance * function.scale))
            continue;
        located_.add(k, -sides_.mode(k));
        function.largest = function.scale;
        function.border = tolerance * function.scale;
    }
    located_.time = stepper.t();
    return !located_.which.empty();
}

std::vector<signed char> RootFinder::other_sides(double t, const double* x, const double* dx, double tolerance,
                                                 std::vector<signed char> sides) {
    if (!has_modes()) return sides;
    values_.at(t, x, dx, g_);
    for (std::size_t k = 0; k < sides.size(); ++k)
        if (sides_.active(k) && !sides_.known_instant(k) && std::abs(g_[k]) <= tolerance * sides_[k].scale)
            sides[k] = static_cast<signed char>(-sides[k]);
    return sides;
}

void RootFinder::pass_border(std::vector<double>& x, const std::vector<double>& dx, double smallest, double room) {
    problem_.set_modes(sides_.modes_beyond(located_).data());
    std::vector<double> r(x.size());
    const auto defined = [&](double t, const std::vector<double>& at) {
        return problem_.residual(t, at.data(), dx.data(), r.data()) == problem::EvalStatus::ok;
    };
    if (!defined(located_.time, x))
        for (double way = smallest; way <= std::abs(room); way *= 2.0) {
            const double ahead = std::copysign(way, room), t = located_.time + ahead;
            const auto moved = [&](std::size_t j) {
                return problem_.unknowns()[j].differential ? x[j] + ahead * dx[j] : x[j];
            };
            values_.near_by(t, dx.data(), moved, g_);
            bool beyond = true, near = true;
            for (std::size_t i = 0; i < located_.which.size(); ++i) {
                const auto k = static_cast<std::size_t>(located_.which[i]);
                beyond = beyond && sign_of(g_[k]) == located_.direction[i];
                near = near && std::abs(g_[k]) <= sides_[k].border;
            }
            if (!near) break;
            if (!beyond || !defined(t, values_.x())) continue;
            x = values_.x();
            located_.time += ahead;
            for (const int k : located_.which) sides_[static_cast<std::size_t>(k)].border = 0.0; // where they belong
            break;
        }
    problem_.set_modes(sides_.modes().data());
}

void RootFinder::note_tolerance(double t, const double* x, const double* dx, std::span<const double> weights) {
    values_.at(t, x, dx, g_);
    const auto largest_change = [&](auto moved, double RootSides::Function::*of) {
        values_.near_by(t, dx, moved, g_probe_);
        for (const int root : located_.which) {
            const auto k = static_cast<std::size_t>(root);
            if (const double change = std::abs(g_probe_[k] - g_[k]); change > sides_[k].*of) sides_[k].*of = change;
        }
    };
    constexpr double smallest = std::numeric_limits<double>::min();
    largest_change([&](std::size_t j) { return x[j] + alternating(j) / std::max(weights[j], smallest); },
                   &RootSides::Function::allowed);
    largest_change([&](std::size_t j) { return x[j] * (1.0 + alternating(j) * roundings_of_point); },
                   &RootSides::Function::border);
}

void RootFinder::list_doubtful(double t, std::vector<DoubtfulCondition>& list) const {
    const auto add = [&](int root, DoubtfulCondition::Reason reason) {
        const bool known = std::any_of(list.begin(), list.end(), [&](const DoubtfulCondition& other) {
            return other.root == root && other.reason == reason;
        });
        if (!known) list.push_back({t, root, reason});
    };
    if (unresolved()) add(search_.unresolved(), DoubtfulCondition::Reason::too_fast);
    for (std::size_t k = 0; k < sides_.size(); ++k)
        if (sides_[k].scale > 0.0 && sides_[k].allowed > half * sides_[k].scale)
            add(static_cast<int>(k), DoubtfulCondition::Reason::below_tolerance);
}

bool RootFinder::rest(const std::vector<int>& roots, double t, const double* x, const double* dx, double tolerance) {
    if (!has_modes() || roots.empty()) return false;
    const auto n = static_cast<std::size_t>(problem_.size());
    std::vector<double> here(n), there(n), moved(n), at(n);
    const auto evaluate_rows = [&](const double* point, std::vector<double>& rows) {
        return problem_.residual(t, point, dx, rows.data()) == problem::EvalStatus::ok;
    };
    std::vector<signed char> other = sides_.modes();
    for (const int k : roots)
        other[static_cast<std::size_t>(k)] = static_cast<signed char>(-other[static_cast<std::size_t>(k)]);
    bool defined = evaluate_rows(x, here);
    for (std::size_t j = 0; j < n; ++j)
        at[j] = x[j] + alternating(j) * tolerance * std::max(std::abs(x[j]), problem_.unknowns()[j].nominal);
    defined = defined && evaluate_rows(at.data(), moved);
    problem_.set_modes(other.data());
    defined = defined && evaluate_rows(x, there);
    problem_.set_modes(sides_.modes().data());
    if (!defined) return false;
    for (std::size_t i = 0; i < n; ++i)
        if (!(std::abs(there[i] - here[i]) <= std::abs(moved[i] - here[i]))) return false;
    for (const int root : roots) {
        RootSides::Function& function = sides_[static_cast<std::size_t>(root)];
        function.border = tolerance * function.scale;
        function.rests = true;
    }
    return true;
}

} // namespace daedalus::integrate
