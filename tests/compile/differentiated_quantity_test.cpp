// The facet of differentiated quantities as models offer it: with the chain rule G is F, bit for bit or to round-off,
// on F's pattern, and its matrix is what differences say.
#include "compile/compile.hpp"
#include "compile/renumber.hpp"
#include "modelica/read_modelica.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace daedalus;

namespace {

compile::CompiledModel compiled(const std::string& text, Reduction reduce = Reduction::automatic) {
    auto m = modelica::read_modelica(std::make_shared<SourceFile>("text.mo", text));
    EXPECT_TRUE(m);
    compile::CompileOptions options;
    options.reduce = reduce;
    options.inline_definitions = true;
    auto c = compile::compile(std::make_shared<const model::Model>(*std::move(m)), options);
    EXPECT_TRUE(c);
    return *std::move(c);
}

struct Point {
    double t = 0;
    std::vector<double> x, dx, q, dq, r, g, jx, jdx;
};

class Facet {
public:
    explicit Facet(const problem::ImplicitProblem& p)
        : p_(p), n_(static_cast<std::size_t>(p.size())), m_(static_cast<std::size_t>(p.quantity().size)) {}

    Point random_point() {
        std::uniform_real_distribution<double> uniform(0.2, 1.5);
        Point at{uniform(random_),
                 std::vector<double>(n_),
                 std::vector<double>(n_),
                 std::vector<double>(m_),
                 std::vector<double>(m_),
                 std::vector<double>(n_),
                 std::vector<double>(n_),
                 {},
                 {}};
        for (double& v : at.x) v = uniform(random_);
        for (double& v : at.dx) v = uniform(random_) - 0.8;
        at.jx.resize(static_cast<std::size_t>(p_.pattern().nonzeros()));
        at.jdx = at.jx;
        return at;
    }
    /// F and G with the chain rule.
    void expect_equal_residuals(Point& at) {
        ASSERT_EQ(p_.quantity_slope(at.t, at.x.data(), at.dx.data(), at.dq.data()), problem::EvalStatus::ok);
        ASSERT_EQ(p_.residual(at.t, at.x.data(), at.dx.data(), at.r.data()), problem::EvalStatus::ok);
        ASSERT_EQ(p_.stated_residual(at.t, at.x.data(), at.dx.data(), at.dq.data(), at.g.data()),
                  problem::EvalStatus::ok);
        for (std::size_t i = 0; i < n_; ++i) EXPECT_NEAR(at.r[i], at.g[i], 1e-13 * (1 + std::abs(at.r[i])));
    }
    /// q' is the slope of q along (1, x').
    void expect_slope(Point& at) {
        const double h = 1e-4;
        std::vector<double> sum(m_, 0.0), q(m_);
        for (const auto& [distance, weight] :
             {std::pair(-2.0, 1.0), std::pair(-1.0, -8.0), std::pair(1.0, 8.0), std::pair(2.0, -1.0)}) {
            std::vector<double> x = at.x;
            for (std::size_t j = 0; j < n_; ++j) x[j] += distance * h * at.dx[j];
            (void)p_.quantity_value(at.t + distance * h, x.data(), q.data());
            for (std::size_t k = 0; k < m_; ++k) sum[k] += weight / (12 * h) * q[k];
        }
        for (std::size_t k = 0; k < m_; ++k) EXPECT_NEAR(sum[k], at.dq[k], 1e-9 * (1 + std::abs(at.dq[k])));
    }
    /// (∂G/∂x + σ M) v by differences of G(x + ε v, x' + ε σ v, q' + ε σ Q_x v).
    void expect_matrix(Point& at, double sigma) {
        ASSERT_EQ(p_.stated_jacobian(at.t, at.x.data(), at.dx.data(), at.dq.data(), at.jx.data(), at.jdx.data()),
                  problem::EvalStatus::ok);
        std::vector<double> v(n_), product(n_, 0.0), zero(n_, 0.0), by_time(m_), along(m_), above(n_), below(n_);
        std::uniform_real_distribution<double> uniform(-1, 1);
        for (double& e : v) e = uniform(random_);
        const SparsityPattern& pattern = p_.pattern();
        for (std::size_t j = 0; j < n_; ++j)
            for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) {
                const auto e = static_cast<std::size_t>(k);
                product[static_cast<std::size_t>(pattern.row_index[e])] += (at.jx[e] + sigma * at.jdx[e]) * v[j];
            }
        (void)p_.quantity_slope(at.t, at.x.data(), zero.data(), by_time.data());
        (void)p_.quantity_slope(at.t, at.x.data(), v.data(), along.data());
        const double eps = 1e-6;
        for (const double sign : {1.0, -1.0}) {
            std::vector<double> x = at.x, dx = at.dx, dq = at.dq;
            for (std::size_t j = 0; j < n_; ++j) {
                x[j] += sign * eps * v[j];
                dx[j] += sign * eps * sigma * v[j];
            }
            for (std::size_t k = 0; k < m_; ++k) dq[k] += sign * eps * sigma * (along[k] - by_time[k]);
            (void)p_.stated_residual(at.t, x.data(), dx.data(), dq.data(), (sign > 0 ? above : below).data());
        }
        for (std::size_t i = 0; i < n_; ++i)
            EXPECT_NEAR((above[i] - below[i]) / (2 * eps), product[i], 1e-7 * (1 + sigma)) << "row " << i;
    }

private:
    const problem::ImplicitProblem& p_;
    std::size_t n_, m_;
    std::mt19937 random_{7};
};

void check(const std::string& text, int size, Reduction reduce = Reduction::automatic) {
    const compile::CompiledModel c = compiled(text, reduce);
    const problem::ImplicitProblem& p = c.problem;
    ASSERT_EQ(p.quantity().size, size) << text;
    EXPECT_EQ(p.quantity().nominal.size(), static_cast<std::size_t>(size));
    EXPECT_FALSE(p.quantity().required);
    if (size == 0) return;
    Facet facet(p);
    for (int round = 0; round < 5; ++round) {
        Point at = facet.random_point();
        facet.expect_equal_residuals(at);
        facet.expect_slope(at);
        for (const double sigma : {0.0, 10.0}) facet.expect_matrix(at, sigma);
    }
}

TEST(QuantitiesOfModels, AreTheChainRuleStatedOtherwise) {
    check("model A Real v(start = 1), i; equation der(v*(1 + 0.3*v)) = i; i = sin(time) - v; end A;", 1);
    // Several, of several unknowns, in one equation, with factors, twice.
    check("model B Real u(start = 1), v(start = 2); equation 2*der(u*v) - der(v^3) = -u; "
          "der(v) + 3*der(u*v)*u = exp(-v); end B;",
          2);
    // Aliases, definitions and time.
    check("model C Real u(start = 1), w, y, z; equation w = -u; y = 2*u + z; z = sin(u); "
          "der(exp(w)*(1 + time^2)) = y; end C;",
          1);
    // Nested: the derivative of a derivative is a state's.
    check("model D Real x(start = 1), v(start = 0); equation der(x) = v; der((1 + v^2)*v) = -x; end D;", 1);
    // Branches.
    check("model E Real u(start = 1), v(start = 0); equation der(if u > v then u^2 + v else u + v^3) = -u; "
          "der(v) = u*v; end E;",
          1);
    // Differentiated equations elsewhere.
    check("model F Real x(start = 1), y, l, u(start = 1); equation der(x) = -y + l; der(y) = x - l; x + y = sin(time);"
          "der(u*abs(u)) = x - u; end F;",
          1);
}

TEST(QuantitiesOfModels, AreLeftWhereTheyCannotBeDifferenced) {
    check("model A Real v(start = 1); equation (1 + 0.6*v)*der(v) = -v; end A;", 0);
    check("model B parameter Real C = 3; Real v(start = 1); equation der(C*v) = -v; end B;", 0);
    check("model C Real u(start = 1), v, i; equation der(u^3) = i - u; der(v^3) = -i; u + v = 2; end C;", 0);
    check("model D Real u(start = 1); equation der(noEvent(if u > 0.5 then u^2 else u)) = -u; end D;", 0);
    // Parallel capacitors: their currents would be of index 2.
    check("model P Real v(start = 1), w, i, j; equation der(v + v^3) = i; der(v^2 + v) = j; i + j = -v; w = i; end P;",
          0);
    check("model R Real v(start = 1), w(start = 1), i; equation der(v + v^3) = i - v; der(w + w^2) = -i; "
          "v = w*1.5; end R;",
          0);
    // As the author wrote it, index 2 is left to a method for it.
    check("model E Real u(start = 1), v(start = 1), i; equation der(u^3) = i - u; der(v^3) = -i; u + v = 2; end E;", 2,
          Reduction::none);
}

/// Sizes are those of charges, whatever their unit: picofarads times volts.
TEST(QuantitiesOfModels, KnowTheirSizes) {
    const std::string text = "model A parameter Real C = 1e-12; Real v(start = 2, nominal = 10); equation "
                             "der(C*v*(1 + v)) = -1e-12*v; end A;";
    const compile::CompiledModel c = compiled(text);
    ASSERT_EQ(c.problem.quantity().size, 1);
    EXPECT_NEAR(c.problem.quantity().nominal[0], 10 * 5e-12, 1e-20); // nominal times C (1 + 2 v)
    compile::CompileOptions options;
    options.inline_definitions = true;
    options.parameters = {{"C", 1e-9}};
    const auto other = compile::renumber(c, options);
    ASSERT_TRUE(other && *other);
    EXPECT_NEAR((*other)->problem.quantity().nominal[0], 10 * 5e-9, 1e-17);
}

} // namespace
