#include "structure/signature_method.hpp"

#include "structure/hopcroft_karp.hpp"
#include "structure/radix_heap.hpp"
#include "structure/work_count.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace daedalus::structure {

namespace {

using Wide = std::int64_t; // duals are sums of up to n orders

class Assignment {
public:
    explicit Assignment(const SignatureMatrix& sigma)
        : sigma_(sigma), pattern_(sigma.pattern), c_(pattern_.rows, 0), d_(pattern_.cols, 0),
          row_distance_(pattern_.rows), col_distance_(pattern_.cols),
          matching_(Matching::empty(pattern_.rows, pattern_.cols)) {
        for (int k = 0; k < pattern_.entries(); ++k) {
            Wide& d = d_[pattern_.column[k]];
            d = std::max<Wide>(d, sigma_.order[k]);
        }
    }

    /// False if there is no transversal.
    bool solve() {
        for (;; ++rounds_) {
            match_tight_entries();
            if (matching_.perfect()) return true;
            if (!search()) return false;
        }
    }

    /// The least c ≥ 0 for the transversal found. With y_i = c_i − c*_i for the duals c* at hand,
    ///     y_i = max( −c*_i,  max over rows k meeting the column of i:  y_k − slack_k ),
    /// so the values spread from the largest start value downwards and each row is settled once.
    [[nodiscard]] std::vector<int> least_c() {
        const Wide top = -*std::min_element(c_.begin(), c_.end());
        RadixHeap heap;
        std::vector<Wide>& loss = row_distance_; // top − y
        for (int i = 0; i < pattern_.rows; ++i) {
            loss[i] = top + c_[i];
            heap.push(static_cast<RadixHeap::Key>(loss[i]), i);
        }
        while (!heap.empty()) {
            const auto [key, i] = heap.pop();
            if (static_cast<Wide>(key) != loss[i]) continue;
            for (int k = pattern_.row_start[i]; k < pattern_.row_start[i + 1]; ++k) {
                const int next = matching_.row_of_column[pattern_.column[k]];
                const Wide through = loss[i] + slack(i, k);
                if (through < loss[next]) {
                    loss[next] = through;
                    heap.push(static_cast<RadixHeap::Key>(through), next);
                }
            }
        }
        std::vector<int> c(c_.size());
        for (std::size_t i = 0; i < c.size(); ++i) {
            const Wide value = c_[i] + top - loss[i];
            assert(0 <= value && value <= std::numeric_limits<int>::max());
            c[i] = static_cast<int>(value);
        }
        return c;
    }

    Matching& matching() { return matching_; }
    [[nodiscard]] int rounds() const { return rounds_; }

private:
    static constexpr Wide unreached = std::numeric_limits<Wide>::max();

    [[nodiscard]] Wide slack(int i, int k) const { return d_[pattern_.column[k]] - c_[i] - sigma_.order[k]; }

    // On a compact copy: most entries are not tight, and each is looked at many times.
    void match_tight_entries() {
        tight_start_.assign(1, 0);
        tight_column_.clear();
        for (int i = 0; i < pattern_.rows; ++i) {
            for (int k = pattern_.row_start[i]; k < pattern_.row_start[i + 1]; ++k)
                if (slack(i, k) == 0) tight_column_.push_back(pattern_.column[k]);
            tight_start_.push_back(static_cast<int>(tight_column_.size()));
        }
        HopcroftKarp(pattern_.rows, tight_start_, tight_column_).run(matching_);
    }

    // Shortest alternating paths from all free rows; then d_j −= distance_j, c_i −= distance_i keeps every slack
    // nonnegative (triangle inequality) and makes the paths tight. Vertices out of reach move with the farthest one.
    bool search() {
        RadixHeap heap;
        std::fill(row_distance_.begin(), row_distance_.end(), unreached);
        std::fill(col_distance_.begin(), col_distance_.end(), unreached);
        for (int i = 0; i < pattern_.rows; ++i)
            if (matching_.column_of_row[i] < 0) {
                row_distance_[i] = 0;
                heap.push(0, i);
            }
        Wide farthest = 0;
        bool found = false;
        while (!heap.empty()) {
            const auto [key, i] = heap.pop();
            const Wide here = static_cast<Wide>(key);
            if (here != row_distance_[i]) continue;
            farthest = std::max(farthest, here);
            for (int k = pattern_.row_start[i]; k < pattern_.row_start[i + 1]; ++k) {
                const int j = pattern_.column[k];
                const Wide through = here + slack(i, k);
                if (through >= col_distance_[j]) continue;
                col_distance_[j] = through;
                const int next = matching_.row_of_column[j];
                if (next >= 0) {
                    row_distance_[next] = through;
                    heap.push(static_cast<RadixHeap::Key>(through), next);
                } else {
                    found = true;
                }
            }
        }
        if (!found) return false;
        for (Wide distance : col_distance_)
            if (distance != unreached) farthest = std::max(farthest, distance);
        for (std::size_t i = 0; i < c_.size(); ++i) c_[i] -= std::min(row_distance_[i], farthest);
        for (std::size_t j = 0; j < d_.size(); ++j) d_[j] -= std::min(col_distance_[j], farthest);
        return true;
    }

    const SignatureMatrix& sigma_;
    const Incidence& pattern_;
    std::vector<int> tight_start_, tight_column_;
    std::vector<Wide> c_, d_;
    std::vector<Wide> row_distance_, col_distance_;
    Matching matching_;
    int rounds_ = 1;
};

} // namespace

SignatureAnalysis signature_method(const SignatureMatrix& sigma) {
    assert(sigma.equations() == sigma.variables());
    ++work_count().signature_methods;
    SignatureAnalysis result;
    if (sigma.equations() == 0) {
        result.regular = true;
        return result;
    }
    Assignment assignment(sigma);
    result.regular = assignment.solve();
    result.rounds = assignment.rounds();
    if (result.regular) result.c = assignment.least_c();
    result.transversal = std::move(assignment.matching());
    if (!result.regular) return result;

    const int n = sigma.equations();
    result.d.resize(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
        const int j = result.transversal.column_of_row[i];
        const int order = sigma.order_of(i, j);
        result.d[j] = result.c[i] + order;
        result.value += order;
    }
    const bool algebraic = std::find(result.d.begin(), result.d.end(), 0) != result.d.end();
    result.structural_index = *std::max_element(result.c.begin(), result.c.end()) + (algebraic ? 1 : 0);
    result.system_jacobian = system_jacobian(sigma, result.c, result.d);
    return result;
}

Incidence system_jacobian(const SignatureMatrix& sigma, const std::vector<int>& c, const std::vector<int>& d) {
    Incidence s;
    s.rows = sigma.equations();
    s.cols = sigma.variables();
    s.row_start.reserve(static_cast<std::size_t>(s.rows) + 1);
    s.column.reserve(sigma.pattern.column.size());
    for (int i = 0; i < s.rows; ++i) {
        for (int k = sigma.pattern.row_start[i]; k < sigma.pattern.row_start[i + 1]; ++k) {
            const int j = sigma.pattern.column[k];
            if (d[j] - c[i] == sigma.order[k]) s.column.push_back(j);
        }
        s.row_start.push_back(s.entries());
    }
    return s;
}

Offsets fixed_point_offsets(const SignatureMatrix& sigma, const Matching& transversal, int max_passes) {
    Offsets o{std::vector<int>(sigma.equations(), 0), std::vector<int>(sigma.variables(), 0)};
    for (int pass = 0; pass < max_passes; ++pass) {
        for (int i = 0; i < sigma.equations(); ++i)
            for (int k = sigma.pattern.row_start[i]; k < sigma.pattern.row_start[i + 1]; ++k) {
                int& d = o.d[sigma.pattern.column[k]];
                d = std::max(d, sigma.order[k] + o.c[i]);
            }
        bool changed = false;
        for (int i = 0; i < sigma.equations(); ++i) {
            const int j = transversal.column_of_row[i];
            const int c = o.d[j] - sigma.order_of(i, j);
            changed = changed || c != o.c[i];
            o.c[i] = c;
        }
        if (!changed) return o;
    }
    return {};
}

} // namespace daedalus::structure
