#include "simulation/granted_errors.hpp"

#include <fmt/format.h>

#include <cmath>

namespace daedalus::simulation {

void warn_of_granted_errors(const problem::ImplicitProblem& p, double length, const integrate::Statistics& s,
                            Record& impl) {
    constexpr int first = 3;       // below, the error is that of a first derivative, within what users expect
    constexpr double many = 100.0; // tolerances
    const int index = p.highest_index();
    if (index < first || s.counters.steps == 0) return;
    const double h = std::abs(length) / static_cast<double>(s.counters.steps);
    const double granted = std::pow(h, 1 - index);
    if (!(granted > many)) return;
    std::string names;
    constexpr int shown = 5;
    int count = 0;
    for (int i = 0; i < p.size(); ++i)
        if (p.unknowns()[static_cast<std::size_t>(i)].index == index && ++count <= shown)
            names += (names.empty() ? "" : ", ") + p.names().variable(i);
    if (count > shown) names += fmt::format(" and {} more", count - shown);
    Diagnostic warning;
    warning.severity = Severity::warning;
    warning.code = "granted-errors";
    warning.message =
        fmt::format("{} {} of index {} and integrated as written: errors of up to the tolerance over h^{} "
                    "are accepted, at the mean step h = {:.2g} {:.2g} tolerances",
                    names, count == 1 ? "is" : "are", index, index - 1, h, granted);
    warning.hint = "let the index be reduced (without `--reduce none`) where these variables matter";
    impl.report.diagnostics.push_back(std::move(warning));
}

} // namespace daedalus::simulation
