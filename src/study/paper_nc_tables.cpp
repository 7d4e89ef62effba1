// NC Tables 5.1 and 5.2, every printed digit.
#include "study/consistent_problems.hpp"
#include "study/product_run.hpp"
#include "study/reproduction.hpp"

#include <fmt/format.h>

#include <optional>

namespace daedalus::study {

namespace {

struct Printed {
    int step; ///< of h
    double exact_iv;
    double exact_unit; ///< of the last digit printed
    double consistent_iv;
    double consistent_unit;
    double misprint_for = 0.0; ///< what the consistent column must mean, where it is misprinted
};

/// Initial velocities after the correction, as the text prints them.
struct PrintedStart {
    double h;
    std::vector<double> velocities;
    double unit;
};

struct PrintedTable {
    MultiplierProblem (*problem)();
    int lambda; ///< its position
    std::vector<std::pair<double, std::vector<Printed>>> by_step_size;
    std::vector<PrintedStart> starts;
};

Reproduction run(const PrintedTable& printed, Judgement& judgement) {
    const MultiplierProblem mp = printed.problem();
    const Problem& p = mp.problem;
    const auto lambda = static_cast<std::size_t>(printed.lambda);
    Reproduction result;
    StudyTable table;
    table.caption = "Absolute errors in λ";
    table.columns = {{"h", "h", 4},
                     {"t", "t − t0", 4},
                     {"exact_iv", "exact IV", 7},
                     {"exact_iv_printed", "printed", 7},
                     {"consistent_iv", "consistent IV", 7},
                     {"consistent_iv_printed", "printed", 7},
                     {"misprint", "misprint for", 7}};
    StudyTable velocities;
    velocities.caption = "Initial velocities after the correction";
    velocities.columns = {{"h", "h", 4},
                          {"component", "component", 2},
                          {"exact", "exact", 6},
                          {"corrected", "corrected", 6},
                          {"printed", "printed", 6}};
    StudyFigure figure{"Error of λ", "t − t0", "|error of λ|", true, false, {}};
    bool all = true;
    for (const auto& [step_size, rows] : printed.by_step_size) {
        const Real h = step_size;
        Vector grid;
        for (int i = 0; i <= 20; ++i) grid.push_back(p.t0 + h * static_cast<Real>(i));
        const Vector x0 = p.exact_value(p.t0);
        const auto errors = [&](const Vector& start) {
            const DiscreteSolution s = run_method(p, "bdf1", grid, Variant::indirect, {{start}, {}});
            std::vector<double> e;
            for (std::size_t n = 1; n < s.t.size(); ++n)
                e.push_back(static_cast<double>(std::abs(s.x[n][lambda] - p.exact_value(s.t[n])[lambda])));
            return e;
        };
        const Vector shifted = numerically_consistent(mp, p.t0, h, x0);
        const std::vector<double> exact = errors(x0);
        const std::vector<double> consistent = errors(shifted);
        for (const PrintedStart& start : printed.starts)
            for (std::size_t i = 0; start.h == step_size && i < start.velocities.size(); ++i) {
                const std::size_t at = static_cast<std::size_t>(mp.n) + i;
                velocities.rows.push_back(
                    {step_size, double(i + 1), double(x0[at]), double(shifted[at]), start.velocities[i]});
                judgement.expect(same_digits(double(shifted[at]), start.velocities[i], start.unit),
                                 fmt::format("h = {}: velocity {} is corrected to {:.5f} (printed: {})", step_size,
                                             i + 1, double(shifted[at]), start.velocities[i]));
            }
        std::vector<double> times;
        for (std::size_t n = 1; n < grid.size(); ++n) times.push_back(static_cast<double>(grid[n] - p.t0));
        for (const Printed& row : rows) {
            const auto i = static_cast<std::size_t>(row.step - 1);
            const bool misprint = row.misprint_for != 0.0;
            const double meant = misprint ? row.misprint_for : row.consistent_iv;
            table.rows.push_back({step_size, times[i], exact[i], row.exact_iv, consistent[i], row.consistent_iv,
                                  misprint ? StudyValue{meant} : StudyValue{}});
            all = all && same_digits(exact[i], row.exact_iv, row.exact_unit) &&
                  same_digits(consistent[i], meant, row.consistent_unit);
        }
        figure.curves.push_back({fmt::format("exact IV, h = {}", step_size), times, exact});
        figure.curves.push_back({fmt::format("consistent IV, h = {}", step_size), times, consistent});
    }
    judgement.expect(all, "every printed digit of both columns is reproduced, misprints apart");
    result.tables.push_back(std::move(table));
    if (!velocities.rows.empty()) result.tables.push_back(std::move(velocities));
    result.figures.push_back(std::move(figure));
    judgement.write(result);
    return result;
}

} // namespace

Reproduction reproduce_nc_5_1() {
    Judgement judgement;
    judgement.remark(
        "Misprint: the first entry of the consistent column for h = 0.0005 is printed as 0.004030; 0.004003 is "
        "meant, which fits the entries below it.");
    return run({nc_problem_5_1,
                4,
                {{0.0005,
                  {{1, 2.0040, 1e-4, 0.004030, 1e-6, 0.004003},
                   {2, 0.0040085, 1e-7, 0.0040085, 1e-7},
                   {3, 0.0040185, 1e-7, 0.0040185, 1e-7},
                   {4, 0.0040286, 1e-7, 0.0040286, 1e-7}}},
                 {0.001, {{1, 2.0080, 1e-4, 0.0080120, 1e-7}, {2, 0.0080341, 1e-7, 0.0080341, 1e-7}}}},
                {{0.0005, {1.0814, -1.6824}, 1e-4}, {0.001, {1.0823, -1.6819}, 1e-4}}},
               judgement);
}

Reproduction reproduce_nc_5_2() {
    Judgement judgement;
    judgement.remark("Misprint: the second component of F has −4yt² (printed: −4yt), as the stated solution demands.");
    return run({nc_problem_5_2,
                6,
                {{0.0005,
                  {{1, 2.3973, 1e-4, 0.0047995, 1e-7},
                   {2, 0.0056125, 1e-7, 0.0056125, 1e-7},
                   {3, 0.0055573, 1e-7, 0.0055573, 1e-7},
                   {4, 0.0055028, 1e-7, 0.0055028, 1e-7}}},
                 {0.001, {{1, 2.3917, 1e-4, 0.009586, 1e-6}, {2, 0.011062, 1e-6, 0.011062, 1e-6}}}},
                {{0.001, {-0.72985, 0.93931, 1}, 1e-5}}},
               judgement);
}

} // namespace daedalus::study
