// Systems whose indices are known because they were made of Kronecker forms: by constant, time-varying and nonlinear
// changes of equations and unknowns. Every index that `analyze` states must be the right one; where it states none, it
// says why.
#include "daedalus/analysis.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace daedalus {
namespace {

struct Form {
    int finite;              ///< dimension of the ordinary differential equation
    std::vector<int> blocks; ///< sizes of the nilpotent blocks
    [[nodiscard]] int size() const { return std::accumulate(blocks.begin(), blocks.end(), finite); }
    [[nodiscard]] int index() const { return blocks.empty() ? 0 : *std::max_element(blocks.begin(), blocks.end()); }
};

using Row = std::vector<Expression>;

// z' = C z + forcing, N w' + w = forcing with unknowns z, w given as expressions.
std::vector<Expression> canonical(const Form& form, const Row& z, const Expression& t) {
    std::vector<Expression> residual;
    for (int i = 0; i < form.finite; ++i)
        residual.push_back(der(z[std::size_t(i)]) + (1.0 + 0.3 * i) * z[std::size_t(i)] -
                           0.5 * z[std::size_t((i + 1) % form.finite)] - sin(t + i));
    std::size_t at = std::size_t(form.finite);
    for (const int size : form.blocks) {
        for (int k = 0; k < size; ++k) {
            Expression r = z[at + std::size_t(k)] - sin((1.0 + 0.2 * k) * t + 0.4 * double(at));
            if (k + 1 < size) r += der(z[at + std::size_t(k) + 1]);
            residual.push_back(r);
        }
        at += std::size_t(size);
    }
    return residual;
}

// Equations mixed: row i plus multiples of others; factors(i, j) for i ≠ j, applied one after the other (unimodular).
template <class Factors>
void mix(std::vector<Expression>& rows, const Factors& factors) {
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < rows.size(); ++j)
            if (i != j) rows[i] += factors(i, j) * rows[j];
}

void expect_right(const Model& m, const Form& form, const std::string& what) {
    SolveOptions options;
    options.until = 1.0;
    AnalyzeOptions quick;
    quick.measure = false;
    quick.along_solution = false;
    const auto a = analyze(m, options, quick);
    ASSERT_TRUE(a) << what << a.error().front().message;
    const int nu = form.index();
    const auto right = [&](const IndexFinding& f, int expected, const char* name) {
        if (f.value)
            EXPECT_EQ(*f.value, expected) << what << ": " << name << ": " << f.reason << "\n" << m.to_modelica();
        else
            EXPECT_FALSE(f.reason.empty()) << what << ": " << name;
    };
    EXPECT_EQ(a->differentiation_index.value, nu) << what << a->differentiation_index.reason << m.to_modelica();
    right(a->strangeness_index, std::max(0, nu - 1), "strangeness");
    right(a->tractability_index, nu, "tractability");
    right(a->perturbation_index, nu, "perturbation");
    if (a->array_degrees_of_freedom) EXPECT_EQ(*a->array_degrees_of_freedom, form.finite) << what;
}

const std::vector<Form> forms{{1, {1}},       {2, {}},     {0, {3}},    {2, {2}}, {1, {3}},    {2, {1, 2}},
                              {0, {2, 2, 1}}, {3, {1, 1}}, {1, {4, 1}}, {0, {5}}, {2, {3, 2}}, {0, {1, 1, 1}}};

TEST(IndexZoo, ConstantCoefficients) {
    std::mt19937 random(7);
    std::uniform_int_distribution<int> small(-1, 1);
    for (std::size_t f = 0; f < forms.size(); ++f) {
        const Form& form = forms[f];
        Model m("Constant");
        Row x, z;
        for (int i = 0; i < form.size(); ++i) x.push_back(m.variable("x" + std::to_string(i + 1)));
        z = x;
        mix(z, [&](auto, auto) { return Expression(small(random)); });
        std::vector<Expression> rows = canonical(form, z, m.time());
        mix(rows, [&](auto, auto) { return Expression(small(random)); });
        for (const Expression& r : rows) m.equation(r == Expression(0.0));
        expect_right(m, form, "constant " + std::to_string(f));
    }
}

TEST(IndexZoo, TimeVaryingCoefficients) {
    for (std::size_t f = 0; f < forms.size(); ++f) {
        const Form& form = forms[f];
        if (form.size() > 4) continue;
        Model m("Varying");
        const Expression t = m.time();
        Row x;
        for (int i = 0; i < form.size(); ++i) x.push_back(m.variable("x" + std::to_string(i + 1)));
        Row z = x;
        mix(z, [&](std::size_t i, std::size_t j) { return i < j ? 0.5 * sin(t + double(i)) : Expression(0.0); });
        std::vector<Expression> rows = canonical(form, z, t);
        mix(rows, [&](std::size_t i, std::size_t j) { return i > j ? cos(t * double(j + 1)) : Expression(0.0); });
        for (const Expression& r : rows) m.equation(r == Expression(0.0));
        expect_right(m, form, "time-varying " + std::to_string(f));
    }
}

TEST(IndexZoo, NonlinearChangesOfUnknowns) {
    for (std::size_t f = 0; f < forms.size(); ++f) {
        const Form& form = forms[f];
        if (form.size() > 4) continue;
        Model m("Nonlinear");
        const Expression t = m.time();
        Row x;
        for (int i = 0; i < form.size(); ++i) x.push_back(m.variable("x" + std::to_string(i + 1)));
        Row z = x; // invertible: z_i = x_i + 0.2 x_j² with j > i only
        for (std::size_t i = 0; i + 1 < z.size(); ++i) z[i] += 0.2 * x[i + 1] * x[i + 1];
        std::vector<Expression> rows = canonical(form, z, t);
        mix(rows, [&](std::size_t i, std::size_t j) { return i > j ? 0.3 * x[j] : Expression(0.0); });
        for (const Expression& r : rows) m.equation(r == Expression(0.0));
        expect_right(m, form, "nonlinear " + std::to_string(f));
    }
}

} // namespace
} // namespace daedalus
