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

Outcome Solution::outcome() const { return impl_->outcome; }
const std::string& Solution::message() const { return impl_->message; }
const Diagnostics& Solution::diagnostics() const { return impl_->report.diagnostics; }
double Solution::end_time() const { return impl_->report.outcome.t_reached; }
const std::vector<std::string>& Solution::names() const { return impl_->names; }
std::span<const double> Solution::time() const { return impl_->trajectory.time; }
const std::vector<ResidualSummary>& Solution::residuals() const { return impl_->residuals; }
double Solution::largest_residual() const { return impl_->largest_residual; }
double Solution::residual_in_tolerances() const { return impl_->residual_in_tolerances; }
const std::string& Solution::method() const { return impl_->report.method; }

std::span<const double> Solution::operator[](std::string_view name) const {
    const auto it = std::find(impl_->names.begin(), impl_->names.end(), name);
    if (it == impl_->names.end()) return {};
    return impl_->trajectory.values[static_cast<std::size_t>(it - impl_->names.begin())];
}

Expected<std::vector<double>> Solution::at(double t) const {
    const simulation::DenseSolution* dense = impl_->dense.get();
    if (dense == nullptr || dense->given_up())
        return fail(make_error("not-dense",
                               dense == nullptr ? "the solution was not kept between its output points"
                                                : "the solution is too large to be kept between its output points",
                               dense == nullptr ? "set SolveOptions::dense" : "ask for the output points you need"));
    std::vector<double> values;
    if (dense->empty() && !impl_->trajectory.time.empty() && t == impl_->trajectory.time.back()) {
        for (const std::vector<double>& column : impl_->trajectory.values) values.push_back(column.back());
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
    const auto it = std::find(impl_->names.begin(), impl_->names.end(), name);
    if (it == impl_->names.end()) {
        const auto close = closest(std::string(name), impl_->names);
        return fail(make_error("unknown-variable", fmt::format("the solution has no variable '{}'", name),
                               close ? fmt::format("did you mean '{}'?", *close) : std::string()));
    }
    auto values = at(t);
    if (!values) return Unexpected{std::move(values.error())};
    return (*values)[static_cast<std::size_t>(it - impl_->names.begin())];
}

std::vector<SolutionEvent> Solution::events() const {
    std::vector<SolutionEvent> list;
    for (const output::EventRecord& event : impl_->trajectory.events) list.push_back({event.t, event.text});
    return list;
}

double Solution::final(std::string_view name) const {
    const std::span<const double> values = (*this)[name];
    return values.empty() ? std::numeric_limits<double>::quiet_NaN() : values.back();
}

std::vector<std::pair<std::string, std::int64_t>> Solution::statistics() const {
    std::vector<std::pair<std::string, std::int64_t>> list;
    for (const output::Fact& fact : impl_->report.statistics)
        if (const auto* value = std::get_if<std::int64_t>(&fact.value)) list.emplace_back(fact.name, *value);
    return list;
}

Expected<std::uint64_t> Solution::write(const std::string& path) const {
    if (auto trouble = output::would_write_over({"", path}, impl_->files)) return fail(*std::move(trouble));
    auto written = output::write_output(path, impl_->trajectory, impl_->report);
    if (!written) return Unexpected{std::move(written.error())};
    return static_cast<std::uint64_t>(written->bytes);
}

std::string Solution::to_csv() const { return output::csv_text(impl_->trajectory); }
std::string Solution::to_json() const { return output::json_text(impl_->trajectory, impl_->report); }

} // namespace daedalus
