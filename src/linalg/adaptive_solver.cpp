#include "linalg/adaptive_solver.hpp"

#include "linalg/dense_lu.hpp"
#include "linalg/klu_solver.hpp"
#include "linalg/umfpack_solver.hpp"

#include <fmt/format.h>

#include <cassert>
#include <utility>

namespace daedalus::linalg {

namespace {

// Fitted by eye to runs of benchmarks/linear_solve on one core of a busy machine, in nanoseconds of a factorisation
// with a solve; complex arithmetic costs about twice as much. Only ratios matter, and they are good to a factor two.
constexpr double klu_per_entry = 12.0, klu_per_operation = 1.0; // entries: unknowns and nonzeros of the matrix
constexpr double dense_per_operation = 0.4, dense_fixed = 200.0;
constexpr double straight_per_operation = 0.35, straight_per_entry = 1.0, straight_fixed = 80.0;
constexpr double writing_fixed = 1e5, writing_per_operation = 250.0; // ordering, tape, machine code
// Share of a solve in a factorisation with a solve.
constexpr double solve_share = 0.25;
// Bounds the time and memory that a program takes to write; at 1.9e5 operations it was still 3 times as fast as KLU.
constexpr double most_operations = 2.5e5;
// Operations per entry of L + U beyond which the dense kernels of UMFPACK win over KLU, and the size at which it
// matters. Measured by benchmarks/linear_solve on five-point grids: KLU / UMFPACK = 0.86 at 57 operations per entry,
// 0.89 at 65, 1.3 at 102, 2.5 at 158.
constexpr double umfpack_intensity = 80.0, umfpack_operations = 3e7;

// Programs up to this size are written at the first factorisation (0.1 to 1 ms, and remembered): such matrices belong
// to short runs, in which waiting for evidence would cost more than the program. A matrix that cannot be ordered, being
// singular or not finite, leaves it to a later one.
constexpr int most_prompt_unknowns = 150, most_prompt_entries = 1500;
constexpr double most_prompt_multiplications = 4000;
constexpr int most_prompt_attempts = 3, never = most_prompt_attempts;

template <class Scalar>
constexpr double arithmetic = std::is_same_v<Scalar, double> ? 1.0 : 2.0;

// Dense n³/3 operations at about 1 ns each against 5–10 ns per operation of a sparse refactorisation plus its overhead
// of some 0.3 µs. Up to 12 unknowns nothing beats straight loops; after that the pattern must be fairly full, and
// beyond 100 unknowns nearly so.
bool prefers_dense(const SparsityPattern& pattern) {
    const double n = pattern.cols;
    if (n <= 12) return true;
    const double density = pattern.nonzeros() / (n * n);
    return n <= 100 ? density > 0.3 : density > 0.5;
}

} // namespace

template <class Scalar>
AdaptiveSolver<Scalar>::AdaptiveSolver(SharedPattern pattern)
    : pattern_(std::move(pattern)), dense_(prefers_dense(*pattern_)) {
    // A full matrix that is not tiny takes thousands of operations: not at once.
    if (pattern_->cols > most_prompt_unknowns || pattern_->nonzeros() > most_prompt_entries) prompt_attempts_ = never;
}

template <class Scalar>
LinearSolver<Scalar>& AdaptiveSolver<Scalar>::simple() const {
    if (!simple_) {
        if (dense_)
            simple_ = std::make_unique<DenseLu<Scalar>>(*pattern_);
        else
            simple_ = std::make_unique<KluSolver<Scalar>>(pattern_);
    }
    return *simple_;
}

template <class Scalar>
const LinearSolver<Scalar>& AdaptiveSolver<Scalar>::preferred() const {
    if (program_ready_) return *straight_;
    return simple();
}

/// Of a factorisation and a solve by simple_.
template <class Scalar>
double AdaptiveSolver<Scalar>::simple_cost() const {
    const double n = pattern_->cols;
    if (dense_) return arithmetic<Scalar> * (dense_fixed + dense_per_operation * n * n * n);
    const KluCounts counts = static_cast<const KluSolver<Scalar>&>(*simple_).counts();
    return arithmetic<Scalar> * (klu_per_entry * (n + pattern_->nonzeros()) + klu_per_operation * counts.operations);
}

/// Of ordering, writing and translating, estimated before it is done.
template <class Scalar>
double AdaptiveSolver<Scalar>::program_price() const {
    const double n = pattern_->cols;
    // Dense factors bound a small matrix; a larger full one gains nothing.
    double operations = dense_ ? n * n * n / 1.5 : 0.0;
    if (!dense_) {
        const KluCounts counts = static_cast<const KluSolver<Scalar>&>(*simple_).counts();
        operations = counts.operations + 2.0 * counts.entries;
    }
    return operations * arithmetic<Scalar> > most_operations
               ? -1.0
               : arithmetic<Scalar> * (writing_fixed + writing_per_operation * operations);
}

template <class Scalar>
FactorStatus AdaptiveSolver<Scalar>::factor(std::span<const Scalar> values) {
    ++factorisations_;
    if (program_ready_) {
        current_ = straight_.get();
        return straight_->factor(values);
    }
    if (prompt_attempts_ < most_prompt_attempts && write_at_once(values)) {
        current_ = straight_.get();
        return straight_->factor(values);
    }
    const FactorStatus status = simple_ || dense_ ? simple().factor(values) : first_sparse(values);
    current_ = &simple();
    if (status == FactorStatus::ok) consider(values);
    return status;
}

/// KLU, or UMFPACK where that promises to be faster. A matrix that it cannot factorise goes back to KLU, which says
/// better why.
template <class Scalar>
FactorStatus AdaptiveSolver<Scalar>::first_sparse(std::span<const Scalar> values) {
    auto& klu = static_cast<KluSolver<Scalar>&>(simple());
    klu.leave_heavy_fill(umfpack_available());
    const FactorStatus status = klu.factor(values);
    if (!klu.leaves_it()) return status;
    auto umfpack = make_umfpack_solver<Scalar>(*pattern_);
    if (umfpack->factor(values) == FactorStatus::ok) {
        simple_ = std::move(umfpack);
        heavy_ = program_ruled_out_ = true;
        return FactorStatus::ok;
    }
    klu.leave_heavy_fill(false);
    return klu.factor(values);
}

template <class Scalar>
bool AdaptiveSolver<Scalar>::write_at_once(std::span<const Scalar> values) {
    ++prompt_attempts_;
    if (pattern_->cols == 0) prompt_attempts_ = never;
    if (prompt_attempts_ >= most_prompt_attempts) return false;
    StraightLineLu<Scalar> prompt(*pattern_);
    prompt.add_sample(values);
    if (!prompt.prepare(most_prompt_multiplications)) return false;
    straight_ = std::make_unique<StraightLineLu<Scalar>>(std::move(prompt));
    return program_ready_ = true;
}

template <class Scalar>
void AdaptiveSolver<Scalar>::solve(std::span<Scalar> b) {
    if (current_ == straight_.get()) return straight_->solve(b);
    current_->solve(b);
    spent_ += per_solve_;
}

/// After a factorisation by simple_: whether it is time for another solver.
template <class Scalar>
void AdaptiveSolver<Scalar>::consider(std::span<const Scalar> values) {
    if (program_ruled_out_) return;
    if (factorisations_ == 1 || per_factor_ == 0.0) {
        const double cost = simple_cost();
        per_solve_ = solve_share * cost;
        per_factor_ = cost - per_solve_;
        program_ruled_out_ = pattern_->cols == 0 || program_price() < 0.0;
        if (!dense_) {
            const auto& klu = static_cast<const KluSolver<Scalar>&>(*simple_);
            const KluCounts counts = klu.counts();
            if (!klu.in_pieces() && counts.operations > umfpack_operations &&
                counts.operations > umfpack_intensity * counts.entries && umfpack_available()) {
                auto umfpack = make_umfpack_solver<Scalar>(*pattern_);
                if (umfpack->factor(values) == FactorStatus::ok) {
                    simple_ = std::move(umfpack);
                    intensity_ = counts.operations / counts.entries;
                    current_ = simple_.get();
                    program_ruled_out_ = true;
                }
            }
        }
        if (program_ruled_out_) return;
    }
    spent_ += per_factor_;
    // Samples at the first, second, fourth … factorisation: the start, and what came of it.
    const bool power_of_two = (factorisations_ & (factorisations_ - 1)) == 0;
    const bool due = spent_ >= program_price();
    if (!power_of_two && !due) return;
    if (!straight_) straight_ = std::make_unique<StraightLineLu<Scalar>>(*pattern_);
    straight_->add_sample(values);
    if (due) write_program();
}

template <class Scalar>
void AdaptiveSolver<Scalar>::write_program() {
    const double entries = pattern_->cols + pattern_->nonzeros();
    program_ready_ =
        straight_->prepare() && straight_fixed + straight_per_entry * entries +
                                        straight_per_operation * static_cast<double>(straight_->operations()) <
                                    per_factor_ + per_solve_;
    if (program_ready_) return;
    program_ruled_out_ = true;
    straight_.reset();
}

template <class Scalar>
std::string AdaptiveSolver<Scalar>::description() const {
    if (!program_ready_) {
        const char* const reason = dense_                ? "few unknowns, or most entries are not zero"
                                   : program_ruled_out_  ? "straight-line code would be too long or no faster"
                                   : factorisations_ > 0 ? "too few factorisations to pay for straight-line code"
                                                         : "nothing factorised yet";
        const std::string because =
            heavy_             ? std::string("much fill, and the diagonal will not do for pivots")
            : intensity_ > 0.0 ? fmt::format("KLU would do {:.0f} operations per entry of its factors", intensity_)
                               : reason;
        return fmt::format("{} ({})", simple().description(), because);
    }
    if (per_factor_ == 0.0) return straight_->description(); // nothing else was tried
    const double entries = pattern_->cols + pattern_->nonzeros();
    const double own = straight_fixed + straight_per_entry * entries +
                       straight_per_operation * static_cast<double>(straight_->operations());
    return fmt::format("{}; {} would take about {:.2g} times as long", straight_->description(), simple_->name(),
                       (per_factor_ + per_solve_) / own);
}

template class AdaptiveSolver<double>;
template class AdaptiveSolver<std::complex<double>>;

} // namespace daedalus::linalg
