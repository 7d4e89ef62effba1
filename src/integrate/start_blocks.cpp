#include "integrate/start_blocks.hpp"

#include "integrate/start_part.hpp"
#include "structure/block_triangular_form.hpp"

#include <algorithm>

namespace daedalus::integrate {

namespace {

structure::Incidence rows_of(const SparsityPattern& pattern) {
    structure::Incidence columns;
    columns.rows = pattern.cols;
    columns.cols = pattern.rows;
    columns.row_start = pattern.column_start;
    columns.column = pattern.row_index;
    return columns.transposed();
}

class Grouping {
public:
    Grouping(const problem::InitialProblem& problem, const ActivePart& part)
        : problem_(problem), part_(part), group_of_(problem.unknowns.size(), 0) {
        // Entries of each active row, as positions in the full pattern with their unknowns.
        entries_.resize(static_cast<std::size_t>(part.pattern.rows));
        for (int j = 0; j < part.pattern.cols; ++j)
            for (int k = part.pattern.column_start[j]; k < part.pattern.column_start[j + 1]; ++k)
                entries_[static_cast<std::size_t>(part.pattern.row_index[k])].push_back(
                    {part.entry[static_cast<std::size_t>(k)], part.columns[static_cast<std::size_t>(j)]});
        equation_.resize(entries_.size());
        for (std::size_t i = 0; i < part.row_of.size(); ++i)
            if (part.row_of[i] >= 0) equation_[static_cast<std::size_t>(part.row_of[i])] = static_cast<int>(i);
    }

    std::vector<StartGroup> run(const structure::BlockTriangularForm& form) {
        StartGroup joined; // linear so far
        ++number_;
        for (int b = 0; b < form.count(); ++b) {
            if (linear_with_group(form, b)) {
                add(form, b, joined);
                continue;
            }
            flush(joined);
            if (linear_with_group(form, b)) {
                add(form, b, joined);
                continue;
            }
            StartGroup alone;
            add(form, b, alone);
            groups_.push_back(std::move(alone));
            ++number_;
        }
        flush(joined);
        return std::move(groups_);
    }

private:
    struct Entry {
        int position, unknown;
    };

    void mark(const structure::BlockTriangularForm& form, int b, int number) {
        for (const int j : form.variables(b))
            group_of_[static_cast<std::size_t>(part_.columns[static_cast<std::size_t>(j)])] = number;
    }

    // Rows of earlier blocks do not mention this block's unknowns: only its own rows need to be looked at.
    bool linear_with_group(const structure::BlockTriangularForm& form, int b) {
        if (problem_.dependency_start.empty()) return false;
        mark(form, b, number_);
        for (const int i : form.equations(b))
            for (const Entry& e : entries_[static_cast<std::size_t>(i)]) {
                if (group_of_[static_cast<std::size_t>(e.unknown)] != number_) continue;
                const auto first = problem_.dependency_start[static_cast<std::size_t>(e.position)];
                const auto last = problem_.dependency_start[static_cast<std::size_t>(e.position) + 1];
                for (int k = first; k < last; ++k)
                    if (group_of_[static_cast<std::size_t>(problem_.dependency[static_cast<std::size_t>(k)])] ==
                        number_) {
                        mark(form, b, 0);
                        return false;
                    }
            }
        return true;
    }

    void add(const structure::BlockTriangularForm& form, int b, StartGroup& group) {
        for (const int i : form.equations(b)) group.equations.push_back(equation_[static_cast<std::size_t>(i)]);
        for (const int j : form.variables(b)) group.unknowns.push_back(part_.columns[static_cast<std::size_t>(j)]);
        ++group.blocks;
    }

    void flush(StartGroup& joined) {
        ++number_;
        if (joined.blocks == 0) return;
        joined.linear = true;
        groups_.push_back(std::move(joined));
        joined = {};
    }

    const problem::InitialProblem& problem_;
    const ActivePart& part_;
    std::vector<std::vector<Entry>> entries_; ///< of each active row
    std::vector<int> equation_;               ///< of each active row
    std::vector<int> group_of_;               ///< number of the group an unknown was last seen in
    int number_ = 0;
    std::vector<StartGroup> groups_;
};

// The kernels evaluate the whole system: with very many nonlinear blocks one by one, that would dominate.
void join_if_many(const problem::InitialProblem& problem, std::vector<StartGroup>& groups) {
    constexpr double affordable = 5e7; // entries evaluated per round of all blocks
    const double work = static_cast<double>(groups.size()) * static_cast<double>(problem.pattern.nonzeros());
    if (work <= affordable || groups.size() == 1) return;
    StartGroup all;
    for (const StartGroup& g : groups) {
        all.equations.insert(all.equations.end(), g.equations.begin(), g.equations.end());
        all.unknowns.insert(all.unknowns.end(), g.unknowns.begin(), g.unknowns.end());
        all.blocks += g.blocks;
    }
    groups.assign(1, std::move(all));
}

std::string plural(std::size_t n, const char* word) { return std::to_string(n) + " " + word + (n == 1 ? "" : "s"); }

} // namespace

std::vector<StartGroup> start_groups(const problem::InitialProblem& problem, const Question& q) {
    const ActivePart part = active_part(problem.pattern, q);
    if (part.pattern.rows != part.pattern.cols || part.pattern.rows == 0) return {};
    const structure::Incidence rows = rows_of(part.pattern);
    const structure::Matching matching = structure::maximum_matching(rows);
    if (!matching.perfect()) return {};
    std::vector<StartGroup> groups = Grouping(problem, part).run(structure::block_triangular_form(rows, matching));
    join_if_many(problem, groups);
    return groups;
}

std::string describe(const std::vector<StartGroup>& groups) {
    std::size_t blocks = 0, linear = 0, largest = 0;
    for (const StartGroup& g : groups) {
        blocks += static_cast<std::size_t>(g.blocks);
        if (g.linear)
            linear += static_cast<std::size_t>(g.blocks);
        else
            largest = std::max(largest, g.equations.size());
    }
    std::string text = plural(blocks, "block") + ": ";
    if (linear > 0) text += std::to_string(linear) + " linear, solved once";
    if (linear < blocks)
        text += (linear > 0 ? "; " : "") + std::to_string(blocks - linear) + " nonlinear, at most " +
                plural(largest, "equation") + " at a time";
    return text;
}

std::vector<std::string> plan_of_start(const problem::InitialProblem& problem) {
    constexpr std::size_t most = 50;
    std::vector<std::string> lines;
    const bool staged = !problem.unknown_stage.empty();
    const int highest = staged ? *std::max_element(problem.unknown_stage.begin(), problem.unknown_stage.end()) : 0;
    for (int stage = 0; stage <= highest; ++stage) {
        std::vector<StartGroup> groups;
        bool any = false;
        for (const problem::Strength strength : {problem::Strength::fixed, problem::Strength::preferred}) {
            Question q = hold(problem, strength, "");
            if (staged) {
                for (const int e : problem.equation_stage) q.active.push_back(e == stage);
                for (std::size_t j = 0; j < q.held.size(); ++j) q.held[j] |= problem.unknown_stage[j] != stage;
                any = std::find(q.active.begin(), q.active.end(), 1) != q.active.end();
            }
            groups = start_groups(problem, q);
            if (!groups.empty()) break;
        }
        if (staged && !any) continue;
        const std::string of = staged ? "stage " + std::to_string(stage + 1) + ": " : "";
        if (groups.empty()) {
            lines.push_back(of +
                            "more unknowns than equations; all at once, with the least change of the start values");
            continue;
        }
        lines.push_back(of + describe(groups));
        int block = 1;
        for (const StartGroup& g : groups) {
            if (lines.size() >= most) break;
            std::string unknowns;
            for (std::size_t k = 0; k < g.unknowns.size() && k < 6; ++k)
                unknowns += (k > 0 ? ", " : "") + problem.names().variable(g.unknowns[k]);
            if (g.unknowns.size() > 6) unknowns += ", …";
            const std::string number =
                g.blocks == 1 ? "block " + std::to_string(block)
                              : "blocks " + std::to_string(block) + " to " + std::to_string(block + g.blocks - 1);
            lines.push_back("  " + number + ": " + (g.linear ? "linear, solved once" : "nonlinear, by Newton") +
                            ", for " + unknowns);
            block += g.blocks;
        }
    }
    return lines;
}

} // namespace daedalus::integrate
