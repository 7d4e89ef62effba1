// The first zero of a root function inside an accepted step, located on its continuous output to round-off. Where a
// function comes near zero, algebraic unknowns are solved for from the states: between steps they are interpolated less
// well than those, and a zero that their equations do not have would be undone by them at the event. The same is done
// throughout a step where one look at them shows that the functions depend on more than the interpolant knows: no
// method controls the error of what only a condition depends on.
//
// A step is looked at in pieces that are halved until the functions are resolved (piecewise_look.hpp) or cannot vanish:
// two crossings between two looks are found as well. Where bounds of a function can be had, they and not the looks
// decide whether it can vanish between them (root_enclosure.hpp). Where they cannot, because a system of equations
// tells what it depends on, its slopes must fit the looks as well.
#pragma once

#include "integrate/error_norm.hpp"
#include "integrate/piecewise_look.hpp"
#include "integrate/root_enclosure.hpp"
#include "integrate/root_sides.hpp"
#include "integrate/root_values.hpp"

#include <utility>
#include <vector>

namespace daedalus::integrate {

class RootSearch {
public:
    /// `norm`: of the tolerance asked for.
    RootSearch(const problem::ImplicitProblem& problem, RootSides& sides, RootValues& values, ErrorNorm& norm)
        : problem_(problem), sides_(sides), values_(values), norm_(norm), enclosure_(problem) {}

    /// Values where the next step begins.
    [[nodiscard]] std::vector<double>& before() { return before_; }
    /// The first root in (begin, end] of a step, or false.
    [[nodiscard]] bool find(const Interpolant& step, LocatedRoots& located);
    /// A function that could not be resolved in some step; -1: none.
    [[nodiscard]] int unresolved() const { return unresolved_; }

private:
    /// A part of a step, with the functions' values at its points.
    struct Piece {
        double begin, end;
        int depth; ///< halvings
    };
    struct Sample {
        double t;
        std::vector<double> g;
    };
    [[nodiscard]] double interpolation_error(const Interpolant& step, double t);
    [[nodiscard]] bool slopes_agree(const Interpolant& step, double t);
    [[nodiscard]] bool interpolation_tells(const Interpolant& step);
    void begin_pieces(const Interpolant& step);
    void look(const Interpolant& step, const Piece& piece, bool exactly);
    void look_at_slopes(const Interpolant& step, const Piece& piece);
    [[nodiscard]] double slope_error(std::size_t root, const std::array<double, PiecewiseLook::points>& g) const;
    [[nodiscard]] PiecewiseLook::Verdict look_and_judge(const Interpolant& step, const Piece& piece, bool all_exactly);
    [[nodiscard]] PiecewiseLook::Verdict judge(const Interpolant& step, const Piece& piece, bool exactly);
    [[nodiscard]] std::pair<std::size_t, std::size_t> around(std::size_t root, const PiecewiseLook::Result& dip) const;
    void look_into_dip(const Interpolant& step, std::size_t root, const PiecewiseLook::Result& dip);
    void measure_noise(const Interpolant& step, double t);
    [[nodiscard]] static bool far_from_zero(const std::array<double, PiecewiseLook::points>& g);
    [[nodiscard]] bool crossed() const;
    [[nodiscard]] bool sides_are_sure() const;
    [[nodiscard]] bool pass_samples(const Interpolant& step, LocatedRoots& located, double& left);
    [[nodiscard]] bool pass(const Interpolant& step, const Sample& sample, LocatedRoots& located, double& left);
    [[nodiscard]] double locate(const Interpolant& step, std::size_t root, double a, double ga, double b, double gb);

    const problem::ImplicitProblem& problem_;
    RootSides& sides_;
    RootValues& values_;
    ErrorNorm& norm_;
    RootEnclosure enclosure_;
    std::vector<double> before_, g_, g_probe_, g_beside_, g_probe_beside_, x_probe_, dx_probe_;
    std::vector<Sample> samples_; ///< of the present piece, in the order of time
    std::vector<Sample> beside_;  ///< its inner points, a little later; empty: no function needs its slopes
    std::vector<Sample> dips_;    ///< between them
    std::vector<double> noise_;   ///< of the functions, where it was measured; empty: not yet in this step
    std::vector<int> helpless_;   ///< steps for which bounds of a function are not asked
    std::vector<double> off_;     ///< by how much interpolated unknowns may move the functions in this step
    std::vector<Piece> pieces_;   ///< still to be looked at, the next one last
    int looked_ = 0;              ///< pieces of this step, halved ones included
    bool only_bounds_ = false;    ///< nothing but bounds asks for smaller pieces
    double resolved_ = 0.0;       ///< length of the pieces that the last step had to be halved to; 0: none
    int doubted_ = 0;             ///< steps for which the interpolant is not asked
    int doubtful_ = -1;           ///< the function that is least resolved in the present piece
    int unresolved_ = -1;         ///< … and remained so
};

} // namespace daedalus::integrate
