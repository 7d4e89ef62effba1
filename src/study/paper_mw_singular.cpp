// MW Examples 9.3 and 9.4, and W Example 1.1: what D, CB, CAB, … say about x' = Ax + By + p, 0 = Cx + Dy + q.
#include "study/reproduction.hpp"
#include "study/small_dense.hpp"

#include <fmt/format.h>

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
        const double predicted = i % 2;
        all = all && value == predicted;
        table.rows.push_back({double(i), value, predicted});
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
        // x2' = 0, x1' = -x1 - x2 + y, y = -(x2 + q)/ε, by hand: responses to x2(0) = 1 and to q = 1.
        const double decay = 1 - std::exp(-5.0);
        const double values[4] = {(1 + 1 / eps) * decay, decay / eps, 1 / eps, 1 / eps};
        // The same by integration of the system with the state matrix, as a check of the closed form.
        double x1 = 0, q_response = 0;
        constexpr int steps = 4000;
        const double h = 5.0 / steps;
        for (int n = 0; n < steps; ++n) { // trapezoidal rule
            x1 = ((1 - h / 2) * x1 - h * (1 + 1 / eps)) / (1 + h / 2);
            q_response = ((1 - h / 2) * q_response - h / eps) / (1 + h / 2);
        }
        judgement.expect(std::abs(std::abs(x1) - values[0]) < 1e-5 * values[0] &&
                             std::abs(std::abs(q_response) - values[1]) < 1e-5 * values[1],
                         fmt::format("ε = {:g}: integration and closed form agree", eps));
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
    table.columns = {{"A", "A", 0}, {"B", "B", 0},         {"C", "C", 0},
                     {"D", "D", 0}, {"index", "index", 2}, {"expected", "expected", 2}};
    const Matrix A(2, 2, {0, 1, 1, 0});
    const struct {
        Matrix B, C, D;
        int expected;
        const char* why;
    } cases[] = {{Matrix(2, 1, {1, 0}), Matrix(1, 2, {1, 1}), Matrix(1, 1, {2}), 1, "D regular: an ODE in disguise"},
                 {Matrix(2, 1, {1, 0}), Matrix(1, 2, {1, 1}), Matrix(1, 1), 2, "D = 0, CB regular"},
                 {Matrix(2, 1, {1, 0}), Matrix(1, 2, {0, 1}), Matrix(1, 1), 3, "D = 0, CB = 0, CAB regular"}};
    for (const auto& c : cases) {
        const int index = TwoDeck{A, c.B, c.C, c.D}.index();
        table.rows.push_back({entries(A), entries(c.B), entries(c.C), entries(c.D), double(index), double(c.expected)});
        judgement.expect(index == c.expected, fmt::format("{}: index {}", c.why, index));
    }
    result.tables.push_back(std::move(table));
    judgement.write(result);
    return result;
}

} // namespace daedalus::study
