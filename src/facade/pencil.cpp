#include "daedalus/pencil.hpp"

#include "analysis/matrix_market.hpp"
#include "analysis/pencil.hpp"
#include "analysis/pencil_regularity.hpp"
#include "base/expected.hpp"
#include "structure/signature_method.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace daedalus {

namespace {

using linalg::Matrix;

MatrixData convert(const analysis::MarketMatrix& m) {
    MatrixData data{m.rows, m.cols, {}};
    data.entries.reserve(m.entries.size());
    for (const auto& x : m.entries) data.entries.push_back({x.row, x.col, x.value});
    return data;
}

analysis::MarketMatrix convert(const MatrixData& m) {
    analysis::MarketMatrix data{m.rows, m.cols, {}};
    data.entries.reserve(m.entries.size());
    for (const auto& x : m.entries) data.entries.push_back({x.row, x.col, x.value});
    return data;
}

Matrix to_dense(const MatrixData& m) {
    Matrix a(m.rows, m.cols);
    for (const auto& x : m.entries) a(x.row, x.col) += x.value;
    return a;
}

std::vector<double> values(const Matrix& a) { return {a.entries().begin(), a.entries().end()}; }

std::optional<Diagnostic> check_shape(const MatrixData& m, const char* name) {
    if (m.rows < 0 || m.cols < 0) return make_error("pencil-shape", fmt::format("{} has a negative size", name));
    for (const auto& x : m.entries)
        if (x.row < 0 || x.row >= m.rows || x.col < 0 || x.col >= m.cols)
            return make_error("pencil-shape", fmt::format("entry ({}, {}) lies outside {}, which is {} by {}", x.row,
                                                          x.col, name, m.rows, m.cols));
    return std::nullopt;
}

std::string count(std::size_t n, const char* word) { return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s"); }

PencilBlocks blocks_of(const analysis::KroneckerStructure& s) {
    return {s.infinite_blocks, s.right_minimal_indices, s.left_minimal_indices, s.finite_size};
}

void explain_regular(PencilAnalysis& a) {
    const int n = a.rows, finite = a.blocks->finite, index = *a.index;
    if (index == 0) {
        a.meaning.push_back(fmt::format("an ordinary differential equation in disguise: E is invertible, and all {} "
                                        "initial values may be chosen",
                                        n));
        return;
    }
    a.meaning.push_back(
        fmt::format("consistent initial values of the homogeneous system form a space of dimension {}: so "
                    "many degrees of freedom among {} unknowns",
                    finite, n));
    if (finite == 0) a.meaning.push_back("no differential equation is left: c alone determines the solution");
    if (index == 1)
        a.meaning.push_back("c enters the algebraic part without being differentiated: it need only be continuous");
    else
        a.meaning.push_back(
            fmt::format("{} of c enter{} the solution: errors in c are differentiated up to {} times, and "
                        "the solution is continuous only where the {} is",
                        index == 2 ? "the first derivative" : fmt::format("derivatives up to order {}", index - 1),
                        index == 2 ? "s" : "", index - 1, index == 2 ? "first derivative" : "highest of them"));
}

void explain_singular(PencilAnalysis& a) {
    const auto& right = a.blocks->right_minimal_indices;
    const auto& left = a.blocks->left_minimal_indices;
    if (!right.empty())
        a.meaning.push_back(
            fmt::format("{} of the solution may be chosen freely at all times: no initial values make it "
                        "unique",
                        count(right.size(), "function")));
    if (!left.empty())
        a.meaning.push_back(
            fmt::format("{} on c must hold, or there is no solution at all: so many combinations of the "
                        "equations{} vanish on the left",
                        count(left.size(), "condition"), left.back() > 0 ? " and of their derivatives" : ""));
}

std::string singular_verdict(const PencilAnalysis& a) {
    const auto right = a.blocks->right_minimal_indices.size(), left = a.blocks->left_minimal_indices.size();
    std::string why;
    if (left > 0) why = fmt::format("{} on c", count(left, "condition"));
    if (right > 0) why += fmt::format("{}{}", why.empty() ? "" : ", ", count(right, "undetermined function"));
    return fmt::format("singular{}: {}", a.rows == a.cols ? "" : fmt::format(" ({} by {})", a.rows, a.cols), why);
}

void fill(PencilAnalysis& a, const analysis::PencilReport& r) {
    a.decided = r.decided;
    a.reasons = r.reasons;
    a.remarks = r.remarks;
    a.right_null = r.right_null;
    a.left_null = r.left_null;
    if (r.balanced) a.remarks.push_back("rows and columns were scaled by powers of two before ranks were decided");
    for (const auto& g : r.gaps) {
        std::optional<double> kept;
        if (g.gap.rank > 0) kept = g.gap.kept;
        a.rank_gaps.push_back(
            {g.what, g.gap.rows, g.gap.cols, g.gap.rank, kept, g.gap.dropped, g.gap.tolerance, g.gap.decided});
    }
    switch (r.cross_check) {
    case analysis::CrossCheck::agrees: a.cross_check = "agrees"; break;
    case analysis::CrossCheck::disagrees: a.cross_check = "disagrees"; break;
    case analysis::CrossCheck::not_possible: a.cross_check = "not possible"; break;
    }
    if (r.eigenvalues) {
        a.finite_eigenvalues = r.eigenvalues;
        const auto out_of_range = [](const auto& x) { return !std::isfinite(x.real()) || !std::isfinite(x.imag()); };
        if (std::any_of(r.eigenvalues->begin(), r.eigenvalues->end(), out_of_range))
            a.remarks.push_back("some finite eigenvalues exceed the range of double precision");
    }
    if (!r.decided) {
        if (!r.gaps.empty()) a.likely = blocks_of(r.structure);
        a.verdict = "undecided, because " + r.reasons.front();
        return;
    }
    a.blocks = blocks_of(r.structure);
    a.backward_error = r.backward_error;
    a.regular = r.structure.regular();
    if (!*a.regular) {
        a.verdict = singular_verdict(a);
        explain_singular(a);
        return;
    }
    a.index = r.structure.index();
    a.degrees_of_freedom = r.structure.finite_size;
    a.verdict = fmt::format("regular, index {}", *a.index);
    explain_regular(a);
    if (const auto& w = r.weierstrass)
        a.weierstrass = PencilTransformation{values(w->p), values(w->q),   values(w->c),
                                             values(w->n), w->condition_p, w->condition_q};
}

/// Too large for dense algebra: regularity by sparse LU, bounds by the pattern.
void fill_large(PencilAnalysis& a, const MatrixData& e, const MatrixData& h, int limit) {
    const std::string too_large = fmt::format("the Kronecker structure is computed up to size {} only", limit);
    if (e.rows != e.cols) {
        a.regular = false;
        a.reasons.push_back(too_large);
        a.verdict = "undecided, because " + too_large;
        a.meaning.push_back("a pencil that is not square is singular");
        return;
    }
    const auto report = analysis::sparse_regularity(convert(e), convert(h));
    a.regular = report.regular;
    a.decided = false;
    a.reasons.push_back(too_large);
    for (const auto& test : report.tests)
        a.remarks.push_back(
            fmt::format("s E + H at s = {:.4g}: reciprocal condition {:.1e}", test.shift, test.reciprocal_condition));
    std::vector<structure::SignatureEntry> entries;
    for (const auto& x : h.entries) entries.push_back({x.row, x.col, 0});
    for (const auto& x : e.entries) entries.push_back({x.row, x.col, 1});
    const auto signature =
        structure::signature_method(structure::SignatureMatrix::from_entries(e.rows, e.cols, entries));
    if (!signature.regular) {
        a.regular = false;
        a.remarks.push_back("no choice of one entry per row and column avoids zeros: singular by its pattern alone");
    } else {
        a.remarks.push_back(fmt::format("by the pattern: at most {} degrees of freedom, structural index {}",
                                        signature.value, signature.structural_index));
    }
    const char* const what = !a.regular ? "regularity is open too" : *a.regular ? "it is regular" : "it is singular";
    a.verdict = fmt::format("undecided, because {}; {}", too_large, what);
}

} // namespace

MatrixData MatrixData::dense(int rows, int cols, const std::vector<double>& values) {
    MatrixData data{rows, cols, {}};
    for (std::size_t k = 0; k < values.size() && rows > 0; ++k)
        if (values[k] != 0.0)
            data.entries.push_back({static_cast<int>(k % static_cast<std::size_t>(rows)),
                                    static_cast<int>(k / static_cast<std::size_t>(rows)), values[k]});
    return data;
}

Expected<MatrixData> read_matrix(const std::string& path) {
    auto matrix = analysis::read_matrix_market(path);
    if (!matrix) return Unexpected{std::move(matrix.error())};
    return convert(*matrix);
}

Expected<MatrixData> parse_matrix(const std::string& text, const std::string& name) {
    auto matrix = analysis::parse_matrix_market(text, name);
    if (!matrix) return Unexpected{std::move(matrix.error())};
    return convert(*matrix);
}

Expected<PencilAnalysis> analyze_pencil(const MatrixData& e, const MatrixData& h, const PencilOptions& options) {
    for (const auto& problem : {check_shape(e, "E"), check_shape(h, "H")})
        if (problem) return fail(*problem);
    if (e.rows != h.rows || e.cols != h.cols)
        return fail(make_error("pencil-shape",
                               fmt::format("E is {} by {}, but H is {} by {}", e.rows, e.cols, h.rows, h.cols),
                               "both are the coefficients of the same equations and unknowns in E x' + H x = c"));
    if (!(options.noise >= 0.0 && options.noise < 1.0))
        return fail(make_error("bad-option", "the noise is a relative accuracy: a number from 0 to less than 1"));
    PencilAnalysis a;
    a.rows = e.rows;
    a.cols = e.cols;
    const auto infinite = [](const MatrixData& m) {
        return std::any_of(m.entries.begin(), m.entries.end(), [](const auto& x) { return !std::isfinite(x.value); });
    };
    if (std::max(e.rows, e.cols) > options.dense_limit && !infinite(e) && !infinite(h)) {
        fill_large(a, e, h, options.dense_limit);
        return a;
    }
    if (std::max(e.rows, e.cols) > options.dense_limit) {
        a.reasons.push_back("some entries are not finite numbers");
        a.verdict = "undecided, because " + a.reasons.front();
        return a;
    }
    fill(a, analysis::analyze_pencil(to_dense(e), to_dense(h), {.noise = options.noise}));
    return a;
}

} // namespace daedalus
