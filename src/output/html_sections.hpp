// The parts of the HTML report that are words: masthead, model, tables. Each function returns finished HTML, or
// nothing if there is nothing to say. All user text is escaped here.
#pragma once

#include "output/html_report.hpp"

#include <set>
#include <string>

namespace daedalus::output::html {

[[nodiscard]] std::string masthead(const Trajectory& trajectory, const ReportData& report);
[[nodiscard]] std::string diagnostics(const Diagnostics& diagnostics);
[[nodiscard]] std::string model(const ModelSummary& model, const std::vector<VariableInfo>& variables,
                                const HtmlLimits& limits);
[[nodiscard]] std::string initial_values(const std::vector<InitialValue>& values, const HtmlLimits& limits);
[[nodiscard]] std::string happenings(const Trajectory& trajectory, const HtmlLimits& limits);
[[nodiscard]] std::string passes(const std::vector<PassRecord>& passes);
[[nodiscard]] std::string run(const ReportData& report);

/// The table of the certificate. Rows in `plottable` get a box to tick; those in `ticked` are drawn at first.
[[nodiscard]] std::string residual_table(const Trajectory& trajectory, const std::set<std::size_t>& plottable,
                                         const std::set<std::size_t>& ticked, const HtmlLimits& limits);

} // namespace daedalus::output::html
