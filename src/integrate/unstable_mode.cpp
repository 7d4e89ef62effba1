#include "integrate/unstable_mode.hpp"

#include "integrate/iteration_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

namespace daedalus::integrate {

namespace {

using Complex = std::complex<double>;

class InverseIteration {
public:
    InverseIteration(const problem::ImplicitProblem& problem, linalg::SolverKind kind)
        : problem_(problem), jacobian_(problem), matrix_(problem, kind), v_(size()), w_(size()) {}

    [[nodiscard]] bool linearize(double t, std::span<const double> x, std::span<const double> dx) {
        return jacobian_.evaluate(t, x.data(), dx.data(), counters_) == problem::EvalStatus::ok;
    }
    /// The eigenvalue that iteration from this shift leads to, or none within reach.
    [[nodiscard]] std::optional<Complex> near(Complex shift) {
        for (std::size_t i = 0; i < v_.size(); ++i)
            v_[i] = {1.0 + 0.3 * std::sin(1.0 + static_cast<double>(i)), std::cos(2.0 + static_cast<double>(i))};
        Complex eigenvalue = shift;
        double change = 1.0;
        constexpr int rounds = 5; // each with a new shift; the last ones converge cubically
        for (int round = 0; round < rounds && change > 1e-8; ++round) {
            if (matrix_.factor(jacobian_, shift, counters_) != linalg::FactorStatus::ok) return {};
            const int sweeps = round == 0 ? 8 : 2;
            for (int sweep = 0; sweep < sweeps; ++sweep) {
                multiply_leading();
                matrix_.solve(w_, counters_);
                Complex product = 0.0;
                double square = 0.0, length = 0.0;
                for (std::size_t i = 0; i < v_.size(); ++i) {
                    product += std::conj(v_[i]) * w_[i];
                    square += std::norm(v_[i]);
                    length += std::norm(w_[i]);
                }
                if (!(length > 0.0) || !std::isfinite(length)) return {};
                const Complex next = shift - square / product; // (J + σM)⁻¹ M v = v / (σ - λ)
                change = std::abs(next - eigenvalue) / std::abs(next);
                eigenvalue = next;
                for (std::size_t i = 0; i < v_.size(); ++i) v_[i] = w_[i] / std::sqrt(length);
            }
            shift = eigenvalue * Complex(1.0, 1e-9); // next to it: the matrix stays regular
        }
        if (!(change <= 1e-5)) return {};
        return eigenvalue;
    }
    [[nodiscard]] int largest() const {
        int best = 0;
        double most = 0.0;
        for (std::size_t i = 0; i < v_.size(); ++i)
            if (const double part = std::abs(v_[i]) / problem_.unknowns()[i].nominal; part > most) {
                most = part;
                best = static_cast<int>(i);
            }
        return best;
    }

private:
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(problem_.size()); }
    /// w = M v
    void multiply_leading() {
        const SparsityPattern& pattern = problem_.pattern();
        std::fill(w_.begin(), w_.end(), Complex(0.0));
        for (int j = 0; j < pattern.cols; ++j)
            for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
                w_[static_cast<std::size_t>(pattern.row_index[k])] +=
                    jacobian_.jdx[static_cast<std::size_t>(k)] * v_[static_cast<std::size_t>(j)];
    }

    const problem::ImplicitProblem& problem_;
    JacobianValues jacobian_;
    ShiftedMatrix<Complex> matrix_;
    std::vector<Complex> v_, w_;
    Counters counters_;
};

} // namespace

std::optional<UnstableMode> find_unstable_mode(const problem::ImplicitProblem& problem, double t,
                                               std::span<const double> x, std::span<const double> dx, double elapsed,
                                               linalg::SolverKind kind) {
    constexpr double periods = 5.0, powers_of_e = 3.0; // that must have passed
    // Frequencies to look beside: up to what a run of as many steps as anybody takes could resolve, and so near each
    // other that inverse iteration converges to an eigenvalue in between within a few steps.
    constexpr double pi = std::numbers::pi, fastest = 1e7, apart = 1.3;
    if (!(elapsed > 0.0)) return {};
    InverseIteration iteration(problem, kind);
    if (!iteration.linearize(t, x, dx)) return {};
    std::optional<UnstableMode> worst;
    for (double omega = 2.0 * pi * periods / elapsed; omega < fastest / elapsed; omega *= apart) {
        const auto eigenvalue = iteration.near({0.0, omega});
        if (!eigenvalue || eigenvalue->real() * elapsed < powers_of_e) continue;
        const double frequency = std::abs(eigenvalue->imag());
        if (frequency * elapsed < 2.0 * pi * periods || frequency < eigenvalue->real()) continue;
        if (!worst || eigenvalue->real() > worst->growth)
            worst = UnstableMode{eigenvalue->real(), frequency, iteration.largest()};
    }
    return worst;
}

} // namespace daedalus::integrate
