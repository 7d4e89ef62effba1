// W Example 1.6, Theorem 2.1, Example 2.2 and the variable steps of section 2.1: linear systems of index 3 and BDF.
#include "study/product_run.hpp"
#include "study/reproduction.hpp"

#include <fmt/format.h>

namespace daedalus::study {

namespace {

/// W (E.1.10): x2' + x1 = g1, x3' + x2 = g2, x3 = g3 with g1 = e^t, g2 = sin 2t, g3 = cos 3t.
Problem example_1_6() {
    Problem p;
    p.title = "x2' + x1 = e^t, x3' + x2 = sin 2t, x3 = cos 3t";
    p.size = 3;
    set_residual(p, [](auto t, const auto* x, const auto* dx, auto* F) {
        using std::cos, std::sin, std::exp;
        using T = std::decay_t<decltype(x[0] * x[0])>;
        F[0] = dx[1] + x[0] - exp(T(t));
        F[1] = dx[2] + x[1] - sin(T(2.0L) * T(t));
        F[2] = x[2] - cos(T(3.0L) * T(t));
    });
    p.exact = [](Real t, Real* x, Real* dx) {
        // x1 = g1 - g2' + g3'', x2 = g2 - g3', x3 = g3
        x[0] = std::exp(t) - 2 * std::cos(2 * t) - 9 * std::cos(3 * t);
        x[1] = std::sin(2 * t) + 3 * std::sin(3 * t);
        x[2] = std::cos(3 * t);
        dx[0] = std::exp(t) + 4 * std::sin(2 * t) + 27 * std::sin(3 * t);
        dx[1] = 2 * std::cos(2 * t) + 9 * std::cos(3 * t);
        dx[2] = -3 * std::sin(3 * t);
    };
    p.groups = {{"x1", 0, 1, 3}, {"x2", 1, 1, 2}, {"x3", 2, 1, 1}};
    p.algebraic_rows = {2};
    p.algebraic = {0};
    return p;
}

/// N v' + v = s(t) of dimension ν with v_i = sin(t + i).
Problem chain(int nu) {
    Problem p;
    p.size = nu;
    set_residual(p, [nu](auto t, const auto* x, const auto* dx, auto* F) {
        using std::cos, std::sin;
        using T = std::decay_t<decltype(x[0] * x[0])>;
        for (int i = 0; i + 1 < nu; ++i)
            F[i] = dx[i + 1] + x[i] - cos(T(t) + T(static_cast<Real>(i + 1))) - sin(T(t) + T(static_cast<Real>(i)));
        F[nu - 1] = x[nu - 1] - sin(T(t) + T(static_cast<Real>(nu - 1)));
    });
    p.exact = [nu](Real t, Real* x, Real* dx) {
        for (int i = 0; i < nu; ++i) x[i] = std::sin(t + i), dx[i] = std::cos(t + i);
    };
    p.groups = {{"v1", 0, 1, nu}};
    return p;
}

} // namespace

Reproduction reproduce_w_1_6() {
    const Problem p = example_1_6();
    Reproduction result;
    Judgement judgement;
    StudyTable table;
    table.caption =
        "Radau IIA with 3 stages, 200 steps on [0, 1], against x1 = g1 − g2' + g3'', x2 = g2 − g3', x3 = g3";
    table.columns = {{"t", "t", 3},
                     {"x1", "x1", 8},
                     {"x1_formula", "formula", 8},
                     {"x2", "x2", 8},
                     {"x2_formula", "formula", 8},
                     {"x3", "x3", 8},
                     {"x3_formula", "formula", 8}};
    const DiscreteSolution s = run_method(p, "radau2a-3", equidistant(0, 1, 200));
    Real worst = 0;
    for (std::size_t n = 0; n < s.t.size(); ++n) {
        const Vector exact = p.exact_value(s.t[n]);
        for (std::size_t j = 0; j < 3; ++j) worst = std::max(worst, std::abs(s.x[n][j] - exact[j]));
        if (n % 40 != 0) continue;
        std::vector<StudyValue> row{double(s.t[n])};
        for (std::size_t j = 0; j < 3; ++j) {
            row.emplace_back(double(s.x[n][j]));
            row.emplace_back(double(exact[j]));
        }
        table.rows.push_back(std::move(row));
    }
    judgement.expect(s.solved && worst < 1e-3L,
                     fmt::format("largest difference from the formula: {:.1e}", double(worst)));
    const Matrix E(3, 3, {0, 1, 0, 0, 0, 1, 0, 0, 0});
    const int index = pencil_index(E, Matrix::identity(3));
    judgement.expect(index == 3, fmt::format("index of the pencil: {}", index));
    judgement.expect(rank(E * E * E) == 0,
                     "E³ = 0: no finite eigenvalue, so no initial value can be chosen; one constraint "
                     "is written, two are hidden");
    result.tables.push_back(std::move(table));
    judgement.write(result);
    return result;
}

Reproduction reproduce_w_theorem_2_1() {
    Reproduction result;
    Judgement judgement;
    StudyTable table;
    table.caption = "First accurate step when all starting values are wrong by 1";
    table.columns = {{"k", "k", 2},
                     {"nu", "ν", 2},
                     {"observed", "observed", 3},
                     {"predicted", "(ν−1)k + 1", 3},
                     {"error_before", "error one step before", 2},
                     {"error_then", "error then", 2}};
    bool all = true;
    for (int nu = 1; nu <= 4; ++nu)
        for (int k = 1; k <= 6; ++k) {
            const Problem p = chain(nu);
            constexpr Real h = 1e-2L;
            Vector grid;
            for (int i = 0; i < k + (nu - 1) * k + 8; ++i) grid.push_back(h * static_cast<Real>(i));
            StartValues start;
            for (int i = 0; i < k; ++i) {
                start.x.push_back(p.exact_value(grid[std::size_t(i)]));
                for (Real& v : start.x.back()) v += 1;
            }
            const DiscreteSolution s = run_method(p, "bdf" + std::to_string(k), grid, Variant::indirect, start);
            // Step m ends at grid point k - 1 + m. Wrong values act with weights of size 1/h; the method's own error is
            // below 0.1 for this h.
            int first = 0;
            for (int m = (nu - 1) * k + 8 - 1; m >= 1; --m) {
                if (s.error_at(p, p.groups[0], std::size_t(k - 1 + m)) > 0.1L) break;
                first = m;
            }
            const int predicted = (nu - 1) * k + 1;
            all = all && first == predicted;
            table.rows.push_back({double(k), double(nu), double(first), double(predicted),
                                  double(s.error_at(p, p.groups[0], std::size_t(k - 2 + predicted))),
                                  double(s.error_at(p, p.groups[0], std::size_t(k - 1 + predicted)))});
        }
    judgement.expect(all, "accurate from step (ν−1)k + 1 on and not before, for k = 1 … 6 and ν = 1 … 4");
    result.tables.push_back(std::move(table));
    judgement.write(result);
    return result;
}

Reproduction reproduce_w_2_2() {
    Reproduction result;
    Judgement judgement;
    // x1' = x2, x2' = x3, 0 = x1 - f(t), f = sin t
    Problem p;
    p.size = 3;
    set_residual(p, [](auto t, const auto* x, const auto* dx, auto* F) {
        using std::sin;
        F[0] = dx[0] - x[1];
        F[1] = dx[1] - x[2];
        F[2] = x[0] - sin(t);
    });
    p.exact = [](Real t, Real* x, Real* dx) {
        x[0] = std::sin(t), x[1] = std::cos(t), x[2] = -std::sin(t);
        dx[0] = x[1], dx[1] = x[2], dx[2] = -std::cos(t);
    };
    p.groups = {{"x1", 0, 1, 1}, {"x2", 1, 1, 2}, {"x3", 2, 1, 3}};

    StudyTable change;
    change.caption = "Implicit Euler: error of x3 in the first step after the step changes from h to rh";
    change.columns = {{"ratio", "r", 3}, {"h", "h", 2}, {"error", "x3 − f''", 5}, {"formula", "½(1/r − 1) f''", 5}};
    bool all = true;
    for (const Real r : {0.5L, 2.0L, 1.0L})
        for (const Real h : {1e-2L, 1e-3L, 1e-4L}) {
            Vector grid{1 - 3 * h, 1 - 2 * h, 1 - h, 1, 1 + r * h};
            const DiscreteSolution s = run_method(p, "bdf1", grid);
            const Real error = s.x[4][2] - p.exact_value(grid[4])[2];
            const Real formula = (1 / r - 1) / 2 * p.exact_value(1)[2];
            all = all && std::abs(error - formula) < 3 * h;
            change.rows.push_back({double(r), double(h), double(error), double(formula)});
        }
    judgement.expect(all, "the error does not vanish with h unless r = 1; it is ½(h_{n-1}/h_n − 1) f'' + O(h)");

    StudyTable variable;
    variable.caption = "Orders of k-step BDF for index 3 when steps h and 2h alternate";
    variable.columns = {{"k", "k", 2}, {"observed", "observed order of x3", 3}, {"predicted", "min(k, k − ν + 2)", 2}};
    for (int k = 1; k <= 5; ++k) {
        std::vector<double> steps, errors;
        for (int n = 48; n <= 192; n *= 2) {
            Vector grid{0};
            while (grid.size() < std::size_t(n)) grid.push_back(grid.back() + (grid.size() % 2 == 0 ? 2.0L : 1.0L) / n);
            const DiscreteSolution s = run_method(p, "bdf" + std::to_string(k), grid);
            steps.push_back(1.0 / n);
            errors.push_back(double(s.error(p, p.groups[2])));
        }
        const double observed = fitted_exponent(steps, errors);
        variable.rows.push_back({double(k), observed, double(k - 1)});
        judgement.expect(std::abs(observed - (k - 1)) < 0.2,
                         fmt::format("k = {}: order {:.2f}, predicted {}", k, observed, k - 1));
    }
    result.tables = {std::move(change), std::move(variable)};
    judgement.write(result);
    return result;
}

} // namespace daedalus::study
