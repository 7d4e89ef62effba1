// A solution that can be evaluated at any time after the run: it owns its pieces and refers to nothing that is alive.
//
// Every accepted step is kept as values of the method's own polynomial at Chebyshev points, from which the barycentric
// formula (Berrut & Trefethen 2004) gives it back to round-off, whatever the method; as many points are taken as that
// needs. What is not integrated follows from the equations at the time asked for, as for output points, so that all
// constraints hold there. A piece remembers environment and states that its step had.
#pragma once

#include "integrate/consistent_output.hpp"
#include "integrate/observer.hpp"
#include "integrate/options.hpp"
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

    void add(const integrate::AcceptedStep& step, const problem::ImplicitProblem& run);

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
    [[nodiscard]] int outputs() const { return wanted_ ? static_cast<int>(wanted_->size()) : problem_.output_count(); }
    /// The model's variables at t, which is covered; behind an event that happens there. Any thread may ask.
    void evaluate(double t, std::vector<double>& y) const;

private:
    struct Piece {
        double begin, end;
        int points;
        int degree;                     ///< of the polynomial, for ConsistentOutput
        std::size_t environment, links; ///< in force
        std::vector<double> values;     ///< x, x' and integrals at each point
    };
    void sample(const integrate::Interpolant& interpolant, double from, double to, int points,
                std::vector<double>& values) const;
    void interpolate(const Piece& piece, double t, double* z) const;
    void switch_to(const Piece& piece) const;

    std::shared_ptr<const DenseSolution> earlier_;
    mutable std::mutex mutex_;
    mutable problem::ImplicitProblem problem_; ///< a copy for evaluations
    integrate::IntegrationOptions options_;
    mutable std::unique_ptr<integrate::ConsistentOutput> consistent_;
    mutable const Piece* current_ = nullptr; ///< whose environment and links are in force
    std::size_t unknowns_, integrals_, most_, kept_ = 0;
    int points_; ///< that the last piece needed
    bool given_up_ = false;
    std::optional<std::vector<int>> wanted_;
    std::vector<Piece> pieces_;
    std::vector<problem::Environment> environments_;
    std::vector<std::vector<problem::Link>> links_;
};

} // namespace daedalus::simulation
