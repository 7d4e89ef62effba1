#include "integrate/methods/partitioned_pair.hpp"

#include "integrate/methods/mass_matrix.hpp"
#include "integrate/methods/symplectic_steps.hpp"
#include "integrate/tableau/butcher.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::integrate {

namespace {

/// Place of an entry in a matrix of n columns, row by row.
std::size_t place(int i, int j, int n) {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(n) + static_cast<std::size_t>(j);
}

/// Coefficients, row by row.
struct Pair {
    int stages = 0, order = 0;
    std::vector<double> a, a_hat, b, c;
    int multipliers = 0;         ///< stages that have one
    std::vector<double> rows;    ///< as many: weights of the positions that are on their constraints; the last: q_1
    std::vector<double> of_rows; ///< inverse of (rows · â), multipliers × multipliers
    [[nodiscard]] double row(int r, int j) const { return rows[place(r, j, stages)]; }
    [[nodiscard]] double hat(int i, int j) const { return a_hat[place(i, j, stages)]; }
};

/// By Gauss and Jordan: m is at most 3.
std::vector<double> inverse(std::vector<double> m, int n) {
    std::vector<double> x(place(n, 0, n), 0.0);
    const auto at = [n](int i, int j) { return place(i, j, n); };
    for (int i = 0; i < n; ++i) x[at(i, i)] = 1.0;
    for (int k = 0; k < n; ++k) {
        int pivot = k;
        for (int i = k; i < n; ++i)
            if (std::abs(m[at(i, k)]) > std::abs(m[at(pivot, k)])) pivot = i;
        for (int j = 0; j < n; ++j) {
            std::swap(m[at(k, j)], m[at(pivot, j)]);
            std::swap(x[at(k, j)], x[at(pivot, j)]);
        }
        const double scale = m[at(k, k)];
        for (int j = 0; j < n; ++j) m[at(k, j)] /= scale, x[at(k, j)] /= scale;
        for (int i = 0; i < n; ++i) {
            const double factor = m[at(i, k)];
            if (i == k || factor == 0.0) continue;
            for (int j = 0; j < n; ++j) m[at(i, j)] -= factor * m[at(k, j)], x[at(i, j)] -= factor * x[at(k, j)];
        }
    }
    return x;
}

Pair make_pair(int stages) {
    Pair pair;
    pair.stages = stages;
    if (stages == 1) {
        pair.order = 1;
        pair.a = {0.0}, pair.a_hat = {1.0}, pair.b = {1.0}, pair.c = {0.0};
        pair.multipliers = 1;
        pair.rows = pair.b;
    } else {
        const tableau::ButcherTableau A = tableau::make_family(tableau::Family::lobatto_iiia,
                                                               stages),      // NOLINT: a letter
            B = tableau::make_family(tableau::Family::lobatto_iiib, stages); // NOLINT: likewise
        pair.order = 2 * stages - 2;
        pair.a.assign(A.A.begin(), A.A.end());
        pair.a_hat.assign(B.A.begin(), B.A.end());
        pair.b.assign(A.b.begin(), A.b.end());
        pair.c.assign(A.c.begin(), A.c.end());
        pair.multipliers = stages - 1; // the last column of Lobatto IIIB vanishes, and so does the first row of IIIA
        pair.rows.assign(pair.a.begin() + stages, pair.a.end());
    }
    std::vector<double> product;
    for (int r = 0; r < pair.multipliers; ++r)
        for (int l = 0; l < pair.multipliers; ++l) {
            double sum = 0.0;
            for (int j = 0; j < stages; ++j) sum += pair.row(r, j) * pair.hat(j, l);
            product.push_back(sum);
        }
    pair.of_rows = inverse(std::move(product), pair.multipliers);
    return pair;
}

class PartitionedStepper final : public SymplecticSteps {
public:
    PartitionedStepper(const problem::ImplicitProblem& problem, const IntegrationOptions& options, int stages,
                       int order)
        : SymplecticSteps(problem, options, order), pair_(make_pair(stages)), order_(std::max(order, pair_.order)),
          masses_(mechanism_, options.linear_solver), q_end_(q_), free_(q_), p_(v_), total_(v_) {
        for (int i = 0; i < stages; ++i) stages_.emplace_back(mechanism_);
        kappa_.resize(static_cast<std::size_t>(pair_.multipliers) * mechanism_.constraints());
        change_.resize(mechanism_.constraints());
    }
    int order() const override { return order_; }

private:
    struct Stage {
        explicit Stage(const Mechanism& m)
            : y(m.positions()), k(m.positions()), v(m.velocities()), F(m.velocities()), G(m.velocities()),
              gap(m.velocities()), lambda(m.constraints()) {}
        std::vector<double> y, k, v, F, G, gap, lambda; ///< G: L Λ; gap: what P lacks to M V
    };
    struct Equation;
    [[nodiscard]] StepStatus advance_by(double h) override;
    [[nodiscard]] bool evaluate(Stage& stage);
    void position(const double* weights, double h, std::vector<double>& y) const;
    [[nodiscard]] StepStatus finish(double h);

    Pair pair_;
    int order_;
    MassMatrix masses_;
    std::vector<Stage> stages_;
    std::vector<double> q_end_, free_, p_, total_, kappa_, change_;
};

/// y = q_0 + h Σ weights_j k_j
void PartitionedStepper::position(const double* weights, double h, std::vector<double>& y) const {
    std::copy(q_.begin(), q_.end(), y.begin());
    for (std::size_t j = 0; j < stages_.size(); ++j) {
        const double factor = h * weights[j];
        if (factor == 0.0) continue;
        for (std::size_t i = 0; i < y.size(); ++i) y[i] += factor * stages_[j].k[i];
    }
}

/// F, L Λ and k at the stage; its masses are those that the mechanism has at hand.
bool PartitionedStepper::evaluate(Stage& s) {
    if (!mechanism_.rates(t_, s.y.data(), s.v.data(), s.k.data()) || !mechanism_.dynamics(t_, s.y.data(), s.v.data()) ||
        !mechanism_.momentum_rate(t_, s.y.data(), s.v.data(), s.F.data()))
        return false;
    mechanism_.times_L(s.lambda.data(), s.G.data());
    return true;
}

struct PartitionedStepper::Equation {
    PartitionedStepper& s;
    double h;

    [[nodiscard]] bool residual() {
        const Pair& pair = s.pair_;
        for (std::size_t i = 0; i < s.stages_.size(); ++i) {
            Stage& stage = s.stages_[i];
            if (!s.evaluate(stage)) return false;
            s.mechanism_.times_M(stage.v.data(), stage.gap.data());
        }
        for (int i = 0; i < pair.stages; ++i) {
            Stage& stage = s.stages_[static_cast<std::size_t>(i)];
            for (std::size_t k = 0; k < stage.gap.size(); ++k) stage.gap[k] = s.p_[k] - stage.gap[k];
            for (int j = 0; j < pair.stages; ++j) {
                const double factor = h * pair.hat(i, j);
                const Stage& other = s.stages_[static_cast<std::size_t>(j)];
                if (factor == 0.0) continue;
                for (std::size_t k = 0; k < stage.gap.size(); ++k) stage.gap[k] += factor * (other.F[k] - other.G[k]);
            }
        }
        return true;
    }
    void solve() {
        const Pair& pair = s.pair_;
        const std::size_t n = s.p_.size(), m = s.g_.size();
        for (int r = 0; r < pair.multipliers && m > 0; ++r) {
            std::fill(s.right_.begin(), s.right_.end(), 0.0);
            for (int j = 0; j < pair.stages; ++j)
                for (std::size_t k = 0; k < n; ++k)
                    s.right_[k] += pair.row(r, j) * s.stages_[static_cast<std::size_t>(j)].gap[k];
            s.position(pair.rows.data() + place(r, 0, pair.stages), h, s.q_end_);
            // Not defined there: the norm of the correction tells.
            if (!s.mechanism_.position(s.t_, s.q_end_.data(), s.g_.data())) s.g_[0] = NAN;
            for (std::size_t k = 0; k < m; ++k) s.right_[n + k] = -s.g_[k] / h;
            s.mechanism_.solve(s.right_);
            std::copy_n(s.right_.data() + n, m, s.kappa_.data() + static_cast<std::size_t>(r) * m);
        }
        for (int l = 0; l < pair.multipliers && m > 0; ++l) {
            std::fill(s.change_.begin(), s.change_.end(), 0.0);
            for (int r = 0; r < pair.multipliers; ++r)
                for (std::size_t k = 0; k < m; ++k)
                    s.change_[k] +=
                        pair.of_rows[place(l, r, pair.multipliers)] * s.kappa_[static_cast<std::size_t>(r) * m + k] / h;
            for (std::size_t k = 0; k < m; ++k) s.stages_[static_cast<std::size_t>(l)].lambda[k] += s.change_[k];
            s.masses_.times_L(s.change_.data(), s.total_.data());
            for (int i = 0; i < pair.stages; ++i)
                for (std::size_t k = 0; k < n; ++k)
                    s.stages_[static_cast<std::size_t>(i)].gap[k] -= h * pair.hat(i, l) * s.total_[k];
        }
        for (Stage& stage : s.stages_) s.masses_.solve(stage.gap);
    }
    /// Relative to the positions.
    [[nodiscard]] double update() {
        double size = std::numeric_limits<double>::min(), change = 0.0;
        for (Stage& stage : s.stages_)
            for (std::size_t k = 0; k < stage.v.size(); ++k) {
                stage.v[k] += stage.gap[k];
                change = std::max(change, std::abs(h * stage.gap[k])); // a NaN stays below: F is not finite then
                size = std::max(size, std::abs(h * stage.v[k]));
                if (std::isnan(stage.gap[k])) return stage.gap[k];
            }
        for (std::size_t i = 0; i < s.stages_.size(); ++i) {
            Stage& stage = s.stages_[i];
            s.position(s.pair_.a.data() + i * s.stages_.size(), h, s.free_);
            for (std::size_t k = 0; k < s.free_.size(); ++k) {
                change = std::max(change, std::abs(s.free_[k] - stage.y[k]));
                size = std::max(size, std::abs(s.free_[k]));
            }
            stage.y = s.free_;
        }
        return change / size;
    }
};

StepStatus PartitionedStepper::advance_by(double h) {
    if (!mechanism_.accelerations(t_, q_.data(), v_.data(), next_.a.data(), next_.lambda.data()))
        return StepStatus::singular_matrix;
    if (!masses_.take(mechanism_)) return StepStatus::singular_matrix;
    mechanism_.times_M(v_.data(), p_.data());
    for (std::size_t i = 0; i < stages_.size(); ++i) {
        Stage& s = stages_[i];
        const double c = pair_.c[i] * h;
        for (std::size_t k = 0; k < v_.size(); ++k) s.v[k] = v_[k] + c * next_.a[k];
        s.lambda = next_.lambda;
        if (static_cast<int>(i) >= pair_.multipliers) std::fill(s.lambda.begin(), s.lambda.end(), 0.0);
        if (!mechanism_.rates(t_, q_.data(), s.v.data(), s.k.data())) return StepStatus::not_finite;
        for (std::size_t k = 0; k < q_.size(); ++k) s.y[k] = q_[k] + c * s.k[k];
    }
    Equation equation{*this, h};
    const StepStatus status = solve_to_round_off(equation);
    return status == StepStatus::ok ? finish(h) : status;
}

/// p_1 and the velocity that belongs to it, on its constraints.
StepStatus PartitionedStepper::finish(double h) {
    const std::size_t n = p_.size();
    for (Stage& stage : stages_)
        if (!evaluate(stage)) return StepStatus::not_finite;
    std::fill(right_.begin(), right_.end(), 0.0);
    std::copy(p_.begin(), p_.end(), right_.begin());
    for (std::size_t j = 0; j < stages_.size(); ++j)
        for (std::size_t k = 0; k < n; ++k) right_[k] += h * pair_.b[j] * (stages_[j].F[k] - stages_[j].G[k]);
    position(pair_.b.data(), h, q_end_);
    q_ = q_end_;
    std::fill(v_.begin(), v_.end(), 0.0);
    if (!mechanism_.velocity(t_, q_.data(), v_.data(), right_.data() + n)) return StepStatus::not_finite;
    for (std::size_t k = n; k < right_.size(); ++k) right_[k] = -right_[k];
    if (!mechanism_.upper(t_, q_.data()) || !mechanism_.factor()) return StepStatus::singular_matrix;
    mechanism_.solve(right_);
    std::copy_n(right_.begin(), n, v_.begin());
    return StepStatus::ok;
}

} // namespace

std::unique_ptr<Stepper> make_partitioned_pair(const problem::ImplicitProblem& problem,
                                               const IntegrationOptions& options, int stages, int order) {
    return std::make_unique<PartitionedStepper>(problem, options, stages, order);
}

} // namespace daedalus::integrate
