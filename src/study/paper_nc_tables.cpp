// NC Tables 5.1 and 5.2, every printed digit.
#include "study/consistent_problems.hpp"
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
};

struct PrintedTable {
    MultiplierProblem (*problem)();
    int lambda; ///< its position
    std::vector<std::pair<double, std::vector<Printed>>> by_step_size;
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
                     {"consistent_iv_printed", "printed", 7}};
    StudyFigure figure{"Error of λ", "t − t0", "|error of λ|", true, false, {}};
    bool all = true;
    for (const auto& [step_size, rows] : printed.by_step_size) {
        const Real h = step_size;
        Vector grid;
        for (int i = 0; i <= 20; ++i) grid.push_back(p.t0 + h * static_cast<Real>(i));
        const Vector x0 = p.exact_value(p.t0);
        const tableau::MultistepMethod euler = tableau::make_bdf(1);
        const auto errors = [&](const Vector& start) {
            const DiscreteSolution s = integrate(p, euler, grid, Variant::indirect, {{start}, {}});
            std::vector<double> e;
            for (std::size_t n = 1; n < s.t.size(); ++n)
                e.push_back(static_cast<double>(std::abs(s.x[n][lambda] - p.exact_value(s.t[n])[lambda])));
            return e;
        };
        const Vector shifted = numerically_consistent(mp, p.t0, h, x0);
        const std::vector<double> exact = errors(x0);
        const std::vector<double> consistent = errors(shifted);
        std::string q_change;
        for (int i = 0; i < mp.m; ++i)
            q_change += fmt::format("{}{:.5f} → {:.5f}", i == 0 ? "" : ", ", double(x0[std::size_t(mp.n + i)]),
                                    double(shifted[std::size_t(mp.n + i)]));
        judgement.remark(fmt::format("h = {}: initial velocities {}", step_size, q_change));
        std::vector<double> times;
        for (std::size_t n = 1; n < grid.size(); ++n) times.push_back(static_cast<double>(grid[n] - p.t0));
        for (const Printed& row : rows) {
            const auto i = static_cast<std::size_t>(row.step - 1);
            table.rows.push_back({step_size, times[i], exact[i], row.exact_iv, consistent[i], row.consistent_iv});
            all = all && same_digits(exact[i], row.exact_iv, row.exact_unit) &&
                  same_digits(consistent[i], row.consistent_iv, row.consistent_unit);
        }
        figure.curves.push_back({fmt::format("exact IV, h = {}", step_size), times, exact});
        figure.curves.push_back({fmt::format("consistent IV, h = {}", step_size), times, consistent});
    }
    judgement.expect(all, "every printed digit of both columns is reproduced");
    result.tables.push_back(std::move(table));
    result.figures.push_back(std::move(figure));
    judgement.write(result);
    return result;
}

} // namespace

Reproduction reproduce_nc_5_1() {
    Judgement judgement;
    judgement.remark("Misprint: the first entry of the consistent column for h = 0.0005 is 0.004003, not 0.004030.");
    return run({nc_problem_5_1,
                4,
                {{0.0005,
                  {{1, 2.0040, 1e-4, 0.004003, 1e-6},
                   {2, 0.0040085, 1e-7, 0.0040085, 1e-7},
                   {3, 0.0040185, 1e-7, 0.0040185, 1e-7},
                   {4, 0.0040286, 1e-7, 0.0040286, 1e-7}}},
                 {0.001, {{1, 2.0080, 1e-4, 0.0080120, 1e-7}, {2, 0.0080341, 1e-7, 0.0080341, 1e-7}}}}},
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
                 {0.001, {{1, 2.3917, 1e-4, 0.009586, 1e-6}, {2, 0.011062, 1e-6, 0.011062, 1e-6}}}}},
               judgement);
}

} // namespace daedalus::study
