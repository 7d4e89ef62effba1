#include "daedalus/solution.hpp"

#include "facade/access.hpp"
#include "output/csv.hpp"
#include "output/json.hpp"
#include "output/write_output.hpp"

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
    auto written = output::write_output(path, impl_->trajectory, impl_->report);
    if (!written) return Unexpected{std::move(written.error())};
    return static_cast<std::uint64_t>(written->bytes);
}

std::string Solution::to_csv() const { return output::csv_text(impl_->trajectory); }
std::string Solution::to_json() const { return output::json_text(impl_->trajectory, impl_->report); }

} // namespace daedalus
