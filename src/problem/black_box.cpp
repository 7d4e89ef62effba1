#include "problem/black_box.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

namespace daedalus::problem {

namespace {

class BlackBoxLegend final : public Legend {
public:
    /// `derivative_of[k]`: unknown whose derivative column n + k is (initial problems only).
    BlackBoxLegend(std::vector<std::string> names, std::size_t n, std::vector<int> derivative_of = {})
        : names_(std::move(names)), n_(n), derivative_of_(std::move(derivative_of)) {}
    std::string variable(int column) const override {
        const auto j = static_cast<std::size_t>(column);
        if (j >= n_) return "der(" + variable(derivative_of_[j - n_]) + ")";
        return j < names_.size() ? names_[j] : Legend::variable(column);
    }
    std::string equation(int row) const override { return "residual[" + std::to_string(row) + "] = 0"; }
    std::string domain_error(int, double, const double*, const double*, const Environment&) const override {
        return "the residual function returned no finite value";
    }

private:
    std::vector<std::string> names_;
    std::size_t n_;
    std::vector<int> derivative_of_;
};

class RootLegend final : public Legend {
public:
    explicit RootLegend(const std::vector<BlackBox::Root>& roots) {
        for (const BlackBox::Root& root : roots) names_.push_back(root.name);
    }
    std::string equation(int row) const override {
        const std::string& name = names_[static_cast<std::size_t>(row)];
        return name.empty() ? "event function " + std::to_string(row + 1) : name;
    }

private:
    std::vector<std::string> names_;
};

/// The callback, its patterns and memory: each run has a copy.
struct Context final : Workspace {
    explicit Context(BlackBox b) : box(std::move(b)), n(box.x0.size()), r0(n) {}

    BlackBox box;
    std::size_t n;
    Dependence depends;
    SparsityPattern pattern; ///< both together
    std::optional<DifferenceJacobian> difference_x, difference_dx;
    std::vector<int> to_x, to_dx; ///< entry of the difference Jacobian → position in pattern
    std::vector<double> values_x, values_dx, size, r0;
    double noise = 0.0; ///< of the residual, relative

    // The point at which a Jacobian is being differenced.
    double t = 0.0;
    const double* x = nullptr;
    const double* dx = nullptr;
    const double* dq = nullptr;

    // For the initial problem: columns n … of u are derivatives of these unknowns.
    std::vector<int> derivative_of;
    std::vector<double> initial_dx, initial_jx, initial_jdx;
    std::vector<int> from_x, from_dx; ///< entry of the initial pattern → entry in jx or jdx, else -1

    bool residual(double time, const double* px, const double* pdx, double* r) {
        const bool reported = box.residual(time, {px, n}, {pdx, n}, {r, n});
        bool finite = true;
        for (std::size_t i = 0; i < n; ++i) finite = finite && std::isfinite(r[i]);
        return reported && finite;
    }

    /// The residual as function of x with t and x' as given here.
    PointFunction at_point(double time, const double* px, const double* pdx) {
        t = time;
        x = px;
        dx = pdx;
        return {this, [](void* c, const double* point, double* r) {
                    auto& self = *static_cast<Context*>(c);
                    return self.box.residual(self.t, {point, self.n}, {self.dx, self.n}, {r, self.n});
                }};
    }

    bool jacobian(double time, const double* px, const double* pdx, double* jx, double* jdx) {
        const auto nnz = static_cast<std::size_t>(pattern.nonzeros());
        if (box.jacobian) return box.jacobian(time, {px, n}, {pdx, n}, {jx, nnz}, {jdx, nnz});
        if (!residual(time, px, pdx, r0.data())) return false;
        if (!difference_x->evaluate(at_point(time, px, pdx), {px, n}, size, r0, values_x)) return false;
        return leading_matrix(time, px, pdx) && enter(jx, jdx);
    }

    /// With r0 = F there, which is linear in q' nearly always: ∂F/∂x' = ∂G/∂x' + ∂G/∂q' Q_x.
    bool leading_matrix(double time, const double* px, const double* pdx) {
        (void)at_point(time, px, pdx);
        const PointFunction along_dx{
            this, [](void* c, const double* point, double* r) {
                auto& self = *static_cast<Context*>(c);
                return self.box.residual(self.t, {self.x, self.n}, {point, self.n}, {r, self.n});
            }};
        return difference_dx->evaluate(along_dx, {pdx, n}, size, r0, values_dx);
    }

    // Of a differentiated quantity.
    [[nodiscard]] std::size_t quantities() const { return static_cast<std::size_t>(box.quantity->size); }
    bool stated(double time, const double* px, const double* pdx, const double* pdq, double* r) const {
        return box.quantity->residual(time, {px, n}, {pdx, n}, {pdq, quantities()}, {r, n});
    }
    bool stated_jacobian(double time, const double* px, const double* pdx, const double* pdq, double* jx, double* jdx) {
        if (!stated(time, px, pdx, pdq, r0.data())) return false;
        (void)at_point(time, px, pdx);
        dq = pdq;
        const PointFunction along_x{this, [](void* c, const double* point, double* r) {
                                        auto& self = *static_cast<Context*>(c);
                                        return self.stated(self.t, point, self.dx, self.dq, r);
                                    }};
        if (!difference_x->evaluate(along_x, {px, n}, size, r0, values_x)) return false;
        return residual(time, px, pdx, r0.data()) && leading_matrix(time, px, pdx) && enter(jx, jdx);
    }

    /// values_x and values_dx into their places.
    bool enter(double* jx, double* jdx) const {
        const auto nnz = static_cast<std::size_t>(pattern.nonzeros());
        std::fill_n(jx, nnz, 0.0);
        std::fill_n(jdx, nnz, 0.0);
        for (std::size_t k = 0; k < to_x.size(); ++k) jx[to_x[k]] = values_x[k];
        for (std::size_t k = 0; k < to_dx.size(); ++k) jdx[to_dx[k]] = values_dx[k];
        return true;
    }
};

Context& context_of(const Call& call) { return static_cast<Context&>(*call.workspace); }

Binding::MakeWorkspace copies_of(const Context* prototype) {
    return [prototype] { return std::make_unique<Context>(*prototype); };
}

EvalStatus status(bool ok) { return ok ? EvalStatus::ok : EvalStatus::not_finite; }

Hybrid events_of(const std::vector<BlackBox::Root>& roots) {
    Hybrid hybrid;
    hybrid.roots.size = static_cast<int>(roots.size());
    hybrid.roots.evaluate = [](const Call& call, double t, const double* x, const double* dx, double* g) {
        const Context& self = context_of(call);
        for (const BlackBox::Root& root : self.box.roots) *g++ = root.function(t, {x, self.n}, {dx, self.n});
        return EvalStatus::ok;
    };
    for (const BlackBox::Root& root : roots) hybrid.direction.push_back(root.direction);
    hybrid.legend = std::make_shared<RootLegend>(roots);
    return hybrid;
}

EvalStatus finite(const double* values, std::size_t size) {
    return status(std::all_of(values, values + size, [](double v) { return std::isfinite(v); }));
}

DifferentiatedQuantity quantity_of(const BlackBoxQuantity& box) {
    DifferentiatedQuantity quantity;
    quantity.size = box.size;
    quantity.required = true;
    quantity.nominal = box.nominal;
    quantity.nominal.resize(static_cast<std::size_t>(box.size), 1.0);
    quantity.value = [](const Call& call, double t, const double* x, double* q) {
        const Context& self = context_of(call);
        self.box.quantity->value(t, {x, self.n}, {q, self.quantities()});
        return finite(q, self.quantities());
    };
    quantity.slope = [](const Call& call, double t, const double* x, const double* dx, double* dq) {
        const Context& self = context_of(call);
        self.box.quantity->find_slope(t, {x, self.n}, {dx, self.n}, {dq, self.quantities()});
        return finite(dq, self.quantities());
    };
    quantity.residual = [](const Call& call, double t, const double* x, const double* dx, const double* dq, double* r) {
        const Context& self = context_of(call);
        const bool defined = self.stated(t, x, dx, dq, r);
        return defined ? finite(r, self.n) : EvalStatus::not_finite;
    };
    quantity.jacobian = [](const Call& call, double t, const double* x, const double* dx, const double* dq, double* jx,
                           double* jdx) { return status(context_of(call).stated_jacobian(t, x, dx, dq, jx, jdx)); };
    return quantity;
}

std::vector<std::pair<int, int>> entries_of(const SparsityPattern& p) {
    std::vector<std::pair<int, int>> entries;
    entries.reserve(p.row_index.size());
    for (int j = 0; j < p.cols; ++j)
        for (int k = p.column_start[static_cast<std::size_t>(j)]; k < p.column_start[static_cast<std::size_t>(j) + 1];
             ++k)
            entries.emplace_back(p.row_index[static_cast<std::size_t>(k)], j);
    return entries;
}

std::vector<int> positions(const SparsityPattern& part, const SparsityPattern& whole) {
    std::vector<int> to;
    to.reserve(part.row_index.size());
    for (const auto& [row, col] : entries_of(part)) to.push_back(whole.find(row, col));
    return to;
}

/// Points at which dependences show: the start itself, then around it, ever farther, since a zero factor there must not
/// hide one. The same for the same seed.
class ProbePoints {
public:
    static constexpr int rounds = 4;
    std::vector<double> x, dx;

    explicit ProbePoints(const BlackBox& box) : x(box.x0.size()), dx(box.x0.size()), box_(box) {}
    void move_to(int round) {
        const double amount = round == 0 ? 0.0 : std::pow(10.0, round - 3);
        for (std::size_t j = 0; j < x.size(); ++j) {
            const double s = std::max(1.0, std::abs(box_.x0[j]));
            x[j] = box_.x0[j] + amount * s * unit_(random_);
            dx[j] = (box_.dx0.empty() ? 0.0 : box_.dx0[j]) + amount * unit_(random_);
        }
    }

private:
    const BlackBox& box_;
    std::mt19937 random_{20240101}; // any fixed seed: results must be reproducible
    std::uniform_real_distribution<double> unit_{0.5, 1.0};
};

/// Which x' occur where, by the values of ∂F/∂x' on the pattern; nothing: the Jacobian has no value anywhere.
std::optional<SparsityPattern> derivatives_of(const BlackBox& box, const SparsityPattern& pattern) {
    const auto nonzeros = static_cast<std::size_t>(pattern.nonzeros());
    std::vector<double> jx(nonzeros), jdx(nonzeros);
    std::vector<char> occurs(nonzeros, 0);
    bool any_value = false;
    ProbePoints at(box);
    for (int round = 0; round < ProbePoints::rounds; ++round) {
        at.move_to(round);
        std::fill(jdx.begin(), jdx.end(), 0.0);
        if (!box.jacobian(box.t0, at.x, at.dx, jx, jdx)) continue;
        if (!std::all_of(jdx.begin(), jdx.end(), [](double v) { return std::isfinite(v); })) continue;
        any_value = true;
        for (std::size_t k = 0; k < nonzeros; ++k) occurs[k] = occurs[k] != 0 || jdx[k] != 0.0 ? 1 : 0;
    }
    if (!any_value) return std::nullopt;
    auto entries = entries_of(pattern);
    std::vector<std::pair<int, int>> found;
    for (std::size_t k = 0; k < nonzeros; ++k)
        if (occurs[k] != 0) found.push_back(entries[k]);
    return SparsityPattern::from_entries(pattern.rows, pattern.cols, std::move(found));
}

/// Which x' occur where, with columns that share no row of the pattern probed together: a row that notices belongs to
/// the one of them that has an entry there.
SparsityPattern probe_derivatives(const BlackBox& box, const SparsityPattern& pattern) {
    const std::size_t n = box.x0.size();
    const ColumnGroups groups = group_columns(pattern);
    ProbePoints at(box);
    std::vector<double> base(n), r(n), kept(n);
    std::vector<char> occurs(pattern.row_index.size(), 0);
    const auto probe = [&](int group, auto&& moved) {
        kept = at.dx;
        for (std::size_t j = 0; j < n; ++j)
            if (groups.group[j] == group) at.dx[j] = moved(kept[j]);
        r = base; // a callback that gives up early leaves no trace
        (void)box.residual(box.t0, at.x, at.dx, r);
        at.dx = kept;
        for (std::size_t j = 0; j < n; ++j) {
            if (groups.group[j] != group) continue;
            for (auto k = static_cast<std::size_t>(pattern.column_start[j]);
                 k < static_cast<std::size_t>(pattern.column_start[j + 1]); ++k) {
                const auto i = static_cast<std::size_t>(pattern.row_index[k]);
                if (!(r[i] == base[i])) occurs[k] = 1;
            }
        }
    };
    bool any_value = false;
    for (int round = 0; round < ProbePoints::rounds; ++round) {
        at.move_to(round);
        if (!box.residual(box.t0, at.x, at.dx, base) ||
            !std::all_of(base.begin(), base.end(), [](double v) { return std::isfinite(v); }))
            continue;
        any_value = true;
        for (int group = 0; group < groups.count; ++group) {
            probe(group, [](double v) { return v + 1e-3 * std::max(1.0, std::abs(v)); });
            if (round == 0) probe(group, [](double) { return std::numeric_limits<double>::quiet_NaN(); });
        }
    }
    if (!any_value) return pattern;
    const auto entries = entries_of(pattern);
    std::vector<std::pair<int, int>> found;
    for (std::size_t k = 0; k < occurs.size(); ++k)
        if (occurs[k] != 0) found.push_back(entries[k]);
    return SparsityPattern::from_entries(pattern.rows, pattern.cols, std::move(found));
}

std::shared_ptr<Context> make_context(BlackBox box) {
    const auto n = box.x0.size();
    if (box.dx0.empty()) box.dx0.assign(n, 0.0);
    if (box.unknowns.empty()) box.unknowns.resize(n);
    auto c = std::make_shared<Context>(std::move(box));
    for (const UnknownInfo& info : c->box.unknowns)
        c->size.push_back(std::isfinite(info.nominal) && info.nominal != 0.0 ? std::abs(info.nominal) : 1.0);
    c->depends = c->box.dependence ? *c->box.dependence : found_dependence(c->box);
    if (c->box.pattern) {
        c->pattern = *c->box.pattern;
    } else if (c->box.jacobian) {
        c->pattern = SparsityPattern::dense(static_cast<int>(n), static_cast<int>(n));
    } else {
        auto entries = entries_of(c->depends.on_x);
        const auto more = entries_of(c->depends.on_dx);
        entries.insert(entries.end(), more.begin(), more.end());
        c->pattern = SparsityPattern::from_entries(static_cast<int>(n), static_cast<int>(n), std::move(entries));
    }
    for (std::size_t j = 0; j < n; ++j)
        c->box.unknowns[j].differential = c->depends.on_dx.column_start[j + 1] > c->depends.on_dx.column_start[j];
    if (!c->box.jacobian) {
        c->difference_x.emplace(c->depends.on_x, c->box.scheme);
        c->difference_dx.emplace(c->depends.on_dx, c->box.scheme);
        c->to_x = positions(c->depends.on_x, c->pattern);
        c->to_dx = positions(c->depends.on_dx, c->pattern);
        c->values_x.resize(c->to_x.size());
        c->values_dx.resize(c->to_dx.size());
        c->noise = relative_noise(c->at_point(c->box.t0, c->box.x0.data(), c->box.dx0.data()), c->box.x0, c->size, n);
        c->difference_x->expect_noise(c->noise);
        c->difference_dx->expect_noise(c->noise);
    }
    return c;
}

} // namespace

std::optional<Diagnostic> invalid(const BlackBox& box) {
    const std::size_t n = box.x0.size();
    const auto wrong = [n](const char* what, std::size_t size) {
        return make_error("black-box-size", std::string(what) + " has " + std::to_string(size) +
                                                " entries but x0 has " + std::to_string(n));
    };
    if (!box.residual) return make_error("black-box-residual", "no residual function was given");
    if (box.quantity && box.jacobian)
        return make_error("black-box-quantity",
                          "with a differentiated quantity the Jacobian is found by differences: none can be given");
    if (!box.dx0.empty() && box.dx0.size() != n) return wrong("dx0", box.dx0.size());
    if (!box.unknowns.empty() && box.unknowns.size() != n) return wrong("unknowns", box.unknowns.size());
    if (!box.strength.empty() && box.strength.size() != n) return wrong("strength", box.strength.size());
    if (!box.names.empty() && box.names.size() != n) return wrong("names", box.names.size());
    if (box.pattern && (box.pattern->rows != static_cast<int>(n) || box.pattern->cols != static_cast<int>(n)))
        return make_error("black-box-size", "the sparsity pattern is " + std::to_string(box.pattern->rows) + " by " +
                                                std::to_string(box.pattern->cols) + " but x0 has " + std::to_string(n) +
                                                " entries");
    for (std::size_t j = 0; j < n; ++j)
        if (!std::isfinite(box.x0[j]) || (!box.dx0.empty() && !std::isfinite(box.dx0[j])))
            return make_error("start-not-finite", "the start value of " +
                                                      BlackBoxLegend(box.names, n).variable(static_cast<int>(j)) +
                                                      " is not a number");
    if (box.quantity) return box.quantity->invalid(box.t0, box.x0);
    return std::nullopt;
}

Dependence probe_dependence(const BlackBox& box) {
    const std::size_t n = box.x0.size();
    const int size = static_cast<int>(n);
    ProbePoints at(box);
    std::vector<double>&x = at.x, &dx = at.dx;
    std::vector<double> base(n), r(n);
    std::vector<std::pair<int, int>> on_x, on_dx;

    const auto probe = [&](std::vector<double>& point, std::size_t j, double value,
                           std::vector<std::pair<int, int>>& found) {
        const double saved = std::exchange(point[j], value);
        r = base; // a callback that gives up early leaves no trace
        (void)box.residual(box.t0, x, dx, r);
        point[j] = saved;
        for (std::size_t i = 0; i < n; ++i)
            if (!(r[i] == base[i])) found.emplace_back(static_cast<int>(i), static_cast<int>(j));
    };
    bool any_value = false;
    for (int round = 0; round < ProbePoints::rounds; ++round) {
        at.move_to(round);
        if (!box.residual(box.t0, x, dx, base) ||
            !std::all_of(base.begin(), base.end(), [](double v) { return std::isfinite(v); }))
            continue;
        any_value = true;
        const double nan = std::numeric_limits<double>::quiet_NaN();
        for (std::size_t j = 0; j < n; ++j) {
            probe(x, j, x[j] + 1e-3 * std::max(1.0, std::abs(x[j])), on_x);
            probe(dx, j, dx[j] + 1e-3 * std::max(1.0, std::abs(dx[j])), on_dx);
            if (round == 0) {
                probe(x, j, nan, on_x);
                probe(dx, j, nan, on_dx);
            }
        }
    }
    if (!any_value) return {SparsityPattern::dense(size, size), SparsityPattern::dense(size, size)};
    return {SparsityPattern::from_entries(size, size, std::move(on_x)),
            SparsityPattern::from_entries(size, size, std::move(on_dx))};
}

Dependence found_dependence(const BlackBox& box) {
    if (!box.pattern) return probe_dependence(box);
    // Probing may see less than there is (a branch not taken): the user's word on x counts.
    if (box.jacobian)
        if (auto told = derivatives_of(box, *box.pattern)) return {*box.pattern, *std::move(told)};
    return {*box.pattern, probe_derivatives(box, *box.pattern)};
}

Expected<ImplicitProblem> make_implicit_problem(BlackBox box) {
    if (auto error = invalid(box)) return fail(std::move(*error));
    const auto context = make_context(std::move(box));
    System system;
    system.code = context;
    system.make_workspace = copies_of(context.get());
    system.kernels.residual = [](const Call& call, double t, const double* x, const double* dx, double* r) {
        return status(context_of(call).residual(t, x, dx, r));
    };
    system.kernels.jacobian = [](const Call& call, double t, const double* x, const double* dx, double* jx,
                                 double* jdx) { return status(context_of(call).jacobian(t, x, dx, jx, jdx)); };
    system.pattern = context->pattern;
    system.unknowns = context->box.unknowns;
    system.facets.set(Names{std::make_shared<BlackBoxLegend>(context->box.names, context->n)});
    system.facets.set(
        Outputs{{static_cast<int>(context->n), [](const Call& call, double, const double* x, const double*, double* y) {
                     std::copy_n(x, context_of(call).n, y);
                     return EvalStatus::ok;
                 }}});
    if (context->box.quantity) system.facets.set(quantity_of(*context->box.quantity));
    if (!context->box.roots.empty()) system.facets.set(events_of(context->box.roots));
    return ImplicitProblem(std::move(system));
}

Expected<InitialProblem> make_initial_problem(BlackBox box) {
    if (auto error = invalid(box)) return fail(std::move(*error));
    const auto context = make_context(std::move(box));
    Context& c = *context;
    const int n = static_cast<int>(c.n);
    InitialProblem problem;
    problem.t0 = c.box.t0;
    problem.equations = n;
    problem.dx_from.assign(c.n, -1);
    for (int j = 0; j < n; ++j) {
        const auto k = static_cast<std::size_t>(j);
        const UnknownInfo& info = c.box.unknowns[k];
        const Strength strength = !c.box.strength.empty() ? c.box.strength[k]
                                  : info.differential     ? Strength::preferred
                                                          : Strength::guess;
        InitialUnknown unknown; // by name: what it consists of grows
        unknown.start = c.box.x0[k];
        unknown.strength = strength;
        unknown.nominal = info.nominal;
        unknown.min = info.min;
        unknown.max = info.max;
        problem.unknowns.push_back(unknown);
        problem.x_from.push_back(j);
        if (!info.differential) continue;
        problem.dx_from[k] = n + static_cast<int>(c.derivative_of.size());
        c.derivative_of.push_back(j);
    }
    for (int j : c.derivative_of) {
        InitialUnknown derivative;
        derivative.start = c.box.dx0[static_cast<std::size_t>(j)];
        derivative.derivative = 1;
        problem.unknowns.push_back(derivative);
    }
    auto entries = entries_of(c.depends.on_x);
    for (const auto& [row, col] : entries_of(c.depends.on_dx))
        entries.emplace_back(row, problem.dx_from[static_cast<std::size_t>(col)]);
    problem.pattern = SparsityPattern::from_entries(n, static_cast<int>(problem.unknowns.size()), std::move(entries));
    for (const auto& [row, col] : entries_of(problem.pattern)) {
        c.from_x.push_back(col < n ? c.pattern.find(row, col) : -1);
        c.from_dx.push_back(col < n ? -1 : c.pattern.find(row, c.derivative_of[static_cast<std::size_t>(col - n)]));
    }
    c.initial_dx = c.box.dx0;
    c.initial_jx.resize(c.pattern.row_index.size());
    c.initial_jdx.resize(c.pattern.row_index.size());
    problem.residual = [](const Call& call, double t, const double* u, double* g) {
        Context& self = context_of(call);
        for (std::size_t k = 0; k < self.derivative_of.size(); ++k)
            self.initial_dx[static_cast<std::size_t>(self.derivative_of[k])] = u[self.n + k];
        return status(self.residual(t, u, self.initial_dx.data(), g));
    };
    problem.jacobian = [](const Call& call, double t, const double* u, double* values) {
        Context& self = context_of(call);
        for (std::size_t k = 0; k < self.derivative_of.size(); ++k)
            self.initial_dx[static_cast<std::size_t>(self.derivative_of[k])] = u[self.n + k];
        const bool ok = self.jacobian(t, u, self.initial_dx.data(), self.initial_jx.data(), self.initial_jdx.data());
        for (std::size_t e = 0; e < self.from_x.size(); ++e)
            values[e] = self.from_x[e] >= 0 ? self.initial_jx[static_cast<std::size_t>(self.from_x[e])]
                                            : self.initial_jdx[static_cast<std::size_t>(self.from_dx[e])];
        return status(ok);
    };
    problem.binding = Binding(context, copies_of(context.get()));
    problem.jacobian_error = c.box.jacobian ? 0.0 : difference_error(c.box.scheme, c.noise);
    problem.legend = std::make_shared<BlackBoxLegend>(c.box.names, c.n, c.derivative_of);
    return problem;
}

} // namespace daedalus::problem
