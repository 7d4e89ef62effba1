// The search for zeros of root functions in a step: pieces, samples, dips.
#include "integrate/events.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::integrate {

namespace {
int sign_of(double value) { return (value > 0.0) - (value < 0.0); }
constexpr int most_halvings = 14;
constexpr int most_pieces = 4096; // of a step
} // namespace

/// By how much, relative to their distance from zero, the functions at t miss what the solution gives them: algebraic
/// unknowns are interpolated between steps, and follow from the states.
double RootFinder::interpolation_error(const Interpolant& step, double t) {
    evaluate(step, t, false, g_);
    // Where none of them depends on algebraic unknowns there is nothing to be compared.
    constexpr double shift = 1e-3;
    x_probe_ = x_;
    dx_probe_ = dx_;
    for (std::size_t k = 0; k < x_.size(); ++k) {
        const problem::UnknownInfo& info = problem_.unknowns()[k];
        dx_probe_[k] += shift * (std::abs(dx_[k]) + info.nominal);
        if (!info.differential) x_probe_[k] += shift * (std::abs(x_[k]) + info.nominal);
    }
    (void)problem_.roots(t, x_probe_.data(), dx_probe_.data(), g_probe_.data());
    const auto difference = [&] {
        double largest = 0.0;
        for (std::size_t k = 0; k < sign_.size(); ++k) {
            if (!watched(k) || g_probe_[k] == g_[k]) continue;
            const double relative = std::abs(g_probe_[k] - g_[k]) / (std::abs(g_probe_[k]) + 1e-300);
            if (!(relative <= largest)) largest = relative;
        }
        return largest;
    };
    if (difference() == 0.0) return 0.0;
    step.follow_states(t, x_.data(), dx_.data());
    (void)problem_.roots(t, x_.data(), dx_.data(), g_probe_.data());
    return difference();
}

/// Whether the interpolant tells where the functions vanish in this step. One look at a function that oscillates within
/// the step may find it where it should be by chance: then a second one decides, and what is found holds for a while.
bool RootFinder::interpolation_tells(const Interpolant& step) {
    if (all_states_) return true;
    if (doubted_ > 0) {
        --doubted_;
        return false;
    }
    constexpr double fine = 1e-4, doubtful = 0.05;
    const double h = step.end() - step.begin();
    double error = interpolation_error(step, step.begin() + 0.57 * h);
    if (error <= fine) return true;
    if (error <= doubtful) error = interpolation_error(step, step.begin() + 0.21 * h);
    if (error <= doubtful) return true;
    doubted_ = 50; // steps
    return false;
}

/// Fills samples_ with what is seen in a piece; its first point is known.
void RootFinder::look(const Interpolant& step, const Piece& piece, bool exactly) {
    samples_.resize(PiecewiseLook::points);
    samples_[0].t = piece.begin;
    samples_[0].g = g_before_;
    step.evaluate(piece.begin, x_.data(), dx_.data());
    enclosure_.note(0, x_.data(), dx_.data());
    for (std::size_t i = 1; i < samples_.size(); ++i) {
        Sample& sample = samples_[i];
        sample.g.resize(sign_.size());
        sample.t =
            i + 1 == samples_.size() ? piece.end : piece.begin + (piece.end - piece.begin) * PiecewiseLook::theta[i];
        evaluate(step, sample.t, exactly && sample.t != step.end(), sample.g); // steps end with consistent unknowns
        enclosure_.note(i, x_.data(), dx_.data());
    }
    enclosure_.bound_unknowns(piece.begin, piece.end);
}

/// The worst that samples_ show. Dips are looked into if they were taken exactly.
PiecewiseLook::Verdict RootFinder::judge(const Interpolant& step, const Piece& piece, bool exactly) {
    using Verdict = PiecewiseLook::Verdict;
    Verdict worst = Verdict::clear;
    only_bounds_ = true;
    dips_.clear();
    std::array<double, PiecewiseLook::points> t;
    for (std::size_t i = 0; i < t.size(); ++i) t[i] = samples_[i].t;
    for (std::size_t k = 0; k < sign_.size(); ++k) {
        if (!watched(k)) continue;
        std::array<double, PiecewiseLook::points> g;
        double largest = 0.0;
        for (std::size_t i = 0; i < g.size(); ++i) largest = std::max(largest, std::abs(g[i] = samples_[i].g[k]));
        if (largest <= border_[k]) continue; // at rest
        if (enclosure_.knows(k) && enclosure_.tells(k, exactly, t, g)) continue;
        PiecewiseLook::Result result = PiecewiseLook::judge(g, noise_.empty() ? 0.0 : noise_[k]);
        if (result.verdict != Verdict::clear && noise_.empty()) {
            measure_noise(step, samples_.back().t);
            result = PiecewiseLook::judge(g, noise_[k]);
        }
        only_bounds_ = only_bounds_ && result.verdict == Verdict::clear && enclosure_.knows(k) &&
                       (exactly || !enclosure_.needs_algebra(k));
        if (enclosure_.knows(k) && piece.depth < most_halvings && result.verdict != Verdict::unresolved) {
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
void RootFinder::measure_noise(const Interpolant& step, double t) {
    constexpr double roundings = 64 * std::numeric_limits<double>::epsilon(), part = 0.01;
    evaluate(step, t, false, g_);
    norm_.set_weights(x_.data(), 1.0);
    for (std::size_t k = 0; k < x_.size(); ++k) {
        const double mixed = std::cos(1.0 + 2.4 * static_cast<double>(k)); // no two of them cancel in a difference
        x_[k] += mixed * (part / norm_.weights()[k] + roundings * std::abs(x_[k]));
        dx_[k] -= mixed * roundings * std::abs(dx_[k]);
    }
    (void)problem_.roots(t * (1.0 + std::numeric_limits<double>::epsilon()), x_.data(), dx_.data(), g_probe_.data());
    noise_.resize(sign_.size());
    for (std::size_t k = 0; k < noise_.size(); ++k) {
        const double change = std::abs(g_probe_[k] - g_[k]);
        noise_[k] = std::isfinite(change) ? change : 0.0;
    }
}

/// Follows a function between two samples to its lowest point by parabolas, until it has crossed zero.
void RootFinder::look_into_dip(const Interpolant& step, std::size_t root, const PiecewiseLook::Result& dip) {
    const Sample& first = samples_[static_cast<std::size_t>(dip.segment)];
    const Sample& last = samples_[static_cast<std::size_t>(dip.segment) + 1];
    const double sign = last.g[root] < 0.0 ? -1.0 : 1.0;
    double l = first.t, r = last.t, gl = sign * first.g[root], gr = sign * last.g[root];
    double m = samples_.front().t + (samples_.back().t - samples_.front().t) * dip.where;
    constexpr int most = 12;
    double gm = std::numeric_limits<double>::infinity();
    for (int look = 0; look < most; ++look) {
        const double slope_l = (gl - gm) / (l - m), slope_r = (gr - gm) / (r - m);
        // The vertex of the parabola; at first its place is known.
        double v = m;
        if (look > 0) {
            const double curvature = (slope_r - slope_l) / (r - l);
            v = m - 0.5 * (slope_l + curvature * (m - l)) / curvature;
            constexpr double close = 1e-4;
            const bool inside = (v - l) * (r - v) > 0.0;
            if (!inside || std::abs(v - m) <= close * std::abs(r - l)) return;
        }
        dips_.push_back({v, std::vector<double>(sign_.size())});
        evaluate(step, v, true, dips_.back().g);
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
bool RootFinder::crossed() const {
    for (const Sample& sample : samples_)
        for (std::size_t k = 0; k < sign_.size(); ++k)
            if (watched(k) && std::abs(sample.g[k]) > border_[k] && side_of(k, sample.g[k]) != sign_[k]) return true;
    return false;
}

/// Goes from `left`, where the functions are g_before_, to a sample: true if there is an event before it.
bool RootFinder::pass(const Interpolant& step, const Sample& sample, double& left) {
    const bool forward = step.end() > step.begin();
    const double right = sample.t;
    bool found = false;
    for (std::size_t k = 0; k < sign_.size(); ++k) {
        if (!watched(k)) continue;
        const double g = sample.g[k];
        const int now = std::abs(g) <= border_[k] ? sign_[k] : side_of(k, g);
        largest_[k] = std::max(largest_[k], std::abs(g));
        scale_[k] = std::max(scale_[k], largest_[k]);
        if (sign_[k] == 0) {
            sign_[k] = now;
        } else if (now != sign_[k] && std::isfinite(g)) {
            if (!counts(k, -sign_[k])) {
                if (now != 0) sign_[k] = now;
                continue;
            }
            // g_before_ may have the wrong sign right after a located root; its size then does not matter.
            const double before = sign_of(g_before_[k]) == sign_[k] ? g_before_[k] : sign_[k] * 1e-300;
            const double where = now == 0 ? right : locate(step, static_cast<int>(k), left, before, right, g);
            const double round_off = 4 * std::numeric_limits<double>::epsilon() * std::abs(where);
            const double ahead = forward ? time_ - where : where - time_;
            if (!found || ahead > round_off) {
                which_.clear();
                direction_.clear();
                time_ = where;
                found = true;
            }
            if (std::abs(where - time_) <= round_off) {
                which_.push_back(static_cast<int>(k));
                direction_.push_back(-sign_[k]);
                time_ = forward ? std::max(time_, where) : std::min(time_, where);
            }
        }
    }
    if (found) return true;
    g_before_ = sample.g;
    left = right;
    return false;
}

/// The whole step, or pieces of twice the length that was short enough before: what oscillates faster than that could
/// look smooth by chance.
void RootFinder::begin_pieces(double t_before, double t_end) {
    const double h = t_end - t_before;
    int count = 1;
    if (resolved_ > 0.0) count = static_cast<int>(std::clamp(std::abs(h) / (2.0 * resolved_), 1.0, 0.25 * most_pieces));
    pieces_.clear();
    for (int i = count; i-- > 0;) {
        const double begin = i == 0 ? t_before : t_before + h * i / count;
        pieces_.push_back({begin, i + 1 == count ? t_end : t_before + h * (i + 1) / count, 0});
    }
}

bool RootFinder::find(const Stepper& stepper, ConsistentOutput& consistent, double t_before) {
    which_.clear();
    direction_.clear();
    bool any = false;
    for (std::size_t k = 0; k < sign_.size(); ++k) {
        any = any || watched(k);
        largest_[k] = std::abs(g_before_[k]);
        if (largest_[k] > border_[k] && !rests_[k]) border_[k] = 0.0; // it has left the border that it was put over
    }
    if (!any) return false;
    const double t_end = stepper.t();
    const Interpolant step(stepper, consistent, t_before, t_end);
    noise_.clear();
    const bool all_exactly = !interpolation_tells(step);
    begin_pieces(t_before, t_end);
    double left = t_before;
    int looked = static_cast<int>(pieces_.size()), passed = 0, halved = 0;
    bool found = false;
    while (!pieces_.empty() && !found) {
        const Piece piece = pieces_.back();
        pieces_.pop_back();
        bool exactly = all_exactly || all_states_;
        look(step, piece, exactly);
        PiecewiseLook::Verdict verdict = judge(step, piece, exactly);
        const bool smaller = only_bounds_ && verdict == PiecewiseLook::Verdict::unresolved && looked < most_pieces;
        if (!exactly && !smaller && (verdict != PiecewiseLook::Verdict::clear || crossed())) {
            exactly = true;
            look(step, piece, exactly);
            verdict = judge(step, piece, exactly);
        }
        if (verdict == PiecewiseLook::Verdict::unresolved && piece.depth < most_halvings) {
            if (looked < most_pieces) {
                const double middle = piece.begin + 0.5 * (piece.end - piece.begin);
                pieces_.push_back({middle, piece.end, piece.depth + 1});
                pieces_.push_back({piece.begin, middle, piece.depth + 1});
                looked += 2;
                ++halved;
                continue;
            }
            unresolved_ = doubtful_;
        }
        ++passed;
        for (Sample& dip : dips_) samples_.push_back(std::move(dip));
        std::sort(samples_.begin(), samples_.end(),
                  [&](const Sample& a, const Sample& b) { return t_end > t_before ? a.t < b.t : a.t > b.t; });
        for (std::size_t i = 1; i < samples_.size() && !found; ++i) found = pass(step, samples_[i], left);
    }
    const double way = std::abs((found ? time_ : t_end) - t_before);
    if (halved > 0)
        resolved_ = way / passed;
    else if (resolved_ > 0.0)
        resolved_ = passed > 1 ? 2.0 * resolved_ : 0.0;
    return found;
}

} // namespace daedalus::integrate
