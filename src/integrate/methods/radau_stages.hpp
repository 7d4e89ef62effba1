// How many stages the next step of a Radau method has. Where accuracy limits the step, the smaller the tolerance the
// more stages pay; where Newton limits it, fewer stages converge more easily. The tolerance says where to begin, and
// Newton's rate Θ decides from there on (Hairer & Wanner 1999, section 4): a rate near 0 while the step size is steady
// leaves room for more stages, a rate near 1 or repeated failures ask for fewer.
#pragma once

#include "integrate/stepper.hpp"

#include <array>

namespace daedalus::integrate {

class RadauStages {
public:
    /// Nine stages pay where solutions oscillate and Newton is easy: a third of the work on elastic mechanisms.
    static constexpr std::array<int, 4> family{3, 5, 7, 9};

    /// `linear`: one iteration solves the stages, however many.
    RadauStages(double rtol, bool linear);

    /// The method begins, with the number it has.
    void start();
    /// The next attempt has another number of stages; false: not a member of the family.
    bool begin_with(int stages);

    /// Positions in the family: of the steps at present, and of the next attempt.
    [[nodiscard]] int level() const { return level_; }
    [[nodiscard]] int wanted() const { return wanted_; }
    /// The next attempt is made with wanted().
    void change();
    void attempted(double h, const Attempt& attempt);
    /// The last attempt was accepted; Newton's rate was this.
    void accepted(double rate);

private:
    [[nodiscard]] bool rise_was_in_vain();

    const int preferred_;  ///< position that suits the tolerance
    const int first_rise_; ///< after so many steps
    int level_;
    int wanted_;
    int steps_ = 0;           ///< with this number
    int rise_after_;          ///< so many of them
    int failures_ = 0;        ///< of Newton, lately
    double error_ = 0;        ///< the last one estimated
    double step_ = 0;         ///< size of the last attempt
    double earlier_step_ = 0; ///< … some steps before
    bool steady_ = false;
    double way_ = 0.0;        ///< since the last look,
    double pace_ = 0.0;       ///< the mean step before it,
    double pace_below_ = 0.0; ///< and that with fewer stages, until the rise has been judged
};

} // namespace daedalus::integrate
