// A z + b = 0 for sparse A of expressions, eliminated in the graph. Pivots follow from what the entries are at a few
// points: none is smaller than a tenth of its column at any of them, and of those, in the columns with the fewest
// entries, the one that makes the least work is taken (Markowitz 1957; Zlatev 1980).
#pragma once

#include "expr/graph.hpp"

#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace daedalus::compile {

class SymbolicElimination {
public:
    static constexpr std::size_t most_points = 3;
    using Samples = std::array<double, most_points>;
    /// An entry with its values at the points.
    struct Entry {
        expr::NodeId value = expr::no_node;
        Samples samples{};
    };
    /// `rows`: of A, by column; `b`: per row.
    SymbolicElimination(expr::Graph& graph, std::vector<std::map<int, Entry>> rows, std::vector<expr::NodeId> b,
                        std::size_t points);

    /// False: no pivots suit all points, or more than `most` multiplications would be needed.
    [[nodiscard]] bool run(long most);
    /// The same where A is symmetric and positive definite: pivots from the diagonal, which need no watch but of how
    /// much of it cancels (`cancellation`).
    [[nodiscard]] bool run_symmetric(long most);

    [[nodiscard]] long multiplications() const { return multiplications_; }

    /// Per column of A.
    [[nodiscard]] const std::vector<expr::NodeId>& solution() const { return z_; }
    [[nodiscard]] expr::NodeId determinant() const { return determinant_; }
    /// Bounds of what fixed pivots do at other points: of the square of max |L| max |U| in the units that equilibrated
    /// A at the points, by sums of squares and its value there, as a product of two; and the sum of squares of inverse
    /// pivots over what it is there.
    [[nodiscard]] expr::NodeId lower() { return relative(lower_, growth()); }
    [[nodiscard]] expr::NodeId upper() { return relative(upper_); }
    [[nodiscard]] expr::NodeId inverse_pivots() { return relative(inverse_); }
    /// Σ a_kk/p_k of a symmetric matrix.
    [[nodiscard]] expr::NodeId cancellation() const { return cancellation_; }

private:
    struct Pivot {
        int row = -1, column = -1;
    };
    void equilibrate();
    [[nodiscard]] Pivot best_pivot() const;
    [[nodiscard]] Pivot best_on_diagonal() const;
    void add_to_column(int column, int row);
    void take_from_column(int column, int row);
    void eliminate(const Pivot& pivot);
    void subtract(int i, int j, expr::NodeId product, const Samples& samples);
    void eliminate_symmetric(const Pivot& pivot);
    void substitute_back();
    [[nodiscard]] double growth() const;
    struct Watched {
        expr::NodeId sum = expr::no_node; ///< of what is no number
        Samples sums{};                   ///< its values
        double largest = 0.0;             ///< of all entries at the points
    };
    void watch(Watched& watched, expr::NodeId value, double unit, const Samples& samples);
    [[nodiscard]] expr::NodeId relative(const Watched& watched, double known = 1.0);
    [[nodiscard]] double sign() const;

    expr::Graph& g_;
    std::vector<std::map<int, Entry>> rows_;
    std::vector<expr::NodeId> b_;
    std::size_t points_;
    std::vector<double> row_unit_, column_unit_;
    std::vector<std::set<int>> columns_;     ///< rows that have an entry and are not eliminated yet
    std::set<std::pair<int, int>> by_count_; ///< (entries, column) of those columns
    std::vector<char> column_done_;
    std::vector<Pivot> pivots_;
    std::vector<expr::NodeId> inverse_pivot_, z_;
    std::vector<expr::NodeId> diagonal_; ///< of a symmetric matrix
    Watched lower_, upper_, inverse_;
    expr::NodeId determinant_, cancellation_;
    long multiplications_ = 0;
};

} // namespace daedalus::compile
