#include "analysis/projector_chain.hpp"

#include <fmt/format.h>

namespace daedalus::analysis {

using linalg::Matrix;
using linalg::MatrixSeries;
using linalg::RankGap;
using linalg::smooth_spaces;

namespace {

// Taylor coefficients grow by cancellation in each division; beyond this share of the size the rank does change.
constexpr double constant_rank_tolerance = 1e-7;

double size_of(const MatrixSeries& a) {
    double size = 0.0;
    for (int k = 0; k <= a.order(); ++k) size = std::max(size, frobenius_norm(a[k]));
    return size;
}

/// Safe a thousand times above zero, as ranks of derivative arrays: units were taken out before.
linalg::RankRule chain_rule(int rows, int cols, double norm, double noise = 0.0) {
    linalg::RankRule rule = linalg::rank_rule(rows, cols, norm, noise);
    rule.doubtful = 1e3 * rule.tolerance;
    return rule;
}

MatrixSeries constant(const Matrix& a, const MatrixSeries& like) { return MatrixSeries::constant(a, like.order()); }

/// D⁻ with D D⁻ = R, the projector onto im D along ker A, and D⁻ D = P₀.
std::optional<MatrixSeries> reflexive_inverse(const ProperlyStated& s, const MatrixSeries& p0, double noise,
                                              std::string& reason) {
    const auto of_d = smooth_spaces(s.d, linalg::rank_rule(s.d.rows(), s.d.cols(), size_of(s.d), noise));
    const auto of_a = smooth_spaces(s.a, linalg::rank_rule(s.a.rows(), s.a.cols(), size_of(s.a), noise));
    const int k = s.d.rows(), r = of_d.range.cols();
    if (r + of_a.null_space.cols() != k) {
        reason = "the leading term is not properly stated: ker A and im D do not complement each other";
        return std::nullopt;
    }
    const auto basis_inverse = inverse(beside(of_d.range, of_a.null_space));
    if (!basis_inverse) {
        reason = "the leading term is not properly stated: ker A and im D intersect";
        return std::nullopt;
    }
    const MatrixSeries projector = of_d.range * basis_inverse->block(0, 0, r, k);
    return p0 * of_d.inner_inverse * projector;
}

ProjectorChain ended(ProjectorChain chain, ChainOutcome outcome, std::string reason) {
    chain.outcome = outcome;
    chain.reason = std::move(reason);
    return chain;
}

std::string unclear(int i, const RankGap& gap) {
    return fmt::format("the rank of G_{} is not clear: smallest singular value kept {:.1e}, largest dropped {:.1e}, "
                       "tolerance {:.1e}",
                       i, gap.kept, gap.dropped, gap.tolerance);
}

} // namespace

std::optional<ProperlyStated> properly_stated(const MatrixSeries& e, const MatrixSeries& h) {
    const int n = e.cols();
    const auto spaces = smooth_spaces(e, chain_rule(e.rows(), n, size_of(e)));
    if (!spaces.gap.decided || spaces.rank_defect > constant_rank_tolerance) return std::nullopt;
    // D = X E with an inner inverse X: a projector along ker E.
    const MatrixSeries d = spaces.inner_inverse * e;
    return ProperlyStated{e, d, h - e * d.derivative(), false};
}

std::optional<ProperlyStated> properly_stated(const Matrix& e, const Matrix& h) {
    auto system = properly_stated(MatrixSeries({e}), MatrixSeries({h}));
    if (system) system->constant = true;
    return system;
}

ProjectorChain projector_chain(const ProperlyStated& s, double noise) {
    ProjectorChain chain;
    const int m = s.a.rows();
    if (s.d.cols() != m) return ended(std::move(chain), ChainOutcome::singular, "the system is not square");
    MatrixSeries g = s.a * s.d, b = s.b, earlier, product = constant(Matrix::identity(m), g), d_minus;
    const double size = size_of(g) + size_of(b);
    const auto rule = chain_rule(m, m, size, noise);
    for (int i = 0;; ++i) {
        const auto spaces = smooth_spaces(g, rule);
        chain.levels.push_back({g.value(), b.value(), Matrix(m, m), Matrix::identity(m), spaces.gap});
        if (!spaces.gap.decided) return ended(std::move(chain), ChainOutcome::undecided, unclear(i, spaces.gap));
        if (spaces.rank_defect > constant_rank_tolerance)
            return ended(std::move(chain), ChainOutcome::critical,
                         fmt::format("the rank of G_{} changes here: a critical point", i));
        if (spaces.gap.rank == m) {
            chain.outcome = ChainOutcome::regular;
            chain.index = i;
            return chain;
        }
        // Q_i onto ker G_i along the earlier kernels and what is orthogonal to all of them.
        const MatrixSeries& kernel = spaces.null_space;
        const int size_kernel = kernel.cols();
        const MatrixSeries all = i == 0 ? kernel : beside(kernel, earlier);
        // Columns that begin orthonormal: singular values as small as this are those of an intersection.
        const auto values = linalg::singular_values_only(all.value()).values;
        constexpr double intersect = 1e-9;
        const bool meets = all.cols() > m || (!values.empty() && values.back() <= intersect * values.front());
        if (meets)
            return ended(
                std::move(chain), ChainOutcome::singular,
                fmt::format("ker G_{} meets the kernels before it: there are no admissible projectors, and the "
                            "solution is not unique or does not exist",
                            i));
        const MatrixSeries complement = constant(linalg::orthogonal_complement(all.value()), all);
        const auto basis_inverse = inverse(beside(all, complement));
        if (!basis_inverse) return ended(std::move(chain), ChainOutcome::undecided, "a basis could not be inverted");
        const MatrixSeries q = kernel * basis_inverse->block(0, 0, size_kernel, m);
        const MatrixSeries p = constant(Matrix::identity(m), q) - q;
        chain.levels.back().q = q.value();
        chain.levels.back().p = p.value();
        if (i == 0) {
            const auto found = reflexive_inverse(s, p, noise, chain.reason);
            if (!found) return ended(std::move(chain), ChainOutcome::undecided, chain.reason);
            d_minus = *found;
        } else {
            // B_i gets its derivative term here, where Π_i is known: B_i - G_i D⁻ (D Π_i D⁻)' D Π_{i-1}.
            const MatrixSeries next_product = product * p;
            if (!s.constant) {
                const MatrixSeries inner = s.d * next_product * d_minus;
                if (inner.order() == 0)
                    return ended(
                        std::move(chain), ChainOutcome::undecided,
                        fmt::format("G_{} is singular, and no more derivatives of the coefficients are given", i));
                b = b - g * d_minus * inner.derivative() * s.d * product;
                chain.levels.back().b = b.value();
            }
        }
        product = product * p;
        g = g + b * q;
        b = b * p; // B_{i+1} without its derivative term, which needs Q_{i+1}
        earlier = all;
    }
}

} // namespace daedalus::analysis
