// MW Examples 9.3 and 9.4, and W Example 1.1: what D, CB, CAB, … say about x' = Ax + By + p, 0 = Cx + Dy + q.
#include "study/product_run.hpp"
#include "study/reproduction.hpp"
#include "study/small_dense.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace daedalus::study {

namespace {

struct TwoDeck {
    Matrix A, B, C, D;

    [[nodiscard]] Matrix E() const {
        Matrix E(A.rows + D.rows, A.rows + D.rows);
        for (int i = 0; i < A.rows; ++i) E(i, i) = 1;
        return E;
    }
    /// E z' + H z = c.
    [[nodiscard]] Matrix H() const {
        const int n = A.rows, m = D.rows;
        Matrix H(n + m, n + m);
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) H(i, j) = -A(i, j);
            for (int j = 0; j < m; ++j) H(i, n + j) = -B(i, j);
        }
        for (int i = 0; i < m; ++i) {
            for (int j = 0; j < n; ++j) H(n + i, j) = -C(i, j);
            for (int j = 0; j < m; ++j) H(n + i, n + j) = -D(i, j);
        }
        return H;
    }
    [[nodiscard]] int index() const { return pencil_index(E(), H()); }
};

std::string entries(const Matrix& m) {
    std::string text = "[";
    for (int i = 0; i < m.rows; ++i)
        for (int j = 0; j < m.columns; ++j)
            text += fmt::format("{}{:g}", i + j == 0 ? "" : j == 0 ? "; " : " ", static_cast<double>(m(i, j)));
    return text + "]";
}

/// MW (9.5): x1' = -x1 - x2 + y, x2' = 0, 0 = x2 + ε y + q, on [0, 5] by Radau IIA: largest |x1| and |y|.
std::array<double, 2> responses(double epsilon, double x2, double q) {
    Problem p;
    p.size = 3;
    set_residual(p, [=](auto, const auto* x, const auto* dx, auto* F) {
        using T = std::decay_t<decltype(x[0] * x[0])>;
        F[0] = dx[0] + x[0] + x[1] - x[2];
        F[1] = dx[1] + T(0.0L) * x[1];
        F[2] = x[1] + T(static_cast<Real>(epsilon)) * x[2] + T(static_cast<Real>(q));
    });
    const Real y = -(static_cast<Real>(x2) + static_cast<Real>(q)) / static_cast<Real>(epsilon);
    const DiscreteSolution s = run_method(p, "radau2a-3", equidistant(0, 5, 400), Variant::direct,
                                          {{{0, static_cast<Real>(x2), y}}, {{y - static_cast<Real>(x2), 0, 0}}});
    std::array<double, 2> largest{};
    for (const Vector& x : s.x) {
        largest[0] = std::max(largest[0], std::abs(static_cast<double>(x[0])));
        largest[1] = std::max(largest[1], std::abs(static_cast<double>(x[2])));
    }
    return largest;
}

} // namespace

Reproduction reproduce_mw_9_3() {
    const TwoDeck system{Matrix(2, 2, {0, 1, 1, 0}), Matrix(2, 1, {1, 0}), Matrix(1, 2, {0, 1}), Matrix(1, 1)};
    Reproduction result;
    Judgement judgement;
    StudyTable table;
    table.caption = "C A^i B, and the index of the pencil";
    table.columns = {{"i", "i", 2}, {"value", "C A^i B", 3}, {"predicted", "printed", 3}};
    Matrix row = system.C;
    bool all = true;
    for (int i = 0; i < 4; ++i) {
        const double value = static_cast<double>((row * system.B)(0, 0));
        // Printed: CB = 0, CAB = 1, and zero for all even i.
        const bool stated = i % 2 == 0 || i == 1;
        const double predicted = i == 1 ? 1.0 : 0.0;
        all = all && (!stated || value == predicted);
        table.rows.push_back({double(i), value, stated ? StudyValue{predicted} : StudyValue{}});
        row = row * system.A;
    }
    judgement.expect(all, "CB = 0, CAB = 1, zero for all even i");
    judgement.expect(system.index() == 3, fmt::format("index of the pencil: {} (stated: 3)", system.index()));
    judgement.remark("A = [0 1; 1 0], B = (1, 0)ᵀ, C = (0, 1), D = 0.");
    result.tables.push_back(std::move(table));
    judgement.write(result);
    return result;
}

Reproduction reproduce_mw_9_4() {
    Reproduction result;
    Judgement judgement;
    StudyTable table;
    table.caption = "sup over [0, 5] of the responses, and their power of ε";
    table.columns = {{"epsilon", "ε", 2},
                     {"x_from_x0", "x to x(0)", 4},
                     {"x_from_q", "x to q", 4},
                     {"y_from_x0", "y to x(0)", 4},
                     {"y_from_q", "y to q", 4}};
    std::vector<double> epsilons, constants[4];
    for (int k = 1; k <= 6; ++k) {
        const double eps = std::pow(10.0, -k);
        // Responses to x(0) = (0, 1) and to q = 1, each by solving the system; the paper's solution beside them.
        const double decay = 1 - std::exp(-5.0);
        const double stated[4] = {(1 + 1 / eps) * decay, decay / eps, 1 / eps, 1 / eps};
        const auto from_start = responses(eps, 1.0, 0.0), from_q = responses(eps, 0.0, 1.0);
        const double values[4] = {from_start[0], from_q[0], from_start[1], from_q[1]};
        bool same = true;
        for (std::size_t c = 0; c < 4; ++c) same = same && std::abs(values[c] - stated[c]) < 1e-8 * stated[c];
        judgement.expect(same, fmt::format("ε = {:g}: as the printed solution says, to eight digits", eps));
        epsilons.push_back(eps);
        std::vector<StudyValue> row{eps};
        for (std::size_t c = 0; c < 4; ++c) {
            constants[c].push_back(values[c]);
            row.emplace_back(values[c]);
        }
        table.rows.push_back(std::move(row));
    }
    for (std::size_t c = 0; c < 4; ++c) {
        const double power = fitted_exponent(epsilons, constants[c]);
        judgement.expect(std::abs(power + 1) < 0.05,
                         fmt::format("{} grows like ε^{:.2f}", table.columns[c + 1].title, power));
    }
    TwoDeck system{Matrix(2, 2, {-1, -1, 0, 0}), Matrix(2, 1, {1, 0}), Matrix(1, 2, {0, 1}), Matrix(1, 1)};
    judgement.expect(system.index() == -1, "ε = 0: the pencil is singular; C A^i B = 0 for all i");
    system.D(0, 0) = 1e-3L;
    judgement.expect(system.index() == 1, "ε ≠ 0: index 1, however small ε is");
    judgement.remark("A = [−1 −1; 0 0], B = (1, 0)ᵀ, C = (0, 1) follow from the stated solution; then det(A − λE) is "
                     "ελ(λ+1), not the printed −ε(λ+1)², and vanishes for ε = 0 as stated.");
    result.tables.push_back(std::move(table));
    judgement.write(result);
    return result;
}

Reproduction reproduce_w_1_1() {
    Reproduction result;
    Judgement judgement;
    StudyTable table;
    table.caption = "x' = Ax + By + q, 0 = Cx + Dy + r";
    table.columns = {{"A", "A", 0},         {"B", "B", 0},           {"C", "C", 0},          {"D", "D", 0},
                     {"index", "index", 2}, {"stated", "stated", 2}, {"source", "source", 0}};
    const Matrix A(2, 2, {0, 1, 1, 0});
    const struct {
        Matrix B, C, D;
        int expected;
        const char* source;
        const char* why;
    } cases[] = {{Matrix(2, 1, {1, 0}), Matrix(1, 2, {1, 1}), Matrix(1, 1, {2}), 1, "W Example 1.1",
                  "D regular: an ODE in disguise"},
                 {Matrix(2, 1, {1, 0}), Matrix(1, 2, {1, 1}), Matrix(1, 1), 2, "MW section 9 (i)", "D = 0, CB regular"},
                 {Matrix(2, 1, {1, 0}), Matrix(1, 2, {0, 1}), Matrix(1, 1), 3, "MW section 9 (ii)",
                  "D = 0, CB = 0, CAB regular"}};
    for (const auto& c : cases) {
        const int index = TwoDeck{A, c.B, c.C, c.D}.index();
        table.rows.push_back({entries(A), entries(c.B), entries(c.C), entries(c.D), double(index), double(c.expected),
                              std::string(c.source)});
        judgement.expect(index == c.expected, fmt::format("{}: index {}", c.why, index));
    }
    result.tables.push_back(std::move(table));
    judgement.write(result);
    return result;
}

} // namespace daedalus::study
