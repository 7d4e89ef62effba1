// A solution that can be evaluated at any time after the run: it owns its pieces and refers to nothing that is alive.
//
// An accepted step is kept as its method keeps it (kept_step.hpp: stages, or differences), where it can do that, else
// as values of the method's own polynomial at Chebyshev points, from which the barycentric formula (Berrut & Trefethen
// 2004) gives it back to round-off; as many points are taken as that needs. What is not integrated follows from the
// equations at the time asked for, as for output points, so that all constraints hold there. A piece remembers
// environment and states that its step had.
#pragma once

#include "integrate/consistent_output.hpp"
#include "integrate/observer.hpp"
#include "integrate/options.hpp"
#include "integrate/point_choice.hpp"
#include "problem/implicit_problem.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace daedalus::simulation {

class DenseSolution {
public:
    /// Of a run that begins now. `most`: numbers that may be kept; beyond them the solution is given up. `wanted`:
    /// the outputs that evaluations give, none given: all.
    DenseSolution(const problem::ImplicitProblem& problem, const integrate::IntegrationOptions& options,
                  std::size_t most, std::optional<std::vector<int>> wanted = std::nullopt);

    /// False: it has become too large. Nothing is forgotten before give_up().
    [[nodiscard]] bool add(const integrate::AcceptedStep& step, const problem::ImplicitProblem& run);
    void give_up();

    /// What another run with the same outputs found before this one went on.
    void follow(std::shared_ptr<const DenseSolution> earlier) { earlier_ = std::move(earlier); }

    /// From where to where it is known; without pieces, nowhere.
    [[nodiscard]] bool empty() const { return pieces_.empty() && (!earlier_ || earlier_->empty()); }
    [[nodiscard]] bool given_up() const { return given_up_ || (earlier_ && earlier_->given_up()); }
    [[nodiscard]] double begin() const {
        return earlier_ && !earlier_->empty() ? earlier_->begin() : pieces_.front().begin;
    }
    [[nodiscard]] double end() const { return pieces_.empty() ? earlier_->end() : pieces_.back().end; }
    [[nodiscard]] bool covers(double t) const;
    [[nodiscard]] std::size_t own_pieces() const { return pieces_.size(); }
    [[nodiscard]] double end_of_piece(std::size_t k) const { return pieces_[k].end; }
    [[nodiscard]] const problem::ImplicitProblem& problem() const { return problem_; }
    [[nodiscard]] int outputs() const { return wanted_ ? static_cast<int>(wanted_->size()) : problem_.output_count(); }
    /// The model's variables at t, which is covered; behind an event that happens there. Any thread may ask.
    void evaluate(double t, std::vector<double>& y) const;

    /// Its own pieces as the steps that they were, one after another, with a problem and matrices of the caller's own.
    class Steps;

private:
    struct Piece {
        double begin, end;
        double h; ///< size of the method's step
        int points;
        int degree;                                      ///< of the polynomial, for ConsistentOutput
        std::size_t environment, links;                  ///< in force
        std::vector<double> values;                      ///< x, x' and integrals at each point
        std::unique_ptr<const integrate::KeptStep> kept; ///< in place of them
    };
    void sample(const integrate::Interpolant& interpolant, double from, double to, int points,
                std::vector<double>& values) const;
    void interpolate(const Piece& piece, double t, double* z) const;
    void keep_values(const integrate::AcceptedStep& step, Piece& piece);

    std::shared_ptr<const DenseSolution> earlier_;
    problem::ImplicitProblem problem_; ///< a copy, of which evaluations make theirs
    integrate::IntegrationOptions options_;
    mutable std::mutex mutex_;
    mutable std::unique_ptr<Steps> asked_; ///< for those who ask for single times
    std::size_t unknowns_, integrals_, most_, kept_ = 0;
    bool given_up_ = false;
    std::optional<std::vector<int>> wanted_;
    std::vector<Piece> pieces_;
    std::vector<problem::Environment> environments_;
    std::vector<std::vector<problem::Link>> links_;
    std::vector<double> direct_, interpolated_;
};

class DenseSolution::Steps {
public:
    explicit Steps(const DenseSolution& solution);
    [[nodiscard]] std::size_t size() const { return solution_.pieces_.size(); }
    /// Makes piece k the present one.
    void go_to(std::size_t k);
    [[nodiscard]] const integrate::Interpolant& interpolant() const { return *interpolant_; }
    [[nodiscard]] double end() const { return piece_->end; }
    [[nodiscard]] double h() const { return piece_->h; }
    /// Of the problem's quadratures.
    void integrals(double t, double* q);
    /// The worst of all points so far.
    [[nodiscard]] const integrate::DoubtfulPoint& doubtful() const { return consistent_.choice().worst(); }
    /// With environment and links of the present piece.
    [[nodiscard]] const problem::ImplicitProblem& problem() const { return problem_; }

private:
    class Values;

    const DenseSolution& solution_;
    problem::ImplicitProblem problem_;
    integrate::ConsistentOutput consistent_;
    const Piece* piece_ = nullptr;
    std::unique_ptr<integrate::ContinuousOutput> values_; ///< of pieces that are kept as values
    std::unique_ptr<integrate::StepReader> reader_;       ///< of those that the method kept
    std::optional<integrate::Interpolant> interpolant_;
    std::vector<double> z_; ///< x, x' and integrals
};

} // namespace daedalus::simulation
