#include "integrate/consistency_matrix.hpp"

#include <algorithm>
#include <utility>

namespace daedalus::integrate {

void ConsistencyMatrix::reset() {
    seen_.clear();
    growths_ = 0;
    solver_.reset();
}

void ConsistencyMatrix::rebuild(const SparsityPattern& whole) {
    // Entries that turn up one after the other would have a solver made for each.
    constexpr int patience = 2;
    if (++growths_ > patience) std::fill(seen_.begin(), seen_.end(), 1);
    ChosenEntries own = choose_entries(whole, [&](int, int k) { return seen_[static_cast<std::size_t>(k)] != 0; });
    entry_ = std::move(own.entry);
    values_.assign(entry_.size(), 0.0);
    solver_ = linalg::make_linear_solver<double>(own.pattern, kind_);
}

linalg::FactorStatus ConsistencyMatrix::factor(const JacobianValues& jacobian, const std::vector<char>& differential,
                                               Counters& counters) {
    const SparsityPattern& whole = jacobian.problem().pattern();
    seen_.resize(static_cast<std::size_t>(whole.nonzeros()), 0);
    const auto value = [&](std::size_t j, std::size_t k) {
        return local_entry(jacobian.jx[k], jacobian.jdx[k], differential[j] != 0);
    };
    bool same = solver_ != nullptr, grows = solver_ == nullptr;
    std::size_t own = 0;
    for (std::size_t j = 0; j < static_cast<std::size_t>(whole.cols); ++j)
        for (auto k = static_cast<std::size_t>(whole.column_start[j]);
             k < static_cast<std::size_t>(whole.column_start[j + 1]); ++k) {
            const double v = value(j, k);
            if (seen_[k] == 0) {
                if (v == 0.0) continue;
                seen_[k] = 1;
                grows = true;
            } else if (!grows) {
                same = same && values_[own] == v;
                values_[own++] = v;
            }
        }
    if (same && !grows) return status_;
    if (grows) {
        rebuild(whole);
        std::size_t j = 0;
        for (own = 0; own < entry_.size(); ++own) {
            while (entry_[own] >= whole.column_start[j + 1]) ++j;
            values_[own] = value(j, static_cast<std::size_t>(entry_[own]));
        }
    }
    ++counters.factorizations;
    status_ = solver_->factor(values_);
    // Beyond this condition what rounding does to the entries (some hundred roundings of sums) makes it singular.
    constexpr double round_off = 1e-13;
    if (status_ == linalg::FactorStatus::ok && solver_->reciprocal_condition() < round_off)
        status_ = linalg::FactorStatus::singular;
    return status_;
}

} // namespace daedalus::integrate
