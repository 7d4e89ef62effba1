// What the stages of a Runge–Kutta step tell of a vector z(t) besides: values near stages to come, by polynomials
// through stages of this step and of the one before. Stages are less accurate than steps, and extrapolation less still:
// good for starting values of Newton's iteration.
#pragma once

#include <span>
#include <vector>

namespace daedalus::integrate {

class StageExtrapolation {
public:
    /// c of the stages; the first is 0, the last 1.
    explicit StageExtrapolation(std::span<const double> c);

    /// A step begins; ratio = h_before/h, 0: nothing is known of the step before.
    void begin(double ratio) { ratio_ = ratio; }
    /// z at stage i from the stages before it and those of the step before. Stage j of a step begins at z[j n].
    void predict(int i, std::span<const double> z, std::span<const double> z_before, std::size_t n,
                 double* result) const;
    /// z at θ ∈ [0, 1] of a complete step.
    void interpolate(double theta, std::span<const double> z, std::size_t n, double* result) const;
    /// z' at the end of a complete step of size h.
    void slope_at_end(std::span<const double> z, std::size_t n, double h, double* result) const;

private:
    struct Node {
        int stage;
        bool before; ///< of the step before
        double weight = 0.0;
    };
    /// With the ratio of steps that the weights are for.
    struct Nodes : std::vector<Node> {
        double ratio = -1.0;
    };
    [[nodiscard]] Nodes nearest(double target, int stages, bool with_before) const;
    void weigh(Nodes& nodes, double target) const;

    std::vector<double> c_;
    mutable std::vector<Nodes> with_history_, without_history_; ///< per stage, found when first asked for
    Nodes whole_;                                               ///< of interpolate()
    double ratio_ = 0.0;
};

} // namespace daedalus::integrate
