#include "analysis/differentiation_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace daedalus::analysis {

namespace {

bool same_ranks(const ArrayRanks& a, const ArrayRanks& b) {
    return a.derivatives.rank == b.derivatives.rank && a.all.rank == b.all.rank && a.tangent.rank == b.tangent.rank &&
           a.one_full == b.one_full;
}

// Within noise no difference of ranks is proved: only a wide gap is a witness.
constexpr double proof = 1e6;
double gap(const ArrayRanks& r) { return r.derivatives.kept / std::max(r.derivatives.dropped, 1e-16); }

// Beside (t, z) on the solution set of F_k = 0: moved by about a percent in all unknowns and a little in time, then
// returned to it. (Where nothing is found at the other time, at this one.)
std::optional<ArrayRanks> neighbour(problem::DerivativeArray& array, int order, double t, std::span<const double> z,
                                    std::minstd_rand& random) {
    std::uniform_real_distribution<double> share(-1.0, 1.0);
    std::vector<double> moved(z.begin(), z.end());
    const auto n = static_cast<std::size_t>(array.unknowns());
    for (std::size_t j = 0; j < moved.size(); ++j) {
        const double nominal = array.infos.empty() ? 1.0 : array.infos[j % n].nominal;
        moved[j] += 1e-2 * share(random) * std::max(std::abs(moved[j]), 0.1 * nominal);
    }
    const double later = t + 1e-3 * share(random) * std::max(1.0, std::abs(t));
    for (const double at : {later, t})
        if (const ArrayPoint p = consistent_point(array, order, at, moved, HoldX::no); p.consistent)
            return array_ranks(array, order, at, p.z);
    return std::nullopt;
}

std::string gap_text(const linalg::RankGap& g) {
    return fmt::format("rank {} of {} × {}: smallest singular value kept {}, largest dropped {:.2g}", g.rank, g.rows,
                       g.cols, std::isfinite(g.kept) ? fmt::format("{:.2g}", g.kept) : "none", g.dropped);
}

class IndexSearch {
public:
    IndexSearch(problem::DerivativeArray& array, double t, const IndexOptions& options)
        : array_(array), t_(t), options_(options), random_(options.seed) {
        out_.per_unknown.assign(static_cast<std::size_t>(array.unknowns()), -1);
    }

    ArrayIndex run(const PointSource& source) {
        for (int k = 0; k <= options_.max_order && !out_.differentiation; ++k) {
            if (array_.rows(k) > options_.max_rows)
                return give_up(fmt::format("not determined: after {} differentiations the derivative array has {} "
                                           "equations, more than the {} that are looked at",
                                           k, array_.rows(k), options_.max_rows));
            if (!array_.prepare(k)) return give_up("not determined: " + array_.why_not());
            std::string why_not;
            const auto z = source.at(k, why_not);
            if (!z) return give_up("not determined: " + why_not);
            auto ranks = array_ranks(array_, k, t_, *z);
            if (!ranks)
                return give_up(fmt::format("not determined: the equations differentiated {} times have no finite "
                                           "Jacobian at the point",
                                           k));
            out_.point.order = k;
            out_.point.t = t_;
            out_.point.z = *z;
            out_.point.consistent = true;
            compare_with_neighbours(k, *z, *ranks);
            take(*std::move(ranks));
            if (dead_end()) break;
        }
        return conclude();
    }

private:
    ArrayIndex give_up(std::string reason) {
        out_.decided = false;
        out_.reason = std::move(reason);
        if (!out_.constant_rank) out_.strangeness.reset(); // found beside the point, and nothing confirms it
        return std::move(out_);
    }

    // What most points show is generic: a point of its own kind is singular.
    void compare_with_neighbours(int k, std::span<const double> z, ArrayRanks& ranks) {
        std::vector<ArrayRanks> others;
        for (int i = 0; i < options_.neighbours; ++i)
            if (auto other = neighbour(array_, k, t_, z, random_)) others.push_back(*std::move(other));
        if (others.size() < 2 || same_ranks(ranks, others.front())) return;
        // The wider gap is the better witness.
        if (gap(ranks) < proof || gap(others[0]) < proof || gap(others[1]) < proof) {
            for (ArrayRanks& other : others)
                if (gap(other) > gap(ranks)) ranks = std::move(other);
            return;
        }
        if (!same_ranks(others[0], others[1])) {
            out_.constant_rank = false;
            return;
        }
        // Which of the ranks it is.
        const auto of = [&](const ArrayRanks& r) -> const linalg::RankGap& {
            return ranks.derivatives.rank != others[0].derivatives.rank ? r.derivatives
                   : ranks.all.rank != others[0].all.rank               ? r.all
                                                                        : r.tangent;
        };
        if (out_.constant_rank)
            out_.warnings.push_back(fmt::format(
                "the point is singular: after {} differentiation{} the Jacobian has {} here, but rank {} beside it. "
                "Indices are those of the neighbourhood",
                k, k == 1 ? "" : "s", gap_text(of(ranks)), of(others[0]).rank));
        out_.constant_rank = false;
        ranks = std::move(others[0]);
    }

    void take(ArrayRanks&& r) {
        const int k = r.order;
        out_.full_row_rank = out_.full_row_rank && r.full_row_rank;
        for (std::size_t i = 0; i < r.determined.size(); ++i)
            if (r.determined[i] && out_.per_unknown[i] < 0) out_.per_unknown[i] = k;
        if (!out_.strangeness && r.strangeness_free && r.decided) {
            out_.strangeness = k;
            out_.differential = r.dynamics;
            out_.algebraic = r.constraints;
        }
        if (r.one_full) out_.differentiation = k;
        // A doubtful rank at an order that settles nothing does no harm: the next one is looked at anyway.
        if (r.one_full && !r.decided) doubt_ = gap_text(r.derivatives.decided ? r.tangent : r.derivatives);
        out_.by_order.push_back(std::move(r));
    }

    // Redundant equations stay redundant: once they are as many at every order, nothing more can be learned.
    [[nodiscard]] bool dead_end() const {
        const std::size_t k = out_.by_order.size();
        if (k < 4) return false;
        const auto more = [&](std::size_t i) { return out_.by_order[i].redundant - out_.by_order[i - 1].redundant; };
        const auto hidden = [&](std::size_t i) {
            return out_.by_order[i].constraints - out_.by_order[i - 1].constraints;
        };
        return more(k - 1) > 0 && more(k - 1) == more(k - 2) && hidden(k - 1) == 0 && hidden(k - 2) == 0;
    }

    // A differentiation never uncovers more equations without derivatives than the one before it. Where the ranks say
    // so, and those of the next order are beyond doubt while these are within noise, a value that rounding left of zero
    // was taken for a rank.
    void correct_noisy_ranks() {
        std::vector<ArrayRanks>& list = out_.by_order;
        const auto uncovered = [&](std::size_t k) {
            const auto all = [&](std::size_t i) { return list[i].derivatives.rows - list[i].derivatives.rank; };
            return all(k) - all(k - 1);
        };
        bool corrected = false;
        for (std::size_t k = list.size() - 1; k-- > 1;)
            while (uncovered(k + 1) > uncovered(k) && gap(list[k]) < proof && gap(list[k + 1]) > proof) {
                --list[k].derivatives.rank;
                ++list[k].constraints;
                corrected = true;
            }
        const auto before = static_cast<std::size_t>(*out_.differentiation - 1);
        const ArrayRanks& last = list.back();
        if (!corrected || !last.strangeness_free || list[before].constraints != last.constraints) return;
        list[before].strangeness_free = true;
        list[before].dynamics = last.dynamics;
        out_.strangeness = static_cast<int>(before);
        out_.differential = last.dynamics;
        out_.algebraic = last.constraints;
    }

    ArrayIndex conclude() {
        const std::size_t k = out_.by_order.size();
        if (!out_.full_row_rank && k > 1)
            out_.vanishing = out_.by_order[k - 1].redundant - out_.by_order[k - 2].redundant;
        if (!out_.differentiation) {
            out_.strangeness.reset();
            return give_up(
                out_.vanishing > 0
                    ? fmt::format("none: of every further derivative {} equation{} redundant, so that x' is not "
                                  "determined however often the system is differentiated",
                                  out_.vanishing, out_.vanishing == 1 ? " is" : "s are")
                    : fmt::format("not determined: x' does not follow from {} differentiations",
                                  out_.by_order.size() - 1));
        }
        if (!doubt_.empty()) {
            out_.differentiation.reset();
            out_.strangeness.reset();
            return give_up("undecided, because a rank is within noise: " + doubt_);
        }
        correct_noisy_ranks();
        // A point that satisfies the array up to some order only may feign that nothing more is hidden: a system that
        // is strangeness-free at order μ has x' determined at μ + 1, not later.
        const int before = *out_.differentiation - 1;
        if (out_.strangeness && *out_.strangeness < before) {
            const ArrayRanks& r = out_.by_order[static_cast<std::size_t>(before)];
            out_.strangeness.reset();
            if (r.strangeness_free) {
                out_.strangeness = before;
                out_.differential = r.dynamics;
                out_.algebraic = r.constraints;
            }
        }
        const ArrayRanks& last = out_.by_order.back();
        out_.reason =
            fmt::format("derivative array of order {}: x' is determined ({})", last.order, gap_text(last.derivatives));
        return std::move(out_);
    }

    problem::DerivativeArray& array_;
    double t_;
    IndexOptions options_;
    std::minstd_rand random_;
    std::string doubt_;
    ArrayIndex out_;
};

/// Samples of ranks along a trajectory. Singular values are compared in the units of the first point: scaled anew at
/// every point, a coefficient that passes through zero would look like any other.
class RankMonitor {
public:
    RankMonitor(problem::DerivativeArray& array, const ArrayIndex& index, Coefficients coefficients,
                const std::function<std::vector<double>(double t)>& x)
        : array_(array), reference_(index.by_order.back()), coefficients_(coefficients), x_(x), z_(index.point.z) {
        z_.resize(static_cast<std::size_t>(array.columns(reference_.order)), 0.0);
    }

    ArraySample at(double t) {
        ArraySample s;
        s.t = t;
        if (coefficients_ == Coefficients::of_solution) {
            const std::vector<double> values = x_(t);
            std::copy(values.begin(), values.end(), z_.begin());
            ArrayPoint p = consistent_point(array_, reference_.order, t, z_);
            if (!p.consistent) return s;
            z_ = std::move(p.z);
        }
        const auto ranks = array_ranks(array_, reference_.order, t, z_);
        auto jacobian = array_jacobian(array_, reference_.order, t, z_);
        if (!ranks || !jacobian) return s;
        s.same = same_ranks(*ranks, reference_);
        if (!s.same && gap(*ranks) < proof) return s;
        s.evaluated = true;
        s.leak = ranks->leak;
        const int n = array_.unknowns();
        linalg::Matrix m = jacobian->columns(n, jacobian->cols() - n);
        if (units_.row.empty()) units_ = equilibrated(m);
        for (int j = 0; j < m.cols(); ++j)
            for (int i = 0; i < m.rows(); ++i)
                m(i, j) *= units_.row[static_cast<std::size_t>(i)] * units_.col[static_cast<std::size_t>(j)];
        const linalg::SingularValues values = linalg::singular_values_only(m);
        const auto rank = static_cast<std::size_t>(reference_.derivatives.rank);
        if (rank > 0 && rank <= values.values.size()) s.smallest = values.values[rank - 1] / values.values.front();
        return s;
    }

    /// Where `same` ends, between two samples.
    double change_between(double same, double other) {
        for (int it = 0; it < 40; ++it) {
            const double middle = 0.5 * (same + other);
            const ArraySample s = at(middle);
            (s.evaluated && s.same ? same : other) = middle;
        }
        return other;
    }

private:
    problem::DerivativeArray& array_;
    const ArrayRanks& reference_;
    Coefficients coefficients_;
    const std::function<std::vector<double>(double t)>& x_;
    std::vector<double> z_;
    Equilibrated units_;
};

} // namespace

ArrayIndex array_index(problem::DerivativeArray& array, double t, const PointSource& source,
                       const IndexOptions& options) {
    return IndexSearch(array, t, options).run(source);
}

ArrayIndex array_index(problem::DerivativeArray& array, double t, std::span<const double> guess,
                       const IndexOptions& options) {
    std::vector<double> z(guess.begin(), guess.end());
    PointSource source;
    source.at = [&](int order, std::string& why_not) -> std::optional<std::vector<double>> {
        ArrayPoint p = consistent_point(array, order, t, z);
        if (!p.consistent) {
            why_not = p.why_not;
            return std::nullopt;
        }
        return z = std::move(p.z);
    };
    return array_index(array, t, source, options);
}

namespace {

struct Dip {
    double t, smallest;
};

/// Golden section between low and high for the least of what `middle` is a sample of. A rank that drops at an instant
/// lets it vanish linearly: each section makes it smaller by 0.6, six of them by 0.06. Where six do not halve it, it
/// has a bottom.
Dip bottom_of(RankMonitor& ranks, double low, const ArraySample& middle, double high) {
    constexpr int most = 42, look = 6;
    constexpr double section = 0.3819660112501051; // 1 - 1/golden ratio
    Dip best{middle.t, middle.smallest};
    double before = best.smallest;
    const auto value = [&](double t) {
        const ArraySample s = ranks.at(t);
        if (!s.evaluated) return std::numeric_limits<double>::infinity();
        const double here = s.same ? s.smallest : 0.0;
        if (here <= best.smallest) best = {t, here};
        return here;
    };
    double u = low + section * (high - low), v = high - section * (high - low);
    double at_u = value(u), at_v = value(v);
    for (int it = 1; it < most && std::isfinite(std::min(at_u, at_v)); ++it) {
        // Rounding hides the rank for a while before and behind the instant, which lies in the middle.
        if (at_u == 0.0 && at_v == 0.0)
            return {0.5 * (ranks.change_between(low, u) + ranks.change_between(high, v)), 0.0};
        if (at_u < at_v) {
            high = v;
            v = u;
            at_v = at_u;
            u = low + section * (high - low);
            at_u = value(u);
        } else {
            low = u;
            u = v;
            at_u = at_v;
            v = high - section * (high - low);
            at_v = value(v);
        }
        if (it % look != 0) continue;
        if (best.smallest > 0.5 * before) break;
        before = best.smallest;
    }
    return best;
}

} // namespace

ArrayMonitor monitor_index(problem::DerivativeArray& array, const ArrayIndex& index, std::span<const double> times,
                           const std::function<std::vector<double>(double t)>& x, Coefficients coefficients) {
    ArrayMonitor monitor;
    if (!index.differentiation || index.by_order.empty()) return monitor;
    RankMonitor ranks(array, index, coefficients, x);
    std::vector<ArraySample>& samples = monitor.samples;
    for (const double t : times) samples.push_back(ranks.at(t));
    const auto report = [&](double t, const std::string& what) {
        monitor.events.push_back(fmt::format("{} t = {:.6g}", what, t));
        if (!monitor.change) monitor.change = t;
    };
    const auto differs = [&](std::size_t i) { return samples[i].evaluated && !samples[i].same; };
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (!differs(i) || (i > 0 && differs(i - 1))) continue;
        if (i + 1 < samples.size() && !differs(i + 1)) {
            report(samples[i].t, "the derivative array loses rank: a singular point at");
        } else {
            const bool located = i > 0 && samples[i - 1].evaluated;
            report(located ? ranks.change_between(samples[i - 1].t, samples[i].t) : samples[i].t,
                   "the ranks of the derivative array change: another index from");
        }
    }
    // Between samples a rank can drop at one instant: the smallest value then dips. Golden section on each dip.
    for (std::size_t i = 1; i + 1 < samples.size(); ++i) {
        const ArraySample &a = samples[i - 1], &b = samples[i], &c = samples[i + 1];
        if (!a.evaluated || !b.evaluated || !c.evaluated || differs(i - 1) || differs(i) || differs(i + 1)) continue;
        if (!(b.smallest < 0.8 * a.smallest && b.smallest < 0.8 * c.smallest)) continue;
        const Dip dip = bottom_of(ranks, a.t, b, c.t);
        if (dip.smallest < 1e-5 * std::max(a.smallest, c.smallest))
            report(dip.t, "the derivative array loses rank: a singular point at");
    }
    return monitor;
}

} // namespace daedalus::analysis
