#include "simulation/redundant_constraints.hpp"

#include "analysis/array_without_rows.hpp"
#include "analysis/derivative_array_point.hpp"
#include "analysis/derivative_array_ranks.hpp"
#include "analysis/implied_rows.hpp"
#include "base/diagnostic.hpp"
#include "compile/derivative_array.hpp"
#include "linalg/singular_values.hpp"
#include "simulation/convert.hpp"
#include "simulation/private_copy.hpp"
#include "simulation/start_options.hpp"
#include "transform/open_variables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace daedalus::simulation {

namespace {

using analysis::Accuracy;
using linalg::Matrix;

// Singular values of dense matrices with so many rows: a second.
constexpr int largest = 500;
constexpr int most_differentiations = 2; // a constraint written for positions and again for accelerations
constexpr double away = 1e-3;            // far beyond the noise of a rank, near enough for Newton's method
constexpr double negligible = 1e-9;      // entries of orthonormal vectors
constexpr double same_subspace = 1e-8;   // between points `away` from each other

struct Point {
    double t = 0.0;
    std::vector<double> z;
};

std::string names_of(const model::Model& m, const std::vector<int>& variables) {
    std::string text;
    for (std::size_t k = 0; k < variables.size(); ++k)
        text += (k == 0                      ? "'"
                 : k + 1 == variables.size() ? " and '"
                                             : ", '") +
                m.variables[static_cast<std::size_t>(variables[k])].name + "'";
    return text;
}

class Search {
public:
    Search(const model::Model& model, compile::ArrayModel array, const compile::CompileOptions& how)
        : m_(model), array_(std::move(array)), a_(*array_.array), how_(how) {
        for (int j = 0; j < array_.variables; ++j)
            if (!array_.differential[static_cast<std::size_t>(j)]) algebraic_.push_back(j);
    }

    Expected<std::optional<Redundancy>> run(const integrate::StartOptions& start) {
        const std::optional<Redundancy> none;
        if (algebraic_.empty() || !a_.prepare(0)) return none;
        if (!find_point(start)) return contradiction();
        for (const Accuracy accuracy : {Accuracy::rounding, Accuracy::half_the_digits}) {
            const auto V = analysis::open_directions(a_, here_.t, here_.z, algebraic_, accuracy);
            if (!V || V->cols() == 0) continue;
            take_support(*V);
            const transform::OpenVariables facts = transform::examine_open_variables(m_, open_);
            // Potentials without a ground are another matter: their author forgot an equation.
            if (!facts.act_on_motion || (!facts.only_there && common_level())) return none;
            if (!find_implied(facts.constraints, accuracy)) continue;
            if (accuracy != Accuracy::rounding && !refine()) continue;
            if (!look_beside()) continue;
            if (facts.refusal) return fail(refusal(*facts.refusal));
            return std::optional(make(facts));
        }
        return none;
    }

private:
    bool find_point(const integrate::StartOptions& start) {
        here_.t = how_.start_time;
        integrate::StartOptions quick = start;
        quick.multistart = quick.alternatives = quick.conflict_limit = 0;
        quick.analysis_work_limit = 0.0;
        std::vector<double> guess = a_.start;
        if (auto problem = compile::array_start(array_, 0, how_))
            if (const auto consistent = integrate::consistent_start(problem->initial, quick)) {
                guess.clear();
                for (const int u : problem->z_from) guess.push_back(consistent->u[static_cast<std::size_t>(u)]);
            }
        analysis::ArrayPoint p = analysis::consistent_point(a_, 0, here_.t, guess);
        here_.z = std::move(p.z);
        return p.consistent;
    }

    void take_support(const Matrix& V) {
        std::vector<int> rows;
        open_.clear();
        for (int i = 0; i < V.rows(); ++i) {
            double size = 0.0;
            for (int j = 0; j < V.cols(); ++j) size = std::max(size, std::abs(V(i, j)));
            if (size <= negligible) continue;
            rows.push_back(i);
            open_.push_back(algebraic_[static_cast<std::size_t>(i)]);
        }
        V_ = Matrix(static_cast<int>(rows.size()), V.cols());
        for (int j = 0; j < V.cols(); ++j)
            for (std::size_t i = 0; i < rows.size(); ++i) V_(static_cast<int>(i), j) = V(rows[i], j);
    }

    [[nodiscard]] std::vector<int> left_out() const {
        std::vector<int> rows;
        for (const analysis::ImpliedRow& row : implied_) rows.push_back(row.row);
        return rows;
    }

    /// A point near `guess` of the equations without those left out, at which these hold all the same.
    std::optional<Point> point_of_the_rest(std::vector<double> guess) {
        analysis::ArrayWithoutRows rest(a_, left_out());
        if (!rest.prepare(order_)) return std::nullopt;
        const analysis::ArrayPoint p = analysis::consistent_point(rest, order_, here_.t, guess, analysis::HoldX::no);
        if (!p.consistent) return std::nullopt;
        const auto J = analysis::array_jacobian(a_, 0, p.t, std::span(p.z).first(here_.z.size()));
        std::vector<double> r(static_cast<std::size_t>(a_.equations()));
        if (!J || a_.residual(0, p.t, p.z.data(), r.data()) != problem::EvalStatus::ok) return std::nullopt;
        violated_ = false;
        for (const int i : left_out()) {
            double size = 0.0;
            for (int j = 0; j < J->cols(); ++j)
                size += std::abs((*J)(i, j)) * std::max(std::abs(p.z[static_cast<std::size_t>(j)]), away);
            // Second-order terms of a step aside would be `away` squared.
            constexpr double holds = 1e-9;
            violated_ = violated_ || !(std::abs(r[static_cast<std::size_t>(i)]) <= holds * size);
        }
        return Point{p.t, {p.z.begin(), p.z.begin() + static_cast<std::ptrdiff_t>(here_.z.size())}};
    }

    /// Half of the digits show what to leave out; the rest is solved to rounding.
    bool refine() {
        auto p = point_of_the_rest(here_.z);
        if (!p || violated_) return false;
        here_ = *std::move(p);
        const auto V = analysis::open_directions(a_, here_.t, here_.z, open_);
        if (!V || V->cols() != V_.cols()) return false;
        V_ = *V;
        return true;
    }

    // At an isolated point it would be a singular position of the mechanism, not a redundant constraint.
    bool look_beside() {
        turning_ = 0.0;
        bool any = false;
        for (const unsigned seed : {1U, 2U, 3U}) {
            std::minstd_rand random(seed);
            std::vector<double> guess = here_.z;
            for (std::size_t i = 0; i < guess.size(); ++i) {
                const auto n = static_cast<std::size_t>(a_.unknowns());
                const double nominal = i < n && i < a_.infos.size() ? std::abs(a_.infos[i].nominal) : 1.0;
                guess[i] += ((random() & 1U) ? 1.0 : -1.0) * away * std::max(std::abs(guess[i]), nominal);
            }
            const auto p = point_of_the_rest(std::move(guess));
            if (!p) continue;
            if (violated_) return false;
            const auto V = analysis::open_directions(a_, p->t, p->z, open_);
            if (!V || V->cols() != V_.cols()) return false;
            turning_ = std::max(turning_, analysis::distance(V_, *V));
            any = true;
        }
        return any;
    }

    [[nodiscard]] bool common_level() const {
        if (V_.cols() != 1) return false;
        for (int i = 1; i < V_.rows(); ++i)
            if (std::abs(V_(i, 0) - V_(0, 0)) > negligible) return false;
        return true;
    }

    bool find_implied(const std::vector<int>& candidates, Accuracy accuracy) {
        for (order_ = 0; order_ <= most_differentiations; ++order_) {
            if ((order_ + 1) * a_.equations() > largest || !a_.prepare(order_)) return false;
            const auto z = order_ == 0 ? std::optional(here_.z) : lifted(here_, order_);
            if (!z) return false;
            implied_ = analysis::implied_rows(a_, order_, here_.t, *z, candidates, V_.cols(), accuracy);
            if (static_cast<int>(implied_.size()) == V_.cols()) return true;
        }
        return false;
    }

    std::optional<std::vector<double>> lifted(const Point& p, int order) {
        analysis::ArrayPoint higher = analysis::consistent_point(a_, order, p.t, p.z);
        if (!higher.consistent) return std::nullopt;
        return std::move(higher.z);
    }

    [[nodiscard]] Redundancy make(const transform::OpenVariables& facts) const {
        Redundancy r;
        for (const analysis::ImpliedRow& row : implied_) r.implied.push_back({row.row, row.from});
        r.least_norm.variables = open_;
        r.least_norm.freedom = V_.cols();
        r.least_norm.varies = turning_ > same_subspace;
        r.least_norm.weights = weights(facts);
        // Vᵀ D⁻² u = 0, in echelon form: short sums where that is possible.
        Matrix rows = V_.transposed();
        for (int j = 0; j < rows.cols(); ++j)
            for (int i = 0; i < rows.rows(); ++i) {
                const double w = r.least_norm.weights[static_cast<std::size_t>(j)];
                rows(i, j) *= w * w;
            }
        echelon(rows);
        for (int i = 0; i < rows.rows(); ++i) {
            std::vector<Redundancy::Term> sum;
            for (int j = 0; j < rows.cols(); ++j)
                if (std::abs(rows(i, j)) > negligible)
                    sum.push_back({open_[static_cast<std::size_t>(j)],
                                   r.least_norm.varies ? rows(i, j) : nearest_fraction(rows(i, j))});
            r.instead.push_back(std::move(sum));
        }
        r.note = note(r);
        return r;
    }

    // What others define is not counted, as long as the rest tells the members of the family apart.
    [[nodiscard]] std::vector<double> weights(const transform::OpenVariables& facts) const {
        std::vector<double> list(open_.size());
        Matrix counted = V_;
        for (std::size_t k = 0; k < open_.size(); ++k) {
            const auto j = static_cast<std::size_t>(open_[k]);
            list[k] = j < a_.infos.size() ? 1.0 / std::abs(a_.infos[j].nominal) : 1.0;
            if (facts.defined[k])
                for (int c = 0; c < V_.cols(); ++c) counted(static_cast<int>(k), c) = 0.0;
        }
        const linalg::SingularValues s = linalg::singular_values_only(counted);
        constexpr double apart = 1e-6; // of orthonormal columns: what is left is a direction, not rounding of one
        if (!s.values.empty() && s.values.back() > apart)
            for (std::size_t k = 0; k < open_.size(); ++k)
                if (facts.defined[k]) list[k] = 0.0;
        return list;
    }

    static void echelon(Matrix& rows) {
        std::vector<char> used(static_cast<std::size_t>(rows.cols()), 0);
        for (int r = 0; r < rows.rows(); ++r) {
            int pivot = 0;
            for (int j = 0; j < rows.cols(); ++j)
                if (!used[static_cast<std::size_t>(j)] && std::abs(rows(r, j)) > (1 + 1e-9) * std::abs(rows(r, pivot)))
                    pivot = j;
            used[static_cast<std::size_t>(pivot)] = 1;
            const double size = rows(r, pivot);
            for (int j = 0; j < rows.cols(); ++j) rows(r, j) /= size;
            for (int i = 0; i < rows.rows(); ++i) {
                const double factor = rows(i, pivot);
                if (i == r || factor == 0.0) continue;
                for (int j = 0; j < rows.cols(); ++j) rows(i, j) -= factor * rows(r, j);
            }
        }
    }

    /// A constant that came out as 0.49999999999999994 was 1/2.
    static double nearest_fraction(double x) {
        for (int q = 1; q <= 12; ++q)
            if (const double p = std::round(x * q); std::abs(x * q - p) <= 1e-11 * q) return p / q;
        return x;
    }

    [[nodiscard]] std::string equation_text(int row) const {
        const model::Equation& e = m_.equations[static_cast<std::size_t>(row)];
        constexpr std::size_t readable = 100; // characters; of longer equations their author's words say more
        const bool is_long = !e.description.empty() && m_.text(e, 4 * readable).size() > readable;
        return (e.span.known() ? fmt::format("line {}: ", e.span.locate().line) : std::string()) +
               (is_long ? e.description : m_.text(e, readable));
    }
    [[nodiscard]] std::optional<Location> place(int row) const {
        const SourceSpan& span = m_.equations[static_cast<std::size_t>(row)].span;
        return span.known() ? std::optional(span.locate()) : std::nullopt;
    }

    [[nodiscard]] Diagnostic note(const Redundancy& r) const {
        std::vector<int> shown;
        for (std::size_t k = 0; k < open_.size(); ++k)
            if (r.least_norm.weights[k] > 0) shown.push_back(open_[k]);
        const std::size_t n = r.implied.size();
        Diagnostic d = make_error(
            "redundant-constraints",
            fmt::format(
                "{} from the others and {} checked, not solved; {} {} not determined by the equations ({} free), "
                "which does not matter to the motion: the values of least norm are taken",
                n == 1 ? "1 equation follows" : fmt::format("{} equations follow", n), n == 1 ? "is" : "are",
                names_of(m_, shown), shown.size() == 1 ? "is" : "are", r.least_norm.freedom));
        d.severity = Severity::warning;
        d.where = place(r.implied.front().equation);
        for (const Redundancy::Row& row : r.implied) {
            std::string from;
            for (const int i : row.from) from += (from.empty() ? "" : "; ") + equation_text(i);
            d.notes.push_back({Severity::note,
                               "",
                               fmt::format("{}   follows{}{}", equation_text(row.equation),
                                           from.empty() ? " from nothing: it holds by itself" : " from ", from),
                               place(row.equation),
                               "",
                               {}});
        }
        return d;
    }

    [[nodiscard]] Diagnostic refusal(const transform::OpenVariables::Refusal& why) const {
        const model::Variable& v = m_.variables[static_cast<std::size_t>(why.variable)];
        Diagnostic d = make_error(
            "undetermined-variable",
            fmt::format("'{}' is not determined: {} from the others, and what they leave open matters, for {}", v.name,
                        implied_.size() == 1 ? "an equation follows" : "some equations follow", why.why),
            "remove the redundant constraint with its multiplier, or replace it by the law that distributes the "
            "forces");
        if (v.span.known()) d.where = v.span.locate();
        for (const analysis::ImpliedRow& row : implied_)
            d.notes.push_back(
                {Severity::note, "", equation_text(row.row) + "   follows from others", place(row.row), "", {}});
        return d;
    }

    // Where Gauss–Newton ends beside the equations, Jᵀ r = 0: the rows that are not satisfied depend on each other, and
    // their values do not fit.
    Expected<std::optional<Redundancy>> contradiction() {
        const std::optional<Redundancy> none;
        const auto J = analysis::array_jacobian(a_, 0, here_.t, here_.z);
        std::vector<double> r(static_cast<std::size_t>(a_.equations()));
        if (!J || a_.residual(0, here_.t, here_.z.data(), r.data()) != problem::EvalStatus::ok) return none;
        const auto V = analysis::open_directions(a_, here_.t, here_.z, algebraic_);
        if (!V || V->cols() == 0) return none;
        std::vector<int> rows;
        for (int i = 0; i < J->rows(); ++i) {
            double size = 0.0;
            for (int j = 0; j < J->cols(); ++j) size += std::abs((*J)(i, j) * here_.z[static_cast<std::size_t>(j)]);
            constexpr double satisfied = 1e-6; // of its terms: half the digits, which no solved equation lacks
            if (i < static_cast<int>(m_.equations.size()) &&
                std::abs(r[static_cast<std::size_t>(i)]) > satisfied * std::max(size, 1e-12))
                rows.push_back(i);
        }
        if (rows.size() < 2) return none;
        Matrix some(static_cast<int>(rows.size()), J->cols());
        for (int j = 0; j < J->cols(); ++j)
            for (std::size_t i = 0; i < rows.size(); ++i) some(static_cast<int>(i), j) = (*J)(rows[i], j);
        const linalg::SingularValues s = linalg::singular_values_only(analysis::equilibrated(std::move(some)).a);
        constexpr double dependent = 1e-6; // what the end of a linear convergence leaves
        if (s.values.empty() || s.values.back() > dependent * s.values.front()) return none;
        Diagnostic d = make_error("contradicting-equations",
                                  fmt::format("these {} equations constrain the same quantity and contradict each "
                                              "other: no values near the start satisfy all of them",
                                              rows.size()),
                                  "correct one of them; a redundant constraint must say the same as the others");
        d.where = place(rows.front());
        for (const int i : rows)
            d.notes.push_back({Severity::note,
                               "",
                               fmt::format("{}   (left − right = {:.3g} at the best values found)", equation_text(i),
                                           r[static_cast<std::size_t>(i)]),
                               place(i),
                               "",
                               {}});
        return fail(std::move(d));
    }

    const model::Model& m_;
    compile::ArrayModel array_;
    problem::DerivativeArray& a_;
    const compile::CompileOptions& how_;
    std::vector<int> algebraic_, open_;
    Point here_;
    Matrix V_; ///< on `open_`
    double turning_ = 0.0;
    int order_ = 0;         ///< of differentiations behind `implied_`
    bool violated_ = false; ///< an equation that was left out does not hold where the rest does
    std::vector<analysis::ImpliedRow> implied_;
};

} // namespace

Expected<std::optional<Redundancy>> find_redundancy(const std::shared_ptr<const model::Model>& model,
                                                    const compile::CompileOptions& how,
                                                    const integrate::StartOptions& start) {
    const std::optional<Redundancy> none;
    if (!model->implied.empty() || model->equations.size() != model->variables.size() ||
        static_cast<int>(model->equations.size()) > largest)
        return none;
    const std::shared_ptr<const model::Model> own = private_copy(*model);
    auto array = compile::derivative_array(own, how);
    if (!array) return none;
    return Search(*own, *std::move(array), how).run(start);
}

bool may_be_redundant(const Diagnostics& errors) {
    return std::any_of(errors.begin(), errors.end(), [](const Diagnostic& d) {
        return d.code == "structurally-singular" || d.code == "redundant-equation" || d.code == "hidden-constraint" ||
               d.code == "derivative-array";
    });
}

Expected<std::optional<RegularModel>> regular_model(const Compilations& compilations, const SolveOptions& options) {
    const std::optional<RegularModel> none;
    // Looked at with all that the options add, which must not depend on what is open either.
    auto extended = compilations.extended(options);
    if (!extended) return none;
    const std::shared_ptr<const model::Model>& m = (*extended)->model();
    const double t0 = options.from.value_or(m->experiment.start_time.value_or(0.0));
    auto found = find_redundancy(m, compile_options(options, t0), start_options(options));
    if (!found) return Unexpected{std::move(found.error())};
    if (!*found) return none;
    return std::optional(
        RegularModel{std::make_shared<const Compilations>(without_redundancy(*compilations.model(), **found)),
                     (*found)->note, **found});
}

std::shared_ptr<const model::Model> without_redundancy(const model::Model& model, const Redundancy& found) {
    auto regular = private_copy(model);
    expr::Graph& g = *regular->graph;
    for (std::size_t k = 0; k < found.implied.size(); ++k) {
        expr::NodeId sum = expr::no_node;
        for (const Redundancy::Term& term : found.instead[k]) {
            const expr::NodeId part = g.mul(g.constant(term.factor), g.variable(term.variable));
            sum = sum == expr::no_node ? part : g.add(sum, part);
        }
        regular->implied.push_back({found.implied[k].equation, sum});
    }
    regular->least_norm = found.least_norm;
    return regular;
}

} // namespace daedalus::simulation
