#include "daedalus/solution.hpp"

#include "base/diagnostic.hpp"
#include "base/expected.hpp"
#include "facade/access.hpp"
#include "output/csv.hpp"
#include "output/json.hpp"
#include "output/write_output.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace daedalus {

namespace {
std::optional<std::size_t> place_of(std::string_view name, const std::vector<std::string>& names) {
    const auto it = std::find(names.begin(), names.end(), name);
    if (it == names.end()) return std::nullopt;
    return static_cast<std::size_t>(it - names.begin());
}
} // namespace

const simulation::Record& Solution::Impl::with_points() const {
    if (!known_.pending) return known_;
    std::call_once(once_, [this] {
        whole_ = known_;
        simulation::deliver_points(*whole_);
        delivered_.store(&*whole_, std::memory_order_release);
    });
    return *whole_;
}

const std::vector<std::string>& Solution::Impl::names() const {
    std::call_once(names_once_, [this] {
        names_.reserve(known_.trajectory.variables.size());
        for (const output::VariableInfo& v : known_.trajectory.variables) names_.push_back(v.name);
    });
    return names_;
}

const std::vector<ResidualSummary>& Solution::Impl::residuals() const {
    std::call_once(residuals_once_, [this] {
        residuals_.reserve(known_.trajectory.residuals.size());
        for (const output::ResidualSeries& series : known_.trajectory.residuals)
            residuals_.push_back({series.text, series.differentiations, series.max_at_steps, series.max_at_midpoints});
    });
    return residuals_;
}

Outcome Solution::outcome() const { return impl_->record().outcome; }
const std::string& Solution::message() const { return impl_->record().message; }
const Diagnostics& Solution::diagnostics() const { return impl_->record().report.diagnostics; }
double Solution::end_time() const { return impl_->record().report.outcome.t_reached; }
const std::vector<std::string>& Solution::names() const { return impl_->names(); }
std::span<const double> Solution::time() const { return impl_->with_points().trajectory.time; }
const std::vector<ResidualSummary>& Solution::residuals() const { return impl_->residuals(); }
double Solution::largest_residual() const { return impl_->record().largest_residual; }
double Solution::residual_in_tolerances() const { return impl_->record().residual_in_tolerances; }
const std::string& Solution::method() const { return impl_->record().report.method; }

std::span<const double> Solution::operator[](std::string_view name) const {
    const std::optional<std::size_t> place = place_of(name, names());
    if (!place) return {};
    return impl_->with_points().trajectory.values[*place];
}

Expected<std::vector<double>> Solution::at(double t) const {
    const simulation::DenseSolution* dense = impl_->record().dense.get();
    if (dense == nullptr || dense->given_up())
        return fail(make_error("not-dense",
                               dense == nullptr ? "the solution was not kept between its output points"
                                                : "the solution is too large to be kept between its output points",
                               dense == nullptr ? "set SolveOptions::dense" : "ask for the output points you need"));
    std::vector<double> values;
    if (dense->empty() && !impl_->record().trajectory.time.empty() && t == impl_->record().trajectory.time.back()) {
        for (const std::vector<double>& column : impl_->record().trajectory.values) values.push_back(column.back());
        return values;
    }
    if (!dense->covers(t))
        return fail(make_error("outside-the-run", dense->empty()
                                                      ? fmt::format("nothing was integrated, so t = {} is not known", t)
                                                      : fmt::format("t = {} is outside of what was computed, {} to {}",
                                                                    t, dense->begin(), dense->end())));
    dense->evaluate(t, values);
    return values;
}

Expected<double> Solution::at(double t, std::string_view name) const {
    const std::optional<std::size_t> place = place_of(name, names());
    if (!place) {
        const auto close = closest(std::string(name), names());
        return fail(make_error("unknown-variable", fmt::format("the solution has no variable '{}'", name),
                               close ? fmt::format("did you mean '{}'?", *close) : std::string()));
    }
    auto values = at(t);
    if (!values) return Unexpected{std::move(values.error())};
    return (*values)[*place];
}

std::vector<SolutionEvent> Solution::events() const {
    std::vector<SolutionEvent> list;
    for (const output::EventRecord& event : impl_->record().trajectory.events) list.push_back({event.t, event.text});
    return list;
}

double Solution::final(std::string_view name) const {
    const std::optional<std::size_t> place = place_of(name, names());
    const simulation::Record& record = impl_->record();
    if (place && record.pending) return record.pending->end()[*place];
    const bool known = place && !record.trajectory.values[*place].empty();
    return known ? record.trajectory.values[*place].back() : std::numeric_limits<double>::quiet_NaN();
}

std::vector<std::pair<std::string, std::int64_t>> Solution::statistics() const {
    std::vector<std::pair<std::string, std::int64_t>> list;
    for (const output::Fact& fact : impl_->record().report.statistics)
        if (const auto* value = std::get_if<std::int64_t>(&fact.value)) list.emplace_back(fact.name, *value);
    return list;
}

Expected<std::uint64_t> Solution::write(const std::string& path) const {
    if (auto trouble = output::would_write_over({"", path}, impl_->record().files)) return fail(*std::move(trouble));
    const simulation::Record& record = impl_->with_points();
    const auto format = output::format_of(path);
    const output::Scene scene =
        format && *format == output::Format::html && impl_->show ? impl_->show(record.trajectory) : output::Scene{};
    auto written = output::write_output(path, record.trajectory, record.report, scene);
    if (!written) return Unexpected{std::move(written.error())};
    return static_cast<std::uint64_t>(written->bytes);
}

std::string Solution::to_csv() const { return output::csv_text(impl_->with_points().trajectory); }
std::string Solution::to_json() const {
    const simulation::Record& record = impl_->with_points();
    return output::json_text(record.trajectory, record.report);
}

} // namespace daedalus
