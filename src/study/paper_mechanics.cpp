// Constrained mechanics. HW Theorem 2.1: drift of Runge–Kutta methods of constant step.  HW Fig. 2.2: four ways to
// project.  HW Fig. 2.3: projection onto the energy.  S (27): half-explicit Euler.  W (4.3)–(4.5): regularisations.
#include "study/dormand_prince.hpp"
#include "study/model_run.hpp"
#include "study/reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace daedalus::study {

namespace {

/// HW (2.1), from a position and velocity.
std::string pendulum(double x, double y, double u, double v) {
    return fmt::format("model Pendulum Real x(start = {}), y(start = {}, fixed = true), u(start = {}), "
                       "v(start = {}, fixed = true), lambda; equation der(x) = u; der(y) = v; der(u) = -x*lambda; "
                       "der(v) = -1 - y*lambda; x^2 + y^2 = 1; end Pendulum;",
                       x, y, u, v);
}

/// {x, y, u, v} at equidistant times up to `until`, to some ten digits.
ModelRun exact_pendulum(const std::string& model, double until, int points) {
    return run_model(model, {.until = until, .method = "radau", .rtol = 1e-12, .points = points});
}

double position_error(const ModelRun& a, const ModelRun& b, std::size_t i) {
    return std::max(std::abs(a["x"][i] - b["x"][i]), std::abs(a["y"][i] - b["y"][i]));
}

} // namespace

Reproduction reproduce_hw_theorem_2_1() {
    Reproduction result;
    Judgement judgement;
    StudyTable table;
    table.caption = "Runge–Kutta of order 4 with constant steps on the index-1 form of the pendulum";
    table.columns = {{"h", "h", 3}, {"t", "t", 3}, {"g", "|x² + y² − 1|", 4}, {"Gu", "|xu + yv|", 4}};
    StudyFigure figure{"Errors in the constraints, order 4", "t", "|error|", true, false, {}};
    std::array<std::array<double, 3>, 2> g{}, Gu{};
    const std::string model = pendulum(1, 0, 0, 0);
    for (std::size_t k = 0; k < 2; ++k) {
        const double h = k == 0 ? 0.05 : 0.025;
        const ModelRun run = run_model(
            model,
            {.until = 80, .method = "rk4", .reduction = Reduction::underlying_ode, .points = 0, .fixed_step = h});
        StudyFigure::Curve position{fmt::format("|g|, h = {}", h), {}, {}},
            velocity{fmt::format("|Gu|, h = {}", h), {}, {}};
        judgement.expect(run.solved, fmt::format("h = {}: {}", h, run.solved ? "solved" : run.message));
        double worst_g = 0, worst_Gu = 0;
        std::size_t row = 0;
        const auto& time = run.trajectory.time;
        for (std::size_t i = 0; i < time.size(); ++i) {
            const double x = run["x"][i], y = run["y"][i];
            worst_g = std::max(worst_g, std::abs(x * x + y * y - 1));
            worst_Gu = std::max(worst_Gu, std::abs(x * run["u"][i] + y * run["v"][i]));
            position.x.push_back(time[i]), position.y.push_back(worst_g);
            velocity.x.push_back(time[i]), velocity.y.push_back(worst_Gu);
            const double mark = 20.0 * static_cast<double>(1U << row);
            if (row < 3 && time[i] > mark - h / 2) {
                table.rows.push_back({h, mark, worst_g, worst_Gu});
                g[k][row] = worst_g, Gu[k][row++] = worst_Gu;
            }
        }
        figure.curves.push_back(std::move(position));
        figure.curves.push_back(std::move(velocity));
    }
    judgement.expect(std::abs(g[0][2] / g[0][1] - 4) < 0.2 && std::abs(g[0][1] / g[0][0] - 4) < 0.2,
                     fmt::format("twice the time, {:.2f} times the error of the length (t²)", g[0][2] / g[0][1]));
    judgement.expect(std::abs(Gu[0][2] / Gu[0][1] - 2) < 0.1,
                     fmt::format("and {:.2f} times that of the velocity constraint (t)", Gu[0][2] / Gu[0][1]));
    judgement.expect(std::abs(g[0][2] / g[1][2] - 16) < 0.5 && std::abs(Gu[0][2] / Gu[1][2] - 16) < 0.5,
                     fmt::format("half the step, 1/{:.1f} of both (h⁴)", g[0][2] / g[1][2]));
    result.tables.push_back(std::move(table));
    result.figures.push_back(std::move(figure));
    judgement.write(result);
    return result;
}

Reproduction reproduce_hw_2_2() {
    Reproduction result;
    Judgement judgement;
    const auto f = [](double, const double* w, double* dw) {
        const double r2 = w[0] * w[0] + w[1] * w[1];
        const double lambda = (w[2] * w[2] + w[3] * w[3] - w[1]) / r2;
        dw[0] = w[2], dw[1] = w[3], dw[2] = -w[0] * lambda, dw[3] = -1 - w[1] * lambda;
    };
    StudyTable table;
    table.caption = "Largest errors of DOPRI5, tolerances 10⁻⁶, up to t = 100";
    table.columns = {
        {"variant", "projection", 0}, {"position_error", "position", 3}, {"velocity_error", "velocity", 3}};
    StudyFigure position{"Error of the position", "t", "error", true, false, {}};
    StudyFigure velocity{"Error of the velocity", "t", "error", true, false, {}};
    std::array<double, 4> worst{};
    constexpr const char* variants[] = {"none", "position", "velocity", "both"};
    // The exact motion at the times of the steps: integrated along, a hundred thousand times as accurately.
    const auto exact_from = [&](double t0, double t1, std::vector<double>& w) {
        dormand_prince(f, w, t0, t1, 1e-13, 1e-13, [&](double, const std::vector<double>& y) { w = y; });
        const double r = std::hypot(w[0], w[1]);
        w[0] /= r, w[1] /= r;
    };
    for (std::size_t k = 0; k < 4; ++k) {
        // HW (2.10), (2.11) with M = I: along the rod.
        const auto project = [&](double, std::vector<double>& w) {
            if (k == 1 || k == 3) {
                const double r = std::hypot(w[0], w[1]);
                w[0] /= r, w[1] /= r;
            }
            if (k >= 2) {
                const double mu = (w[0] * w[2] + w[1] * w[3]) / (w[0] * w[0] + w[1] * w[1]);
                w[2] -= mu * w[0], w[3] -= mu * w[1];
            }
        };
        StudyFigure::Curve in_q{variants[k], {}, {}}, in_u{variants[k], {}, {}};
        std::vector<double> exact{1, 0, 0, 0};
        double t_exact = 0, worst_u = 0;
        const auto observe = [&](double t, const std::vector<double>& w) {
            exact_from(t_exact, t, exact);
            t_exact = t;
            const double q = std::max(std::abs(w[0] - exact[0]), std::abs(w[1] - exact[1]));
            const double u = std::max(std::abs(w[2] - exact[2]), std::abs(w[3] - exact[3]));
            worst[k] = std::max(worst[k], q), worst_u = std::max(worst_u, u);
            in_q.x.push_back(t), in_q.y.push_back(q);
            in_u.x.push_back(t), in_u.y.push_back(u);
        };
        const DormandPrinceReport report = dormand_prince(f, {1, 0, 0, 0}, 0, 100, 1e-6, 1e-6, observe, project);
        judgement.expect(report.reached_end, fmt::format("{}: {} steps", variants[k], report.accepted));
        table.rows.push_back({std::string(variants[k]), worst[k], worst_u});
        position.curves.push_back(std::move(in_q));
        velocity.curves.push_back(std::move(in_u));
    }
    judgement.expect(
        worst[1] >= worst[0],
        fmt::format("projecting positions only makes it worse: {:.2f} times the error", worst[1] / worst[0]));
    judgement.expect(worst[2] <= 1.2 * worst[3],
                     fmt::format("velocities only is as good as both: {:.2f} times the error", worst[2] / worst[3]));
    judgement.expect(worst[0] >= 10 * worst[3],
                     fmt::format("without projection the error is {:.0f} times as large", worst[0] / worst[3]));
    result.tables.push_back(std::move(table));
    result.figures = {std::move(position), std::move(velocity)};
    judgement.write(result);
    return result;
}

namespace {

/// HW (2.15): p, q of the perturbed Kepler problem.
struct Orbit {
    double q1, q2, p1, p2;
    [[nodiscard]] double energy() const {
        const double r = std::hypot(q1, q2);
        return (p1 * p1 + p2 * p2) / 2 - 1 / r - 0.005 / (r * r * r);
    }
    [[nodiscard]] double momentum() const { return q1 * p2 - q2 * p1; }
    void kick(double h) {
        const double r = std::hypot(q1, q2), factor = 1 / (r * r * r) + 0.015 / (r * r * r * r * r);
        p1 -= h * factor * q1, p2 -= h * factor * q2;
    }
    void drift(double h, double along1, double along2) { q1 += h * along1, q2 += h * along2; }
    /// Orthogonally onto H = h0, by Newton along the gradient.
    void project(double h0) {
        for (int iteration = 0; iteration < 5; ++iteration) {
            const double r = std::hypot(q1, q2), factor = 1 / (r * r * r) + 0.015 / (r * r * r * r * r);
            const double a = factor * q1, b = factor * q2;
            const double step = (h0 - energy()) / (a * a + b * b + p1 * p1 + p2 * p2);
            q1 += step * a, q2 += step * b, p1 += step * p1, p2 += step * p2;
        }
    }
};

} // namespace

Reproduction reproduce_hw_2_3() {
    Reproduction result;
    Judgement judgement;
    constexpr double h = 0.01;
    constexpr int steps = 20000;
    StudyTable table;
    table.caption = "Perturbed Kepler problem (2.15), h = 0.01, up to t = 200: largest changes of energy and momentum";
    table.columns = {{"method", "method", 0}, {"energy", "|ΔH|", 3}, {"momentum", "|ΔL|", 3}};
    const Orbit start{0.4, 0, 0, 2};
    const auto study = [&](const char* title, bool symplectic, bool projected) {
        StudyFigure figure{title, "q1", "q2", false, true, {{"orbit", {}, {}}}};
        Orbit w = start;
        double energy = 0, momentum = 0;
        for (int n = 0; n < steps; ++n) {
            const Orbit before = w;
            w.kick(h);
            w.drift(h, symplectic ? w.p1 : before.p1, symplectic ? w.p2 : before.p2);
            if (projected) w.project(start.energy());
            energy = std::max(energy, std::abs(w.energy() - start.energy()));
            momentum = std::max(momentum, std::abs(w.momentum() - start.momentum()));
            figure.curves[0].x.push_back(w.q1), figure.curves[0].y.push_back(w.q2);
        }
        table.rows.push_back({std::string(title), energy, momentum});
        result.figures.push_back(std::move(figure));
        return std::pair(energy, momentum);
    };
    const auto euler = study("explicit Euler", false, false);
    (void)study("explicit Euler, projected onto H", false, true);
    const auto symplectic = study("symplectic Euler", true, false);
    const auto projected = study("symplectic Euler, projected onto H", true, true);
    const ModelRun product = run_model(
        "model Kepler Real q1(start = 0.4, fixed = true), q2(start = 0, fixed = true), p1(start = 0, fixed = true), "
        "p2(start = 2, fixed = true); equation der(q1) = p1; der(q2) = p2; "
        "der(p1) = -q1/(q1^2+q2^2)^1.5 - 0.015*q1/(q1^2+q2^2)^2.5; "
        "der(p2) = -q2/(q1^2+q2^2)^1.5 - 0.015*q2/(q1^2+q2^2)^2.5; end Kepler;",
        {.until = 200, .method = "symplectic-euler", .points = 0, .fixed_step = h});
    double of_product = 0;
    for (std::size_t i = 0; i < product.trajectory.time.size(); ++i)
        of_product =
            std::max(of_product,
                     std::abs(Orbit{product["q1"][i], product["q2"][i], product["p1"][i], product["p2"][i]}.energy() -
                              start.energy()));
    judgement.expect(product.solved && std::abs(of_product - symplectic.first) < 1e-9,
                     fmt::format("`solve --method symplectic-euler` changes the energy by {:.3g} at most", of_product));
    judgement.expect(euler.first > 0.3, fmt::format("explicit Euler loses the energy: {:.2f}", euler.first));
    judgement.expect(symplectic.first < 1.5e-2 && symplectic.second < 1e-13,
                     fmt::format("symplectic Euler keeps it within {:.2g} and the momentum to round-off ({:.0e})",
                                 symplectic.first, symplectic.second));
    judgement.expect(
        projected.first < 1e-12 && projected.second > 0.05,
        fmt::format("projected onto the energy it loses the momentum, by {:.2g}: the torus is gone", projected.second));
    judgement.remark("Projecting what is shown and going on from what is not leaves the torus as it is.");
    result.tables.push_back(std::move(table));
    judgement.write(result);
    return result;
}

Reproduction reproduce_s_27() {
    Reproduction result;
    Judgement judgement;
    StudyTable table;
    table.caption = "Half-explicit Euler on the pendulum up to t = 10";
    table.columns = {
        {"tau", "τ", 4}, {"error", "error", 4}, {"velocity_constraint", "max |Gv|", 2}, {"drift", "g(T)/τ", 5}};
    const std::string model = pendulum(1, 0, 0, 0);
    const ModelRun exact = exact_pendulum(model, 10, 1);
    StudyFigure figure{"Drift of the length", "t", "x² + y² − 1", false, false, {}};
    std::vector<double> taus, errors;
    double last_drift = 0;
    for (double tau = 0.01; tau > 5e-4; tau /= 2) {
        const ModelRun run =
            run_model(model, {.until = 10, .method = "half-explicit-euler", .points = 0, .fixed_step = tau});
        double error = 0, tangential = 0;
        StudyFigure::Curve curve{fmt::format("τ = {}", tau), {}, {}};
        for (const char* name : {"x", "y", "u", "v"})
            error = std::max(error, std::abs(run.final(name) - exact.final(name)));
        for (std::size_t i = 0; i < run.trajectory.time.size(); ++i) {
            const double x = run["x"][i], y = run["y"][i];
            tangential = std::max(tangential, std::abs(x * run["u"][i] + y * run["v"][i]));
            curve.x.push_back(run.trajectory.time[i]), curve.y.push_back(x * x + y * y - 1);
        }
        last_drift = curve.y.back() / tau;
        judgement.expect(run.solved && tangential < 1e-14,
                         fmt::format("τ = {}: the velocity constraint holds to {:.0e}", tau, tangential));
        table.rows.push_back({tau, error, tangential, last_drift});
        taus.push_back(tau), errors.push_back(error);
        figure.curves.push_back(std::move(curve));
    }
    const double order = std::log2(errors[errors.size() - 2] / errors.back());
    judgement.expect(std::abs(order - 1) < 0.05, fmt::format("order {:.3f}", order));
    // d(|q|²)/dt of the scheme is τ |v|²: in the limit ∫ |v|² = 9.70834814 up to t = 10.
    judgement.expect(std::abs(last_drift - 9.708) < 0.05, fmt::format("the length drifts by {:.4g} τ", last_drift));
    result.tables.push_back(std::move(table));
    result.figures.push_back(std::move(figure));
    judgement.write(result);
    return result;
}

Reproduction reproduce_w_4_3() {
    Reproduction result;
    Judgement judgement;
    StudyTable table;
    table.caption = "Largest errors of the position on [0, 2], from (0.6, −0.8) with velocity (0.8, 0.6)";
    table.columns = {{"regularisation", "regularisation", 0}, {"epsilon", "ε", 3}, {"error", "error", 3}};
    StudyFigure figure{"Error against ε", "log10 ε", "error", true, false, {}};
    const std::string model = pendulum(0.6, -0.8, 0.8, 0.6);
    constexpr int points = 400;
    const ModelRun exact = exact_pendulum(model, 2, points);
    const std::pair<Reduction, std::array<double, 4>> kinds[] = {{Reduction::penalty, {1e-2, 1e-3, 1e-4, 1e-5}},
                                                                 {Reduction::knorrenschild, {0.1, 0.05, 0.025, 0.0125}},
                                                                 {Reduction::hanke, {0.1, 0.05, 0.025, 0.0125}}};
    for (const auto& [kind, epsilons] : kinds) {
        const std::string name(to_string(kind));
        StudyFigure::Curve curve{name, {}, {}};
        std::vector<double> errors;
        for (const double epsilon : epsilons) {
            const ModelRun run = run_model(
                model,
                {.until = 2, .method = "radau", .rtol = 1e-9, .reduction = kind, .epsilon = epsilon, .points = points});
            double error = 0;
            for (std::size_t i = 0; i < std::min(run.trajectory.points(), exact.trajectory.points()); ++i)
                error = std::max(error, position_error(run, exact, i));
            judgement.expect(run.solved, fmt::format("{} with ε = {}: {:.3g}", name, epsilon, error));
            errors.push_back(error);
            curve.x.push_back(std::log10(epsilon)), curve.y.push_back(error);
            table.rows.push_back({name, epsilon, error});
        }
        const double power = std::log(errors[2] / errors[3]) / std::log(epsilons[2] / epsilons[3]);
        const double expected = kind == Reduction::knorrenschild ? 2 : 1;
        judgement.expect(std::abs(power - expected) < 0.1,
                         fmt::format("{}: the error goes like ε^{:.2f}", name, power));
        figure.curves.push_back(std::move(curve));
    }
    judgement.remark("μ = ε in (4.4) and (4.5); (4.3) has κ = Φ_qᵀ Φ.");
    result.tables.push_back(std::move(table));
    result.figures.push_back(std::move(figure));
    judgement.write(result);
    return result;
}

} // namespace daedalus::study
