// Step size control: from error norms (1 = at tolerance) to the factor h_new / h.
//
//   elementary       safety ε^(-1/q)                                          HW (8.21)
//   predictive       min( elementary, safety (h_n/h_{n-1}) (ε_{n-1}/ε_n²)^(1/q) )  Gustafsson 1994; HW (8.25)
// where q is the order of the error estimate plus one.
#pragma once

namespace daedalus::integrate {

struct ControllerLimits {
    double safety = 0.9;
    double shrink = 0.2; ///< smallest factor
    double grow = 8.0;   ///< largest factor
};

class PredictiveController {
public:
    explicit PredictiveController(double exponent_order, ControllerLimits limits = {})
        : q_(exponent_order), limits_(limits) {}
    void reset() { previous_step_ = 0.0; }
    /// Elementary factor; `effort` < 1 lowers the safety for a costly Newton iteration (HW (8.21)).
    [[nodiscard]] double elementary(double error, double effort = 1.0) const;
    /// Factor after an accepted step of size h; `commit` afterwards.
    [[nodiscard]] double predict(double h, double error, double effort = 1.0) const;
    void commit(double h, double error);

private:
    double q_;
    ControllerLimits limits_;
    double previous_step_ = 0.0;
    double previous_error_ = 1.0;
};

} // namespace daedalus::integrate
