#include "integrate/constraint_equations.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace daedalus::integrate {

namespace {

class Besides final : public ConstraintEquations {
public:
    explicit Besides(const problem::ImplicitProblem& problem) : problem_(problem) {}
    const SparsityPattern& pattern() const override { return problem_.constraints().pattern; }
    problem::EvalStatus residual(double t, const double* x, double* g) override {
        return problem_.constraints().residual(problem_.call(), t, x, g);
    }
    problem::EvalStatus jacobian(double t, const double* x, double* values) override {
        return problem_.constraints().jacobian(problem_.call(), t, x, values);
    }

private:
    const problem::ImplicitProblem& problem_;
};

/// What each unknown is to the constraints.
enum class Part : char {
    moves, ///< a coordinate of a chain below its end
    given, ///< integrated, and left as it is
    other, ///< follows from the most differentiated equations
};

class AmongRows final : public ConstraintEquations {
public:
    explicit AmongRows(const problem::ImplicitProblem& problem)
        : problem_(problem), rows_(static_cast<std::size_t>(problem.size())), zero_(rows_.size(), 0.0) {}

    /// False: not applicable.
    [[nodiscard]] bool build();
    const SparsityPattern& pattern() const override { return pattern_; }
    bool among_rows() const override { return true; }
    void links_changed() override { find_places(); }
    problem::EvalStatus residual(double t, const double* x, double* g) override {
        const problem::EvalStatus status = problem_.residual(t, x, zero_.data(), rows_.data());
        for (std::size_t i = 0; i < row_.size(); ++i) g[i] = rows_[static_cast<std::size_t>(row_[i])];
        return status;
    }
    problem::EvalStatus jacobian(double t, const double* x, double* values) override {
        const problem::EvalStatus status = problem_.jacobian(t, x, zero_.data(), jx_.data(), jdx_.data());
        for (std::size_t k = 0; k < place_.size(); ++k) values[k] = jx_[place_[k]];
        return status;
    }

private:
    void find_places();

    const problem::ImplicitProblem& problem_;
    SparsityPattern pattern_;
    std::vector<int> row_;           ///< of F, per constraint
    std::vector<std::size_t> place_; ///< in the problem's pattern, per entry of the own one
    std::vector<double> rows_, jx_, jdx_;
    const std::vector<double> zero_; ///< in the place of x', which no constraint mentions
};

std::vector<Part> parts(const problem::ImplicitProblem& problem) {
    std::vector<Part> part(static_cast<std::size_t>(problem.size()), Part::other);
    for (std::size_t j = 0; j < part.size(); ++j)
        if (problem.unknowns()[j].differential) part[j] = Part::given;
    const problem::StateChoice& choice = problem.state_choice();
    for (const problem::Link& link : choice.permanent_links) part[static_cast<std::size_t>(link.state)] = Part::given;
    for (const problem::ChoiceBlock& block : choice.blocks)
        for (const std::vector<int>& chain : block.chain)
            for (std::size_t k = 0; k < chain.size(); ++k)
                part[static_cast<std::size_t>(chain[k])] = k + 1 < chain.size() ? Part::moves : Part::other;
    return part;
}

bool AmongRows::build() {
    if (!problem_.linear_leading()) return false;
    std::vector<int> constraint(static_cast<std::size_t>(problem_.kernel_rows()), -1);
    for (const problem::ChoiceBlock& block : problem_.state_choice().blocks)
        for (std::size_t i = 0; i < block.top_row.size(); ++i)
            for (int k = block.differentiations[i]; k >= 1; --k) {
                constraint[static_cast<std::size_t>(block.top_row[i] - k)] = static_cast<int>(row_.size());
                row_.push_back(block.top_row[i] - k);
            }
    if (row_.empty()) return false;
    const std::vector<Part> part = parts(problem_);
    const SparsityPattern& all = problem_.system().pattern;
    std::vector<std::pair<int, int>> entries;
    for (int j = 0; j < all.cols; ++j)
        for (int k = all.column_start[j]; k < all.column_start[j + 1]; ++k) {
            const int i = constraint[static_cast<std::size_t>(all.row_index[static_cast<std::size_t>(k)])];
            if (i < 0) continue;
            if (part[static_cast<std::size_t>(j)] == Part::other) return false;
            if (part[static_cast<std::size_t>(j)] == Part::moves) entries.emplace_back(i, j);
        }
    pattern_ = SparsityPattern::from_entries(static_cast<int>(row_.size()), problem_.size(), std::move(entries));
    find_places();
    return true;
}

void AmongRows::find_places() {
    place_.clear();
    for (int j = 0; j < pattern_.cols; ++j)
        for (int k = pattern_.column_start[j]; k < pattern_.column_start[j + 1]; ++k)
            place_.push_back(static_cast<std::size_t>(problem_.pattern().find(
                row_[static_cast<std::size_t>(pattern_.row_index[static_cast<std::size_t>(k)])], j)));
    jx_.resize(static_cast<std::size_t>(problem_.pattern().nonzeros()));
    jdx_.resize(jx_.size());
}

} // namespace

std::unique_ptr<ConstraintEquations> constraints_besides(const problem::ImplicitProblem& problem) {
    if (problem.constraints().empty()) return nullptr;
    return std::make_unique<Besides>(problem);
}

std::unique_ptr<ConstraintEquations> constraints_among_rows(const problem::ImplicitProblem& problem) {
    auto rows = std::make_unique<AmongRows>(problem);
    if (!rows->build()) return nullptr;
    return rows;
}

} // namespace daedalus::integrate
