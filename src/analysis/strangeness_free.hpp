// The strangeness-free system that has the same solutions as E(t) x' + H(t) x = c(t) (Kunkel & Mehrmann 2006, 3.2;
// GELDA), and its integration:
//     Ê₁ x' + Ĥ₁ x = ĉ₁   (d rows) ,   Ĥ₂ x = ĉ₂   (a rows) ,   0 = ĉ₃   (v rows: conditions on c).
// Ê₁ = Z₁ᵀ E with a constant Z₁, Ĥ₂ = -Z₂(t)ᵀ N(t). Only the space that Z₂ spans is determined at each time; so that
// the rows depend smoothly on t, Z₂(t) is the projection of the Z₂ of a reference time onto that space. The reference
// is taken anew where it no longer fits.
#pragma once

#include "analysis/strangeness_linear.hpp"
#include "integrate/integration.hpp"
#include "problem/implicit_problem.hpp"

#include <memory>

namespace daedalus::analysis {

struct StrangenessFreeRows {
    linalg::Matrix e1, h1, h2;
    std::vector<double> c1, c2;
    double condition_residual = 0.0; ///< ‖ĉ₃‖, of orthonormal combinations
    double alignment = 1.0;          ///< of the rows with those of the reference time; 0: useless
    bool ok = true;                  ///< false: not finite, or ranks differ from those at the reference time
};

class StrangenessFreeSystem {
public:
    /// `analysis` is decided, and of the reference time.
    StrangenessFreeSystem(TimeVaryingSystem system, StrangenessAnalysis analysis);

    [[nodiscard]] StrangenessFreeRows rows(double t) const;
    /// Directions of x that no equation determines: orthonormal columns, u of them, at the reference time.
    [[nodiscard]] const linalg::Matrix& undetermined() const { return undetermined_; }
    [[nodiscard]] const StrangenessAnalysis& analysis() const { return analysis_; }
    [[nodiscard]] const TimeVaryingSystem& system() const { return system_; }

    /// The nearest x with Ĥ₂ x = ĉ₂ at the reference time.
    [[nodiscard]] std::vector<double> consistent(std::span<const double> x) const;
    /// x' that belongs to a consistent x: from the equations and one more derivative of them, of least norm.
    [[nodiscard]] std::vector<double> derivative(std::span<const double> x) const;

private:
    TimeVaryingSystem system_;
    StrangenessAnalysis analysis_;
    linalg::Matrix z1_, z2_, undetermined_;
};

enum class LeastSquares {
    no,  ///< undetermined unknowns or violated conditions are refused
    yes, ///< conditions on c are ignored, and undetermined directions of x are set to zero
};

struct TimeVaryingSolution {
    enum class Outcome {
        finished,
        undecided,
        under_determined,
        contradictory,
        changed,
        failed
    } outcome = Outcome::failed;
    double t = 0.0; ///< time reached
    std::vector<double> x;
    StrangenessAnalysis analysis;            ///< at the start
    double largest_condition_residual = 0.0; ///< of the conditions on c, where there are any
    int references = 0;                      ///< how often the rows were chosen anew
    std::string reason;
    [[nodiscard]] bool finished() const { return outcome == Outcome::finished; }
};

/// From t0 to t1 with a method of the registry ("radau5", "bdf", …). x0 is made consistent first.
[[nodiscard]] TimeVaryingSolution integrate_time_varying(const TimeVaryingSystem& system, double t0, double t1,
                                                         std::span<const double> x0, const std::string& method,
                                                         const integrate::IntegrationOptions& options,
                                                         LeastSquares least_squares = LeastSquares::no,
                                                         int max_level = 8);

} // namespace daedalus::analysis
