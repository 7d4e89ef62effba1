#include "integrate/methods/kept_differences.hpp"

#include "integrate/methods/difference_output.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace daedalus::integrate {

namespace {

struct KeptDifferences final : KeptStep {
    [[nodiscard]] std::unique_ptr<StepReader> make_reader(const problem::ImplicitProblem& problem,
                                                          const IntegrationOptions& options) const override;
    [[nodiscard]] std::size_t size() const override { return numbers.size() + psi.size(); }

    double t = 0.0;
    int order = 1, degree = 1;
    std::size_t n = 0;
    std::array<double, BdfHistory::max_order + 2> psi{};
    std::vector<double> numbers; ///< x and x' at t, then the differences
};

class DifferenceReader final : public StepReader {
public:
    bool read(const KeptStep& step) override {
        step_ = dynamic_cast<const KeptDifferences*>(&step);
        return step_ != nullptr;
    }
    void links_changed() override {}
    void interpolate(double time, double* x, double* dx) const override {
        const std::size_t n = step_->n;
        const double* const numbers = step_->numbers.data();
        if (time == step_->t) {
            std::copy_n(numbers, n, x);
            std::copy_n(numbers + n, n, dx);
            return;
        }
        interpolate_differences(
            step_->order, step_->psi.data(), [&](int i) { return numbers + (static_cast<std::size_t>(i) + 2) * n; }, n,
            time - step_->t, x, dx);
    }
    int degree() const override { return step_->degree; }

private:
    const KeptDifferences* step_ = nullptr;
};

std::unique_ptr<StepReader> KeptDifferences::make_reader(const problem::ImplicitProblem& /*problem*/,
                                                         const IntegrationOptions& /*options*/) const {
    return std::make_unique<DifferenceReader>();
}

} // namespace

std::unique_ptr<const KeptStep> keep_differences(const BdfHistory& history, double t, std::span<const double> x,
                                                 std::span<const double> dx, int degree) {
    auto kept = std::make_unique<KeptDifferences>();
    kept->t = t;
    kept->order = history.polynomial_order();
    kept->degree = degree;
    kept->n = x.size();
    kept->psi = history.psi();
    kept->numbers.reserve((static_cast<std::size_t>(kept->order) + 3) * x.size());
    const auto keep = [&](const double* from) { kept->numbers.insert(kept->numbers.end(), from, from + kept->n); };
    keep(x.data());
    keep(dx.data());
    for (int i = 0; i <= kept->order; ++i) keep(history.difference(i));
    return kept;
}

} // namespace daedalus::integrate
