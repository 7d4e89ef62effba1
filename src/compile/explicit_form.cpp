#include "compile/explicit_form.hpp"

#include "compile/problem_jacobian.hpp"
#include "compile/start_samples.hpp"
#include "compile/symbolic_elimination.hpp"
#include "expr/substitute.hpp"
#include "problem/explicit_form.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace daedalus::compile {

namespace {

using expr::NodeId;

// A straight line of some million operations takes a tenth of a microsecond each to compile and a nanosecond to run.
constexpr std::size_t most_unknowns = 300'000;
constexpr long most_multiplications = 2'000'000;
// With a matrix of numbers a residual and a solve with kept factors do as well.
constexpr std::size_t most_if_constant = 600;

/// What the underlying ordinary differential equation is given, and which of the others occur as derivatives.
struct Roles {
    std::vector<char> given, differential;
    std::vector<problem::Link> links;
    std::vector<int> leading, column; ///< unknown per column of A, and back
};

Roles roles_of(const Compilation& c, const SparsityPattern& pattern, std::span<const NodeId> entries) {
    const auto n = static_cast<std::size_t>(pattern.cols), nonzeros = static_cast<std::size_t>(pattern.nonzeros());
    Roles r{std::vector<char>(n, 0), std::vector<char>(n, 0), c.formulation.permanent_links, {}, {}};
    for (const problem::ChoiceBlock& block : c.formulation.choices)
        for (const std::vector<int>& chain : block.chain)
            for (std::size_t k = 0; k + 1 < chain.size(); ++k) r.links.push_back({chain[k], chain[k + 1]});
    for (const problem::Link& link : r.links) r.given[static_cast<std::size_t>(link.state)] = 1;
    r.column.assign(n, -1);
    for (std::size_t j = 0; j < n; ++j) {
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
            if (!c.system.graph().is_constant(entries[nonzeros + static_cast<std::size_t>(k)], 0.0))
                r.differential[j] = 1;
        if (r.given[j] != 0) continue;
        r.column[j] = static_cast<int>(r.leading.size());
        r.leading.push_back(static_cast<int>(j));
    }
    return r;
}

/// A z + b = 0 as it is built up.
class LeadingSystem {
public:
    LeadingSystem(const Compilation& c, const LeadingPart& part, std::span<const NodeId> rows,
                  const SparsityPattern& pattern, std::span<const NodeId> entries, const Roles& roles)
        : c_(c), g_(c.system.graph()), roles_(roles), segments_(problem_segments(c)), entries_(part.rows.size()),
          known_(roles.leading.size(), expr::no_node) {
        for (const int i : part.rows) rows_.push_back(rows[static_cast<std::size_t>(i)]);
        std::vector<int> own_row(static_cast<std::size_t>(pattern.rows), -1);
        for (std::size_t i = 0; i < part.rows.size(); ++i)
            own_row[static_cast<std::size_t>(part.rows[i])] = static_cast<int>(i);
        const auto nonzeros = static_cast<std::size_t>(pattern.nonzeros());
        for (std::size_t col = 0; col < roles.leading.size(); ++col) {
            const auto j = static_cast<std::size_t>(roles.leading[col]);
            column_of_.emplace(expr::index(leaf(col)), static_cast<int>(col));
            for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) {
                const auto at = static_cast<std::size_t>(k);
                const int row = own_row[static_cast<std::size_t>(pattern.row_index[at])];
                const NodeId value = entries[at + (roles.differential[j] != 0 ? nonzeros : 0)];
                if (row >= 0 && !g_.is_constant(value, 0.0))
                    entries_[static_cast<std::size_t>(row)][static_cast<int>(col)] = value;
            }
        }
    }

    /// Rows that define one unknown by known ones, ±y + f = 0, are solved one after the other; what they define goes
    /// into the others, which need be linear in the rest alone.
    void solve_definitions();
    /// The remaining rows, and those definitions as rows of their own. False: not linear.
    [[nodiscard]] bool finish();
    [[nodiscard]] bool varies() const { return varies_; }
    /// With pivots that suit the points from `first` on: start values that nobody gave may make a matrix singular.
    [[nodiscard]] SymbolicElimination elimination(std::size_t first);
    [[nodiscard]] std::size_t points() const { return samples_.size(); }
    [[nodiscard]] const codegen::Segments& segments() const { return segments_; }

private:
    [[nodiscard]] NodeId leaf(std::size_t column) const {
        const auto j = static_cast<std::size_t>(roles_.leading[column]);
        return roles_.differential[j] != 0 ? segments_[3][j] : segments_[2][j];
    }

    const Compilation& c_;
    expr::Graph& g_;
    const Roles& roles_;
    const codegen::Segments segments_;
    std::vector<NodeId> rows_, b_;
    std::vector<std::map<int, NodeId>> entries_;
    std::unordered_map<std::uint32_t, int> column_of_;
    std::vector<NodeId> known_;                ///< per column, what a definition makes of it
    std::vector<std::vector<double>> samples_; ///< of the entries, row by row, at each point
    bool varies_ = false;                      ///< an entry is no number
};

void LeadingSystem::solve_definitions() {
    std::vector<std::vector<int>> users(known_.size());
    std::vector<int> left(rows_.size());
    std::vector<int> ready;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        left[i] = static_cast<int>(entries_[i].size());
        for (const auto& [col, value] : entries_[i])
            users[static_cast<std::size_t>(col)].push_back(static_cast<int>(i));
        if (left[i] == 1) ready.push_back(static_cast<int>(i));
    }
    expr::Substitution known(g_, [&](NodeId l) {
        const auto at = column_of_.find(expr::index(l));
        if (at == column_of_.end()) return l;
        const NodeId value = known_[static_cast<std::size_t>(at->second)];
        return value == expr::no_node ? l : value;
    });
    while (!ready.empty()) {
        const auto i = static_cast<std::size_t>(ready.back());
        ready.pop_back();
        int column = -1;
        for (const auto& [col, value] : entries_[i])
            if (known_[static_cast<std::size_t>(col)] == expr::no_node) column = col;
        // Unknown where another row has defined it meanwhile: the rows contradict each other, or it is for elimination.
        if (column < 0) continue;
        const NodeId factor = entries_[i].at(column);
        if (!g_.is_constant(factor)) continue;
        // What the row mentions and does not depend on (i in i − i) may not be known yet, and is not needed.
        expr::Substitution without(g_, [&](NodeId l) {
            const auto at = column_of_.find(expr::index(l));
            if (at == column_of_.end()) return l;
            return at->second == column || !entries_[i].contains(at->second) ? g_.constant(0.0) : l;
        });
        const NodeId rest = known(without(rows_[i]));
        known_[static_cast<std::size_t>(column)] = g_.neg(g_.mul(rest, g_.div(g_.constant(1.0), factor)));
        rows_[i] = rest;
        entries_[i] = {{column, factor}};
        for (const int r : users[static_cast<std::size_t>(column)])
            if (--left[static_cast<std::size_t>(r)] == 1) ready.push_back(r);
    }
}

bool LeadingSystem::finish() {
    const auto is_definition = [&](std::size_t i) {
        return entries_[i].size() == 1 && known_[static_cast<std::size_t>(entries_[i].begin()->first)] != expr::no_node;
    };
    expr::Substitution known(g_, [&](NodeId l) {
        const auto at = column_of_.find(expr::index(l));
        if (at == column_of_.end()) return l;
        const NodeId value = known_[static_cast<std::size_t>(at->second)];
        return value == expr::no_node ? l : value;
    });
    expr::Substitution rest(g_, [&](NodeId l) { return column_of_.contains(expr::index(l)) ? g_.constant(0.0) : l; });
    std::vector<NodeId> matrix;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (is_definition(i)) {
            b_.push_back(rows_[i]);
            continue;
        }
        b_.push_back(rest(known(rows_[i])));
        for (auto entry = entries_[i].begin(); entry != entries_[i].end();) {
            if (known_[static_cast<std::size_t>(entry->first)] != expr::no_node) {
                entry = entries_[i].erase(entry);
                continue;
            }
            entry->second = known(entry->second);
            matrix.push_back(entry->second);
            varies_ = varies_ || !g_.is_constant(entry->second);
            ++entry;
        }
    }
    std::vector<NodeId> values;
    for (const auto& row : entries_)
        for (const auto& [col, value] : row) values.push_back(value);
    samples_ = values_near_start(c_, values);
    const std::vector<NodeId> nodes = g_.reachable(matrix);
    return std::none_of(nodes.begin(), nodes.end(), [&](NodeId n) { return column_of_.contains(expr::index(n)); });
}

SymbolicElimination LeadingSystem::elimination(std::size_t first) {
    std::vector<std::map<int, SymbolicElimination::Entry>> matrix(rows_.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i)
        for (const auto& [col, value] : entries_[i]) {
            SymbolicElimination::Entry& entry = matrix[i][col];
            entry.value = value;
            for (std::size_t p = first; p < samples_.size(); ++p) entry.samples[p - first] = samples_[p][next];
            ++next;
        }
    return {g_, std::move(matrix), b_, samples_.size() - first};
}

/// What the solution of the leading system makes of every unknown, then what is watched.
std::vector<NodeId> form_of(const std::vector<NodeId>& x, const Roles& roles, SymbolicElimination& elimination) {
    std::vector<NodeId> form(x.size());
    for (std::size_t col = 0; col < roles.leading.size(); ++col)
        form[static_cast<std::size_t>(roles.leading[col])] = elimination.solution()[col];
    for (const problem::Link& link : roles.links) {
        const auto d = static_cast<std::size_t>(link.derivative);
        const bool known = roles.given[d] != 0 || roles.differential[d] != 0;
        form[static_cast<std::size_t>(link.state)] = known ? x[d] : form[d];
    }
    for (const NodeId watched :
         {elimination.determinant(), elimination.lower(), elimination.upper(), elimination.inverse_pivots()})
        form.push_back(watched);
    return form;
}

/// z of all unknowns, then what is watched; empty: not offered.
std::vector<NodeId> explicit_form(const Compilation& c, const LeadingPart& part, std::span<const NodeId> rows,
                                  const SparsityPattern& pattern, std::span<const NodeId> entries) {
    const Roles roles = roles_of(c, pattern, entries);
    const std::size_t m = roles.leading.size();
    if (m != part.rows.size() || m > most_unknowns) return {};
    LeadingSystem system(c, part, rows, pattern, entries, roles);
    system.solve_definitions();
    if (!system.finish() || (m > most_if_constant && !system.varies())) return {};
    // A start may be special, as a chain that is stretched: zeros where there are none elsewhere keep good pivots from
    // being taken, and large systems fill in. Then pivots are those of points beside it, and stages near the start are
    // solved otherwise.
    constexpr std::size_t many = 200;
    constexpr long much_more = 3;
    // Where elimination fills in, kept pivots in a program of their own cost hardly more, and are compiled sooner.
    constexpr long usual = 5000, per_unknown = 40;
    long most = std::min(most_multiplications, std::max(usual, per_unknown * static_cast<long>(m)));
    std::optional<SymbolicElimination> beside;
    for (std::size_t first = 1; m > many && !beside && first < system.points(); ++first)
        if (SymbolicElimination elimination = system.elimination(first); elimination.run(most)) {
            most = much_more * elimination.multiplications();
            beside.emplace(std::move(elimination));
        }
    for (std::size_t first = 0; first < (beside ? 1 : system.points()); ++first)
        if (SymbolicElimination elimination = system.elimination(first); elimination.run(most))
            return form_of(system.segments()[2], roles, elimination);
    return beside ? form_of(system.segments()[2], roles, *beside) : std::vector<NodeId>();
}

problem::EvalStatus evaluate(const problem::Call& call, double t, const double* x, double* z) {
    KernelSet& kernels = kernels_of(call, t);
    if (kernels.explicit_form.outputs() == 0)
        make_kernel(call, t, call.as<Compilation>().explicit_form.kernel, kernels.explicit_form);
    const tape::InputPointers inputs{&t, x, x}; // no x' is mentioned
    return kernels.explicit_form(inputs, z) ? problem::EvalStatus::ok : problem::EvalStatus::not_finite;
}

bool exists(const problem::Call& call) {
    const auto& c = call.as<Compilation>();
    std::call_once(c.explicit_form.found, [&] {
        const codegen::Segments segments = problem_segments(c);
        const std::vector<NodeId>& entries = c.jacobian.entries;
        const SparsityPattern& pattern = c.explicit_form.pattern;
        const LeadingPart part =
            find_leading_part(c.system.graph(), c.formulation, pattern, entries, segments[2], segments[3]);
        c.explicit_form.kernel.outputs = explicit_form(c, part, c.frozen_rows, pattern, entries);
    });
    return !c.explicit_form.kernel.outputs.empty();
}

} // namespace

void offer_explicit_form(Compilation& c, const LeadingPart& part, std::span<const NodeId> rows,
                         const SparsityPattern& pattern, std::span<const NodeId> entries, bool when_asked,
                         problem::Facets& facets) {
    if (when_asked) {
        c.explicit_form.pattern = pattern;
        facets.set(problem::ExplicitForm{&evaluate, &exists});
        return;
    }
    c.explicit_form.kernel.outputs = explicit_form(c, part, rows, pattern, entries);
    if (!c.explicit_form.kernel.outputs.empty()) facets.set(problem::ExplicitForm{&evaluate});
}

} // namespace daedalus::compile
