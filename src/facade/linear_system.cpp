#include "daedalus/linear_system.hpp"

#include "analysis/drazin_inverse.hpp"
#include "analysis/linear_solution.hpp"
#include "analysis/projector_chain.hpp"
#include "analysis/semi_discretize.hpp"
#include "analysis/strangeness_free.hpp"
#include "base/expected.hpp"
#include "expr/differentiate.hpp"
#include "expr/evaluate.hpp"
#include "facade/access.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace daedalus {

namespace {

using linalg::Matrix;

/// Functions of time with all their derivatives, each made when it is first asked for.
class FunctionsOfTime {
public:
    static Expected<std::shared_ptr<FunctionsOfTime>> make(const std::vector<Expression>& list) {
        auto f = std::shared_ptr<FunctionsOfTime>(new FunctionsOfTime);
        const expr::Graph* shared = nullptr;
        for (const Expression& e : list)
            if (const auto& g = Expression::Access::graph(e)) shared = g.get();
        if (shared) *f->graph_ = *shared; // its own: derivatives are made while others may read the model
        std::vector<expr::NodeId> nodes;
        for (const Expression& e : list) {
            if (const auto& g = Expression::Access::graph(e); g && g.get() != shared)
                return fail(make_error("linear-system", "the formulas belong to different models"));
            nodes.push_back(Expression::Access::node_in_copy(e, *f->graph_));
        }
        for (const expr::NodeId n : f->graph_->reachable(nodes))
            if (f->graph_->op(n) == expr::Op::variable || f->graph_->op(n) == expr::Op::parameter)
                return fail(make_error("linear-system", "a coefficient contains more than numbers and time",
                                       "write it with numbers and Model::time() only"));
        f->by_order_.push_back(std::move(nodes));
        return f;
    }
    [[nodiscard]] std::vector<double> operator()(double t, int order) {
        while (static_cast<int>(by_order_.size()) <= order) {
            expr::TimeDerivative ddt(*graph_);
            std::vector<expr::NodeId> next;
            for (const expr::NodeId n : by_order_.back()) next.push_back(ddt(n));
            by_order_.push_back(std::move(next));
        }
        return expr::evaluate(*graph_, by_order_[static_cast<std::size_t>(order)], [&](expr::NodeId) { return t; });
    }

private:
    FunctionsOfTime() = default;
    std::unique_ptr<expr::Graph> graph_ = std::make_unique<expr::Graph>();
    std::vector<std::vector<expr::NodeId>> by_order_;
};

Expected<Matrix> dense(const MatrixData& m, const char* name) {
    if (m.rows < 0 || m.cols < 0) return fail(make_error("pencil-shape", fmt::format("{} has a negative size", name)));
    Matrix a(m.rows, m.cols);
    for (const auto& x : m.entries) {
        if (x.row < 0 || x.row >= m.rows || x.col < 0 || x.col >= m.cols)
            return fail(make_error("pencil-shape", fmt::format("entry ({}, {}) lies outside {}, which is {} by {}",
                                                               x.row, x.col, name, m.rows, m.cols)));
        if (!std::isfinite(x.value))
            return fail(make_error("pencil-entry",
                                   fmt::format("entry ({}, {}) of {} is not a finite number", x.row, x.col, name)));
        a(x.row, x.col) += x.value;
    }
    return a;
}

struct Pair {
    Matrix e, h;
};
Expected<Pair> square_pair(const MatrixData& e, const MatrixData& h) {
    auto de = dense(e, "E"), dh = dense(h, "H");
    if (!de) return Unexpected{std::move(de.error())};
    if (!dh) return Unexpected{std::move(dh.error())};
    if (!de->square() || !dh->square() || de->rows() != dh->rows())
        return fail(make_error("pencil-shape", fmt::format("E is {} by {} and H {} by {}: both must be square, of one "
                                                           "size",
                                                           e.rows, e.cols, h.rows, h.cols)));
    return Pair{*std::move(de), *std::move(dh)};
}

Diagnostics not_regular() {
    return {make_error("pencil-singular", "the pair (E, H) is singular, or so nearly that it cannot be told",
                       "`analyze_pencil` says why")};
}

std::vector<double> values(const Matrix& a) { return {a.entries().begin(), a.entries().end()}; }

// Of x = Q₂ Σ (−N)^k (P c)₂^(k) the highest k that reaches each unknown; what rounding leaves of zeros does not count.
std::vector<int> derivatives_reaching(const analysis::WeierstrassForm& f) {
    const int n = f.q.rows(), nilpotent = f.n.rows();
    std::vector<int> highest(static_cast<std::size_t>(n), -1);
    if (nilpotent == 0) return highest;
    Matrix reach = f.q.columns(n - nilpotent, nilpotent);
    const Matrix p2 = f.p.rows_from(n - nilpotent, nilpotent);
    for (int k = 0; k < std::max(1, f.index); ++k, reach = reach * f.n) {
        const Matrix onto = reach * p2;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                double size = 0.0;
                for (int l = 0; l < nilpotent; ++l) size += std::abs(reach(i, l) * p2(l, j));
                if (std::abs(onto(i, j)) > 1e-10 * std::max(size, 1e-300) && size > 1e-12)
                    highest[static_cast<std::size_t>(i)] = k;
            }
    }
    return highest;
}

Expected<analysis::TimeVaryingSystem> time_varying(const TimeVaryingCoefficients& s) {
    const auto cells = static_cast<std::size_t>(std::max(0, s.rows)) * static_cast<std::size_t>(std::max(0, s.cols));
    if (s.rows <= 0 || s.cols <= 0 || s.e.size() != cells || s.h.size() != cells ||
        (!s.c.empty() && s.c.size() != static_cast<std::size_t>(s.rows)))
        return fail(make_error("linear-system",
                               fmt::format("E and H need {0} × {1} formulas, row by row, and c {0}", s.rows, s.cols)));
    auto e = FunctionsOfTime::make(s.e), h = FunctionsOfTime::make(s.h), c = FunctionsOfTime::make(s.c);
    for (auto* f : {&e, &h, &c})
        if (!*f) return Unexpected{std::move(f->error())};
    analysis::TimeVaryingSystem system;
    system.rows = s.rows;
    system.cols = s.cols;
    const auto matrix = [rows = s.rows, cols = s.cols](const std::shared_ptr<FunctionsOfTime>& f) {
        return [=](double t, int k) {
            const std::vector<double> v = (*f)(t, k);
            Matrix a(rows, cols);
            for (int i = 0; i < rows; ++i)
                for (int j = 0; j < cols; ++j) a(i, j) = v[static_cast<std::size_t>(i) * cols + j];
            return a;
        };
    };
    system.e = matrix(*e);
    system.h = matrix(*h);
    if (!s.c.empty()) system.c = [f = *c](double t, int k) { return (*f)(t, k); };
    return system;
}

} // namespace

Expected<DrazinInverse> drazin_inverse(const MatrixData& a) {
    auto m = dense(a, "A");
    if (!m) return Unexpected{std::move(m.error())};
    if (!m->square())
        return fail(make_error(
            "pencil-shape", fmt::format("A is {} by {}: only a square matrix has a Drazin inverse", a.rows, a.cols)));
    const auto d = analysis::drazin_inverse(*m);
    if (!d) return fail(make_error("pencil-entry", "the Drazin inverse could not be computed: numbers overflow"));
    return DrazinInverse{values(d->inverse), values(d->projector), d->index, d->decided,
                         analysis::drazin_axioms_error(*m, d->inverse, d->index)};
}

Expected<PencilProjectors> spectral_projectors(const MatrixData& e, const MatrixData& h) {
    auto pair = square_pair(e, h);
    if (!pair) return Unexpected{std::move(pair.error())};
    const auto p = analysis::spectral_projectors(pair->e, pair->h);
    if (!p) return Unexpected{not_regular()};
    return PencilProjectors{values(p->finite), values(p->infinite), values(p->consistent), p->consistent.cols(),
                            p->index,          p->decided};
}

Expected<ExactSolution> solve_exactly(const MatrixData& e, const MatrixData& h, const std::vector<Expression>& c,
                                      double t0, const std::vector<double>& x0, const std::vector<double>& times) {
    auto pair = square_pair(e, h);
    if (!pair) return Unexpected{std::move(pair.error())};
    const auto n = static_cast<std::size_t>(pair->e.rows());
    if (c.size() != n || x0.size() != n)
        return fail(make_error("linear-system", fmt::format("c and x0 need {} components each", n)));
    auto f = FunctionsOfTime::make(c);
    if (!f) return Unexpected{std::move(f.error())};
    auto form = analysis::weierstrass_form(pair->e, pair->h);
    if (!form) return Unexpected{not_regular()};
    ExactSolution result;
    result.index = form->index;
    result.derivatives_of_c = derivatives_reaching(*form);
    analysis::LinearSolution solution(
        *std::move(form), pair->e,
        [functions = *f](double t, int k, std::span<double> into) {
            const std::vector<double> v = (*functions)(t, k);
            std::copy(v.begin(), v.end(), into.begin());
        },
        t0, x0);
    result.initial = solution.initial();
    result.inconsistency = solution.inconsistency();
    result.times = times;
    for (const double t : times) result.values.push_back(solution.at(t));
    result.accurate = solution.accurate();
    return result;
}

Expected<SemiDiscrete> semi_discretize(const MatrixData& e, const MatrixData& h, const MatrixData& c, int points,
                                       double length) {
    auto pair = square_pair(e, h);
    if (!pair) return Unexpected{std::move(pair.error())};
    auto rest = square_pair(e, c);
    if (!rest) return Unexpected{std::move(rest.error())};
    constexpr int most = 100'000;
    if (points < 1 || points > most / std::max(1, e.rows) || !(length > 0.0) || !std::isfinite(length))
        return fail(make_error("linear-system",
                               "a PDAE needs at least one point, a positive length and at most 100,000 "
                               "unknowns"));
    const analysis::SemiDiscretePencil p = analysis::semi_discretize(pair->e, pair->h, rest->h, points, length);
    const auto data = [](const analysis::MarketMatrix& m) {
        MatrixData out{m.rows, m.cols, {}};
        for (const analysis::MatrixEntry& x : m.entries) out.entries.push_back({x.row, x.col, x.value});
        return out;
    };
    return SemiDiscrete{data(p.e), data(p.h)};
}

Expected<TimeVaryingAnalysis> analyze_time_varying(const TimeVaryingCoefficients& s, const std::vector<double>& times) {
    auto system = time_varying(s);
    if (!system) return Unexpected{std::move(system.error())};
    if (times.empty()) return fail(make_error("linear-system", "no time is given at which to look"));
    const analysis::StrangenessAlong along = analysis::strangeness_along(*system, times);
    TimeVaryingAnalysis a;
    a.constant = along.constant;
    a.changes = along.changes;
    if (along.first.decided) {
        a.strangeness_index = along.first.index;
        a.differential = along.first.d();
        a.algebraic = along.first.a();
        a.undetermined = along.first.u();
        a.conditions = along.first.v();
        if (along.first.regular()) a.differentiation_index = along.first.differentiation_index();
    } else {
        a.reason = along.first.reason;
    }
    for (const analysis::LocalPencil& p : analysis::local_pencils(*system, times))
        a.local.push_back(
            {p.t, p.decided && p.regular ? std::optional(p.index) : std::nullopt, p.decided && p.regular});
    if (s.rows != s.cols) {
        a.tractability_reason = "the projector chain is defined for square systems";
        return a;
    }
    const int order = a.differentiation_index.value_or(4) + 1;
    const auto stated = analysis::properly_stated(analysis::taylor_series(system->e, times.front(), order),
                                                  analysis::taylor_series(system->h, times.front(), order));
    if (!stated) {
        a.tractability_reason = "the rank of E changes at the first time, or is not clear";
        return a;
    }
    const analysis::ProjectorChain chain = analysis::projector_chain(*stated);
    if (chain.outcome == analysis::ChainOutcome::regular)
        a.tractability_index = chain.index;
    else
        a.tractability_reason = chain.reason;
    return a;
}

Expected<TimeVaryingRun> solve_time_varying(const TimeVaryingCoefficients& s, double t0, double t1,
                                            const std::vector<double>& x0, const TimeVaryingOptions& options) {
    auto system = time_varying(s);
    if (!system) return Unexpected{std::move(system.error())};
    if (x0.size() != static_cast<std::size_t>(s.cols))
        return fail(make_error("linear-system", fmt::format("x0 needs {} components", s.cols)));
    integrate::IntegrationOptions o;
    o.tolerance.relative = options.rtol;
    o.tolerance.absolute = options.atol;
    const analysis::TimeVaryingSolution r = analysis::integrate_time_varying(
        *system, t0, t1, x0, options.method, o,
        options.least_squares ? analysis::LeastSquares::yes : analysis::LeastSquares::no);
    return TimeVaryingRun{r.finished(), r.t, r.x, r.largest_condition_residual, r.reason};
}

} // namespace daedalus
