#include "integrate/krylov.hpp"

#include "linalg/gmres.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace daedalus::integrate {

namespace {

using Complex = std::complex<double>;

constexpr double eps = std::numeric_limits<double>::epsilon();
// What may be left of |b|: wanted, and enough where more cannot be had. Newton's iteration corrects what is left by its
// next turn, at the rate of this share; methods that do not iterate take what is solved for as exact.
struct Accuracy {
    double wanted, enough;
};
constexpr Accuracy of_products{1e-10, 1e-8};
// Differences know no more than the root of ε, and less where terms cancel.
constexpr Accuracy of_differences{1e-4, 1e-2};

bool offers_products(const problem::ImplicitProblem& problem) {
    return problem.facet<problem::Products>().apply != nullptr;
}

template <class Scalar>
Scalar inner_product(const problem::ImplicitProblem& problem, const Scalar* a, const Scalar* b) {
    const auto n = static_cast<std::size_t>(problem.size());
    const problem::Collective& all = problem.collective();
    Scalar sum{};
    if constexpr (std::is_same_v<Scalar, double>) {
        for (std::size_t k = 0; k < n; ++k) sum += a[k] * b[k];
        return all.sum_of(sum);
    } else {
        for (std::size_t k = 0; k < n; ++k) sum += std::conj(a[k]) * b[k];
        return {all.sum_of(sum.real()), all.sum_of(sum.imag())};
    }
}

/// (F(x + a ε v, x' + b ε v) - F(x, x')) / ε, where ε moves x by the root of its roundings; x'
/// follows, however far (as IDA does), or is what is moved where x is not.
bool difference(const problem::ImplicitProblem& problem, const problem::LinearisationPoint& at, double a, double b,
                const double* v, double* y) {
    const auto n = static_cast<std::size_t>(problem.size());
    double moved = 0.0, size = 0.0;
    for (std::size_t k = 0; k < n; ++k) {
        const double nominal = std::abs(problem.unknowns()[k].nominal);
        moved = std::max(moved, std::abs(v[k]) / nominal);
        size = std::max(size, std::abs(a != 0.0 ? at.x[k] : at.dx[k]) / nominal);
    }
    moved = problem.collective().largest_of(moved);
    size = problem.collective().largest_of(size);
    std::fill_n(y, n, 0.0);
    if (moved == 0.0) return true;
    const double step = std::sqrt(eps) * (1.0 + size) / (moved * std::abs(a != 0.0 ? a : b));
    std::vector<double> x(at.x, at.x + n), dx(at.dx, at.dx + n), base(n);
    if (problem.residual(at.t, x.data(), dx.data(), base.data()) != problem::EvalStatus::ok) return false;
    for (std::size_t k = 0; k < n; ++k) {
        x[k] += a * step * v[k];
        dx[k] += b * step * v[k];
    }
    if (problem.residual(at.t, x.data(), dx.data(), y) != problem::EvalStatus::ok) return false;
    for (std::size_t k = 0; k < n; ++k) y[k] = (y[k] - base[k]) / step;
    return true;
}

/// y = (a J + b M) v.
bool product(const problem::ImplicitProblem& problem, const problem::LinearisationPoint& at, double a, double b,
             const double* v, double* y) {
    if (!offers_products(problem)) return difference(problem, at, a, b, v, y);
    const problem::EvalStatus status = problem.facet<problem::Products>().apply(problem.call(), at, a, b, v, y);
    return !problem.collective().any(status != problem::EvalStatus::ok);
}

/// GMRES in unknowns that are scaled by their nominal values, or by the problem's preconditioner P from the right:
/// (J + σ M) P⁻¹ u = b, z = P⁻¹ u.
template <class Scalar>
class KrylovSolver final : public problem::ShiftedSolver<Scalar> {
public:
    explicit KrylovSolver(const problem::ImplicitProblem& problem)
        : problem_(problem), n_(static_cast<std::size_t>(problem.size())),
          accuracy_(offers_products(problem) ? of_products : of_differences), x_(n_), dx_(n_), part_(2 * n_), re_(n_),
          im_(n_), work_(n_), gmres_(
                                  n_, [this](const Scalar* u, Scalar* y) { return multiply(u, y); },
                                  [this](const Scalar* a, const Scalar* b) { return inner_product(problem_, a, b); }) {
        if (const auto& facet = problem.facet<problem::Preconditioner>(); facet.make) preconditioner_ = facet.make();
    }

    bool prepare(const problem::Call& call, const problem::LinearisationPoint& at, Scalar shift) override {
        t_ = at.t;
        std::copy_n(at.x, n_, x_.begin());
        std::copy_n(at.dx, n_, dx_.begin());
        shift_ = shift;
        const bool ready = !preconditioner_ || preconditioner_->prepare(call, point(), std::abs(shift));
        return !problem_.collective().any(!ready);
    }

    bool solve(std::span<Scalar> b) override {
        const Scalar* u = gmres_.solve(b, accuracy_.wanted, accuracy_.enough);
        return u != nullptr && expand(u, b.data());
    }

    std::string description() const override {
        return std::string("GMRES with ") + (offers_products(problem_) ? "the problem's products" : "differences") +
               (preconditioner_ ? " and its preconditioner" : "");
    }

private:
    [[nodiscard]] problem::LinearisationPoint point() const { return {t_, x_.data(), dx_.data()}; }

    [[nodiscard]] bool precondition(double* v) { return !problem_.collective().any(!preconditioner_->solve({v, n_})); }
    /// z = P⁻¹ u; real and imaginary parts one after the other, since preconditioners are real.
    [[nodiscard]] bool expand(const Scalar* u, Scalar* z) {
        std::copy_n(u, n_, z);
        if constexpr (std::is_same_v<Scalar, double>) {
            if (preconditioner_ && !precondition(z)) return false;
        } else if (preconditioner_) {
            for (std::size_t k = 0; k < n_; ++k) {
                part_[k] = u[k].real();
                part_[n_ + k] = u[k].imag();
            }
            if (!precondition(part_.data()) || !precondition(part_.data() + n_)) return false;
            for (std::size_t k = 0; k < n_; ++k) z[k] = {part_[k], part_[n_ + k]};
        }
        if (!preconditioner_)
            for (std::size_t k = 0; k < n_; ++k) z[k] *= std::abs(problem_.unknowns()[k].nominal);
        return true;
    }

    /// y = (J + σ M) P⁻¹ u.
    [[nodiscard]] bool multiply(const Scalar* u, Scalar* y) {
        if (!expand(u, work_.data())) return false;
        if constexpr (std::is_same_v<Scalar, double>) {
            return product(problem_, point(), 1.0, shift_, work_.data(), y);
        } else {
            // (J + (p + iq) M) (v + iw) = (J + p M) v - q M w + i ((J + p M) w + q M v)
            double* const v = part_.data();
            double* const w = part_.data() + n_;
            for (std::size_t k = 0; k < n_; ++k) {
                v[k] = work_[k].real();
                w[k] = work_[k].imag();
            }
            const double p = shift_.real(), q = shift_.imag();
            if (!product(problem_, point(), 1.0, p, v, re_.data()) ||
                !product(problem_, point(), 1.0, p, w, im_.data()))
                return false;
            for (std::size_t k = 0; k < n_; ++k) y[k] = {re_[k], im_[k]};
            if (!product(problem_, point(), 0.0, q, w, re_.data()) ||
                !product(problem_, point(), 0.0, q, v, im_.data()))
                return false;
            for (std::size_t k = 0; k < n_; ++k) y[k] += Complex(-re_[k], im_[k]);
            return true;
        }
    }

    const problem::ImplicitProblem& problem_;
    const std::size_t n_;
    const Accuracy accuracy_;
    std::unique_ptr<problem::ShiftedSolver<double>> preconditioner_;
    double t_ = 0.0;
    Scalar shift_{};
    std::vector<double> x_, dx_, part_, re_, im_;
    std::vector<Scalar> work_;
    linalg::Gmres<Scalar> gmres_;
};

} // namespace

void add_product(const problem::ImplicitProblem& problem, const problem::LinearisationPoint& at, double a, double b,
                 const double* v, double* y) {
    std::vector<double> added(static_cast<std::size_t>(problem.size()));
    const bool known = product(problem, at, a, b, v, added.data());
    for (std::size_t k = 0; k < added.size(); ++k) y[k] += known ? added[k] : std::numeric_limits<double>::quiet_NaN();
}

double krylov_inner(const problem::ImplicitProblem& problem, const double* a, const double* b) {
    return inner_product(problem, a, b);
}

bool add_transposed_product(const problem::ImplicitProblem& problem, const problem::LinearisationPoint& at, double a,
                            double b, const double* v, double* y) {
    const problem::Products& products = problem.facet<problem::Products>();
    if (products.apply_transposed == nullptr) return false;
    std::vector<double> added(static_cast<std::size_t>(problem.size()));
    const problem::EvalStatus status = products.apply_transposed(problem.call(), at, a, b, v, added.data());
    const bool known = !problem.collective().any(status != problem::EvalStatus::ok);
    for (std::size_t k = 0; k < added.size(); ++k) y[k] += known ? added[k] : std::numeric_limits<double>::quiet_NaN();
    return true;
}

template <class Scalar>
std::unique_ptr<problem::ShiftedSolver<Scalar>> make_shifted_solver(const problem::ImplicitProblem& problem) {
    if (auto own = problem.facet<problem::OwnSolver>().make<Scalar>()) return own;
    return std::make_unique<KrylovSolver<Scalar>>(problem);
}

template std::unique_ptr<problem::ShiftedSolver<double>> make_shifted_solver(const problem::ImplicitProblem&);
template std::unique_ptr<problem::ShiftedSolver<Complex>> make_shifted_solver(const problem::ImplicitProblem&);

} // namespace daedalus::integrate
