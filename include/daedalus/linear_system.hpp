// Linear systems given by matrices and formulas: E x' + H x = c(t) solved exactly, Drazin inverse and projectors of the
// pair (E, H), and what variable coefficients E(t), H(t) change. Formulas are Expressions in the time of a model, and
// their derivatives are exact.
//
//   daedalus::Model m("forcing");
//   const auto x = daedalus::solve_exactly(e, h, {sin(m.time()), 0}, 0.0, {0, 0}, {1.0, 2.0});
//   x->values[1]; // at t = 2
#pragma once

#include "daedalus/expected.hpp"
#include "daedalus/expression.hpp"
#include "daedalus/pencil.hpp"

#include <optional>
#include <string>
#include <vector>

namespace daedalus {

/// X with A X = X A, X A X = X, X A^(k+1) = A^k; matrices column by column.
struct DrazinInverse {
    std::vector<double> inverse;
    std::vector<double> projector; ///< X A
    int index = 0;                 ///< k
    bool decided = true;           ///< every rank decision was clear
    double axioms_error = 0.0;     ///< the largest relative error of the three axioms
};
[[nodiscard]] Expected<DrazinInverse> drazin_inverse(const MatrixData& a);

/// Of a regular pair (E, H), column by column.
struct PencilProjectors {
    std::vector<double> finite;     ///< onto the consistent initial values of E x' + H x = 0
    std::vector<double> infinite;   ///< and its complement
    std::vector<double> consistent; ///< orthonormal basis of the former
    int dimension = 0;              ///< of it
    int index = 0;
    bool decided = true;
};
/// Fails where the pair is singular.
[[nodiscard]] Expected<PencilProjectors> spectral_projectors(const MatrixData& e, const MatrixData& h);

struct ExactSolution {
    int index = 0;
    std::vector<double> initial;             ///< the consistent vector that belongs to x0
    double inconsistency = 0.0;              ///< largest |initial - x0|
    std::vector<std::vector<double>> values; ///< at each time
    /// Per unknown: the highest derivative of c that reaches it. -1: only integrals of c, so that c may jump.
    std::vector<int> derivatives_of_c;
    bool accurate = true; ///< the integrals converged
    std::vector<double> times;

    /// A table, and what c must be smooth for; `color` for terminals.
    [[nodiscard]] std::string to_text(bool color = false) const;
    [[nodiscard]] std::string to_json() const;
};
/// E x' + H x = c(t) with constant coefficients, from x0 at t0; of x0 only the consistent part counts. Fails where the
/// pair is not clearly regular, or c contains more than numbers and time.
[[nodiscard]] Expected<ExactSolution> solve_exactly(const MatrixData& e, const MatrixData& h,
                                                    const std::vector<Expression>& c, double t0,
                                                    const std::vector<double>& x0, const std::vector<double>& times);

/// The same with c as text: a formula in `time` per equation, in the language of models; a single "0" for none.
[[nodiscard]] Expected<ExactSolution> solve_exactly(const MatrixData& e, const MatrixData& h,
                                                    const std::vector<std::string>& c, double t0,
                                                    const std::vector<double>& x0, const std::vector<double>& times);

/// One JSON value: the keys of the pencil, and the solution under "solution".
[[nodiscard]] std::string to_json(const PencilAnalysis& pencil, const ExactSolution& solution);

/// A linear PDAE E u_t + H u_xx + C u = c(x, t) on 0 < x < length, u = 0 at both ends (Simeon (48)), at `points` inner
/// points by central differences: the pair (I ⊗ E, T ⊗ H + I ⊗ C) of a linear system in time. Its index may depend on
/// the number of points, and differ from what any of them suggests.
struct SemiDiscrete {
    MatrixData e, h;
};
[[nodiscard]] Expected<SemiDiscrete> semi_discretize(const MatrixData& e, const MatrixData& h, const MatrixData& c,
                                                     int points, double length = 1.0);

/// E(t) x' + H(t) x = c(t), of any shape; matrices row by row, c may be empty (zero).
struct TimeVaryingCoefficients {
    int rows = 0;
    int cols = 0;
    std::vector<Expression> e, h, c;
};

struct TimeVaryingAnalysis {
    struct Local {
        double t = 0.0;
        std::optional<int> index; ///< of the pencil (E(t), H(t)) at this time; none: singular or undecided
        bool regular = false;
    };
    std::optional<int> strangeness_index;
    std::optional<int> differentiation_index; ///< of a regular system
    std::optional<int> tractability_index;    ///< by the projector chain of the properly stated form
    std::string reason;                       ///< why there is none
    std::string tractability_reason;
    int differential = 0, algebraic = 0, undetermined = 0, conditions = 0; ///< d, a, u, v
    bool constant = false;                                                 ///< the same at all times asked for …
    std::vector<double> changes;                                           ///< … or where not
    std::vector<Local> local;                                              ///< which says little about the system
};
/// At the times given, the first of them for the indices.
[[nodiscard]] Expected<TimeVaryingAnalysis> analyze_time_varying(const TimeVaryingCoefficients& system,
                                                                 const std::vector<double>& times);

struct TimeVaryingRun {
    bool finished = false;
    double t = 0.0; ///< reached
    std::vector<double> x;
    double condition_residual = 0.0; ///< of conditions on c, where there are any
    std::string reason;              ///< why not finished
};
struct TimeVaryingOptions {
    std::string method = "radau5";
    double rtol = 1e-8;
    double atol = 1e-10;
    bool least_squares = false; ///< over- and underdetermined ones: ignore conditions on c, set free directions to zero
};
/// The strangeness-free system with the same solutions, integrated; x0 is made consistent first.
[[nodiscard]] Expected<TimeVaryingRun> solve_time_varying(const TimeVaryingCoefficients& system, double t0, double t1,
                                                          const std::vector<double>& x0,
                                                          const TimeVaryingOptions& options = {});

} // namespace daedalus
