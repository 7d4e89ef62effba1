// A derivative array without some of its equations: where these follow from the others, the rest is regular, and points
// on it are found to rounding. (With them Newton's method converges linearly at best, to half of the digits.)
#pragma once

#include "problem/derivative_array.hpp"

#include <algorithm>
#include <vector>

namespace daedalus::analysis {

class ArrayWithoutRows final : public problem::DerivativeArray {
public:
    ArrayWithoutRows(problem::DerivativeArray& whole, const std::vector<int>& left_out)
        : DerivativeArray(whole.equations() - static_cast<int>(left_out.size()), whole.unknowns()), whole_(whole) {
        for (int i = 0; i < whole.equations(); ++i)
            if (std::find(left_out.begin(), left_out.end(), i) == left_out.end()) kept_.push_back(i);
        legend = whole.legend;
        infos = whole.infos;
        start = whole.start;
    }

    [[nodiscard]] bool prepare(int order) override {
        if (!whole_.prepare(order)) return false;
        while (static_cast<int>(orders_.size()) <= order) orders_.push_back(select(static_cast<int>(orders_.size())));
        return true;
    }
    [[nodiscard]] problem::EvalStatus residual(int order, double t, const double* z, double* r) override {
        all_.resize(static_cast<std::size_t>(whole_.rows(order)));
        const problem::EvalStatus status = whole_.residual(order, t, z, all_.data());
        for (int i = 0; i < rows(order); ++i) r[i] = all_[static_cast<std::size_t>(origin(i))];
        return status;
    }
    [[nodiscard]] const SparsityPattern& pattern(int order) override {
        return orders_[static_cast<std::size_t>(order)].pattern;
    }
    [[nodiscard]] problem::EvalStatus jacobian(int order, double t, const double* z, double* values) override {
        all_.resize(static_cast<std::size_t>(whole_.pattern(order).nonzeros()));
        const problem::EvalStatus status = whole_.jacobian(order, t, z, all_.data());
        for (const int k : orders_[static_cast<std::size_t>(order)].entries)
            *values++ = all_[static_cast<std::size_t>(k)];
        return status;
    }

private:
    struct Order {
        SparsityPattern pattern;
        std::vector<int> entries; ///< of the whole array's values
    };
    [[nodiscard]] int origin(int row) const {
        const int m = equations();
        return row / m * whole_.equations() + kept_[static_cast<std::size_t>(row % m)];
    }
    [[nodiscard]] Order select(int order) {
        const SparsityPattern& from = whole_.pattern(order);
        std::vector<int> place(static_cast<std::size_t>(from.rows), -1);
        for (int i = 0; i < rows(order); ++i) place[static_cast<std::size_t>(origin(i))] = i;
        Order result;
        std::vector<std::pair<int, int>> positions;
        for (int j = 0; j < from.cols; ++j)
            for (int k = from.column_start[static_cast<std::size_t>(j)];
                 k < from.column_start[static_cast<std::size_t>(j) + 1]; ++k)
                if (const int row = place[static_cast<std::size_t>(from.row_index[static_cast<std::size_t>(k)])];
                    row >= 0) {
                    positions.emplace_back(row, j);
                    result.entries.push_back(k); // columns in order, rows ascending: as the new pattern has them
                }
        result.pattern = SparsityPattern::from_entries(rows(order), from.cols, positions);
        return result;
    }

    problem::DerivativeArray& whole_;
    std::vector<int> kept_;
    std::vector<Order> orders_;
    std::vector<double> all_;
};

} // namespace daedalus::analysis
