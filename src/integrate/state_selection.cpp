#include "integrate/state_selection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::integrate {

namespace {

/// A preferred state is picked as dummy derivative only if the alternative is worse by this factor.
/// StateSelect: never and always decide unless digits would be lost for it, avoid and prefer among near equals.
double preference_scale(int preference) {
    switch (preference) {
    case -2: return 1e6;
    case -1: return 10.0;
    case 1: return 0.1;
    case 2: return 1e-6;
    default: return 1.0;
    }
}

/// Up to this many rows times columns a block is a dense matrix: elimination takes a millisecond at most.
constexpr std::size_t largest_dense = 10'000;
/// A large block's choice below this quality is improved by exchanges until none gains more than `small_gain`.
constexpr double poor = 0.5;
constexpr double small_gain = 1.5;
/// The determinant may grow by this with another column before other choices are looked for.
constexpr double negligible_gain = 1.4;

} // namespace

StateSelection::StateSelection(const problem::ImplicitProblem& problem) : problem_(problem) {
    std::size_t largest = 0;
    for (const problem::ChoiceBlock& source : problem.state_choice().blocks) {
        Block block;
        block.source = &source;
        block.rows = static_cast<int>(source.top_row.size());
        block.cols = static_cast<int>(source.chain.size());
        for (const int c : source.differentiations) block.levels = std::max(block.levels, c);
        for (int j = 0; j < block.cols; ++j) {
            const problem::UnknownInfo& info = problem.unknowns()[source.chain[j].back()];
            const int preference = source.preference.empty() ? 0 : source.preference[j];
            block.column_scale.push_back(std::abs(info.nominal) * preference_scale(preference));
        }
        block.present.resize(block.cols);
        block.best.resize(block.cols);
        if (block.levels == 0) { // its constraints went with the definitions of unknowns: nothing is left to choose
            for (const std::vector<int>& chain : source.chain)
                for (std::size_t l = 0; l + 1 < chain.size(); ++l) certain_links_.push_back({chain[l], chain[l + 1]});
            continue;
        }
        const std::size_t size = static_cast<std::size_t>(block.rows) * static_cast<std::size_t>(block.cols);
        block.large = size > largest_dense;
        if (block.large)
            block.level.resize(static_cast<std::size_t>(block.levels));
        else
            largest = std::max(largest, size);
        row_list_.reserve(std::max<std::size_t>(row_list_.capacity(), block.rows));
        col_list_.reserve(std::max<std::size_t>(col_list_.capacity(), block.cols));
        blocks_.push_back(std::move(block));
    }
    work_.resize(largest);
    links_changed();
}

bool StateSelection::chooses(int unknown) const {
    for (const Block& block : blocks_)
        for (const std::vector<int>& chain : block.source->chain)
            if (std::find(chain.begin(), chain.end(), unknown) != chain.end()) return true;
    return false;
}

void StateSelection::favour(const std::vector<int>& unknowns, bool on) {
    const double factor = on ? preference_scale(2) : 1.0 / preference_scale(2);
    for (Block& block : blocks_)
        for (std::size_t j = 0; j < block.source->chain.size(); ++j) {
            const std::vector<int>& chain = block.source->chain[j];
            if (std::any_of(unknowns.begin(), unknowns.end(),
                            [&](int u) { return std::find(chain.begin(), chain.end(), u) != chain.end(); }))
                block.column_scale[j] *= factor;
        }
}

void StateSelection::links_changed() {
    std::vector<int> derivative_of(static_cast<std::size_t>(problem_.size()), -1);
    for (const problem::Link& link : problem_.links()) derivative_of[link.state] = link.derivative;
    for (Block& block : blocks_) {
        const problem::ChoiceBlock& source = *block.source;
        for (Level& level : block.level) level.basis.reset(); // positions in the pattern have moved
        if (!block.large) {
            block.entry.resize(static_cast<std::size_t>(block.rows) * block.cols);
            for (int i = 0; i < block.rows; ++i)
                for (int j = 0; j < block.cols; ++j)
                    block.entry[static_cast<std::size_t>(i) * block.cols + j] =
                        problem_.pattern().find(source.top_row[i], source.chain[j].back());
        }
        for (int j = 0; j < block.cols; ++j) {
            const std::vector<int>& chain = source.chain[j];
            int kept = 0;
            for (std::size_t l = 0; l + 1 < chain.size(); ++l) kept += derivative_of[chain[l]] == chain[l + 1];
            block.present[j] = static_cast<int>(chain.size()) - 1 - kept;
        }
    }
}

double StateSelection::pick(const Block& block, const double* jx, bool& singular) {
    const int m = static_cast<int>(row_list_.size());
    const int n = static_cast<int>(col_list_.size());
    if (n < m) {
        singular = true;
        return -std::numeric_limits<double>::infinity();
    }
    double* a = work_.data();
    for (int i = 0; i < m; ++i) {
        double largest = 0.0;
        for (int j = 0; j < n; ++j) {
            const int entry = block.entry[static_cast<std::size_t>(row_list_[i]) * block.cols + col_list_[j]];
            const double value = entry < 0 ? 0.0 : jx[entry] * block.column_scale[col_list_[j]];
            a[i * n + j] = value;
        }
        // Rows are scaled without the preferences, so that these act between columns only.
        for (int j = 0; j < block.cols; ++j) {
            const int entry = block.entry[static_cast<std::size_t>(row_list_[i]) * block.cols + j];
            if (entry >= 0) largest = std::max(largest, std::abs(jx[entry] * block.column_scale[j]));
        }
        if (largest > 0.0)
            for (int j = 0; j < n; ++j) a[i * n + j] /= largest;
    }
    double log_det = 0.0;
    double first_pivot = 0.0;
    for (int k = 0; k < m; ++k) {
        int p = k, q = k;
        for (int i = k; i < m; ++i)
            for (int j = k; j < n; ++j)
                if (std::abs(a[i * n + j]) > std::abs(a[p * n + q])) {
                    p = i;
                    q = j;
                }
        const double pivot = std::abs(a[p * n + q]);
        if (k == 0) first_pivot = pivot;
        if (!(pivot > 1e-12 * first_pivot) || pivot == 0.0) { // numerically rank deficient
            singular = true;
            return -std::numeric_limits<double>::infinity();
        }
        log_det += std::log(pivot);
        for (int j = 0; j < n; ++j) std::swap(a[k * n + j], a[p * n + j]);
        for (int i = 0; i < m; ++i) std::swap(a[i * n + k], a[i * n + q]);
        std::swap(col_list_[k], col_list_[q]);
        for (int i = k + 1; i < m; ++i) {
            const double factor = a[i * n + k] / a[k * n + k];
            if (factor == 0.0) continue;
            for (int j = k; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
        }
    }
    return log_det;
}

double StateSelection::best_exchange(const Block& block, const double* jx) {
    const std::size_t m = row_list_.size();
    const std::size_t n = col_list_.size();
    double* a = work_.data();
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            const auto at = static_cast<std::size_t>(row_list_[i]) * static_cast<std::size_t>(block.cols);
            const int entry = block.entry[at + static_cast<std::size_t>(col_list_[j])];
            a[i * n + j] = entry < 0 ? 0.0 : jx[entry] * block.column_scale[static_cast<std::size_t>(col_list_[j])];
        }
    // Gauss–Jordan: what becomes of a later column tells by which factors the determinant changes where it goes in.
    double first_pivot = 0.0;
    for (std::size_t k = 0; k < m; ++k) {
        std::size_t p = k;
        for (std::size_t i = k + 1; i < m; ++i)
            if (std::abs(a[i * n + k]) > std::abs(a[p * n + k])) p = i;
        const double pivot = a[p * n + k];
        if (k == 0) first_pivot = std::abs(pivot);
        // Doubtful: complete pivoting and scaled rows will tell.
        if (!(std::abs(pivot) > 1e-6 * first_pivot)) return std::numeric_limits<double>::infinity();
        if (p != k) std::swap_ranges(a + k * n + k, a + (k + 1) * n, a + p * n + k);
        for (std::size_t j = k + 1; j < n; ++j) a[k * n + j] /= pivot;
        for (std::size_t i = 0; i < m; ++i) {
            const double factor = a[i * n + k];
            if (i == k || factor == 0.0) continue;
            for (std::size_t j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
        }
    }
    double gain = 1.0;
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = m; j < n; ++j)
            if (!(std::abs(a[i * n + j]) <= gain)) gain = std::abs(a[i * n + j]);
    return gain;
}

StateSelection::Assessment StateSelection::assess(const double* jx) {
    Assessment result;
    for (Block& block : blocks_) {
        std::fill(block.best.begin(), block.best.end(), 0);
        if (block.large)
            assess_sparse(block, jx, result);
        else
            assess_dense(block, jx, result);
        if (result.singular) return result;
    }
    return result;
}

void StateSelection::assess_dense(Block& block, const double* jx, Assessment& result) {
    std::size_t count_above = 0;
    bool present_is_best = true; // on the levels above
    for (int level = 1; level <= block.levels; ++level) {
        row_list_.clear();
        for (int i = 0; i < block.rows; ++i)
            if (block.source->differentiations[i] >= level) row_list_.push_back(i);
        const std::size_t count = row_list_.size();

        // Mostly the present choice is as good as any, which takes the least work to see.
        if (present_is_best) {
            col_list_.clear();
            for (const bool chosen : {true, false})
                for (int j = 0; j < block.cols; ++j)
                    if ((block.present[j] >= level) == chosen && block.present[j] >= level - 1 &&
                        static_cast<int>(block.source->chain[j].size()) > level)
                        col_list_.push_back(j);
            const auto chosen =
                std::count_if(block.present.begin(), block.present.end(), [&](int m) { return m >= level; });
            if (static_cast<std::size_t>(chosen) == count) {
                const bool same_matrix = count == count_above && col_list_.size() == count;
                const double gain = same_matrix ? 1.0 : best_exchange(block, jx);
                if (gain <= negligible_gain) {
                    result.quality = std::min(result.quality, 1.0 / gain);
                    for (std::size_t k = 0; k < count; ++k) block.best[col_list_[k]] = level;
                    count_above = count;
                    continue;
                }
            }
            present_is_best = false;
        }

        // The best of the columns that the best choice picked one level above …
        col_list_.clear();
        for (int j = 0; j < block.cols; ++j)
            if (block.best[j] == level - 1 && static_cast<int>(block.source->chain[j].size()) > level)
                col_list_.push_back(j);
        const double best = pick(block, jx, result.singular);
        if (result.singular) return;
        for (std::size_t k = 0; k < count; ++k) block.best[col_list_[k]] = level;

        // … against those picked at present.
        col_list_.clear();
        for (int j = 0; j < block.cols; ++j)
            if (block.present[j] >= level) col_list_.push_back(j);
        bool present_singular = col_list_.size() != count;
        const double present = present_singular ? 0.0 : pick(block, jx, present_singular);
        result.quality = std::min(result.quality, present_singular ? 0.0 : std::exp(present - best));
    }
}

void StateSelection::build_level(const Block& block, int number, Level& level) const {
    const problem::ChoiceBlock& source = *block.source;
    const SparsityPattern& pattern = problem_.pattern();
    std::vector<int> local(static_cast<std::size_t>(problem_.size()), -1);
    int rows = 0;
    for (int i = 0; i < block.rows; ++i)
        if (source.differentiations[i] >= number) local[source.top_row[i]] = rows++;
    SparsityPattern part{rows, static_cast<int>(level.candidates.size()), {0}, {}};
    level.entry.clear();
    // Rows within a column must ascend: the block lists its rows in any order.
    std::vector<std::pair<int, int>> column;
    for (const int j : level.candidates) {
        const int top = source.chain[j].back();
        column.clear();
        for (int k = pattern.column_start[top]; k < pattern.column_start[top + 1]; ++k)
            if (local[pattern.row_index[k]] >= 0) column.emplace_back(local[pattern.row_index[k]], k);
        std::sort(column.begin(), column.end());
        for (const auto& [row, k] : column) {
            part.row_index.push_back(row);
            level.entry.push_back(k);
        }
        part.column_start.push_back(part.nonzeros());
    }
    level.values.resize(level.entry.size());
    level.basis = std::make_unique<ColumnBasis>(std::move(part));
}

void StateSelection::assess_sparse(Block& block, const double* jx, Assessment& result) {
    for (int number = 1; number <= block.levels; ++number) {
        Level& level = block.level[number - 1];
        col_list_.clear();
        for (int j = 0; j < block.cols; ++j)
            if (block.best[j] == number - 1 && static_cast<int>(block.source->chain[j].size()) > number)
                col_list_.push_back(j);
        if (!level.basis || col_list_ != level.candidates) {
            level.candidates = col_list_;
            build_level(block, number, level);
        }
        const SparsityPattern& pattern = level.basis->pattern();
        if (pattern.cols < pattern.rows) {
            result.singular = true;
            return;
        }
        for (int c = 0; c < pattern.cols; ++c)
            for (int k = pattern.column_start[c]; k < pattern.column_start[c + 1]; ++k)
                level.values[k] = jx[level.entry[k]] * block.column_scale[level.candidates[c]];

        col_list_.clear(); // the present choice, as positions among the candidates
        for (int c = 0; c < pattern.cols; ++c)
            if (block.present[level.candidates[c]] >= number) col_list_.push_back(c);
        double gain = std::numeric_limits<double>::infinity();
        if (static_cast<int>(col_list_.size()) == pattern.rows) {
            level.basis->set(col_list_);
            gain = level.basis->gain(level.values);
        }
        const double quality = std::min(1.0, 1.0 / gain);
        result.quality = std::min(result.quality, quality);
        if (quality < poor) {
            const bool regular =
                (gain < std::numeric_limits<double>::infinity() || level.basis->choose(level.values)) &&
                level.basis->improve(level.values, small_gain);
            if (!regular) {
                result.singular = true;
                return;
            }
        }
        for (const int c : level.basis->columns()) block.best[level.candidates[c]] = number;
    }
}

std::vector<problem::Link> StateSelection::best_links() const {
    std::vector<problem::Link> links = problem_.state_choice().permanent_links;
    links.insert(links.end(), certain_links_.begin(), certain_links_.end());
    for (const Block& block : blocks_)
        for (int j = 0; j < block.cols; ++j) {
            const std::vector<int>& chain = block.source->chain[j];
            const int kept = static_cast<int>(chain.size()) - 1 - block.best[j];
            for (int l = 0; l < kept; ++l) links.push_back({chain[l], chain[l + 1]});
        }
    return links;
}

} // namespace daedalus::integrate
