// The result of `solve` and of `analyze` as JSON. Keys are stable:
//
//   model         { name, description, source, equations[], variables[], structural_index, degrees_of_freedom,
//                   index_per_variable{}, hidden_constraints[], blocks[], details… }
//   outcome       { kind, reason, t_start, t_reached, t_requested }
//   method, command_line, created, options{}, statistics{}, versions{}, initial_values[], passes[], diagnostics[]
//   trajectory    { time[], variables{ name: values[] }, non_finite_values }
//   steps         { t[], h[], order[], rejected[] }
//   residuals     { tolerance, rows[ { name, text, differentiations, location, max_at_steps, … } ] }
//   events[], state_switches[]
//
// A number that is not finite is null; trajectory.non_finite_values counts them, so that no reader is misled.
#pragma once

#include "output/json_writer.hpp"
#include "output/report_data.hpp"
#include "output/sink.hpp"
#include "output/trajectory.hpp"

#include <string>

namespace daedalus::output {

void write_json(const Trajectory& trajectory, const ReportData& report, const Sink& sink);
[[nodiscard]] std::string json_text(const Trajectory& trajectory, const ReportData& report);

// The parts, for other commands that answer in JSON.
/// Members of an open object.
void write_model_members(JsonWriter& json, const ModelSummary& model, const std::vector<VariableInfo>& variables);
void write_diagnostics(JsonWriter& json, const Diagnostics& diagnostics);
void write_facts(JsonWriter& json, const std::vector<Fact>& facts); ///< an object: name → value
void write_passes(JsonWriter& json, const std::vector<PassRecord>& passes);
void write_initial_values(JsonWriter& json, const std::vector<InitialValue>& values);

} // namespace daedalus::output
