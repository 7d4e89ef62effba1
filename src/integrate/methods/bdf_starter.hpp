// BDF on unknowns of index 3 and more, which it cannot start itself: at order 1, and after every change of the step
// size at low order, their errors are O(1) (W Ex. 2.2; NC section 3), and where they enter nonlinearly Newton is then
// led to another solution. So the first points come from equal steps of Radau IIA, and the method begins at the order
// that they allow; it does so again when its history misleads it.
#pragma once

#include "integrate/methods/bdf.hpp"

namespace daedalus::integrate {

class BdfStarter final : public Stepper {
public:
    BdfStarter(const problem::ImplicitProblem& problem, const IntegrationOptions& options);

    void start(double t, std::span<const double> x, std::span<const double> dx, double h) override;
    [[nodiscard]] MethodMemory remember(double t) const override {
        return last_by_one_step_ ? MethodMemory{} : multistep_->remember(t);
    }
    void go_on(double t, std::span<const double> x, std::span<const double> dx, double h,
               const MethodMemory& memory) override;
    [[nodiscard]] Attempt attempt(double h, double t_new) override;
    bool proposal(double* x) const override { return present().proposal(x); }
    void accept() override;
    void correct(std::span<const double> x, std::span<const double> dx) override;
    [[nodiscard]] double t() const override { return present().t(); }
    [[nodiscard]] std::span<const double> x() const override { return present().x(); }
    [[nodiscard]] std::span<const double> dx() const override { return present().dx(); }
    [[nodiscard]] int order() const override { return last().order(); }
    void interpolate(double time, double* x, double* dx) const override { last().interpolate(time, x, dx); }
    void links_changed() override;
    [[nodiscard]] const double* latest_jacobian() const override { return present().latest_jacobian(); }
    [[nodiscard]] Trial trial() const override { return present().trial(); }
    [[nodiscard]] std::string linear_solver() const override { return multistep_->linear_solver(); }
    [[nodiscard]] std::span<const NoiseFloor> noise() const override { return multistep_->noise(); }

private:
    void remember();
    void count();
    [[nodiscard]] Stepper& present() const { return starting_ ? *one_step_ : *multistep_; }
    [[nodiscard]] const Stepper& last() const { return last_by_one_step_ ? *one_step_ : *multistep_; }

    std::size_t n_;
    std::size_t steps_; ///< by Radau; also the order of the first step by BDF
    std::unique_ptr<Stepper> one_step_;
    std::unique_ptr<MultistepStepper> multistep_;
    bool starting_ = true;
    bool last_by_one_step_ = true; ///< the last accepted step, whose interpolant is asked for
    int failures_ = 0;             ///< of BDF in a row
    double h_attempt_ = 0.0;
    std::vector<double> times_, values_; ///< the present first
};

} // namespace daedalus::integrate
