#include "structure/tearing.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <utility>

namespace daedalus::structure {

namespace {

class Tearer {
public:
    Tearer(const Incidence& block, const std::vector<char>& solvable)
        : p_(block), occurrences_(block.transposed()), solvable_(solvable), unknowns_(block.rows), degree_(block.cols),
          decided_equation_(block.rows, 0), known_(block.cols, 0) {
        int widest = 1;
        for (int i = 0; i < p_.rows; ++i) {
            unknowns_[i] = static_cast<int>(p_.row(i).size());
            widest = std::max(widest, unknowns_[i]);
        }
        for (int j = 0; j < p_.cols; ++j) degree_[j] = static_cast<int>(occurrences_.row(j).size());
        with_unknowns_.resize(static_cast<std::size_t>(widest) + 1);
        for (int i = 0; i < p_.rows; ++i) with_unknowns_[unknowns_[i]].push_back(i);
    }

    Tearing run() {
        for (;;) {
            use_ready_equations();
            const int equation = next_equation();
            if (equation < 0) break;
            tear_in(equation);
        }
        // Variables of equations that cannot be solved for anything have nowhere else to go.
        for (int j = 0; j < p_.cols; ++j)
            if (!known_[j]) result_.torn_variables.push_back(j);
        std::vector<char> used(static_cast<std::size_t>(p_.rows), 0);
        for (const SolveStep& a : result_.sequence) used[a.equation] = 1;
        for (int i = 0; i < p_.rows; ++i)
            if (!used[i]) result_.residual_equations.push_back(i);
        return std::move(result_);
    }

private:
    // Equations that tie for the fewest unknowns are compared up to this number; more costs time and gains little.
    static constexpr int ties_compared = 16;

    void use_ready_equations() {
        std::vector<int>& ready = with_unknowns_[1];
        while (!ready.empty()) {
            const int i = ready.back();
            ready.pop_back();
            if (decided_equation_[i] || unknowns_[i] != 1) continue;
            decide(i);
            for (int k = p_.row_start[i]; k < p_.row_start[i + 1]; ++k)
                if (!known_[p_.column[k]] && solvable_[k]) {
                    result_.sequence.push_back({i, p_.column[k]});
                    make_known(p_.column[k]);
                    break;
                }
        }
    }

    // An undecided equation with the fewest unknowns, two or more, of which it can be solved for at least one.
    [[nodiscard]] int next_equation() {
        for (std::size_t u = 2; u < with_unknowns_.size(); ++u) {
            std::vector<int>& list = with_unknowns_[u];
            int best = -1, best_degree = -1, compared = 0;
            for (std::size_t k = list.size(); k-- > 0 && compared < ties_compared;) {
                const int i = list[k];
                const bool stale = decided_equation_[i] || unknowns_[i] != static_cast<int>(u);
                if (stale || !can_be_solved(i)) {
                    if (!stale) decide(i);
                    list[k] = list.back(); // the one moved here was looked at already, or is this one
                    list.pop_back();
                    continue;
                }
                ++compared;
                const int degree = degree_[most_common(i)];
                if (degree > best_degree) {
                    best = i;
                    best_degree = degree;
                }
            }
            if (best >= 0) return best;
        }
        return -1;
    }

    void tear_in(int equation) {
        const int variable = most_common(equation);
        result_.torn_variables.push_back(variable);
        make_known(variable);
    }

    [[nodiscard]] bool can_be_solved(int i) const {
        for (int k = p_.row_start[i]; k < p_.row_start[i + 1]; ++k)
            if (!known_[p_.column[k]] && solvable_[k]) return true;
        return false;
    }

    // The unknown of the equation that is met in most undecided equations, but not the last one it can be solved for.
    [[nodiscard]] int most_common(int i) const {
        int solvable_count = 0;
        for (int k = p_.row_start[i]; k < p_.row_start[i + 1]; ++k)
            solvable_count += !known_[p_.column[k]] && solvable_[k];
        int best = -1;
        for (int k = p_.row_start[i]; k < p_.row_start[i + 1]; ++k) {
            const int j = p_.column[k];
            if (known_[j] || (solvable_[k] && solvable_count == 1)) continue;
            if (best < 0 || degree_[j] > degree_[best]) best = j;
        }
        assert(best >= 0);
        return best;
    }

    void decide(int equation) {
        decided_equation_[equation] = 1;
        for (int j : p_.row(equation)) --degree_[j];
    }

    void make_known(int variable) {
        known_[variable] = 1;
        for (int i : occurrences_.row(variable))
            if (--unknowns_[i] > 0 && !decided_equation_[i]) with_unknowns_[unknowns_[i]].push_back(i);
    }

    const Incidence& p_;
    Incidence occurrences_;
    const std::vector<char>& solvable_;
    std::vector<int> unknowns_; // of each equation
    std::vector<int> degree_;   // undecided equations of each variable
    std::vector<char> decided_equation_, known_;
    std::vector<std::vector<int>> with_unknowns_; // equations by number of unknowns; stale ones are dropped when met
    Tearing result_;
};

} // namespace

Tearing tear(const Incidence& block, const std::vector<char>& solvable) {
    assert(block.rows == block.cols && solvable.size() == block.column.size());
    return Tearer(block, solvable).run();
}

} // namespace daedalus::structure
