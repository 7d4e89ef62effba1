#include "integrate/methods/symplectic.hpp"

#include "integrate/methods/partitioned_pair.hpp"
#include "integrate/methods/symplectic_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::integrate {

namespace {

int order_of_composition(SymplecticName name) {
    return name == SymplecticName::rattle4 ? 4 : name == SymplecticName::rattle6 ? 6 : 0;
}

class SymplecticStepper final : public SymplecticSteps {
public:
    SymplecticStepper(const problem::ImplicitProblem& problem, const IntegrationOptions& options, SymplecticName name)
        : SymplecticSteps(problem, options, order_of_composition(name)), name_(name), k_(mechanism_.positions()) {}

    void start(double t, std::span<const double> x, std::span<const double> dx, double h) override {
        MechanicalPoints::start(t, x, dx, h);
        half_.clear();
    }
    void correct(std::span<const double> x, std::span<const double> dx) override {
        MechanicalPoints::correct(x, dx);
        half_.clear();
    }
    void accept() override {
        if (name_ == SymplecticName::shake) half_ = half_new_;
        MechanicalPoints::accept();
    }
    int order() const override {
        return name_ == SymplecticName::euler     ? 1
               : name_ == SymplecticName::rattle4 ? 4
               : name_ == SymplecticName::rattle6 ? 6
                                                  : 2;
    }

private:
    struct Drift;
    [[nodiscard]] StepStatus advance_by(double h) override;
    [[nodiscard]] const std::vector<double>& first_velocity() const override {
        return name_ == SymplecticName::shake && !half_.empty() ? half_ : here_.v;
    }
    [[nodiscard]] bool kick(double h);
    /// next_.y = q_ + h k(v_)
    [[nodiscard]] bool drift(double h) {
        if (!mechanism_.rates(t_, q_.data(), v_.data(), k_.data())) return false;
        for (std::size_t k = 0; k < q_.size(); ++k) next_.y[k] = q_[k] + h * k_[k];
        return true;
    }

    SymplecticName name_;
    std::vector<double> k_, free_;
    std::vector<double> half_, half_new_; ///< velocities of SHAKE in the middle of the last step; empty: none yet
};

/// 0 = g(q_0 + h v̂): corrections of v̂ along M⁻¹ L(q_0).
struct SymplecticStepper::Drift {
    SymplecticStepper& s;
    double h;

    [[nodiscard]] bool residual() {
        if (!s.drift(h)) return false;
        if (!s.mechanism_.position(0.0, s.next_.y.data(), s.g_.data())) return false;
        std::fill(s.right_.begin(), s.right_.end(), 0.0);
        for (std::size_t k = 0; k < s.g_.size(); ++k) s.right_[s.v_.size() + k] = -s.g_[k] / h;
        return true;
    }
    void solve() { s.mechanism_.solve(s.right_); }
    [[nodiscard]] double update() {
        double size = 0.0, change = 0.0;
        for (std::size_t k = 0; k < s.v_.size(); ++k) s.v_[k] += s.right_[k];
        s.free_ = s.next_.y;
        if (!s.drift(h)) return std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < s.free_.size(); ++k) {
            change = std::max(change, std::abs(s.next_.y[k] - s.free_[k]));
            size = std::max(size, std::abs(s.next_.y[k]));
        }
        return change / std::max(size, std::numeric_limits<double>::min());
    }
};

/// v_ += M⁻¹ h f at the positions whose dynamics were evaluated last, along with what keeps W v_ = 0 at the lower half.
bool SymplecticStepper::kick(double h) {
    for (std::size_t k = 0; k < v_.size(); ++k) right_[k] = h * mechanism_.force()[k];
    mechanism_.times_W(v_.data(), right_.data() + v_.size());
    for (std::size_t k = v_.size(); k < right_.size(); ++k) right_[k] = -right_[k];
    mechanism_.solve(right_);
    for (std::size_t k = 0; k < v_.size(); ++k) v_[k] += right_[k];
    return true;
}

StepStatus SymplecticStepper::advance_by(double h) {
    const bool shake = name_ == SymplecticName::shake && !half_.empty();
    const double before = name_ == SymplecticName::euler || shake ? 1.0 : 0.5, behind = 1.0 - before;
    if (!mechanism_.dynamics(t_, q_.data(), v_.data()) || !mechanism_.factor()) return StepStatus::singular_matrix;
    if (!kick(before * h)) return StepStatus::not_finite;
    if (!g_.empty()) {
        // W at the position where the free motion leads: near to that of the end, kept while it converges.
        if (!drift(h)) return StepStatus::not_finite;
        if (!mechanism_.lower(t_, next_.y.data()) || !mechanism_.factor()) return StepStatus::singular_matrix;
        Drift drift{*this, h};
        if (const StepStatus status = solve_to_round_off(drift); status != StepStatus::ok) return status;
    }
    if (!drift(h)) return StepStatus::not_finite;
    q_ = next_.y;
    half_new_ = v_;
    if (!mechanism_.dynamics(t_, q_.data(), v_.data()) || !mechanism_.factor()) return StepStatus::singular_matrix;
    if (name_ != SymplecticName::shake) return kick(behind * h) ? StepStatus::ok : StepStatus::not_finite;
    // What is shown: half a step on, by the acceleration there.
    if (!mechanism_.accelerations(t_, q_.data(), v_.data(), next_.a.data(), next_.lambda.data()))
        return StepStatus::singular_matrix;
    for (std::size_t k = 0; k < v_.size(); ++k) v_[k] += 0.5 * h * next_.a[k];
    return StepStatus::ok;
}

} // namespace

std::unique_ptr<Stepper> make_symplectic(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                                         SymplecticName name) {
    if (problem.facet<problem::Hamiltonian>().separable)
        return std::make_unique<SymplecticStepper>(problem, options, name);
    const int stages = name == SymplecticName::euler ? 1 : 2; // RATTLE
    return make_partitioned_pair(problem, options, stages, order_of_composition(name));
}

} // namespace daedalus::integrate
