// S (7), (8): the differentiator circuit.  S (29): a differential-algebraic Riccati equation.  HW VII.1 Exercise 8: the
// linear-quadratic control problem.
#include "study/newton_to_round_off.hpp"
#include "study/product_run.hpp"
#include "study/reproduction.hpp"

#include <fmt/format.h>

namespace daedalus::study {

Reproduction reproduce_s_8() {
    Reproduction result;
    Judgement judgement;
    constexpr Real R = 2, L = 0.5L, w = 3;
    // Unknowns V1, V2, V3, I, IL, IV.
    Matrix E(6, 6), H(6, 6);
    E(5, 4) = -L;
    H(0, 3) = 1, H(0, 0) = 1 / R, H(0, 1) = -1 / R;
    H(1, 0) = -1 / R, H(1, 1) = 1 / R, H(1, 4) = 1;
    H(2, 4) = -1, H(2, 5) = 1;
    H(3, 0) = 1;
    H(4, 1) = 1;
    H(5, 1) = 1, H(5, 2) = -1;
    const int index = pencil_index(E, H);
    judgement.expect(index == 2, fmt::format("index of the pencil: {} (the source gives none)", index));
    judgement.expect(rank(E) == 1 && rank(H) == 6,
                     "rank E = 1, H regular: no finite eigenvalue, so nothing can be chosen "
                     "at the start");
    Problem p;
    p.size = 6;
    set_residual(p, [=](auto t, const auto* x, const auto* dx, auto* F) {
        using std::sin;
        using T = std::decay_t<decltype(x[0] * x[0])>;
        F[0] = x[3] + (x[0] - x[1]) / T(R);
        F[1] = (x[1] - x[0]) / T(R) + x[4];
        F[2] = x[5] - x[4];
        F[3] = x[0] - sin(T(w) * T(t));
        F[4] = x[1];
        F[5] = x[1] - x[2] - T(L) * dx[4];
    });
    p.exact = [=](Real t, Real* x, Real* dx) {
        const Real V = std::sin(w * t), dV = w * std::cos(w * t), ddV = -w * w * V;
        const Real value[6] = {V, 0, -L / R * dV, -V / R, V / R, V / R};
        const Real slope[6] = {dV, 0, -L / R * ddV, -dV / R, dV / R, dV / R};
        std::copy_n(value, 6, x);
        std::copy_n(slope, 6, dx);
    };
    p.groups = {{"x", 0, 6, 2}};
    const DiscreteSolution s = run_method(p, "radau2a-3", equidistant(0, 2, 200));
    StudyTable table;
    table.caption = "V = sin 3t, R = 2, L = 0.5: output voltage by Radau IIA, against −(L/R) V'";
    table.columns = {{"t", "t", 3}, {"V3", "V3", 7}, {"formula", "−(L/R) V'", 7}};
    StudyFigure figure{"The differentiator", "t", "V", false, false, {{"input V", {}, {}}, {"output V3", {}, {}}}};
    Real worst = 0;
    for (std::size_t n = 0; n < s.t.size(); ++n) {
        const Vector exact = p.exact_value(s.t[n]);
        for (std::size_t j = 0; j < 6; ++j) worst = std::max(worst, std::abs(exact[j] - s.x[n][j]));
        if (n % 40 == 0) table.rows.push_back({double(s.t[n]), double(s.x[n][2]), double(exact[2])});
        for (std::size_t c = 0; c < 2; ++c) {
            figure.curves[c].x.push_back(double(s.t[n]));
            figure.curves[c].y.push_back(double(s.x[n][c == 0 ? 0 : 2]));
        }
    }
    judgement.expect(s.solved && worst < 1e-4L,
                     fmt::format("all six unknowns within {:.1e} of the solution", double(worst)));
    result.tables.push_back(std::move(table));
    result.figures.push_back(std::move(figure));
    judgement.write(result);
    return result;
}

Reproduction reproduce_s_29() {
    // n = 2, E = diag(1, 0), A = [0 1; 1 0], W = I, X = [a b; b c], Q = [q11 q12; q12 0]. The entries of (29) are
    //   (1,1)  -a' = 2b + q11 - a² - b²,   (1,2)  0 = a + q12,   (2,2)  0 = 0,
    // so a is given, b follows from a' through a quadratic, and c occurs nowhere.
    Reproduction result;
    Judgement judgement;
    const auto root = [](Real t) { return 2 + 0.5L * std::sin(2 * t); };
    Problem p;
    p.size = 2;
    set_residual(p, [](auto t, const auto* x, const auto* dx, auto* F) {
        using std::cos, std::sin;
        using T = std::decay_t<decltype(x[0] * x[0])>;
        const T time(t), forced = T(1.0L) + sin(time), s = T(2.0L) + T(0.5L) * sin(T(2.0L) * time);
        const T q11 = forced * forced - cos(time) + s * s - T(1.0L);
        F[0] = dx[0] + T(2.0L) * x[1] + q11 - x[0] * x[0] - x[1] * x[1];
        F[1] = x[0] - forced;
    });
    // Consistent b at t = 0 from many starting points: a' = cos 0 = 1 from the differentiated constraint.
    Vector found;
    for (int k = -10; k <= 10; ++k) {
        Vector b{static_cast<Real>(k) + 0.3L};
        const bool good = newton_to_round_off(b, [&](const Vector& u, Vector& r, Matrix& J) {
            const Linearization at = linearize(p, 0, {1, u[0]}, {1, 0});
            r[0] = at.F[0];
            J(0, 0) = at.Fx(0, 1);
        });
        bool known = false;
        for (const Real f : found) known = known || std::abs(f - b[0]) < 1e-8L;
        if (good && !known) found.push_back(b[0]);
    }
    std::sort(found.begin(), found.end());
    judgement.expect(
        found.size() == 2,
        fmt::format("{} consistent values of b at the start: the equation has no unique solution", found.size()));
    StudyTable table;
    table.caption = "Both solutions by Radau IIA with 3 stages";
    table.columns = {{"t", "t", 3},
                     {"a", "a", 7},
                     {"b_first", "b, first", 7},
                     {"formula_first", "1 − s(t)", 7},
                     {"b_second", "b, second", 7},
                     {"formula_second", "1 + s(t)", 7}};
    StudyFigure figure{"Two solutions of one Riccati equation", "t", "b", false, false, {}};
    std::vector<DiscreteSolution> runs;
    for (std::size_t k = 0; k < found.size(); ++k) {
        runs.push_back(run_method(p, "radau2a-3", equidistant(0, 2, 400), Variant::direct,
                                  {{{1, found[k]}}, {{1, k == 0 ? -1.0L : 1.0L}}}));
        figure.curves.push_back({fmt::format("solution {}", k + 1), {}, {}});
        Real worst = 0;
        for (std::size_t n = 0; n < runs[k].t.size(); ++n) {
            const Real exact = 1 + (k == 0 ? -1 : 1) * root(runs[k].t[n]);
            worst = std::max(worst, std::abs(runs[k].x[n][1] - exact));
            figure.curves[k].x.push_back(double(runs[k].t[n]));
            figure.curves[k].y.push_back(double(runs[k].x[n][1]));
        }
        judgement.expect(runs[k].solved && worst < 1e-5L,
                         fmt::format("solution {}: b(0) = {:.6f}, within {:.1e} of the closed form", k + 1,
                                     double(found[k]), double(worst)));
    }
    if (runs.size() == 2)
        for (std::size_t n = 0; n < runs[0].t.size(); n += 80)
            table.rows.push_back({double(runs[0].t[n]), double(runs[0].x[n][0]), double(runs[0].x[n][1]),
                                  double(1 - root(runs[0].t[n])), double(runs[1].x[n][1]),
                                  double(1 + root(runs[0].t[n]))});
    judgement.remark("E = diag(1, 0), A = [0 1; 1 0], W = I. Moreover X22 occurs nowhere in (29): it is arbitrary.");
    judgement.remark("The source gives no matrices; these were made so that both solutions are known.");
    result.tables.push_back(std::move(table));
    result.figures.push_back(std::move(figure));
    judgement.write(result);
    return result;
}

Reproduction reproduce_hw_1_52() {
    Reproduction result;
    Judgement judgement;
    StudyTable table;
    table.caption = "y' = Ay + Bu + f, v' = −Aᵀv − Cy, 0 = Bᵀv + Du";
    table.columns = {{"case", "case", 0}, {"index", "index", 2}, {"stated", "stated", 2}};
    const Matrix A(3, 3, {0.3L, 1, -0.5L, 0, -0.7L, 2, 1, 0.4L, 0.1L}), B(3, 2, {1, 0, 0.5L, 1, 0, -1});
    const Matrix C(3, 3, {2, 0.3L, 0, 0.3L, 1, 0.2L, 0, 0.2L, 1.5L});
    const auto index_of = [&](const Matrix& D) {
        Matrix E(8, 8), H(8, 8);
        for (int i = 0; i < 3; ++i) {
            E(i, i) = E(3 + i, 3 + i) = 1;
            for (int j = 0; j < 3; ++j) H(i, j) = -A(i, j), H(3 + i, 3 + j) = A(j, i), H(3 + i, j) = C(i, j);
            for (int j = 0; j < 2; ++j) H(i, 6 + j) = -B(i, j), H(6 + j, 3 + i) = B(i, j);
        }
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j) H(6 + i, 6 + j) = D(i, j);
        return pencil_index(E, H);
    };
    judgement.expect(rank(transposed(B) * C * B) == 2, "BᵀCB is regular");
    const struct {
        const char* name;
        Matrix D;
        int stated;
    } cases[] = {{"D = I", Matrix::identity(2), 1}, {"D = 0, BᵀCB positive definite", Matrix(2, 2), 3}};
    for (const auto& c : cases) {
        const int index = index_of(c.D);
        table.rows.push_back({std::string(c.name), double(index), double(c.stated)});
        judgement.expect(index == c.stated, fmt::format("{}: index {} (stated: {})", c.name, index, c.stated));
    }
    result.tables.push_back(std::move(table));
    judgement.write(result);
    return result;
}

} // namespace daedalus::study
