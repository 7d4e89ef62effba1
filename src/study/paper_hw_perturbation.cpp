// HW Def. 1.3, W Def. 1.8: the perturbation index of the classes for which it is known, measured. Each system is solved
// with a defect δ_i(t) = ε t⁶ sin(ωt + i) in every equation; a deviation that grows like ω^{m-1} means that m - 1
// derivatives of δ reach the solution: perturbation index m. (The factor t⁶ lets the exact start stay consistent.) In
// an ordinary differential equation only the integral of δ is felt, which is smaller by 1/ω: index 0.
#include "study/product_run.hpp"
#include "study/reproduction.hpp"

#include <fmt/format.h>

namespace daedalus::study {

namespace {

struct Class {
    const char* name;
    const char* source;
    int stated;
    Problem problem;
    Vector x0, dx0;
};

/// N x' + x = c with one nilpotent block of size ν; solved by zero.
Problem nilpotent(int nu) {
    Problem p;
    p.size = nu;
    set_residual(p, [nu](auto, const auto* x, const auto* dx, auto* F) {
        for (int i = 0; i < nu; ++i) F[i] = i + 1 < nu ? x[i] + dx[i + 1] : x[i] + 0 * dx[i];
    });
    return p;
}

std::vector<Class> classes() {
    std::vector<Class> list;
    Problem ode;
    ode.size = 2;
    set_residual(ode, [](auto, const auto* x, const auto* dx, auto* F) {
        F[0] = dx[0] - x[1];
        F[1] = dx[1] + x[0] + x[0] * x[0] * x[0];
    });
    list.push_back({"ordinary differential equation", "W Def. 1.8", 0, ode, {1, 0}, {0, -2}});
    Problem one;
    one.size = 2;
    set_residual(one, [](auto, const auto* x, const auto* dx, auto* F) {
        F[0] = dx[0] + x[0] - x[1];
        F[1] = x[1] + x[1] * x[1] * x[1] - 2 * x[0];
    });
    // At y = z = 1 all is at rest.
    list.push_back({"semi-explicit, g_z regular", "HW (1.13), (1.27)", 1, one, {1, 1}, {0, 0}});
    Problem two; // on the unit circle, turned by 1 and held by z
    two.size = 3;
    set_residual(two, [](auto, const auto* x, const auto* dx, auto* F) {
        F[0] = dx[0] + x[1] - x[0] * x[2];
        F[1] = dx[1] - x[0] - x[1] * x[2];
        F[2] = x[0] * x[0] + x[1] * x[1] - 1;
    });
    two.exact = [](Real t, Real* x, Real* dx) {
        x[0] = std::cos(t), x[1] = std::sin(t), x[2] = 0;
        dx[0] = -x[1], dx[1] = x[0], dx[2] = 0;
    };
    two.groups = {{"x", 0, 2, 0}, {"y", 2, 1, 2}};
    list.push_back({"Hessenberg, g_y f_z regular", "HW (1.14), (1.30)", 2, two, {1, 0, 0}, {0, 1, 0}});
    Problem three; // a point on the unit circle with velocity 1, held by λ = 1
    three.size = 5;
    set_residual(three, [](auto, const auto* x, const auto* dx, auto* F) {
        F[0] = dx[0] - x[2];
        F[1] = dx[1] - x[3];
        F[2] = dx[2] + x[0] * x[4];
        F[3] = dx[3] + x[1] * x[4];
        F[4] = x[0] * x[0] + x[1] * x[1] - 1;
    });
    three.exact = [](Real t, Real* x, Real* dx) {
        x[0] = std::cos(t), x[1] = std::sin(t), x[2] = -x[1], x[3] = x[0], x[4] = 1;
        dx[0] = x[2], dx[1] = x[3], dx[2] = -x[0], dx[3] = -x[1], dx[4] = 0;
    };
    three.groups = {{"x", 0, 2, 0}, {"y", 2, 2, 2}, {"z", 4, 1, 3}};
    list.push_back(
        {"Hessenberg, g_y f_z k_u regular", "HW (1.15), W (1.17)", 3, three, {1, 0, 0, 1, 1}, {0, 1, -1, 0, 0}});
    for (int nu = 1; nu <= 4; ++nu)
        list.push_back({"linear, nilpotent block", "W section 1.3", nu, nilpotent(nu),
                        Vector(static_cast<std::size_t>(nu)), Vector(static_cast<std::size_t>(nu))});
    return list;
}

Problem perturbed(const Problem& p, Real eps, Real omega) {
    Problem q = p;
    const auto add = [n = p.size, eps, omega](auto t, auto* F) {
        using std::sin;
        using T = std::decay_t<decltype(t)>;
        for (int i = 0; i < n; ++i) F[i] = F[i] - T(eps) * t * t * t * t * t * t * sin(T(omega) * t + T(Real(i)));
    };
    q.residual = [=, inner = p.residual](Real t, const Real* x, const Real* dx, Real* F) {
        inner(t, x, dx, F);
        add(t, F);
    };
    q.dual_residual = [=, inner = p.dual_residual](Dual t, const Dual* x, const Dual* dx, Dual* F) {
        inner(t, x, dx, F);
        add(t, F);
    };
    return q;
}

} // namespace

Reproduction reproduce_hw_1_25() {
    Reproduction result;
    Judgement judgement;
    StudyTable table;
    table.caption =
        "Deviation under δ = ε t⁶ sin ωt, ε = 10⁻⁶, ω = 2π k with k = 10 … 80, by Radau IIA with 30 steps per period";
    table.columns = {{"class", "class", 0},
                     {"source", "source", 0},
                     {"exponent", "exponent of ω", 3},
                     {"perturbation_index", "perturbation index", 2},
                     {"printed", "stated", 2}};
    constexpr Real eps = 1e-6L;
    for (const Class& c : classes()) {
        std::vector<double> omegas, sizes;
        bool solved = true;
        for (const int periods : {10, 20, 40, 80}) { // whole ones: δ ends in the same phase
            const Real omega = 6.28318530717958647693L * periods;
            const Vector grid = equidistant(0, 1, 30 * periods);
            const StartValues start{{c.x0}, {c.dx0}};
            const DiscreteSolution plain = run_method(c.problem, "radau2a-3", grid, Variant::direct, start);
            const DiscreteSolution moved =
                run_method(perturbed(c.problem, eps, omega), "radau2a-3", grid, Variant::direct, start);
            solved = solved && plain.solved && moved.solved;
            Real largest = 0;
            for (std::size_t n = 0; n < moved.x.size() && n < plain.x.size(); ++n)
                for (std::size_t i = 0; i < moved.x[n].size(); ++i)
                    largest = std::max(largest, std::abs(moved.x[n][i] - plain.x[n][i]));
            omegas.push_back(double(omega));
            sizes.push_back(double(largest));
        }
        const double exponent = fitted_exponent(omegas, sizes);
        const int index = static_cast<int>(std::lround(exponent)) + 1;
        judgement.expect(solved && index == c.stated && std::abs(exponent - (c.stated - 1)) < 0.1,
                         fmt::format("{}: ω^{:.2f}, perturbation index {}", c.name, exponent, index));
        table.rows.push_back({std::string(c.name), std::string(c.source), exponent, double(index), double(c.stated)});
    }
    judgement.remark("For all of these the differentiation index is the same number; HW-1.31 and HW-1.32 show that it "
                     "need not be.");
    result.tables.push_back(std::move(table));
    judgement.write(result);
    return result;
}

} // namespace daedalus::study
