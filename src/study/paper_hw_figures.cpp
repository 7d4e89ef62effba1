// HW (1.9) with Fig. 1.1: steering along a circle.  HW Fig. 2.1: drift of the pendulum in its index-1 form.  S
// (39)–(41): van der Pol's equation and its reduced DAE.
#include "study/dormand_prince.hpp"
#include "study/product_run.hpp"
#include "study/reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace daedalus::study {

namespace {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();
constexpr double pi = 3.14159265358979323846;

/// An arrow as a stroke with a head, followed by a gap.
void add_arrow(StudyFigure::Curve& curve, double x, double y, double dx, double dy) {
    const double head = 0.25;
    const double hx = x + dx, hy = y + dy;
    for (const auto& [px, py] : {std::pair{x, y},
                                 {hx, hy},
                                 {hx - head * (dx - 0.6 * dy), hy - head * (dy + 0.6 * dx)},
                                 {hx, hy},
                                 {hx - head * (dx + 0.6 * dy), hy - head * (dy - 0.6 * dx)},
                                 {gap, gap}}) {
        curve.x.push_back(px);
        curve.y.push_back(py);
    }
}

/// z on the hidden manifold over the angle φ of y: (1.9c) is 1.05 sin 2φ + sin(φ + 2.5 z) = 0. NaN: no such z.
double hidden_z(double phi, bool upper, int period) {
    const double s = -1.05 * std::sin(2 * phi);
    if (std::abs(s) > 1) return gap;
    const double angle = upper ? pi - std::asin(s) : std::asin(s);
    return (angle - phi + 2 * pi * period) / 2.5;
}

} // namespace

Reproduction reproduce_hw_1_9() {
    Reproduction result;
    Judgement judgement;
    Problem p;
    p.size = 3;
    set_residual(p, [](auto, const auto* x, const auto* dx, auto* F) {
        using std::cos, std::sin;
        using T = std::decay_t<decltype(x[0] * x[0])>;
        const T angle = T(2.5L) * x[2];
        F[0] = dx[0] - T(0.7L) * x[1] - sin(angle);
        F[1] = dx[1] - T(1.4L) * x[0] - cos(angle);
        F[2] = x[0] * x[0] + x[1] * x[1] - T(1.0L);
    });
    p.algebraic = p.algebraic_rows = {2};
    const double phi0 = -0.5;
    const Real z0 = hidden_z(phi0, false, 0);
    const Vector start{std::cos(Real(phi0)), std::sin(Real(phi0)), z0};
    const Vector slope{0.7L * start[1] + std::sin(2.5L * z0), 1.4L * start[0] + std::cos(2.5L * z0), 0};
    const DiscreteSolution s =
        run_method(p, "radau2a-3", equidistant(0, 0.4L, 200), Variant::direct, {{start}, {slope}});
    StudyTable table;
    table.caption =
        "A solution by Radau IIA with 3 stages: distance from the circle and from the hidden manifold (1.9c)";
    table.columns = {{"t", "t", 3},
                     {"y1", "y1", 6},
                     {"y2", "y2", 6},
                     {"z", "z", 6},
                     {"circle", "y1² + y2² − 1", 2},
                     {"hidden", "y1 f1 + y2 f2", 2}};
    Real circle = 0, hidden = 0;
    StudyFigure::Curve path{"solution", {}, {}};
    const auto oblique = [](StudyFigure::Curve& curve, double phi,
                            double z) { // the cylinder seen from above and in front
        curve.x.push_back(std::cos(phi));
        curve.y.push_back(z + 0.35 * std::sin(phi));
    };
    for (std::size_t n = 0; n < s.t.size(); ++n) {
        const Vector& x = s.x[n];
        const Real g = x[0] * x[0] + x[1] * x[1] - 1;
        const Real h = x[0] * (0.7L * x[1] + std::sin(2.5L * x[2])) + x[1] * (1.4L * x[0] + std::cos(2.5L * x[2]));
        circle = std::max(circle, std::abs(g)), hidden = std::max(hidden, std::abs(h));
        oblique(path, std::atan2(double(x[1]), double(x[0])), double(x[2]));
        if (n % 40 == 0)
            table.rows.push_back({double(s.t[n]), double(x[0]), double(x[1]), double(x[2]), double(g), double(h)});
    }
    judgement.expect(s.solved && circle < 1e-15L,
                     fmt::format("the solution stays on the circle: {:.1e}", double(circle)));
    judgement.expect(hidden < 1e-6L,
                     fmt::format("and on the hidden manifold, which no equation mentions: {:.1e}", double(hidden)));
    judgement.remark("On the cylinder (1.9c) reads 1.05 sin 2φ + sin(φ + 2.5z) = 0: curves that turn back where "
                     "|1.05 sin 2φ| = 1; (1.10) fails at these folds, and solutions end there.");

    StudyFigure field{
        "The vector field: tangent to the circle only with z on the hidden manifold", "y1", "y2", false, true, {}};
    StudyFigure::Curve round{"constraint", {}, {}}, tangent{"on the manifold", {}, {}}, plane{"at a fixed z", {}, {}};
    for (int k = 0; k <= 200; ++k) {
        round.x.push_back(std::cos(2 * pi * k / 200));
        round.y.push_back(std::sin(2 * pi * k / 200));
    }
    for (int k = 0; k < 48; ++k) {
        const double phi = 2 * pi * k / 48, z = hidden_z(phi, false, 0), y1 = std::cos(phi), y2 = std::sin(phi);
        if (std::isfinite(z))
            add_arrow(tangent, y1, y2, 0.12 * (0.7 * y2 + std::sin(2.5 * z)), 0.12 * (1.4 * y1 + std::cos(2.5 * z)));
    }
    for (int i = -6; i <= 6; ++i)
        for (int j = -6; j <= 6; ++j) {
            const double y1 = 0.25 * i, y2 = 0.25 * j, z = double(z0);
            add_arrow(plane, y1, y2, 0.08 * (0.7 * y2 + std::sin(2.5 * z)), 0.08 * (1.4 * y1 + std::cos(2.5 * z)));
        }
    field.curves = {round, tangent, plane};

    StudyFigure manifold{"The hidden manifold on the cylinder", "y1 (y2 drawn obliquely)", "z", false, false, {}};
    StudyFigure::Curve rims{"cylinder", {}, {}}, curves{"hidden manifold", {}, {}};
    for (const double z : {-1.5, 1.5}) {
        for (int k = 0; k <= 100; ++k) oblique(rims, 2 * pi * k / 100, z);
        rims.x.push_back(gap), rims.y.push_back(gap);
    }
    for (const double phi : {0.0, pi}) {
        oblique(rims, phi, -1.5), oblique(rims, phi, 1.5);
        rims.x.push_back(gap), rims.y.push_back(gap);
    }
    // Over the four arcs where |1.05 sin 2φ| ≤ 1 the curve runs forth on one branch of the arcsine and back on the
    // next, with points crowded at the folds.
    const double half_width = std::asin(1 / 1.05) / 2;
    constexpr int points = 80;
    for (int period = -2; period <= 5; ++period)
        for (int arc = 0; arc < 4; ++arc) {
            for (int k = 0; k <= 2 * points; ++k) {
                const double phi = arc * pi / 2 - half_width * std::cos(pi * k / points);
                const double sine = std::clamp(-1.05 * std::sin(2 * phi), -1.0, 1.0);
                const double angle = k <= points ? std::asin(sine) : (arc % 2 == 0 ? -pi : pi) - std::asin(sine);
                const double z = (angle - phi + 2 * pi * period) / 2.5;
                if (std::abs(z) <= 1.5)
                    oblique(curves, phi, z);
                else
                    curves.x.push_back(gap), curves.y.push_back(gap);
            }
            curves.x.push_back(gap), curves.y.push_back(gap);
        }
    manifold.curves = {curves, path, rims};
    result.tables.push_back(std::move(table));
    result.figures = {std::move(field), std::move(manifold)};
    judgement.write(result);
    return result;
}

Reproduction reproduce_hw_2_1() {
    Reproduction result;
    Judgement judgement;
    // x'' = -xλ, y'' = -yλ - 1, λ from (2.3), released from rest at (1, 0).
    const auto f = [](double, const double* w, double* dw) {
        const double r2 = w[0] * w[0] + w[1] * w[1];
        const double lambda = (w[2] * w[2] + w[3] * w[3] - w[1]) / r2;
        dw[0] = w[2], dw[1] = w[3], dw[2] = -w[0] * lambda, dw[3] = -1 - w[1] * lambda;
    };
    StudyFigure figure{"Errors in the constraints, DOPRI5 with tolerances 10⁻⁶", "t", "|error|", false, false,
                       {{"|x² + y² − 1|", {}, {}}, {"|xu + yv|", {}, {}}}};
    StudyTable table;
    table.caption = "Largest error so far in the two constraints";
    table.columns = {{"t", "t", 4}, {"position", "|x² + y² − 1|", 3}, {"velocity", "|xu + yv|", 3}};
    double worst_g = 0, worst_Gu = 0;
    std::vector<double> times, g_envelope, Gu_envelope;
    const DormandPrinceReport report =
        dormand_prince(f, {1, 0, 0, 0}, 0, 100, 1e-6, 1e-6, [&](double t, const std::vector<double>& w) {
            const double g = std::abs(w[0] * w[0] + w[1] * w[1] - 1), Gu = std::abs(w[0] * w[2] + w[1] * w[3]);
            worst_g = std::max(worst_g, g), worst_Gu = std::max(worst_Gu, Gu);
            figure.curves[0].x.push_back(t), figure.curves[0].y.push_back(g);
            figure.curves[1].x.push_back(t), figure.curves[1].y.push_back(Gu);
            if (table.rows.size() < 10 && t >= 10.0 * double(table.rows.size() + 1))
                table.rows.push_back({t, worst_g, worst_Gu});
            if (t < 10) return;
            times.push_back(t), g_envelope.push_back(worst_g), Gu_envelope.push_back(worst_Gu);
        });
    const double power_g = fitted_exponent(times, g_envelope), power_Gu = fitted_exponent(times, Gu_envelope);
    judgement.expect(report.reached_end, fmt::format("{} steps, {} rejected", report.accepted, report.rejected));
    judgement.expect(std::abs(power_g - 2) < 0.3,
                     fmt::format("the length drifts like t^{:.2f} (Theorem 2.1: t²)", power_g));
    judgement.expect(std::abs(power_Gu - 1) < 0.3,
                     fmt::format("the velocity constraint like t^{:.2f} (Theorem 2.1: t)", power_Gu));
    result.tables.push_back(std::move(table));
    result.figures.push_back(std::move(figure));
    judgement.write(result);
    return result;
}

Reproduction reproduce_s_39() {
    Reproduction result;
    Judgement judgement;
    // ε q'' + (q² - 1) q' + q = 0 with p = ε q' + q³/3 - q:  p' = -q, ε q' = p - q³/3 + q; reduced: 0 = p - q³/3 + q.
    const auto problem = [](Real eps) {
        Problem p;
        p.size = 2;
        set_residual(p, [eps](auto, const auto* x, const auto* dx, auto* F) {
            using T = std::decay_t<decltype(x[0] * x[0])>;
            F[0] = dx[0] + x[1];
            F[1] = x[0] - x[1] * x[1] * x[1] / T(3.0L) + x[1] - T(eps) * dx[1];
        });
        return p;
    };
    const Vector grid = equidistant(0, 0.5L, 200);
    // From q = 2 on the slow manifold; the fold q = 1 is reached at log 2 - … = 0.807.
    const Vector start{8.0L / 3 - 2, 2};
    const DiscreteSolution reduced =
        run_method(problem(0), "radau2a-3", grid, Variant::direct, {{start}, {{-2, -2.0L / 3}}});
    StudyTable table;
    table.caption = "Distance of q from the reduced solution on [0.25, 0.5]";
    table.columns = {{"epsilon", "ε", 2}, {"distance", "max |q − q0|", 4}};
    std::vector<double> epsilons, distances;
    for (const Real eps : {1e-2L, 1e-3L, 1e-4L, 1e-5L}) {
        const DiscreteSolution s =
            run_method(problem(eps), "radau2a-3", grid, Variant::direct, {{start}, {{-2, -2.0L / 3}}});
        Real distance = 0;
        for (std::size_t n = grid.size() / 2; n < s.t.size(); ++n)
            distance = std::max(distance, std::abs(s.x[n][1] - reduced.x[n][1]));
        epsilons.push_back(double(eps)), distances.push_back(double(distance));
        table.rows.push_back({double(eps), double(distance)});
        judgement.expect(s.solved, fmt::format("ε = {:g} solved", double(eps)));
    }
    const double power = fitted_exponent(epsilons, distances);
    judgement.expect(std::abs(power - 1) < 0.1, fmt::format("the distance goes to zero like ε^{:.3f}", power));
    // The reduced equation is separable: log q - q²/2 falls with slope… q' (q² - 1) = -q gives log q - q²/2 = t +
    // const.
    const double q = double(reduced.x.back()[1]);
    const double defect = std::log(q) - q * q / 2 - (std::log(2.0) - 2) - 0.5;
    judgement.expect(std::abs(defect) < 1e-10,
                     fmt::format("reduced DAE: log q − q²/2 = t + const holds to {:.1e}", std::abs(defect)));
    result.tables.push_back(std::move(table));
    judgement.write(result);
    return result;
}

} // namespace daedalus::study
