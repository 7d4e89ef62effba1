// Cost at equal accuracy. Runs of a combination at several tolerances are points (error, cost); between two of them
// cost is a power of the error, as it is for a method of fixed order, so that a straight line of logarithms gives the
// cost of the accuracy that is asked for (work-precision diagrams: Hairer, Nørsett & Wanner, II.10).
#include "output/number_text.hpp"
#include "study/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::study {

namespace {

bool measured(const CompareRun& run) { return run.success() && std::isfinite(run.error); }

/// The cost of `accuracy`: of the cheapest run that has it, or less, on the line from one that has not.
double cost_at(const std::vector<const CompareRun*>& runs, double accuracy, double (*cost)(const CompareRun&)) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < runs.size(); ++k) {
        if (!(runs[k]->error <= accuracy)) continue;
        double own = cost(*runs[k]);
        if (k > 0 && runs[k - 1]->error > accuracy && runs[k]->error > 0.0 && cost(*runs[k - 1]) < own) {
            const double share =
                std::log(runs[k - 1]->error / accuracy) / std::log(runs[k - 1]->error / runs[k]->error);
            own = cost(*runs[k - 1]) * std::pow(own / cost(*runs[k - 1]), share);
        }
        least = std::min(least, own);
    }
    return least;
}

double larger(double a, double b) { return std::isnan(a) ? b : std::isnan(b) ? a : std::max(a, b); }

/// Of the errors of all combinations at a tolerance.
double median_error(const CompareResult& result, double tolerance) {
    std::vector<double> errors;
    for (const CompareRun& run : result.runs)
        if (measured(run) && run.tolerance == tolerance) errors.push_back(run.error);
    if (errors.empty()) return 0.0;
    const auto middle = errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2);
    std::nth_element(errors.begin(), middle, errors.end());
    return *middle;
}

CompareRank judge(const CompareResult& result, const std::vector<const CompareRun*>& runs) {
    const double accuracy = result.accuracy;
    CompareRank rank;
    rank.reduction = runs.front()->reduction;
    rank.method = runs.front()->method;
    std::vector<const CompareRun*> usable;
    for (const CompareRun* run : runs) {
        if (!measured(*run)) continue;
        usable.push_back(run);
        if (rank.used.empty() && run->used != run->method) rank.used = run->used;
        const double usual = std::max({run->tolerance, result.reference_error, median_error(result, run->tolerance)});
        if (run->tolerance > 0.0 && run->error > CompareResult::overconfident * usual) rank.claims_hold = false;
        if (!(rank.best_error <= run->error)) rank.best_error = run->error;
    }
    const double seconds = cost_at(usable, accuracy, [](const CompareRun& r) { return r.seconds; });
    rank.reached = std::isfinite(seconds);
    if (!rank.reached) return rank;
    rank.seconds = seconds;
    rank.evaluations =
        cost_at(usable, accuracy, [](const CompareRun& r) { return static_cast<double>(r.evaluations); });
    for (const CompareRun* run : usable)
        if (run->error <= accuracy) {
            rank.drift = larger(run->position_drift, run->velocity_drift);
            break;
        }
    return rank;
}

std::string title(const CompareRank& r) {
    return fmt::format("{} with {}", to_string(r.reduction),
                       r.used.empty() ? r.method : r.method + " (" + r.used + ")");
}

/// What speaks against a combination that is cheap.
std::string objection(const CompareRank& r, double accuracy) {
    constexpr double visible = 10; // times the error
    if (!r.claims_hold) return "one of its runs was much further off than its tolerance and than the others";
    if (r.drift > visible * accuracy) return fmt::format("its constraints drift by {:.1e}", r.drift);
    return {};
}

/// Of those that cost the same as far as clocks can tell, the one that keeps constraints best.
std::size_t best_of_equals(const CompareResult& result, std::size_t cheapest) {
    constexpr double equal = 1.25, clearly = 0.1; // better by a digit
    const auto measure = [&](std::size_t k) {
        const double drift = result.ranking[k].drift;
        return std::isnan(drift) ? 0.0 : drift;
    };
    std::size_t best = cheapest;
    for (std::size_t k = cheapest; k < result.ranking.size() && result.ranking[k].reached &&
                                   result.ranking[k].seconds <= equal * result.ranking[cheapest].seconds;
         ++k)
        if (objection(result.ranking[k], result.accuracy).empty() && measure(k) < clearly * measure(best)) best = k;
    return best;
}

void choose(CompareResult& result) {
    std::string passed_over;
    for (std::size_t k = 0; k < result.ranking.size() && result.ranking[k].reached; ++k) {
        const CompareRank& r = result.ranking[k];
        if (const std::string against = objection(r, result.accuracy); !against.empty()) {
            passed_over += fmt::format("; {} is cheaper, but {}", title(r), against);
            continue;
        }
        const std::size_t chosen = best_of_equals(result, k);
        const CompareRank& best = result.ranking[chosen];
        result.choice = chosen;
        result.why =
            fmt::format("{} reaches {:.0e} in {}", title(best), result.accuracy, output::brief_duration(best.seconds));
        if (chosen != k)
            result.why += fmt::format("; {} takes {:.0f} % less, but lets constraints drift more ({:.0e})", title(r),
                                      100.0 * (1.0 - r.seconds / best.seconds), r.drift);
        else if (k + 1 < result.ranking.size() && result.ranking[k + 1].reached)
            result.why += fmt::format("; the next, {}, takes {:.2f} times as long", title(result.ranking[k + 1]),
                                      result.ranking[k + 1].seconds / r.seconds);
        if (std::isfinite(best.drift)) result.why += fmt::format("; its constraints hold to {:.0e}", best.drift);
        result.why += passed_over;
        return;
    }
    result.why = result.ranking.empty() ? "no combination reached the end"
                 : !passed_over.empty()
                     ? "none of those that reach the accuracy keeps what it promises" + passed_over
                     : fmt::format("no combination reaches {:.0e}: give smaller --tolerances", result.accuracy);
}

} // namespace

void rank_by_cost(CompareResult& result) {
    result.ranking.clear();
    result.choice.reset();
    for (std::size_t begin = 0; begin < result.runs.size();) {
        std::vector<const CompareRun*> pair;
        std::size_t end = begin;
        for (; end < result.runs.size() && result.runs[end].reduction == result.runs[begin].reduction &&
               result.runs[end].method == result.runs[begin].method;
             ++end)
            pair.push_back(&result.runs[end]);
        begin = end;
        if (std::any_of(pair.begin(), pair.end(), [](const CompareRun* run) { return measured(*run); }))
            result.ranking.push_back(judge(result, pair));
    }
    std::stable_sort(result.ranking.begin(), result.ranking.end(), [](const CompareRank& a, const CompareRank& b) {
        if (a.reached != b.reached) return a.reached;
        return a.reached ? a.seconds < b.seconds : a.best_error < b.best_error;
    });
    choose(result);
}

} // namespace daedalus::study
