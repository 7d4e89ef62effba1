#include "analysis/strangeness_linear.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace daedalus::analysis {

using linalg::Matrix;

namespace {

double binomial(int n, int k) {
    if (k < 0 || k > n) return 0.0;
    double value = 1.0;
    for (int i = 0; i < k; ++i) value = value * (n - i) / (i + 1);
    return value;
}

} // namespace

InflatedSystem inflated_system(const TimeVaryingSystem& system, double t, int level) {
    const int m = system.rows, n = system.cols, count = level + 1;
    InflatedSystem inflated{Matrix(count * m, count * n), Matrix(count * m, n), {}};
    std::vector<Matrix> e, h;
    for (int k = 0; k <= level; ++k) {
        e.push_back(system.e(t, k));
        h.push_back(system.h(t, k));
        const std::vector<double> c = system.forcing(t, k);
        inflated.g.insert(inflated.g.end(), c.begin(), c.end());
    }
    for (int i = 0; i <= level; ++i) {
        for (int j = 0; j <= i; ++j) {
            Matrix block = binomial(i, j) * e[static_cast<std::size_t>(i - j)];
            if (i > j) block += binomial(i, j + 1) * h[static_cast<std::size_t>(i - j - 1)];
            inflated.m.set_block(i * m, j * n, block);
        }
        inflated.n.set_block(i * m, 0, -1.0 * h[static_cast<std::size_t>(i)]);
    }
    return inflated;
}

StrangenessAnalysis strangeness_index(const TimeVaryingSystem& system, double t, int max_level) {
    StrangenessAnalysis analysis;
    analysis.t = t;
    int vanished_before = 0;
    for (int level = 0; level <= max_level; ++level) {
        const InflatedSystem inflated = inflated_system(system, t, level);
        StrangenessLevel l;
        l.level = level;
        if (!all_finite(inflated.m) || !all_finite(inflated.n)) {
            analysis.reason = "a coefficient or one of its derivatives is not finite";
            return analysis;
        }
        l.gaps.resize(3);
        const auto rule = [](const Matrix& a, double norm) { return linalg::rank_rule(a.rows(), a.cols(), norm); };
        const Matrix z =
            null_space(inflated.m.transposed(), rule(inflated.m, frobenius_norm(inflated.m)), l.gaps.data());
        const Matrix algebraic = transposed_times(z, inflated.n);
        const Matrix free = null_space(algebraic, rule(inflated.n, frobenius_norm(inflated.n)), &l.gaps[1]);
        const Matrix e = system.e(t, 0);
        (void)range(e * free, rule(e, frobenius_norm(e)), &l.gaps[2]);
        l.rank_m = l.gaps[0].rank;
        l.a = l.gaps[1].rank;
        l.d = l.gaps[2].rank;
        const int vanished = z.cols() - l.a;
        l.v = vanished - vanished_before;
        l.s = system.rows - l.a - l.d - l.v;
        l.u = system.cols - l.a - l.d;
        vanished_before = vanished;
        analysis.levels.push_back(l);
        for (const auto& gap : l.gaps)
            if (!gap.decided) {
                analysis.reason = fmt::format("a rank at level {} is not clear: smallest singular value kept {:.1e}, "
                                              "largest dropped {:.1e}, tolerance {:.1e}",
                                              level, gap.kept, gap.dropped, gap.tolerance);
                return analysis;
            }
        if (l.s == 0) {
            analysis.decided = true;
            analysis.index = level;
            return analysis;
        }
    }
    analysis.reason = fmt::format("equations are still hidden after {} differentiations", max_level);
    return analysis;
}

StrangenessAlong strangeness_along(const TimeVaryingSystem& system, std::span<const double> times, int max_level) {
    StrangenessAlong along;
    StrangenessAnalysis before;
    bool all_decided = true;
    for (std::size_t k = 0; k < times.size(); ++k) {
        const StrangenessAnalysis now = strangeness_index(system, times[k], max_level);
        if (k == 0) along.first = now;
        all_decided = all_decided && now.decided;
        const bool same = k == 0 || (now.decided && before.decided && now.index == before.index &&
                                     now.a() == before.a() && now.d() == before.d() && now.v() == before.v());
        if (!same) along.changes.push_back(times[k]);
        before = now;
    }
    along.constant = all_decided && along.changes.empty();
    return along;
}

} // namespace daedalus::analysis
