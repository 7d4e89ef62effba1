#include "daedalus/sweep.hpp"

#include "base/diagnostic.hpp"
#include "base/expected.hpp"
#include "facade/access.hpp"
#include "simulation/files_of_run.hpp"
#include "simulation/parallel.hpp"
#include "simulation/solve_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>

namespace daedalus {

namespace {

/// SplitMix64 (Steele, Lea & Flood 2014): the same numbers on every machine, which distributions of the standard
/// library do not promise.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t operator()() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31U);
    }
    /// In [0, 1).
    double uniform() { return static_cast<double>((*this)() >> 11U) * 0x1p-53; }

private:
    std::uint64_t state_;
};

std::optional<Diagnostic> check(const model::Model& model, const SweepOptions& options) {
    std::vector<std::string> known;
    for (const model::Parameter& p : model.parameters)
        if (!p.is_held && !p.is_constant) known.push_back(p.name);
    for (const std::string& name : options.names) {
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        const auto close = closest(name, known);
        return make_error("unknown-parameter",
                          fmt::format("{} has no parameter '{}' that could vary", model.name, name),
                          close ? fmt::format("did you mean '{}'?", *close) : std::string());
    }
    if (options.names.empty() || options.points.empty())
        return make_error("empty-sweep", "nothing varies: a sweep needs a parameter and values for it");
    for (const std::vector<double>& point : options.points)
        if (point.size() != options.names.size())
            return make_error("sweep-size", fmt::format("a point has {} values for {} parameters", point.size(),
                                                        options.names.size()));
    return std::nullopt;
}

SolveOptions options_at(const SweepOptions& options, const std::vector<double>& point) {
    SolveOptions o = options.solve;
    o.dense = false;
    if (o.certify == Certify::all) o.certify = Certify::steps; // nothing between steps is kept
    o.points = 1;                                              // the ends
    o.checkpoint = o.resume = {};
    o.progress = {};
    for (std::size_t k = 0; k < point.size(); ++k) {
        std::erase_if(o.parameters, [&](const auto& given) { return given.first == options.names[k]; });
        o.parameters.emplace_back(options.names[k], point[k]);
    }
    return o;
}

/// Positions of the variables to be kept.
Expected<std::vector<std::size_t>> positions(const std::vector<std::string>& all,
                                             const std::vector<std::string>& wanted) {
    std::vector<std::size_t> list(wanted.empty() ? all.size() : 0);
    std::iota(list.begin(), list.end(), std::size_t{0});
    for (const std::string& name : wanted) {
        const auto it = std::find(all.begin(), all.end(), name);
        if (it == all.end()) {
            const auto close = closest(name, all);
            return fail(make_error("unknown-variable", fmt::format("there is no variable '{}'", name),
                                   close ? fmt::format("did you mean '{}'?", *close) : std::string()));
        }
        list.push_back(static_cast<std::size_t>(it - all.begin()));
    }
    return list;
}

} // namespace

std::vector<double> equally_spaced(double from, double to, int count) {
    std::vector<double> values;
    for (int k = 0; k < count; ++k)
        values.push_back(k == count - 1 && count > 1 ? to : from + (to - from) * k / std::max(1, count - 1));
    return values;
}

std::vector<std::vector<double>> grid(const std::vector<SweepAxis>& axes) {
    std::vector<std::vector<double>> points{{}};
    for (const SweepAxis& axis : axes) {
        std::vector<std::vector<double>> longer;
        longer.reserve(points.size() * axis.values.size());
        for (const std::vector<double>& point : points)
            for (const double value : axis.values) {
                longer.push_back(point);
                longer.back().push_back(value);
            }
        points = std::move(longer);
    }
    return points;
}

std::vector<std::vector<double>> latin_hypercube(const std::vector<SweepAxis>& axes, int count, std::uint64_t seed) {
    Random random(seed);
    std::vector<std::vector<double>> points(static_cast<std::size_t>(std::max(0, count)));
    std::vector<std::size_t> stratum(points.size());
    for (const SweepAxis& axis : axes) {
        std::iota(stratum.begin(), stratum.end(), std::size_t{0});
        for (std::size_t k = stratum.size(); k > 1; --k)
            std::swap(stratum[k - 1], stratum[random() % k]); // Fisher–Yates
        const double from = axis.values.front(), to = axis.values.back();
        for (std::size_t k = 0; k < points.size(); ++k) {
            const double share = (static_cast<double>(stratum[k]) + random.uniform()) / static_cast<double>(count);
            points[k].push_back(from + (to - from) * share);
        }
    }
    return points;
}

std::size_t SweepResult::failures() const {
    return static_cast<std::size_t>(std::count_if(runs.begin(), runs.end(), [](const SweepRun& run) {
        return run.outcome != Outcome::success && run.outcome != Outcome::terminated;
    }));
}

Expected<SweepResult> sweep(const CompiledModel& model, const SweepOptions& options) {
    const simulation::Compilations& compilations = model.impl().compilations;
    if (auto trouble = check(*compilations.model(), options)) return fail(*std::move(trouble));
    // Compilations are made in the order of the points, so that no result depends on which thread comes first. A point
    // that cannot be compiled says so in its own run.
    for (const std::vector<double>& point : options.points)
        (void)simulation::compile_for(compilations, options_at(options, point));

    SweepResult result;
    result.model = model.name();
    result.names = options.names;
    for (output::NamedFile& file : simulation::files_of_run(compilations.model().get(), options.solve))
        result.files.push_back({std::move(file.what), std::move(file.path)});
    result.runs.resize(options.points.size());
    auto extended = compilations.extended(options.solve); // integrals are variables too
    if (!extended) return Unexpected{std::move(extended.error())};
    std::vector<std::string> names;
    const model::Model& shown = *(*extended)->model();
    for (std::size_t v = 0; v < shown.variables.size(); ++v) // as recorded
        if (!options.variables.empty() || shown.is_shown(static_cast<int>(v))) names.push_back(shown.variables[v].name);
    for (const model::DiscreteVariable& v : (*extended)->model()->discrete) names.push_back(v.name);
    auto kept = positions(names, options.variables);
    if (!kept) return Unexpected{std::move(kept.error())};
    for (const std::size_t v : *kept) result.variables.push_back(names[v]);
    std::mutex reporting;
    std::size_t done = 0;
    simulation::for_each_index(options.points.size(), options.threads, [&](std::size_t i) {
        SweepRun& run = result.runs[i];
        run.point = options.points[i];
        if (options.solve.interrupt != nullptr && options.solve.interrupt->load(std::memory_order_relaxed)) {
            run.outcome = Outcome::interrupted;
            run.message = "interrupted before it began";
            return;
        }
        const auto record =
            simulation::solve_model(compilations, options_at(options, run.point), simulation::Detail::numbers);
        if (!record) {
            run.message = record.error().front().message;
        } else {
            run.outcome = record->outcome;
            run.message = record->message;
            run.end_time = record->report.outcome.t_reached;
            for (const std::size_t v : *kept) run.finals.push_back(record->trajectory.values[v].back());
        }
        const std::lock_guard lock(reporting);
        ++done;
        if (options.progress) options.progress(done, options.points.size());
    });
    return result;
}

} // namespace daedalus
