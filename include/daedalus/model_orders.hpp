// Observed orders of methods on one's own model: constant steps, halved again and again, against a solution far more
// accurate.
#pragma once

#include "daedalus/model.hpp"
#include "daedalus/options.hpp"
#include "daedalus/study.hpp"

#include <string>
#include <vector>

namespace daedalus {

struct ModelOrderOptions {
    SolveOptions solve = {};                       ///< interval, values, reduction, end of steps; not method and steps
    std::vector<std::string> methods = {"radau5"}; ///< of `list methods`
    int steps = 16;                                ///< of the coarsest run
    int runs = 5;                                  ///< each with twice as many steps as the one before
};

/// A table with one row per method and variable: errors in the last quarter of the interval, the observed order, and
/// the theorem's where one is known; and a figure per method. Fails where a run does not begin.
[[nodiscard]] Expected<Reproduction> orders(const Model& model, const ModelOrderOptions& options);

/// A table of a study as CSV.
[[nodiscard]] std::string to_csv(const StudyTable& table);

} // namespace daedalus
