// A solution far more accurate than those that are judged by it: a tight run, and a second one of another formulation
// and method, which must agree. How far they are from each other is how well the reference is known.
#pragma once

#include "base/expected.hpp"
#include "daedalus/options.hpp"
#include "simulation/solve_model.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace daedalus::study {

struct TightReference {
    std::shared_ptr<const simulation::DenseSolution> solution;
    double from = 0.0, until = 0.0;
    std::string text;                   ///< how it was found, and what checked it
    double error = 0.0;                 ///< largest difference of the two
    double mean_step = 0.0;             ///< of the first one
    int index = 0;                      ///< of the model
    std::vector<std::size_t> variables; ///< that are differentiated in the model
    std::vector<double> scale;          ///< of every variable: its largest value on the way
    std::vector<std::size_t> algebraic;

    /// The largest difference of the differentiated variables, each in units of its scale.
    [[nodiscard]] double distance(std::span<const double> a, std::span<const double> b) const;
};

/// How a reference may be found.
struct ReferenceWay {
    Reduction reduction = Reduction::automatic;
    std::string method;
};

/// The first two of `ways` that reach the end. Errors: not two of them do, or they do not agree to `agreement`.
[[nodiscard]] Expected<TightReference> tight_reference(const simulation::Compilations& compilations,
                                                       const SolveOptions& options, double rtol,
                                                       std::span<const ReferenceWay> ways, double agreement);

} // namespace daedalus::study
