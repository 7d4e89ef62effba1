// Consistent points that rounding moves.
//
// A consistent point has the errors of evaluating F times what (J + σ M)⁻¹ makes of them there (point_noise.hpp): next
// to nothing as a rule. Beside a time at which equations come near to losing rank that grows without bound, although
// the ends of the step, where the method solved them, lie at a distance. What is determined well on both sides of such
// a time determines the solution between: with the method's polynomial p and consistent points x(t_k) that rounding
// does not move, x − p is interpolated (Lagrange), where its error is smaller than what rounding makes of the point.
// Nodes left out tell that error.
//
// Where rounding is not why, the polynomial is off: by how much does the point inherit? It keeps what the polynomial
// says of the states, and equations may multiply that in what follows from them. With e, what the polynomial is off by
// (polynomial_error.hpp), the point is off by (J + σ M)⁻¹ σ M e. Where that is more than twice e, the consistent point
// nearest to the polynomial, in the metric of e, takes its place: it is off by twice e at most (nearest_point.hpp).
//
// Looking costs more than a point. It is done where a point lies further from the polynomial than `suspicious`
// tolerances and more than twice as far as the points of the run that were found to be well determined.
#pragma once

#include "integrate/doubtful_point.hpp"
#include "integrate/nearest_point.hpp"
#include "integrate/options.hpp"
#include "integrate/point_noise.hpp"
#include "integrate/polynomial_error.hpp"

#include <memory>
#include <vector>

namespace daedalus::integrate {

class PointChoice {
public:
    PointChoice(const problem::ImplicitProblem& problem, const IntegrationOptions& options);
    /// What the polynomial says at t, before the point is found from it.
    void begin(double t, const double* x, const double* dx);
    /// Whether the point found is so far from it that rounding may be why.
    [[nodiscard]] bool suspicious(const double* x) const;

    /// The step at hand; false: nothing is known of it yet.
    [[nodiscard]] bool knows_errors() const { return !errors_.empty(); }
    [[nodiscard]] bool known_step(double begin, double end) const { return begin == begin_ && end == end_; }
    void begin_step(double begin, double end);
    /// The consistent point at the time of the last begin(): what rounding makes of it, in tolerances.
    [[nodiscard]] double noise(double shift, const double* x, const double* dx);
    /// Whether the equations magnify errors of the polynomial at the point that noise() has looked at.
    [[nodiscard]] bool magnifies(double shift, const double* x);
    /// For that: what the polynomial of the step at hand is off by, from its values: evaluate(t, x).
    template <class Evaluate>
    void learn_errors(int degree, Evaluate&& evaluate) {
        std::vector<double> weights(x_.size());
        for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 1.0 / tolerance(i, std::abs(x_[i]));
        estimate_polynomial_error(begin_, end_, degree, weights, evaluate, errors_);
    }
    /// It becomes the consistent point nearest to the polynomial at the time of the last begin().
    void go_to_nearest(double shift, double* x, double* dx);
    /// It is right; others may go as far.
    void believe(const double* x);
    /// It becomes a node of this step. In the order of time.
    void add_node(double noise, const double* x, const double* dx);
    [[nodiscard]] bool has_nodes_of(double begin, double end) const { return looked_ && known_step(begin, end); }
    /// Replaces the point, at the time of the last begin(), by what the nodes of the step say, if that is better.
    void interpolate(double noise, double* x, double* dx);

    [[nodiscard]] const DoubtfulPoint& worst() const { return worst_; }
    void links_changed() {
        noise_.reset();
        nearest_.reset();
    }
    [[nodiscard]] const Counters& counters() const { return counters_; }

private:
    struct Node {
        double t, noise;
        std::vector<double> x, dx; ///< what the point differs by from the polynomial
    };
    struct Basis;
    [[nodiscard]] double tolerance(std::size_t i, double size) const;
    [[nodiscard]] double in_tolerances(const std::vector<double>& difference, const double* x, int* where) const;
    [[nodiscard]] double moved(const double* x, int* where = nullptr) const;
    void set_tolerances(const double* x);

    const problem::ImplicitProblem& problem_;
    const IntegrationOptions& options_;
    double t_ = 0.0, shift_ = 0.0;
    std::vector<double> x_, dx_;     ///< of the polynomial at t
    double begin_ = 0.0, end_ = 0.0; ///< of the step
    std::vector<Node> nodes_;        ///< of this step, in the order of time
    bool looked_ = false;            ///< for nodes
    double believed_ = 0.0;          ///< how far points moved that are well determined
    int noisiest_ = -1;              ///< the unknown that rounding moved most at the last point
    DoubtfulPoint worst_;
    std::vector<double> tolerances_; ///< at the point at hand
    std::vector<double> errors_;     ///< of the polynomial, in this step; empty: not known
    std::unique_ptr<PointNoise> noise_;
    std::unique_ptr<NearestPoint> nearest_;
    Counters counters_;
};

} // namespace daedalus::integrate
