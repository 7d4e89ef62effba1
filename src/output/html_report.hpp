// The report: one HTML file that needs nothing else, neither network nor server. The words (equations, tables) are
// plain HTML, readable without scripts and printable; the plots are drawn by report/report.js with uPlot from numbers
// embedded as base64. Every text that comes from the user is escaped.
#pragma once

#include "output/report_data.hpp"
#include "output/scene.hpp"
#include "output/sink.hpp"
#include "output/trajectory.hpp"

#include <cstddef>
#include <string>

namespace daedalus::output {

struct HtmlLimits {
    /// Numbers embedded for the plots of the variables; what exceeds it is left to CSV and the report says so.
    /// 12 million are about 64 MB, which browsers still open in a few seconds.
    std::size_t values = 12'000'000;
    std::size_t table_rows = 1000;   ///< per table
    std::size_t residual_rows = 48;  ///< equations whose residual history is embedded: the worst ones
    std::size_t step_points = 20000; ///< longer step histories are thinned, extrema kept
};

void write_html_report(const Trajectory& trajectory, const ReportData& report, const Sink& sink,
                       const HtmlLimits& limits = {}, const Scene& scene = {});
[[nodiscard]] std::string html_report(const Trajectory& trajectory, const ReportData& report,
                                      const HtmlLimits& limits = {}, const Scene& scene = {});

} // namespace daedalus::output
