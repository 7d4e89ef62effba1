#include "study/reproduction.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::study {

namespace {

constexpr ReproductionEntry entries[] = {
    {"NC-5.1", "Errors of λ in the first steps of implicit Euler, point on a circle", "NC Table 5.1",
     "Exact initial values give λ an error of 2 in the first step; numerically consistent ones an error O(h).",
     reproduce_nc_5_1},
    {"NC-5.2", "The same for the general form p' = U(t, q)", "NC Table 5.2",
     "The correction works for any index-3 system of this form, with several multipliers.", reproduce_nc_5_2},
    {"MW-7.1", "Noise in a problem of index 1 that is nearly of index 2", "MW Example 7.1, Table 7.1",
     "The error of y grows like δ/h until h reaches ε, then it stays at δ/ε.", reproduce_mw_7_1},
    {"MW-7.2", "Noise in a problem of index 2", "MW Example 7.2, Table 7.2",
     "The error of y grows like δ/h without end: smaller steps make it worse.", reproduce_mw_7_2},
    {"MW-8.3", "The nearly index-2 problem, stabilised", "MW Example 8.1, Table 8.3",
     "One more multiplier per constraint, and y no longer feels 1/h.", reproduce_mw_8_3},
    {"MW-9.3", "CB = 0 but CAB ≠ 0", "MW Example 9.3", "The first regular C A^i B decides: the index is 3.",
     reproduce_mw_9_3},
    {"MW-9.4", "A nearly singular pencil", "MW Example 9.4",
     "All C A^i B vanish: stability constants grow like 1/ε and no stabilisation helps.", reproduce_mw_9_4},
    {"W-1.1", "A system of equations with a linear constraint, by the rank of D, CB and CAB",
     "W Example 1.1, MW section 9", "One pattern of matrices, three indices: W names the first, MW the other two.",
     reproduce_w_1_1},
    {"W-1.6", "A linear system of index 3 without freedom", "W Example 1.6",
     "The solution is made of the forcing and its derivatives; two constraints are hidden.", reproduce_w_1_6},
    {"W-T2.1", "How many steps BDF needs to forget wrong starting values", "W Theorem 2.1",
     "k-step BDF on index ν is accurate after (ν-1)k + 1 steps, whatever it was started with.",
     reproduce_w_theorem_2_1},
    {"W-2.2", "Implicit Euler after a change of step", "W Example 2.2 and section 2.1",
     "On index 3 a changed step leaves an error O(1) in x3; k-step BDF with variable steps has order k - ν + 2.",
     reproduce_w_2_2},
    {"HW-1.9", "Steering along a circle", "HW (1.9), Fig. 1.1",
     "A problem of index 2 lives on a hidden manifold, not on the whole cylinder.", reproduce_hw_1_9},
    {"HW-1.25", "The perturbation index of known classes", "HW Def. 1.3, (1.26)–(1.30); W Def. 1.8, section 1.3",
     "A defect ε sin ωt moves the solution by ε ω^{m-1}: m is the perturbation index.", reproduce_hw_1_25},
    {"HW-1.31", "Differentiation index 1, perturbation index 2", "HW (1.31)",
     "A perturbation ε sin ωt moves the solution by ε²ω: the two indices differ.", reproduce_hw_1_31},
    {"HW-1.32", "Differentiation index 1, perturbation index m", "HW (1.32)",
     "They can differ by any number: the response grows like ω^{m-1}.", reproduce_hw_1_32},
    {"S-47", "Campbell's counter-example of dimension 3", "S (47)",
     "The perturbation index is 3 where everybody believed in at most 2.", reproduce_s_47},
    {"HW-1.52", "Linear-quadratic optimal control as a DAE", "HW VII.1, Exercise 8",
     "Index 1 with a regular weight of the control, index 3 without.", reproduce_hw_1_52},
    {"HW-2.1", "Drift off the constraints", "HW Fig. 2.1, Theorem 2.1",
     "Integrated in its index-1 form, a pendulum leaves its velocity constraint linearly and its length quadratically.",
     reproduce_hw_2_1},
    {"HW-T2.1", "Drift of a method of constant step", "HW Theorem 2.1",
     "The drift of order-4 steps: like t² in positions and t in velocities, and like h⁴ in both.",
     reproduce_hw_theorem_2_1},
    {"HW-2.2", "Four ways to project", "HW Fig. 2.2, (2.10), (2.11)",
     "Projecting velocities is what counts: positions alone do not help, both are hardly better.", reproduce_hw_2_2},
    {"HW-2.3", "Projection onto the energy", "HW Fig. 2.3, (2.14), (2.15)",
     "Symplectic Euler keeps the torus of a perturbed Kepler problem; projected onto the energy it loses it.",
     reproduce_hw_2_3},
    {"S-27", "Half-explicit Euler", "S (27)",
     "Velocity constraints hold to round-off, positions drift in proportion to the step.", reproduce_s_27},
    {"W-4.3", "Regularised constraints", "W (4.3)–(4.5)",
     "Penalties, Knorrenschild's and Hanke's regularisation approach the motion at the rates ε, ε² and ε.",
     reproduce_w_4_3},
    {"S-8", "The differentiator circuit", "S (7), (8), Fig. 3",
     "A linear circuit that differentiates its input; by its pencil it is of index 2, which the source leaves open.",
     reproduce_s_8},
    {"S-29", "A differential-algebraic Riccati equation with two solutions", "S (29)",
     "Two codes disagreed and both were right: the equation has more than one solution.", reproduce_s_29},
    {"S-39", "Van der Pol's equation as a singular perturbation", "S (39)–(41)",
     "Off the jumps the solution approaches that of the reduced DAE at the rate ε.", reproduce_s_39},
    {"S-48", "A linear PDAE in one space dimension", "S (48)",
     "The grid decides the index: a mode of the difference operator may be of index 2 where its neighbours are not.",
     reproduce_s_48},
};

} // namespace

std::span<const ReproductionEntry> reproduction_table() { return entries; }

void Judgement::expect(bool holds, std::string remark) {
    agrees_ = agrees_ && holds;
    remarks_.push_back((holds ? "" : "DIFFERS: ") + std::move(remark));
}

void Judgement::write(Reproduction& result) const {
    result.verdict = agrees_ ? StudyVerdict::agrees : StudyVerdict::differs;
    result.remarks = remarks_;
}

bool same_digits(double ours, double printed, double unit) {
    return std::abs(std::round(ours / unit) - std::round(printed / unit)) < 0.5;
}

double fitted_exponent(const std::vector<double>& x, const std::vector<double>& y) {
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (!(x[i] > 0 && y[i] > 0)) continue;
        const double a = std::log(x[i]), b = std::log(y[i]);
        n += 1, sx += a, sy += b, sxx += a * a, sxy += a * b;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t m = values.size() / 2;
    return values.size() % 2 == 1 ? values[m] : (values[m - 1] + values[m]) / 2;
}

} // namespace daedalus::study
