// S (48): a linear PDAE in one space dimension, and the index of what central differences make of it.
//
//     E u_t + H u_xx + C u = c,    E = [0 0; 1 0],  H = [0 1; 0 0],  C = [1 γ; 0 1]:
//     u + v_xx + γ v = c₁,   u_t + v = c₂.
// A mode with eigenvalue μ of the difference operator has D = γ + μ: index 1 where that is not zero, index 2 where it
// is. So the grid decides: for γ = 8 the single inner point has μ = −8, and no finer grid has. For γ = π² the
// differential equation itself is of index 2 in its first mode, and every grid is of index 1, nearly index 2.
#include "analysis/pencil.hpp"
#include "analysis/semi_discretize.hpp"
#include "study/reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace daedalus::study {

namespace {

using DenseMatrix = linalg::Matrix;

int whole_index(const DenseMatrix& e, const DenseMatrix& h, const DenseMatrix& c, int points) {
    const analysis::SemiDiscretePencil p = analysis::semi_discretize(e, h, c, points, 1.0);
    DenseMatrix big_e(p.e.rows, p.e.cols), big_h(p.h.rows, p.h.cols);
    for (const auto& x : p.e.entries) big_e(x.row, x.col) += x.value;
    for (const auto& x : p.h.entries) big_h(x.row, x.col) += x.value;
    const analysis::PencilReport r = analysis::analyze_pencil(big_e, big_h, {.weierstrass = false});
    return r.decided && r.structure.regular() ? r.structure.index() : -1;
}

} // namespace

Reproduction reproduce_s_48() {
    Reproduction result;
    Judgement judgement;
    StudyTable table;
    table.caption = "Index of the semi-discrete system: of the whole, and the largest of its modes";
    table.columns = {{"gamma", "γ", 6},
                     {"points", "points", 3},
                     {"index", "index", 1},
                     {"modes", "by modes", 1},
                     {"least_d", "least |γ + μ|", 3}};
    const DenseMatrix e{{0, 0}, {1, 0}}, h{{0, 1}, {0, 0}};
    std::vector<double> spacing, distance;
    for (const double gamma : {1.0, 8.0, std::numbers::pi * std::numbers::pi})
        for (const int points : {1, 3, 7, 15, 31}) {
            const DenseMatrix c{{1, gamma}, {0, 1}};
            const int index = whole_index(e, h, c, points);
            double least = INFINITY;
            for (const double mu : analysis::difference_eigenvalues(points, 1.0))
                least = std::min(least, std::abs(gamma + mu));
            const int modes = least < 1e-12 ? 2 : 1;
            const bool hit = gamma == 8.0 && points == 1;
            table.rows.push_back({gamma, double(points), double(index), double(modes), least});
            judgement.expect(
                index == modes && modes == (hit ? 2 : 1),
                fmt::format("γ = {:.4g}, {} point{}: index {}", gamma, points, points == 1 ? "" : "s", index));
            if (gamma > 9) {
                spacing.push_back(1.0 / (points + 1));
                distance.push_back(least);
            }
        }
    const double power = fitted_exponent({spacing.begin() + 2, spacing.end()}, {distance.begin() + 2, distance.end()});
    judgement.expect(
        std::abs(power - 2) < 0.1,
        fmt::format("γ = π²: the distance to index 2 shrinks like h^{:.2f} (predicted h², the error of the "
                    "differences)",
                    power));
    judgement.remark("The source states that discretisation may affect the index and gives no example; this one is "
                     "made so that its modes can be followed by hand.");
    result.tables.push_back(std::move(table));
    judgement.write(result);
    return result;
}

} // namespace daedalus::study
