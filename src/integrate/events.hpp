// Zeros of the problem's root functions inside an accepted step, located on its continuous output to round-off.
#pragma once

#include "integrate/options.hpp"
#include "integrate/stepper.hpp"

#include <vector>

namespace daedalus::integrate {

class RootFinder {
public:
    RootFinder(const problem::ImplicitProblem& problem, EventOptions options);

    [[nodiscard]] bool active() const { return options_.locate && problem_.roots.size > 0; }
    /// Signs at the start of the integration or after a restart. Functions that vanish there count from the side that
    /// the next step shows.
    void begin(double t, const double* x, const double* dx);
    /// The first root in (t_before, stepper.t()], or false. Fills time(), which() and direction().
    [[nodiscard]] bool find(const Stepper& stepper, double t_before);

    [[nodiscard]] double time() const { return time_; }
    [[nodiscard]] const std::vector<int>& which() const { return which_; }
    [[nodiscard]] const std::vector<int>& direction() const { return direction_; }

private:
    void evaluate(const Stepper& stepper, double t, std::vector<double>& g);
    [[nodiscard]] double locate(const Stepper& stepper, int root, double a, double ga, double b, double gb);

    const problem::ImplicitProblem& problem_;
    EventOptions options_;
    std::vector<double> x_, dx_, g_, g_probe_, g_before_;
    std::vector<int> sign_; ///< of each function up to now; 0: not yet known
    std::vector<int> which_, direction_;
    double time_ = 0.0;
};

} // namespace daedalus::integrate
