// Newton's iteration with a frozen matrix A sees an error e of its unknowns as the correction A⁻¹ (J + σM) e. Where
// entries of J = ∂F/∂x have become smaller by orders of magnitude since A was made, as those of a diode that blocks,
// that is next to nothing: the iteration "converges" wherever it stands, and the estimate of the error, made with A,
// agrees. The entries at the end of a step tell that this may be; the correction with the matrix of that point tells
// whether it is.
#pragma once

#include "integrate/error_norm.hpp"
#include "integrate/iteration_matrix.hpp"
#include "integrate/options.hpp"

#include <memory>
#include <vector>

namespace daedalus::integrate {

/// Where an attempt has led.
struct EndOfAttempt {
    double t;
    const double *x, *dx;
    const double* dq; ///< of the differentiated quantity where the step was made by its differences, else null
};

class WeakenedMatrix {
public:
    WeakenedMatrix(const problem::ImplicitProblem& problem, const IntegrationOptions& options);
    void links_changed();
    void reset() { quiet_ = 0; }
    /// A step has led to `end`, solved with J = `used`: x is off by more than Newton's iteration could tell.
    [[nodiscard]] bool hides_error(const JacobianValues& used, double shift, const EndOfAttempt& end,
                                   const ErrorNorm& norm, Counters& counters);

private:
    struct Comparison {
        bool weaker, quiet;
    };
    [[nodiscard]] static Comparison compare(const std::vector<double>& now, const std::vector<double>& then);

    const problem::ImplicitProblem& problem_;
    const linalg::SolverKind kind_;
    bool applies_ = false; ///< there are entries that vary, and they are cheap
    JacobianValues there_;
    std::unique_ptr<ShiftedMatrix<double>> matrix_; ///< made when first needed
    std::vector<double> correction_;
    int quiet_ = 0;              ///< steps until the next look, where entries had hardly changed at the last one
    double shift_of_look_ = 0.0; ///< |σ| then
};

} // namespace daedalus::integrate
