// Comma-separated values after RFC 4180: a header row "time,<variable names>", one row per output point, numbers
// that read back as the same doubles. Lines end in "\n", which every reader takes and line tools prefer to CRLF.
#pragma once

#include "output/sink.hpp"
#include "output/trajectory.hpp"

#include <string>
#include <string_view>

namespace daedalus::output {

void write_csv(const Trajectory& trajectory, const Sink& sink);
[[nodiscard]] std::string csv_text(const Trajectory& trajectory);

/// The field as it is, or quoted if it holds a comma, a quote or a line break.
[[nodiscard]] std::string csv_field(std::string_view field);

} // namespace daedalus::output
