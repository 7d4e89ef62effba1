#include "analysis/derivative_array_reduction.hpp"

#include "analysis/array_elimination.hpp"
#include "analysis/events_through.hpp"
#include "linalg/rank.hpp"
#include "nonlinear/newton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace daedalus::analysis {

namespace {

using linalg::Matrix;
using problem::EvalStatus;

constexpr int most_inner_iterations = 25;
constexpr double not_a_state = 1e6; // preference for solving for an unknown whose derivative is not known
constexpr double resolved = 1e-12;  // singular values of an order: rounding leaves four digits of what hangs on them

/// What the reduction takes from the index: the same as long as the equations are.
struct Regime {
    bool known = false;
    int differential = 0, algebraic = 0, strangeness = 0, differentiation = 0;
    std::vector<int> known_at;      ///< per unknown: differentiations after which its derivative is determined
    std::vector<int> rank_of_order; ///< of ∂F_k/∂y
    Regime() = default;
    explicit Regime(const ArrayIndex& index)
        : known(index.differentiation && index.strangeness), differential(index.differential),
          algebraic(index.algebraic), strangeness(index.strangeness.value_or(0)),
          differentiation(index.differentiation.value_or(0)), known_at(index.per_unknown) {
        for (const ArrayRanks& r : index.by_order) rank_of_order.push_back(r.derivatives.rank);
    }
};

class ReducedSystem final : public ReplacementWorkspace {
public:
    ReducedSystem(std::shared_ptr<problem::DerivativeArray> array, const ArrayIndex& index, ReducedForm form)
        : array_(std::move(array)), form_(form), n_(array_->unknowns()),
          circumstances_(array_->circumstances().begin(), array_->circumstances().end()) {
        const Regime& first = regimes_[circumstances_] = Regime(index);
        take(first);
    }

    /// Branches and held values as in this environment. Where they are others than before, so may be the index: the
    /// reduction is set up anew, at the point at hand.
    [[nodiscard]] bool enter(const problem::Environment& environment, double t, const double* x, const double* dx) {
        array_->adopt(environment);
        const std::span<const double> now = array_->circumstances();
        if (!std::equal(now.begin(), now.end(), circumstances_.begin(), circumstances_.end())) {
            circumstances_.assign(now.begin(), now.end());
            begin_regime(t, x, dx);
        }
        return usable_;
    }

    /// Campbell & Moore: where the constraints can be solved for all unknowns whose derivatives need ν
    /// differentiations, those of the states follow from the array of order μ already, which is smaller and better
    /// conditioned.
    void begin(double t, const double* x, const double* dx, int differentiation) {
        const bool good = refer_to(t, x, dx);
        if (form_ == ReducedForm::kunkel_mehrmann || good || order_ == differentiation) return;
        forget();
        set_order(differentiation);
        (void)refer_to(t, x, dx);
    }

    [[nodiscard]] int order() const { return order_; }
    [[nodiscard]] int highest_index() const {
        int highest = 0;
        for (const auto& [circumstances, regime] : regimes_) highest = std::max(highest, regime.differentiation);
        return highest;
    }
    int hidden_size = 0; ///< differentiated equations that are handed out

    bool refer_to(double t, const double* x, const double* dx) {
        std::vector<double> z =
            reference_.empty() ? std::vector<double>(static_cast<std::size_t>(array_->columns(order_))) : reference_;
        std::copy_n(x, n_, z.begin());
        if (reference_.empty() && dx != nullptr) std::copy_n(dx, n_, z.begin() + n_);
        const ArrayPoint p = consistent_point(*array_, order_, t, z, HoldX::yes, ranks_);
        if (!std::isfinite(p.residual)) return false;
        const auto jacobian = array_jacobian(*array_, order_, t, p.z);
        if (!jacobian) return false;
        const int rows = jacobian->rows(), rest = jacobian->cols() - n_;
        // Units are kept as long as they fit, and bases turned toward the old ones, so that rows change continuously
        // with the reference.
        if (row_.empty() || misfit(*jacobian) > 16.0) {
            Equilibrated e = equilibrated(*jacobian);
            row_ = std::move(e.row);
            col_ = std::move(e.col);
            largest_ = largest(in_units(*jacobian));
        }
        const Matrix scaled = in_units(*jacobian);
        const Matrix M = scaled.columns(n_, rest), N = scaled.columns(0, n_);
        ArrayElimination e = eliminate(M, array_->equations(), n_, 0, {ranks_, 0.0, false});
        if (!e.ok || e.columns.cols() != rank_ || e.smallest < resolved) return false;
        // Z₂ᵀ M = 0: errors of y do not reach the constraints.
        const Matrix on_y = linalg::transposed_times(e.left_over, M);
        const Matrix Z = e.left_over - e.solve_transposed(on_y.transposed());
        Z2_ = turned(linalg::singular_values(Z).u.columns(0, a_), Z2_);
        y_on_x_ = e.solve(N);
        A_ = linalg::transposed_times(Z2_, N);
        eliminated_ = std::move(e);
        reference_ = p.z;
        forget_undetermined();
        if (form_ == ReducedForm::campbell_moore) return choose_states();
        choose_rows(*jacobian);
        return true;
    }

    EvalStatus residual(double t, const double* x, const double* dx, double* r) {
        if (reference_.empty() && !refer_to(t, x, dx)) return EvalStatus::not_finite;
        if (!solve_inner(t, x)) return EvalStatus::not_finite;
        for (int i = 0; i < a_; ++i) r[d_ + i] = dot(Z2_.column(i), f_);
        if (form_ == ReducedForm::campbell_moore) {
            for (int i = 0; i < d_; ++i) {
                const int p = states_[static_cast<std::size_t>(i)];
                r[i] = dx[p] - z_[derivative(p)];
            }
            return EvalStatus::ok;
        }
        std::copy_n(x, n_, first_.begin());
        std::copy_n(dx, n_, first_.begin() + n_);
        f0_.resize(static_cast<std::size_t>(array_->equations()));
        if (array_->residual(0, t, first_.data(), f0_.data()) != EvalStatus::ok) return EvalStatus::not_finite;
        for (int i = 0; i < d_; ++i) {
            double sum = 0.0;
            for (int k = 0; k < array_->equations(); ++k) sum += Z1_(k, i) * f0_[static_cast<std::size_t>(k)];
            r[i] = sum;
        }
        return EvalStatus::ok;
    }

    EvalStatus jacobian(double t, const double* x, const double* dx, double* jx, double* jdx) {
        if (!refer_to(t, x, dx)) return EvalStatus::not_finite;
        const auto at = [&](double* values, int i, int j) -> double& { return values[j * n_ + i]; };
        std::fill_n(jx, n_ * n_, 0.0);
        std::fill_n(jdx, n_ * n_, 0.0);
        for (int j = 0; j < n_; ++j)
            for (int i = 0; i < a_; ++i) at(jx, d_ + i, j) = A_(i, j) / col_[static_cast<std::size_t>(j)];
        if (form_ == ReducedForm::campbell_moore) {
            // dy/dx = −C V₁ K⁻¹ U₁ᵀ R N
            for (int i = 0; i < d_; ++i) {
                const int p = states_[static_cast<std::size_t>(i)];
                at(jdx, i, p) = 1.0;
                for (int j = 0; j < n_; ++j)
                    at(jx, i, j) = y_on_x_(p, j) * col_[derivative(p)] / col_[static_cast<std::size_t>(j)];
            }
            return EvalStatus::ok;
        }
        std::copy_n(x, n_, first_.begin());
        std::copy_n(dx, n_, first_.begin() + n_);
        const auto j0 = array_jacobian(*array_, 0, t, first_);
        if (!j0) return EvalStatus::not_finite;
        const Matrix on = linalg::transposed_times(Z1_, *j0);
        for (int j = 0; j < n_; ++j)
            for (int i = 0; i < d_; ++i) {
                at(jx, i, j) = on(i, j);
                at(jdx, i, j) = on(i, n_ + j);
            }
        return EvalStatus::ok;
    }

    /// The differentiated equations with the derivatives found for x, in their own units.
    EvalStatus hidden(double t, const double* x, double* r, int size) {
        if (reference_.empty() && !refer_to(t, x, nullptr)) return EvalStatus::not_finite;
        if (!solve_inner(t, x)) return EvalStatus::not_finite;
        const auto first = static_cast<std::size_t>(array_->equations());
        // So many as the facet says: the order may be another one behind an event.
        for (int i = 0; i < size; ++i) {
            const std::size_t k = first + static_cast<std::size_t>(i);
            r[i] = k < f_.size() ? f_[k] / row_[k] : 0.0;
        }
        return EvalStatus::ok;
    }

    /// Clauses gave values to some unknowns: the constraints are solved for others, chosen by pivoted QR as non-states
    /// are, and everything else keeps its value. Where that does not go, x stays.
    void follow_given(double t, double* x, const double* dx, std::span<const int> given) {
        std::vector<double> moved(x, x + n_);
        std::vector<int> dependent;
        constexpr int most = 20;
        constexpr double converged = 1e-13, noise = 1e-9;
        double change = INFINITY;
        for (int iteration = 0; iteration < most && change > converged; ++iteration) {
            if (!refer_to(t, moved.data(), dx) || !solve_inner(t, moved.data())) return;
            if (dependent.empty()) dependent = dependent_unknowns(given);
            Matrix g(a_, 1), of_dependent(a_, a_);
            for (int i = 0; i < a_; ++i) g(i, 0) = dot(Z2_.column(i), f_);
            for (int k = 0; k < a_; ++k)
                for (int i = 0; i < a_; ++i) of_dependent(i, k) = A_(i, dependent[static_cast<std::size_t>(k)]);
            const auto step = linalg::solve(of_dependent, g);
            if (!step) return;
            const double before = change;
            change = 0.0;
            for (int k = 0; k < a_; ++k) {
                const auto j = static_cast<std::size_t>(dependent[static_cast<std::size_t>(k)]);
                moved[j] -= step->x(k, 0) * col_[j];
                change = std::max(change, std::abs(step->x(k, 0)) / (1.0 + std::abs(moved[j]) / col_[j]));
            }
            if (!std::isfinite(change) || (change <= noise && change > 0.3 * before)) break;
        }
        if (change <= noise) std::copy(moved.begin(), moved.end(), x);
    }

private:
    /// a unknowns that the constraints can be solved for, none of those given if possible.
    [[nodiscard]] std::vector<int> dependent_unknowns(std::span<const int> given) const {
        Matrix weighted = A_;
        constexpr double last = 1e-30; // after all others
        for (int j = 0; j < n_; ++j) {
            const bool fixed = std::find(given.begin(), given.end(), j) != given.end();
            for (double& v : weighted.column(j)) v *= fixed ? last : preference_[static_cast<std::size_t>(j)];
        }
        const linalg::RankDecision qr = linalg::rank_by_qr(weighted.view());
        return {qr.pivots.begin(), qr.pivots.begin() + a_};
    }

    void take(const Regime& regime) {
        forget();
        usable_ = regime.known;
        if (!usable_) return;
        d_ = regime.differential;
        a_ = regime.algebraic;
        known_at_ = regime.known_at;
        rank_of_order_ = regime.rank_of_order;
        set_order(regime.strangeness);
        // Unknowns whose derivatives need more differentiations make worse states.
        preference_.clear();
        for (const int k : known_at_)
            preference_.push_back(std::pow(1e3, std::max(0, k)) * (k > order_ ? not_a_state : 1.0));
    }

    void begin_regime(double t, const double* x, const double* dx) {
        auto found = regimes_.find(circumstances_);
        if (found == regimes_.end()) {
            constexpr std::size_t most = 1000; // held values may be others at every event: they are not all kept
            if (regimes_.size() >= most) regimes_.clear();
            std::vector<double> guess(x, x + n_);
            guess.insert(guess.end(), dx, dx + n_);
            found = regimes_.emplace(circumstances_, Regime(array_index(*array_, t, guess))).first;
        }
        take(found->second);
        if (usable_) begin(t, x, dx, found->second.differentiation);
    }

    /// Nothing is known about the point at hand.
    void forget() {
        states_.clear();
        reference_.clear();
        row_.clear();
        Z2_ = Z1_scaled_ = {};
    }

    /// What of y the array leaves open wanders from reference to reference. It does not reach the constraints, but its
    /// rounding errors do: where it has outgrown the rest of y, as much of it is taken away as there is.
    void forget_undetermined() {
        constexpr double outgrown = 1e3;
        const Matrix& kernel = eliminated_.kernel;
        std::vector<double> y(reference_.begin() + n_, reference_.end());
        for (std::size_t j = 0; j < y.size(); ++j) y[j] /= col_[static_cast<std::size_t>(n_) + j];
        std::vector<double> open(y.size(), 0.0);
        for (int k = 0; k < kernel.cols(); ++k) {
            const double part = dot(kernel.column(k), y);
            for (std::size_t j = 0; j < y.size(); ++j) open[j] += part * kernel(static_cast<int>(j), k);
        }
        double rest = 1.0, undetermined = 0.0;
        for (std::size_t j = 0; j < y.size(); ++j) {
            rest = std::max(rest, std::abs(y[j] - open[j]));
            undetermined = std::max(undetermined, std::abs(open[j]));
        }
        if (!(undetermined > outgrown * rest)) return;
        for (std::size_t j = 0; j < y.size(); ++j)
            reference_[static_cast<std::size_t>(n_) + j] -= open[j] * col_[static_cast<std::size_t>(n_) + j];
    }

    /// Where x'_p stands in z.
    [[nodiscard]] std::size_t derivative(int p) const {
        return static_cast<std::size_t>(n_) + static_cast<std::size_t>(p);
    }
    [[nodiscard]] Matrix in_units(Matrix a) const {
        for (int j = 0; j < a.cols(); ++j)
            for (int i = 0; i < a.rows(); ++i)
                a(i, j) *= row_[static_cast<std::size_t>(i)] * col_[static_cast<std::size_t>(j)];
        return a;
    }
    /// Of rows, then of columns.
    static std::vector<double> largest(const Matrix& a) {
        std::vector<double> all(static_cast<std::size_t>(a.rows() + a.cols()), 0.0);
        for (int j = 0; j < a.cols(); ++j)
            for (int i = 0; i < a.rows(); ++i)
                for (const int k : {i, a.rows() + j})
                    all[static_cast<std::size_t>(k)] = std::max(all[static_cast<std::size_t>(k)], std::abs(a(i, j)));
        return all;
    }
    /// By how much rows and columns have grown or shrunk since the units were chosen. Single entries that pass zero
    /// beside larger ones change the units that would be chosen now by powers of ten, and what is computed not at all.
    [[nodiscard]] double misfit(const Matrix& jacobian) const {
        const std::vector<double> now = largest(in_units(jacobian));
        double worst = 1.0;
        for (std::size_t k = 0; k < now.size(); ++k)
            if (now[k] != largest_[k]) worst = std::max({worst, now[k] / largest_[k], largest_[k] / now[k]});
        return worst;
    }

    // The basis of the same space that is nearest to `old` (the orthogonal Procrustes problem; Golub & Van
    // Loan, 6.4.1).
    static Matrix turned(const Matrix& basis, const Matrix& old) {
        if (old.rows() != basis.rows() || old.cols() != basis.cols() || basis.empty()) return basis;
        const linalg::SingularValues s = linalg::singular_values(linalg::transposed_times(basis, old));
        return s.converged ? basis * (s.u * s.v.transposed()) : basis;
    }

    static double dot(std::span<const double> a, const std::vector<double>& b) {
        double sum = 0.0;
        for (std::size_t i = 0; i < b.size(); ++i) sum += a[i] * b[i];
        return sum;
    }

    // U₁ᵀ R F(t, x, y₀ + C V₁ w) = 0 by Newton's method: with the reference's matrix K as long as that converges, then
    // with U₁ᵀ R M C V₁ where it has arrived. The bases stay, so that the result depends on (t, x) alone. Where some of
    // y hardly enters (K badly conditioned), rounding errors of F move y by much: then the residual says when to stop.
    struct Inner {
        ReducedSystem& s;
        double t;
        Matrix w;
        double last = INFINITY, residual = INFINITY, least = INFINITY;
        int idle = 0; // iterations since the residual last became clearly smaller
        bool full = false;

        bool linearise() {
            if (s.array_->residual(s.order_, t, s.z_.data(), s.f_.data()) != EvalStatus::ok) return false;
            for (std::size_t i = 0; i < s.f_.size(); ++i) s.f_[i] *= s.row_[i];
            w = Matrix(s.rank_, 1);
            for (int k = 0; k < s.rank_; ++k) w(k, 0) = dot(s.eliminated_.rows.column(k), s.f_);
            residual = linalg::max_abs(w);
            if (full) return s.solve_projected(t, w);
            w = forward_substitution(s.eliminated_.core, std::move(w));
            return true;
        }
        void solve() const {} // w became the correction: a singular matrix shows only there
        double update(double) { return s.step_along(w); }
        bool settled(double change) {
            idle = residual < 0.5 * least ? 0 : idle + 1;
            least = std::min(least, residual);
            // With the reference's matrix, corrections that hardly shrink only say that it is a poor one here.
            if (full && ((idle >= 3 && change <= 1e-4) || (change <= 1e-7 && change > 0.5 * last))) return true;
            const bool poor = change > 0.3 * last || change > 1.0;
            last = poor && !full ? INFINITY : change;
            full = full || poor;
            return false;
        }
    };

    bool solve_inner(double t, const double* x) {
        z_ = reference_;
        std::copy_n(x, n_, z_.begin());
        f_.resize(static_cast<std::size_t>(array_->rows(order_)));
        Inner equation{*this, t, {}};
        nonlinear::DampingOptions options;
        options.max_iterations = most_inner_iterations;
        options.negligible = 1e-13;
        return nonlinear::damped_newton(equation, options).usable();
    }

    bool solve_projected(double t, Matrix& w) {
        const auto jacobian = array_jacobian(*array_, order_, t, z_);
        if (!jacobian) return false;
        Matrix M = jacobian->columns(n_, jacobian->cols() - n_);
        for (int j = 0; j < M.cols(); ++j)
            for (int i = 0; i < M.rows(); ++i) M(i, j) *= row_[static_cast<std::size_t>(i)] * col_[derivative(j)];
        const auto solution = linalg::solve(linalg::transposed_times(eliminated_.rows, M * eliminated_.columns), w);
        if (!solution) return false;
        w = solution->x;
        return true;
    }

    // Moves y by −C V₁ w; returns the largest change relative to the unknowns in their scale.
    double step_along(const Matrix& w) {
        std::vector<double> step(z_.size() - static_cast<std::size_t>(n_), 0.0);
        for (int k = 0; k < rank_; ++k) {
            const auto v = eliminated_.columns.column(k);
            for (std::size_t j = 0; j < step.size(); ++j) step[j] += w(k, 0) * v[j];
        }
        double change = 0.0;
        for (std::size_t j = 0; j < step.size(); ++j) {
            const std::size_t c = static_cast<std::size_t>(n_) + j;
            change = std::max(change, std::abs(step[j]) / (1.0 + std::abs(z_[c]) / col_[c]));
            z_[c] -= step[j] * col_[c];
        }
        return change;
    }

    // Z₁: orthonormal basis of the range of F_x' T₂, in units of these rows. Those of the whole array can differ by
    // many orders of magnitude, which they would give to the errors of T₂ in rows where F_x' T₂ vanishes.
    void choose_rows(const Matrix& jacobian) {
        const int m = array_->equations();
        const linalg::SingularValues on_x = linalg::singular_values(A_);
        Matrix T2 = on_x.v.columns(a_, n_ - a_);
        for (int j = 0; j < T2.cols(); ++j) {
            double norm = 0.0;
            for (int i = 0; i < n_; ++i) {
                T2(i, j) *= col_[static_cast<std::size_t>(i)];
                norm = std::hypot(norm, T2(i, j));
            }
            for (double& v : T2.column(j)) v /= norm;
        }
        Matrix E = jacobian.block(0, n_, m, n_);
        const std::vector<double> unit = equilibrated(E).row;
        for (int j = 0; j < n_; ++j)
            for (int i = 0; i < m; ++i) E(i, j) *= unit[static_cast<std::size_t>(i)];
        const linalg::SingularValues s = linalg::singular_values(E * T2);
        Z1_scaled_ = turned(s.u.columns(0, d_), Z1_scaled_);
        Z1_ = Z1_scaled_;
        for (int i = 0; i < d_; ++i)
            for (int k = 0; k < m; ++k) Z1_(k, i) *= unit[static_cast<std::size_t>(k)];
        first_.resize(2 * static_cast<std::size_t>(n_));
    }

    // The constraints are solved for the columns that pivoted QR takes first; the others are states, whose derivatives
    // should be known as early as possible: those of others come from higher orders of the array, where rounding errors
    // are amplified. The old partition stays as long as it is within a factor of the best.
    bool choose_states() {
        weighted_ = A_;
        for (int j = 0; j < n_; ++j)
            for (double& v : weighted_.column(j)) v *= preference_[static_cast<std::size_t>(j)];
        const linalg::RankDecision qr = linalg::rank_by_qr(weighted_.view());
        std::vector<char> algebraic(static_cast<std::size_t>(n_), 0);
        for (int i = 0; i < a_; ++i) algebraic[static_cast<std::size_t>(qr.pivots[static_cast<std::size_t>(i)])] = 1;
        std::vector<int> best;
        for (int j = 0; j < n_; ++j)
            if (!algebraic[static_cast<std::size_t>(j)]) best.push_back(j);
        constexpr double within = 0.1;
        if (states_.empty() || smallest_of(states_) < within * smallest_of(best)) states_ = std::move(best);
        first_.resize(2 * static_cast<std::size_t>(n_));
        return std::all_of(states_.begin(), states_.end(),
                           [&](int j) { return known_at_[static_cast<std::size_t>(j)] <= order_; });
    }

    void set_order(int order) {
        order_ = order;
        rank_ = array_->rows(order_) - a_;
        ranks_.clear();
        int before = 0; // ranks of the orders are differences of ranks of arrays
        for (int k = 0; k <= order_; ++k) {
            const int here = k == order_ ? rank_ : rank_of_order_[static_cast<std::size_t>(k)];
            ranks_.push_back(here - before);
            before = here;
        }
    }

    [[nodiscard]] double smallest_of(const std::vector<int>& states) const {
        Matrix rest(a_, a_);
        int column = 0;
        for (int j = 0; j < n_; ++j) {
            if (std::find(states.begin(), states.end(), j) != states.end()) continue;
            for (int i = 0; i < a_; ++i) rest(i, column) = weighted_(i, j);
            ++column;
        }
        const linalg::SingularValues s = linalg::singular_values_only(rest);
        return s.values.empty() ? 1.0 : s.values.back();
    }

    std::shared_ptr<problem::DerivativeArray> array_;
    ReducedForm form_;
    int d_ = 0, a_ = 0, order_ = 0, rank_ = 0, n_ = 0;
    bool usable_ = true;
    std::vector<double> circumstances_; ///< branches and held values that all below belongs to
    std::map<std::vector<double>, Regime> regimes_;
    std::vector<double> reference_; ///< z of the reference point
    ArrayElimination eliminated_;
    Matrix Z1_, Z1_scaled_, Z2_, A_, weighted_, y_on_x_;
    std::vector<int> known_at_;      ///< per unknown: differentiations after which its derivative is determined
    std::vector<int> rank_of_order_; ///< of ∂F_k/∂y
    std::vector<double> preference_; ///< per unknown, for being solved for
    std::vector<double> row_, col_;
    std::vector<double> largest_; ///< entries of rows and columns in these units, where these were chosen
    std::vector<int> ranks_;      ///< by order
    std::vector<int> states_;
    std::vector<double> z_, f_, f0_, first_;
};

ReducedSystem& reduced(const problem::Call& call) { return static_cast<ReducedSystem&>(*call.workspace); }

EvalStatus residual(const problem::Call& call, double t, const double* x, const double* dx, double* r) {
    ReducedSystem& s = reduced(call);
    return s.enter(call.environment, t, x, dx) ? s.residual(t, x, dx, r) : EvalStatus::not_finite;
}
EvalStatus jacobian(const problem::Call& call, double t, const double* x, const double* dx, double* jx, double* jdx) {
    ReducedSystem& s = reduced(call);
    return s.enter(call.environment, t, x, dx) ? s.jacobian(t, x, dx, jx, jdx) : EvalStatus::not_finite;
}
EvalStatus hidden(const problem::Call& call, double t, const double* x, const double* dx, double* r) {
    ReducedSystem& s = reduced(call);
    return s.enter(call.environment, t, x, dx) ? s.hidden(t, x, r, s.hidden_size) : EvalStatus::not_finite;
}

class ReducedLegend : public problem::Legend {
public:
    ReducedLegend(std::shared_ptr<const problem::Legend> array, int differential, int equations, bool rows)
        : array_(std::move(array)), differential_(differential), equations_(equations), rows_(rows) {}
    [[nodiscard]] std::string variable(int column) const override { return array_->variable(column); }
    [[nodiscard]] std::string equation(int row) const override {
        if (rows_)
            return row < differential_ ? fmt::format("differential equation {} of the reduced system", row + 1)
                                       : fmt::format("constraint {} of the reduced system", row - differential_ + 1);
        const int order = row / equations_ + 1;
        const std::string text = array_->equation(row % equations_);
        return order == 1 ? fmt::format("d/dt ({})", text) : fmt::format("d{0}/dt{0} ({1})", order, text);
    }
    [[nodiscard]] std::optional<Location> equation_location(int row) const override {
        return rows_ ? std::nullopt : array_->equation_location(row % equations_);
    }
    [[nodiscard]] int differentiations(int row) const override { return rows_ ? 0 : row / equations_ + 1; }

private:
    std::shared_ptr<const problem::Legend> array_;
    int differential_, equations_;
    bool rows_;
};

} // namespace

problem::ImplicitProblem array_reduced_problem(std::shared_ptr<problem::DerivativeArray> array, const ArrayIndex& index,
                                               double t0, std::span<const double> z0, ReducedForm form,
                                               problem::ImplicitProblem written) {
    const int n = array->unknowns();
    array->adopt(written.environment());
    auto prototype = std::make_shared<ReducedSystem>(array, index, form);
    prototype->begin(t0, z0.data(), z0.data() + n, *index.differentiation);
    prototype->hidden_size = array->rows(prototype->order()) - array->equations();
    std::vector<std::pair<int, int>> entries;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) entries.emplace_back(i, j);
    std::vector<problem::UnknownInfo> infos = array->infos;
    infos.resize(static_cast<std::size_t>(n));
    for (auto& info : infos) info.index = 1;
    problem::System reduced;
    reduced.make_workspace = [prototype, make = written.system().make_workspace] {
        auto workspace = std::make_unique<ReducedSystem>(*prototype);
        if (make) workspace->written = make();
        return workspace;
    };
    reduced.environment = written.environment();
    reduced.kernels.residual = &residual;
    reduced.kernels.jacobian = &jacobian;
    reduced.pattern = SparsityPattern::from_entries(n, n, entries);
    reduced.unknowns = std::move(infos);
    const auto legend = [&](bool rows) {
        return std::make_shared<ReducedLegend>(array->legend, index.differential, array->equations(), rows);
    };
    reduced.facets.set(problem::Names{legend(true)});
    reduced.facets.set(problem::HiddenConstraints{{prototype->hidden_size, &hidden}, 0, legend(false)});
    reduced.facets.set(outputs_through(written));
    if (problem::WrittenEquations equations = written_through(written); !equations.empty()) {
        for (auto& jet : equations.jets) jet.index = 1;
        reduced.facets.set(std::move(equations));
    }
    if (written.hybrid().changes()) reduced.facets.set(events_through(written));
    auto code = std::make_shared<Replacement>();
    code->follow_given =
        [workspace = std::make_shared<ReducedSystem>(*prototype)](const problem::Environment& environment, double t,
                                                                  double* x, double* dx, std::span<const int> given) {
            if (workspace->enter(environment, t, x, dx)) workspace->follow_given(t, x, dx, given);
        };
    code->written = std::move(written);
    reduced.code = std::move(code);
    return problem::ImplicitProblem(std::move(reduced));
}

int highest_index_met(const problem::ImplicitProblem& problem) { return reduced(problem.call()).highest_index(); }

} // namespace daedalus::analysis
