#include "integrate/root_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace daedalus::integrate {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

// Budgets: they limit the work of one step, and what they leave unresolved is reported (DoubtfulCondition::too_fast).
// At six points a piece, a function may have some 10⁴ zeros in a step; pieces of one step beyond that cost more than a
// thousand steps do.
constexpr int most_halvings = 14;
constexpr int most_pieces = 4096;
constexpr double share_at_first = 0.25; // of them, for what earlier steps had to be cut into: two halvings are left

// Whether the interpolant can be asked. A function is compared with what the solution gives it, relative to its
// distance from zero: an error of a part in ten thousand moves no zero from one sample to the next (0.09 of a piece,
// theta in piecewise_look.hpp), one of a twentieth could nearly do so, and a second place is asked.
constexpr double fine = 1e-4, doubtful = 0.05;
constexpr double elsewhere = 8.0; // the error of an interpolant where it is largest, over that at the places
constexpr double first_place = 0.57, second_place = 0.21; // of the step: no simple fraction, so that no symmetry fits
constexpr int steps_in_doubt = 50;                        // the looks then cost a fiftieth of what they save
constexpr double sideways = 1e-3; // of the unknowns: enough to see in any digit whether a function depends on them

// What cannot be told from zero: 64 roundings, as many as expressions of a few dozen operations make, and a hundredth
// of the tolerance, which is what iterations for algebraic unknowns may leave (local_system.hpp).
constexpr double roundings = 64 * eps, part_of_tolerance = 0.01;

constexpr int most_parabolas = 12;    // they converge with order 1.3 (Brent 1973, ch. 5): 1.3¹² = 23 times the digits
constexpr double off_the_end = 0.02;  // of the bracket: the same without a middle, while parabolas remain accurate
constexpr double close = 1e-4;        // of the bracket: the value at a minimum is then known to the square of that
constexpr double clock_roundings = 4; // within which zeros are one event
constexpr double vanishing = 1e-300;  // only its sign matters, and that divisions by it do not fail

} // namespace

/// By how much, relative to their distance from zero, the functions at t miss what the solution gives them: algebraic
/// unknowns are interpolated between steps, and follow from the states.
double RootSearch::interpolation_error(const Interpolant& step, double t) {
    values_.inside(step, t, false, g_);
    // Where none of them depends on algebraic unknowns there is nothing to be compared.
    std::vector<double>&x = values_.x(), &dx = values_.dx();
    x_probe_ = x;
    dx_probe_ = dx;
    for (std::size_t k = 0; k < x.size(); ++k) {
        const problem::UnknownInfo& info = problem_.unknowns()[k];
        dx_probe_[k] += sideways * (std::abs(dx[k]) + info.nominal);
        if (!info.differential) x_probe_[k] += sideways * (std::abs(x[k]) + info.nominal);
    }
    values_.at(t, x_probe_.data(), dx_probe_.data(), g_probe_);
    const auto difference = [&] {
        double largest = 0.0;
        for (std::size_t k = 0; k < sides_.size(); ++k) {
            if (!sides_.watched(k) || g_probe_[k] == g_[k]) continue;
            const double relative = std::abs(g_probe_[k] - g_[k]) / (std::abs(g_probe_[k]) + vanishing);
            if (!(relative <= largest)) largest = relative;
        }
        return largest;
    };
    if (difference() == 0.0) return 0.0;
    step.follow_states(t, x.data(), dx.data());
    values_.at(t, x.data(), dx.data(), g_probe_);
    const double error = difference();
    for (std::size_t k = 0; k < sides_.size(); ++k)
        off_[k] = std::max(off_[k], elsewhere * std::abs(g_probe_[k] - g_[k]));
    if (error <= fine || error > doubtful) return error;
    return slopes_agree(step, t) ? error : std::numeric_limits<double>::infinity();
}

/// Values that agree more or less may do so by chance: then what the functions do beside t must agree as well, so far
/// that between two samples they stay on their side. g_ and g_probe_ are interpolated and exact values at t.
bool RootSearch::slopes_agree(const Interpolant& step, double t) {
    const double beside = t + PiecewiseLook::aside * (step.end() - step.begin());
    values_.inside(step, beside, false, g_beside_);
    values_.inside(step, beside, true, g_probe_beside_);
    for (std::size_t k = 0; k < sides_.size(); ++k) {
        if (!sides_.watched(k)) continue;
        const double strange = std::abs((g_probe_beside_[k] - g_probe_[k]) - (g_beside_[k] - g_[k]));
        if (0.5 * PiecewiseLook::widest * strange / PiecewiseLook::aside > std::abs(g_probe_[k])) return false;
    }
    return true;
}

/// Whether the interpolant tells where the functions vanish in this step. One look at a function that oscillates within
/// the step may find it where it should be by chance: then a second one decides, and what is found holds for a while.
bool RootSearch::interpolation_tells(const Interpolant& step) {
    off_.assign(sides_.size(), 0.0);
    if (values_.all_states()) return true;
    if (doubted_ > 0) {
        --doubted_;
        return false;
    }
    const double h = step.end() - step.begin();
    double error = interpolation_error(step, step.begin() + first_place * h);
    if (error <= fine) return true;
    if (error <= doubtful) error = interpolation_error(step, step.begin() + second_place * h);
    if (error <= doubtful) return true;
    doubted_ = steps_in_doubt;
    return false;
}

/// Fills samples_ with what is seen in a piece; its first point is known.
void RootSearch::look(const Interpolant& step, const Piece& piece, bool exactly) {
    samples_.resize(PiecewiseLook::points);
    samples_[0].t = piece.begin;
    samples_[0].g = before_;
    const std::vector<double>&x = values_.x(), &dx = values_.dx();
    step.evaluate(piece.begin, values_.x().data(), values_.dx().data());
    enclosure_.note(0, x.data(), dx.data());
    for (std::size_t i = 1; i < samples_.size(); ++i) {
        Sample& sample = samples_[i];
        sample.t =
            i + 1 == samples_.size() ? piece.end : piece.begin + (piece.end - piece.begin) * PiecewiseLook::theta[i];
        values_.inside(step, sample.t, exactly && sample.t != step.end(),
                       sample.g); // steps end with consistent unknowns
        enclosure_.note(i, x.data(), dx.data());
    }
    enclosure_.bound_unknowns(piece.begin, piece.end);
    beside_.clear();
    if (exactly && !values_.all_states()) look_at_slopes(step, piece);
}

/// Fills beside_, if there is a function whose bounds nobody knows.
void RootSearch::look_at_slopes(const Interpolant& step, const Piece& piece) {
    bool needed = false;
    for (std::size_t k = 0; k < sides_.size(); ++k)
        needed = needed || (sides_.watched(k) && (!enclosure_.knows(k) || helpless_[k] > 0));
    if (!needed) return;
    beside_.resize(PiecewiseLook::slopes);
    for (std::size_t i = 0; i < beside_.size(); ++i) {
        beside_[i].t = samples_[i + 1].t + PiecewiseLook::aside * (piece.end - piece.begin);
        values_.inside(step, beside_[i].t, true, beside_[i].g);
    }
}

/// By how much a function's slopes miss what its values tell (PiecewiseLook::slope_error); 0: not looked at.
double RootSearch::slope_error(std::size_t root, const std::array<double, PiecewiseLook::points>& g) const {
    if (beside_.empty()) return 0.0;
    std::array<double, PiecewiseLook::slopes> beside;
    for (std::size_t i = 0; i < beside.size(); ++i) beside[i] = beside_[i].g[root];
    return PiecewiseLook::slope_error(g, beside);
}

/// Whether a function is where it is by far: bounds that cannot tell this from zero in the smallest piece never will (a
/// quotient whose denominator they do not separate from zero), and halving all other pieces would only cost.
bool RootSearch::far_from_zero(const std::array<double, PiecewiseLook::points>& g) {
    constexpr double far = 1e3; // times what it changes by
    const auto [least, most] = std::minmax_element(g.begin(), g.end());
    return std::min(std::abs(*least), std::abs(*most)) > far * (*most - *least);
}

/// The worst that samples_ show. Dips are looked into if they were taken exactly.
PiecewiseLook::Verdict RootSearch::judge(const Interpolant& step, const Piece& piece, bool exactly) {
    using Verdict = PiecewiseLook::Verdict;
    Verdict worst = Verdict::clear;
    only_bounds_ = true;
    dips_.clear();
    std::array<double, PiecewiseLook::points> t;
    for (std::size_t i = 0; i < t.size(); ++i) t[i] = samples_[i].t;
    for (std::size_t k = 0; k < sides_.size(); ++k) {
        if (!sides_.watched(k)) continue;
        std::array<double, PiecewiseLook::points> g;
        double largest = 0.0;
        for (std::size_t i = 0; i < g.size(); ++i) largest = std::max(largest, std::abs(g[i] = samples_[i].g[k]));
        if (largest <= sides_[k].border) continue; // at rest
        const bool bounded = enclosure_.knows(k) && helpless_[k] == 0;
        if (bounded && enclosure_.tells(k, exactly, t, g)) continue;
        const Doubt doubt{.slopes = slope_error(k, g), .values = exactly ? 0.0 : off_[k]};
        PiecewiseLook::Result result = PiecewiseLook::judge(g, noise_.empty() ? 0.0 : noise_[k], doubt);
        if (result.verdict != Verdict::clear && noise_.empty()) {
            measure_noise(step, samples_.back().t);
            result = PiecewiseLook::judge(g, noise_[k], doubt);
        }
        only_bounds_ =
            only_bounds_ && result.verdict == Verdict::clear && bounded && (exactly || !enclosure_.needs_algebra(k));
        if (bounded && piece.depth == most_halvings && result.verdict == Verdict::clear && far_from_zero(g))
            helpless_[k] = steps_in_doubt;
        if (bounded && piece.depth < most_halvings && result.verdict != Verdict::unresolved) {
            // What cannot be told from zero anywhere is not looked for in ever smaller pieces.
            if (noise_.empty()) measure_noise(step, samples_.back().t);
            if (largest > noise_[k]) result.verdict = Verdict::unresolved;
        }
        if (result.verdict == Verdict::dip && exactly) look_into_dip(step, k, result);
        if (result.verdict > worst) doubtful_ = static_cast<int>(k);
        worst = std::max(worst, result.verdict);
    }
    return worst;
}

/// What rounding does to the functions, and a small part of the errors that the tolerance allows: where they come as
/// near to zero as that, nobody can tell on which side they are, and iterations that end there leave what looks like
/// noise.
void RootSearch::measure_noise(const Interpolant& step, double t) {
    values_.inside(step, t, false, g_);
    std::vector<double>&x = values_.x(), &dx = values_.dx();
    norm_.set_weights(x.data(), 1.0);
    for (std::size_t k = 0; k < x.size(); ++k) {
        x[k] += mixed(k) * (part_of_tolerance / norm_.weights()[k] + roundings * std::abs(x[k]));
        dx[k] -= mixed(k) * roundings * std::abs(dx[k]);
    }
    values_.at(t * (1.0 + eps), x.data(), dx.data(), g_probe_);
    noise_.resize(sides_.size());
    for (std::size_t k = 0; k < noise_.size(); ++k) {
        const double change = std::abs(g_probe_[k] - g_[k]);
        noise_[k] = std::isfinite(change) ? change : 0.0;
    }
}

/// The samples between which a function's lowest point lies: the ends of its segment, or where it is nearly at one of
/// them, those of the neighbour as well, for the function may differ that much from the polynomial.
std::pair<std::size_t, std::size_t> RootSearch::around(std::size_t root, const PiecewiseLook::Result& dip) const {
    constexpr double near_end = 0.25; // of the segment
    std::size_t first = static_cast<std::size_t>(dip.segment), last = first + 1;
    const auto& theta = PiecewiseLook::theta;
    const double part = (dip.where - theta[first]) / (theta[last] - theta[first]);
    const double sign = samples_[first].g[root] < 0.0 ? -1.0 : 1.0;
    if (part < near_end && first > 0 && sign * samples_[first - 1].g[root] > 0.0) --first;
    if (part > 1.0 - near_end && last + 1 < samples_.size() && sign * samples_[last + 1].g[root] > 0.0) ++last;
    return {first, last};
}

/// Follows a function between two samples to its lowest point by parabolas, until it has crossed zero.
void RootSearch::look_into_dip(const Interpolant& step, std::size_t root, const PiecewiseLook::Result& dip) {
    const auto [begin, end] = around(root, dip);
    const Sample& first = samples_[begin];
    const Sample& last = samples_[end];
    const double sign = last.g[root] < 0.0 ? -1.0 : 1.0;
    double l = first.t, r = last.t, gl = sign * first.g[root], gr = sign * last.g[root];
    // Not at an end itself: three points make the first parabola.
    double m =
        std::clamp(samples_.front().t + (samples_.back().t - samples_.front().t) * dip.where,
                   std::min(l, r) + off_the_end * std::abs(r - l), std::max(l, r) - off_the_end * std::abs(r - l));
    double gm = std::numeric_limits<double>::infinity();
    for (int look = 0; look < most_parabolas; ++look) {
        const double slope_l = (gl - gm) / (l - m), slope_r = (gr - gm) / (r - m);
        // The vertex of the parabola; at first its place is known.
        double v = m;
        if (look > 0) {
            const double curvature = (slope_r - slope_l) / (r - l);
            v = m - 0.5 * (slope_l + curvature * (m - l)) / curvature;
            const bool between = (v - l) * (r - v) > 0.0;
            if (!between || std::abs(v - m) <= close * std::abs(r - l)) return;
        }
        dips_.push_back({v, {}});
        values_.inside(step, v, true, dips_.back().g);
        const double gv = sign * dips_.back().g[root];
        if (gv < 0.0) return; // kept
        dips_.pop_back();
        if (look == 0) {
            gm = gv;
            if (!(gm < gl || gm < gr)) return;
            continue;
        }
        const bool left_of = (v - m) * (r - l) < 0.0;
        if (gv < gm) {
            (left_of ? r : l) = m;
            (left_of ? gr : gl) = gm;
            m = v;
            gm = gv;
        } else {
            (left_of ? l : r) = v;
            (left_of ? gl : gr) = gv;
        }
    }
}

/// Whether a function is on another side somewhere in samples_ than it was.
bool RootSearch::crossed() const {
    for (const Sample& sample : samples_)
        for (std::size_t k = 0; k < sides_.size(); ++k)
            if (sides_.watched(k) && std::abs(sample.g[k]) > sides_[k].border &&
                sides_.side_of(k, sample.g[k]) != sides_[k].sign)
                return true;
    return false;
}

/// Whether interpolation errors leave the functions on the sides where samples_ show them.
bool RootSearch::sides_are_sure() const {
    for (std::size_t i = 1; i < samples_.size(); ++i)
        for (std::size_t k = 0; k < sides_.size(); ++k)
            if (sides_.watched(k) && off_[k] > 0.0 && std::abs(samples_[i].g[k]) <= off_[k]) return false;
    return true;
}

/// Goes from `left`, where the functions are before_, to a sample: true if there is an event before it.
bool RootSearch::pass(const Interpolant& step, const Sample& sample, LocatedRoots& located, double& left) {
    const bool forward = step.end() > step.begin();
    const double right = sample.t;
    bool found = false;
    for (std::size_t k = 0; k < sides_.size(); ++k) {
        if (!sides_.watched(k)) continue;
        const double g = sample.g[k];
        const int now = sides_.side_now(k, g);
        sides_.see(k, g);
        int& sign = sides_[k].sign;
        if (sign == 0) {
            sign = now;
        } else if (now != sign && std::isfinite(g)) {
            if (!sides_.counts(k, -sign)) {
                if (now != 0) sign = now;
                continue;
            }
            // before_ may have the wrong sign right after a located root; its size then does not matter.
            const double before = sign_of(before_[k]) == sign ? before_[k] : sign * vanishing;
            const double where = now == 0 ? right : locate(step, k, left, before, right, g);
            const double round_off = clock_roundings * eps * std::abs(where);
            const double ahead = forward ? located.time - where : where - located.time;
            if (!found || ahead > round_off) {
                located.clear();
                located.time = where;
                found = true;
            }
            if (std::abs(where - located.time) <= round_off) {
                located.add(k, -sign);
                located.time = forward ? std::max(located.time, where) : std::min(located.time, where);
            }
        }
    }
    if (found) return true;
    before_ = sample.g;
    left = right;
    return false;
}

/// Regula falsi with Illinois' modification, guarded by bisection: ends when the bracket is one rounding wide.
double RootSearch::locate(const Interpolant& step, std::size_t root, double a, double ga, double b, double gb) {
    constexpr int most = 200, bisection = 4; // every fourth time: 50 bisections alone leave a bracket of 2⁻⁵⁰
    int side = 0;
    for (int iteration = 0; iteration < most; ++iteration) {
        const double width = std::abs(b - a);
        if (gb == 0.0 || width <= 2 * eps * std::max(std::abs(a), std::abs(b))) break;
        double c = iteration % bisection == bisection - 1 ? 0.5 * (a + b) : b - gb * (b - a) / (gb - ga);
        if (!(std::min(a, b) < c && c < std::max(a, b))) c = 0.5 * (a + b);
        if (c == a || c == b) break;
        values_.inside(step, c, true, g_probe_);
        const double gc = g_probe_[root];
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

/// The whole step, or pieces of twice the length that was short enough before: what oscillates faster than that could
/// look smooth by chance.
void RootSearch::begin_pieces(const Interpolant& step) {
    const double h = step.end() - step.begin();
    int count = 1;
    if (resolved_ > 0.0)
        count = static_cast<int>(std::clamp(std::abs(h) / (2.0 * resolved_), 1.0, share_at_first * most_pieces));
    pieces_.clear();
    for (int i = count; i-- > 0;) {
        const double begin = i == 0 ? step.begin() : step.begin() + h * i / count;
        pieces_.push_back({begin, i + 1 == count ? step.end() : step.begin() + h * (i + 1) / count, 0});
    }
    looked_ = count;
}

/// Interpolated unknowns are enough for a piece where nothing comes near zero.
PiecewiseLook::Verdict RootSearch::look_and_judge(const Interpolant& step, const Piece& piece, bool all_exactly) {
    using Verdict = PiecewiseLook::Verdict;
    const bool exactly = all_exactly || values_.all_states();
    look(step, piece, exactly);
    const Verdict verdict = judge(step, piece, exactly);
    const bool smaller = only_bounds_ && verdict == Verdict::unresolved && looked_ < most_pieces;
    if (exactly || smaller || (verdict == Verdict::clear && sides_are_sure() && !crossed())) return verdict;
    look(step, piece, true);
    return judge(step, piece, true);
}

bool RootSearch::pass_samples(const Interpolant& step, LocatedRoots& located, double& left) {
    const bool forward = step.end() > step.begin();
    for (Sample& dip : dips_) samples_.push_back(std::move(dip));
    std::sort(samples_.begin(), samples_.end(),
              [&](const Sample& a, const Sample& b) { return forward ? a.t < b.t : a.t > b.t; });
    for (std::size_t i = 1; i < samples_.size(); ++i)
        if (pass(step, samples_[i], located, left)) return true;
    return false;
}

bool RootSearch::find(const Interpolant& step, LocatedRoots& located) {
    located.clear();
    if (!sides_.begin_step(before_)) return false;
    noise_.clear();
    helpless_.resize(sides_.size(), 0);
    for (int& steps : helpless_) steps = std::max(0, steps - 1);
    const bool all_exactly = !interpolation_tells(step);
    begin_pieces(step);
    double left = step.begin();
    int passed = 0, halved = 0;
    bool found = false;
    while (!pieces_.empty() && !found) {
        const Piece piece = pieces_.back();
        pieces_.pop_back();
        const PiecewiseLook::Verdict verdict = look_and_judge(step, piece, all_exactly);
        if (verdict == PiecewiseLook::Verdict::unresolved && piece.depth < most_halvings) {
            if (looked_ < most_pieces) {
                const double middle = piece.begin + 0.5 * (piece.end - piece.begin);
                pieces_.push_back({middle, piece.end, piece.depth + 1});
                pieces_.push_back({piece.begin, middle, piece.depth + 1});
                looked_ += 2;
                ++halved;
                continue;
            }
            unresolved_ = doubtful_;
        }
        ++passed;
        found = pass_samples(step, located, left);
    }
    const double way = std::abs((found ? located.time : step.end()) - step.begin());
    if (halved > 0)
        resolved_ = way / passed;
    else if (resolved_ > 0.0)
        resolved_ = passed > 1 ? 2.0 * resolved_ : 0.0;
    return found;
}

} // namespace daedalus::integrate
