// Times that a run reaches exactly: those that were asked for, discontinuities of F in time, known instants that the
// problem finds on its way, and the end.
#pragma once

#include "integrate/feature_limits.hpp"
#include "integrate/interval.hpp"
#include "integrate/options.hpp"
#include "problem/implicit_problem.hpp"

#include <array>
#include <limits>
#include <vector>

namespace daedalus::integrate {

struct Stop {
    double t;
    bool discontinuity; ///< F jumps or changes its branches there: the method begins anew behind it
};

class Stops {
public:
    Stops(const problem::ImplicitProblem& problem, const IntegrationOptions& options, const Interval& interval);

    /// The next one from the list, or what the problem has found, or the end.
    [[nodiscard]] Stop next() const;
    /// A further stop, if it lies between t and the end of the run.
    void add(double t_stop, double t);
    /// No step is longer than what either asks for, until its next call.
    enum class Asks : std::size_t { delays, transports, count };
    void limit(Asks who, double longest) { longest_[static_cast<std::size_t>(who)] = longest; }
    /// Asks the problem for its first instant behind t.
    void look_ahead(double t);

    /// The step of size h from t, shortened where known functions of time vary fast, and cut or stretched so that stops
    /// are hit exactly, without a tiny last step.
    struct Target {
        double h, t;
    };
    [[nodiscard]] Target aim(double t, double h) const;
    /// Whether a step to t has come to the stop.
    [[nodiscard]] bool reached(const Stop& stop, double t) const;
    /// The stop is behind.
    void pass(const Stop& stop);
    /// All stops up to t are behind.
    void skip_to(double t);

private:
    const problem::ImplicitProblem& problem_;
    Interval interval_;
    bool fixed_step_;
    std::vector<Stop> list_; ///< in the order of time
    std::size_t at_ = 0;     ///< the next one of the list
    problem::Instant instant_;
    FeatureLimits features_;
    std::array<double, static_cast<std::size_t>(Asks::count)> longest_{std::numeric_limits<double>::infinity(),
                                                                       std::numeric_limits<double>::infinity()};
};

} // namespace daedalus::integrate
