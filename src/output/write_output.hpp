// One call per result file: the format follows from the name, the file appears complete or not at all.
#pragma once

#include "base/expected.hpp"
#include "output/atomic_file.hpp"
#include "output/report_data.hpp"
#include "output/scene.hpp"
#include "output/trajectory.hpp"

#include <string>

namespace daedalus::output {

enum class Format { csv, json, html, mat, svg };

/// By the extension, in upper or lower case; an unknown one fails with the list of those known.
[[nodiscard]] Expected<Format> format_of(const std::string& path);

[[nodiscard]] Expected<Written> write_output(const std::string& path, const Trajectory& trajectory,
                                             const ReportData& report, const Scene& scene = {});
/// `scene`: shown moving by HTML.
[[nodiscard]] Expected<Written> write_output(const std::string& path, Format format, const Trajectory& trajectory,
                                             const ReportData& report, const Scene& scene = {});

} // namespace daedalus::output
