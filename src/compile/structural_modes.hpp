// Modes whose structure differs. The two branches of `0 = if c then g(y) else z + y` have other indices, degrees of
// freedom and hidden constraints; one signature matrix of both together is that of neither. Such a condition is a
// structural one, and each combination of their values, a mode, is a model of its own with its own reduction.
//
// Where one analysis serves all modes, nothing is structural: offsets (c, d) of the union are valid for a mode if its
// system Jacobian has a transversal among the entries σ_ij = d_j − c_i (Pryce 2001, theorem 4.2). Entries that both
// branches have are there in every mode; if they alone have a transversal, all modes have.
#pragma once

#include "model/model.hpp"

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace daedalus::compile {

/// Conditions that decide the structure of the model, in the order of its equations. Empty: one reduction serves all
/// modes. Also empty where a condition depends on an unknown of the very rows that it decides (ideal diodes in their
/// parametric form): modes are found there together with the values, by the event iteration.
[[nodiscard]] std::vector<model::NodeId> structural_conditions(const model::Model& model);

/// What those clauses say.
inline constexpr std::string_view structure_changes = "the structure of the model changes";

/// What of the model begins a run: all of it, or only what holds along it (behind a change of modes).
enum class Beginning { initial, continued };

/// The model in the mode in which condition k is truth[k]: its branches are put in their place, and a clause for each
/// condition, behind those of the model, ends the run where it changes.
[[nodiscard]] std::shared_ptr<model::Model> model_in_mode(const model::Model& model,
                                                          std::span<const model::NodeId> conditions,
                                                          const std::vector<bool>& truth, Beginning beginning);

} // namespace daedalus::compile
