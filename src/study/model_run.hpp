// Runs of `solve` on a model of a study, as users make them.
#pragma once

#include "daedalus/options.hpp"
#include "output/trajectory.hpp"

#include <string>
#include <vector>

namespace daedalus::study {

struct ModelRun {
    bool solved = false;
    std::string message;
    output::Trajectory trajectory;

    [[nodiscard]] const std::vector<double>& operator[](const std::string& name) const;
    [[nodiscard]] double final(const std::string& name) const { return (*this)[name].back(); }
};

[[nodiscard]] ModelRun run_model(const std::string& modelica, const SolveOptions& options);

} // namespace daedalus::study
