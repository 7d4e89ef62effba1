#include "compile/sample_check.hpp"

#include "expr/evaluate.hpp"
#include "problem/implicit_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daedalus::compile {

namespace {

struct Values {
    double start, interval;
};

Values values_of(const model::Model& model, const model::Sample& sample, std::span<const double> parameters) {
    const auto value = [&](expr::NodeId e) {
        return expr::evaluate(*model.graph, e, [&](expr::NodeId leaf) {
            return parameters[static_cast<std::size_t>(model.graph->parameter_id(leaf))];
        });
    };
    return {value(sample.start), value(sample.interval)};
}

} // namespace

std::optional<Diagnostic> check_samples(const model::Model& model, std::span<const double> parameters) {
    for (const model::Sample& sample : model.samples) {
        const auto [start, interval] = values_of(model, sample, parameters);
        if (std::isfinite(start) && std::isfinite(interval) && interval > 0.0) continue;
        const std::string call = fmt::format("sample({}, {})", start, interval);
        return make_error("sample-interval",
                          std::isfinite(start) && std::isfinite(interval)
                              ? fmt::format("{} has no next instant: its interval is not positive", call)
                              : fmt::format("{} has no instants: its arguments are not finite", call),
                          sample.span, "the interval is the time from one instant to the next");
    }
    return std::nullopt;
}

std::optional<Diagnostic> check_sample_count(const model::Model& model, std::span<const double> parameters, double t0,
                                             double t1) {
    constexpr double most = 1e9; // instants, each of which is an event: hours at a microsecond each
    const double farthest = std::max(std::abs(t0), std::abs(t1));
    for (const model::Sample& sample : model.samples) {
        const auto [start, interval] = values_of(model, sample, parameters);
        const double from = std::max(std::min(t0, t1), start), to = std::max(t0, t1);
        if (!(to > from)) continue;
        const double apart = 4 * (problem::just_after(farthest, true) - farthest);
        if ((to - from) / interval <= most && interval >= apart) continue;
        const std::string call = fmt::format("sample({}, {})", start, interval);
        return make_error(
            "sample-interval",
            interval < apart
                ? fmt::format("the instants of {} up to t = {} cannot be told apart", call, to)
                : fmt::format("{} has {:.3g} instants from t = {} to {}", call, (to - from) / interval, from, to),
            sample.span, "a longer interval, or a shorter run");
    }
    return std::nullopt;
}

} // namespace daedalus::compile
