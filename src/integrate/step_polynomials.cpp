#include "integrate/step_polynomials.hpp"

#include "integrate/run.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

bool StepPolynomials::sample(Run& run, const AcceptedStep& step, double t, std::vector<double>& into) {
    x_.resize(step.x.size());
    dx_.resize(step.x.size());
    into.resize(static_cast<std::size_t>(function_.size));
    if (t == step.t) {
        std::copy(step.x.begin(), step.x.end(), x_.begin());
        std::copy(step.dx.begin(), step.dx.end(), dx_.begin());
    } else {
        constexpr double part = 0.01; // of the tolerance
        step.interpolant.evaluate_consistent(t, x_.data(), dx_.data(), part * run.options.tolerance.relative);
    }
    return run.problem.evaluate(function_, t, x_.data(), dx_.data(), into.data()) == problem::EvalStatus::ok;
}

bool StepPolynomials::find(Run& run, const AcceptedStep& step, const Take& take) {
    constexpr int most_halvings = 6; // beyond that the function is not smooth, or rounding is all that is seen
    return find(run, step, {step.t_before, step.t, most_halvings}, take);
}

bool StepPolynomials::find(Run& run, const AcceptedStep& step, const Part& part, const Take& take) {
    std::array<std::vector<double>, PolynomialPiece::degree + 1> samples;
    for (int k = 0; k <= PolynomialPiece::degree; ++k)
        if (!sample(run, step, PolynomialPiece::node(part.begin, part.end, k), samples[static_cast<std::size_t>(k)]))
            return false;
    std::vector<PolynomialPiece> pieces;
    for (std::size_t q = 0; q < count_; ++q) {
        std::array<double, PolynomialPiece::degree + 1> values{};
        for (std::size_t k = 0; k < values.size(); ++k) values[k] = samples[k][q];
        pieces.push_back(PolynomialPiece::through(part.begin, part.end, values));
    }
    bool resolved = true;
    if (part.halvings >
        0) // between nodes, on either side of the middle, where the next polynomial is near its extremes
        for (const double s : {0.316, 0.776}) {
            std::vector<double> between;
            const double t = part.begin + s * (part.end - part.begin);
            if (!sample(run, step, t, between)) return false;
            constexpr double unseen = 0.1; // of the tolerance
            for (std::size_t q = 0; q < count_ && resolved; ++q)
                resolved = std::abs(pieces[q].at(t) - between[q]) <= unseen * tolerance_(q, std::abs(between[q]));
        }
    if (!resolved) {
        const double middle = 0.5 * (part.begin + part.end);
        return find(run, step, {part.begin, middle, part.halvings - 1}, take) &&
               find(run, step, {middle, part.end, part.halvings - 1}, take);
    }
    take(pieces);
    return true;
}

} // namespace daedalus::integrate
