#include "integrate/tableau/rosenbrock.hpp"

#include "integrate/tableau/rosenbrock_data.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <span>

namespace daedalus::tableau {

namespace {

using namespace rosenbrock_data;

std::vector<double> lower_triangle(std::span<const double> rows, int s) {
    std::vector<double> full(static_cast<std::size_t>(s) * s, 0.0);
    std::size_t k = 0;
    for (int i = 1; i < s; ++i)
        for (int j = 0; j < i; ++j) full[i * s + j] = rows[k++];
    return full;
}

/// Rows of `slope` and `rho`: from k_i = u_i/γ - Σ c_ij u_j = h (Z_i + w_i), Z_i = z_n + Σ a_ij w_j.
void find_slopes(Rosenbrock& m) {
    const int s = m.stages;
    std::vector<double> w(static_cast<std::size_t>(s) * s, 0.0), w_old(s, 0.0); // w_i = w_old_i z_n + Σ w_ij u_j / h
    m.slope.assign(static_cast<std::size_t>(s + 1) * s, 0.0);
    m.rho.assign(s + 1, 1.0);
    for (int i = 0; i <= s; ++i) {
        for (int k = 0; k < std::min(i, s); ++k) {
            const double weight = i < s ? m.a[i * s + k] : m.b[k];
            m.rho[i] += weight * w_old[k];
            for (int j = 0; j <= k; ++j) m.slope[i * s + j] += weight * w[k * s + j];
        }
        if (i == s) break;
        w_old[i] = -m.rho[i];
        w[i * s + i] = 1.0 / m.gamma;
        for (int j = 0; j < i; ++j) w[i * s + j] = -m.c[i * s + j] - m.slope[i * s + j];
    }
}

/// The solution is that of stage `essential` plus u_essential, which is also the error of the embedded method.
Rosenbrock assemble(int order, int stages, int essential, double gamma, std::span<const double> a,
                    std::span<const double> c, std::span<const double> alpha, std::span<const double> d,
                    std::span<const double> dense) {
    Rosenbrock m;
    m.order = order;
    m.stages = stages;
    m.essential = essential;
    m.gamma = gamma;
    m.a = lower_triangle(a, stages);
    m.c = lower_triangle(c, stages);
    m.alpha.assign(alpha.begin(), alpha.end());
    m.d.assign(d.begin(), d.end());
    m.b.assign(stages, 0.0);
    m.error.assign(stages, 0.0);
    for (int j = 0; j + 1 < essential; ++j) m.b[j] = m.a[(essential - 1) * stages + j];
    m.b[essential - 1] = 1.0;
    m.error[essential - 1] = 1.0;
    m.dense.assign(dense.begin(), dense.end());
    m.dense_rows = static_cast<int>(dense.size()) / stages;
    return m;
}

} // namespace

Rosenbrock make_rosenbrock(RosenbrockName name) {
    Rosenbrock m;
    switch (name) {
    case RosenbrockName::rodas3:
        m = assemble(3, 4, 4, 0.5, rodas3_a, rodas3_c, rodas3_alpha, rodas3_d, rodas3_dense);
        break;
    case RosenbrockName::rodas4:
        m = assemble(4, 6, 6, 0.25, rodas4_a, rodas4_c, rodas4_alpha, rodas4_d, rodas4_dense);
        break;
    case RosenbrockName::rodas4p:
        m = assemble(4, 6, 6, 0.25, rodas4p_a, rodas4p_c, rodas4p_alpha, rodas4p_d, rodas4p_dense);
        break;
    case RosenbrockName::rodas5p:
        m = assemble(5, 8, 8, 0.21193756319429014, rodas5p_a, rodas5p_c, rodas5p_alpha, rodas5p_d, rodas5p_dense);
        break;
    case RosenbrockName::rodas6p:
        m = assemble(6, 19, 16, 0.26, rodas6p_a, rodas6p_c, rodas6p_alpha, rodas6p_d, rodas6p_dense);
        break;
    }
    assert(m.stages > 0);
    find_slopes(m);
    return m;
}

} // namespace daedalus::tableau
