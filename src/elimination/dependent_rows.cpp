#include "elimination/dependent_rows.hpp"

#include "elimination/uncertain_number.hpp"

#include <cmath>

namespace daedalus::elimination {

namespace {

struct Numbers {
    using Element = UncertainNumber;
    using Factor = UncertainNumber;
    static constexpr int candidate_rows = 4; // Zlatev (1980): more gain little
    static constexpr double threshold = 0.1; // of the largest entry of its row: the usual compromise with fill-in

    [[nodiscard]] static bool is_zero(const Element& e) { return e.is_zero(); }
    [[nodiscard]] static double size(const Element& e) { return std::abs(e.value); }
    [[nodiscard]] static Factor quotient(const Element& e, const Element& pivot) {
        return elimination::quotient(e, pivot);
    }
    [[nodiscard]] static Element minus_product(const Element* a, const Factor& f, const Element& b) {
        return elimination::minus_product(a ? *a : Element{}, f, b);
    }
};

double largest(const SparseRow<double>& row, const std::vector<double>& column_scale) {
    double size = 0.0;
    for (const auto& e : row)
        size = std::max(size, std::abs(e.value) * column_scale[static_cast<std::size_t>(e.column)]);
    return size;
}

} // namespace

DependentRows dependent_rows(const std::vector<SparseRow<double>>& rows, int columns, double relative_error,
                             std::size_t most_work) {
    // Rows, then columns, then rows again have largest entry 1.
    std::vector<double> column_scale(static_cast<std::size_t>(columns), 1.0), row_scale(rows.size(), 1.0);
    const auto scale_rows = [&] {
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (const double size = largest(rows[i], column_scale); size > 0) row_scale[i] = 1.0 / size;
    };
    scale_rows();
    std::vector<double> size(static_cast<std::size_t>(columns), 0.0);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (const auto& e : rows[i]) {
            double& s = size[static_cast<std::size_t>(e.column)];
            s = std::max(s, std::abs(e.value) * row_scale[i]);
        }
    for (std::size_t j = 0; j < size.size(); ++j)
        if (size[j] > 0) column_scale[j] = 1.0 / size[j];
    scale_rows();

    std::vector<SparseRow<UncertainNumber>> scaled(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (const auto& e : rows[i]) {
            const double value = e.value * row_scale[i] * column_scale[static_cast<std::size_t>(e.column)];
            if (value != 0.0) scaled[i].push_back({e.column, {value, relative_error * std::abs(value)}});
        }
    Numbers algebra;
    const Elimination<UncertainNumber> e = eliminate(algebra, std::move(scaled), columns, most_work);
    DependentRows result;
    result.decided = e.finished || !e.dependent.empty();
    for (const int row : e.dependent) {
        RowDependency d;
        for (const auto& [k, u] : combination(e, row, rows.size(), UncertainNumber{1.0, 0.0}, &Numbers::minus_product))
            if (!u.is_zero()) {
                d.rows.push_back(k);
                d.weights.push_back(u.value * row_scale[static_cast<std::size_t>(k)]);
            }
        result.found.push_back(std::move(d));
    }
    return result;
}

std::vector<SparseRow<double>> transposed(const std::vector<SparseRow<double>>& rows, int columns) {
    std::vector<SparseRow<double>> result(static_cast<std::size_t>(columns));
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (const auto& e : rows[i])
            result[static_cast<std::size_t>(e.column)].push_back({static_cast<int>(i), e.value});
    return result;
}

} // namespace daedalus::elimination
