#include "integrate/methods/kept_collocation.hpp"

#include <cassert>
#include <vector>

namespace daedalus::integrate {

namespace {

class KeptCollocation final : public KeptStep {
public:
    explicit KeptCollocation(const CollocationStep& step);
    [[nodiscard]] std::unique_ptr<StepReader> make_reader(const problem::ImplicitProblem& problem,
                                                          const IntegrationOptions& options) const override;
    [[nodiscard]] std::size_t size() const override { return numbers_.size(); }
    [[nodiscard]] const CollocationStep& step() const { return step_; }

private:
    std::vector<double> numbers_;
    std::vector<char> differential_; ///< where there is a quintic
    CollocationStep step_;           ///< in them
};

KeptCollocation::KeptCollocation(const CollocationStep& step) : step_(step) {
    const std::size_t n = step.n, stages = n * static_cast<std::size_t>(step.tableau.stages);
    const std::size_t of_quintic = step.quintic ? (step.weights != nullptr ? 4 : 3) * n : 0;
    numbers_.reserve(3 * n + stages + of_quintic);
    const auto keep = [&](const double*& from, std::size_t size) {
        const double* const to = numbers_.data() + numbers_.size();
        numbers_.insert(numbers_.end(), from, from + size);
        from = to;
    };
    keep(step_.end.x, n);
    keep(step_.end.dx, n);
    keep(step_.begin.x, n);
    keep(step_.Z, stages);
    if (!step.quintic) return;
    keep(step_.begin.dx, n);
    keep(step_.older.x, n);
    keep(step_.older.dx, n);
    if (step.weights != nullptr) keep(step_.weights, n);
    differential_.assign(step.differential, step.differential + n);
    step_.differential = differential_.data();
}

template <int S>
class CollocationReader final : public StepReader {
public:
    bool read(const KeptStep& step) override {
        const auto* kept = dynamic_cast<const KeptCollocation*>(&step);
        step_ = kept != nullptr && kept->step().tableau.stages == S ? &kept->step() : nullptr;
        return step_ != nullptr;
    }
    void links_changed() override {}
    void interpolate(double time, double* x, double* dx) const override {
        interpolate_collocation<S>(*step_, time, x, dx);
    }
    int degree() const override { return S; }

private:
    const CollocationStep* step_ = nullptr;
};

std::unique_ptr<StepReader> KeptCollocation::make_reader(const problem::ImplicitProblem& /*problem*/,
                                                         const IntegrationOptions& /*options*/) const {
    switch (step_.tableau.stages) {
    case 1: return std::make_unique<CollocationReader<1>>();
    case 3: return std::make_unique<CollocationReader<3>>();
    case 5: return std::make_unique<CollocationReader<5>>();
    case 7: return std::make_unique<CollocationReader<7>>();
    case 9: return std::make_unique<CollocationReader<9>>();
    default: assert(false && "Radau IIA is offered with 1, 3, 5, 7 or 9 stages"); return nullptr;
    }
}

} // namespace

std::unique_ptr<const KeptStep> keep_collocation(const CollocationStep& step) {
    return std::make_unique<const KeptCollocation>(step);
}

} // namespace daedalus::integrate
