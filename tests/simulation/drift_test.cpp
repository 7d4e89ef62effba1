// Constraints that hold through their derivatives only: a sign that is wrong in one of these is noticed by the
// certificate, since errors of steps cannot add up to what follows (Eich 1993 saw such a wheelset fly; S 3.2).
#include "modelica/read_modelica.hpp"
#include "problem/drift.hpp"
#include "simulation/solve_model.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

namespace daedalus::simulation {
namespace {

/// What is wrong with a row of F: factor · x_a · x_b, or factor · x_a · x'_b.
struct Flaw {
    problem::EvalStatus (*residual)(const problem::Call&, double, const double*, const double*, double*) = nullptr;
    int row = -1, a = -1, b = -1;
    bool slope = false;
    double factor = 0.0;
};
Flaw flaw;

problem::EvalStatus flawed(const problem::Call& call, double t, const double* x, const double* dx, double* r) {
    const problem::EvalStatus status = flaw.residual(call, t, x, dx, r);
    r[flaw.row] += flaw.factor * x[flaw.a] * (flaw.slope ? dx : x)[flaw.b];
    return status;
}

int unknown(const problem::ImplicitProblem& p, const std::string& name) {
    for (int k = 0; k < p.size(); ++k)
        if (p.names().variable(k) == name) return k;
    ADD_FAILURE() << name;
    return 0;
}

/// The row that was differentiated and has this in its text gets the flaw.
void plant(compile::CompiledModel& c, const std::string& text, double factor, const std::string& a,
           const std::string& b, bool slope) {
    problem::System s = c.problem.system();
    flaw = {s.kernels.residual, -1, unknown(c.problem, a), unknown(c.problem, b), slope, factor};
    for (int row = c.problem.kernel_rows(); row-- > 0;)
        if (c.problem.names().differentiations(row) > 0 &&
            c.problem.names().equation(row).find(text) != std::string::npos)
            flaw.row = row;
    ASSERT_GE(flaw.row, 0);
    s.kernels.residual = &flawed;
    s.kernels.linearize = nullptr;
    s.kernels.leading = nullptr;
    c.problem = problem::ImplicitProblem(std::move(s));
}

Record solved(const std::string& text, const SolveOptions& options,
              const std::function<void(compile::CompiledModel&)>& change) {
    auto m = modelica::read_modelica(std::make_shared<SourceFile>("m.mo", text));
    EXPECT_TRUE(m) << (m ? "" : render(m.error()));
    const Compilations compilations(std::make_shared<model::Model>(*std::move(m)));
    Record record;
    auto prepared = prepare(compilations, options, record, {.compiled = change});
    EXPECT_TRUE(prepared) << (prepared ? "" : render(prepared.error()));
    const Diagnostics trouble = run((*prepared)->job, options, record);
    EXPECT_TRUE(trouble.empty()) << render(trouble);
    return record;
}

const char* const pendulum =
    "model P Real x(start = 1), y(start = 0, fixed = true), u(start = 0), v(start = 0, fixed = "
    "true), l; equation der(x) = u; der(y) = v; der(u) = -x*l; der(v) = -1 - y*l; "
    "x^2 + y^2 = 1; end P;";

TEST(Drift, OfARightIndexOneFormIsExplained) {
    for (const char* method : {"radau", "bdf", "dopri5", "dop853", "rodas4", "esdirk4"})
        for (const double rtol : {1e-3, 1e-6, 1e-9, 1e-12})
            for (const Reduction r : {Reduction::underlying_ode, Reduction::project_position,
                                      Reduction::project_velocity, Reduction::index2}) {
                const bool of_index_two = std::string(method) == "radau" || std::string(method) == "bdf";
                if (r == Reduction::index2 && !of_index_two) continue;
                const SolveOptions options{.until = 30.0, .method = method, .rtol = rtol, .reduction = r};
                const Record record = solved(pendulum, options, {});
                EXPECT_EQ(record.outcome, Outcome::success) << method << rtol << to_string(r) << record.message;
            }
}

TEST(Drift, OfAWrongSignIsNot) {
    for (const char* method : {"radau", "bdf"})
        for (const double rtol : {1e-6, 1e-9}) {
            const SolveOptions options{
                .until = 10.0, .method = method, .rtol = rtol, .reduction = Reduction::underlying_ode};
            const Record record = solved(pendulum, options, [](compile::CompiledModel& c) {
                ASSERT_FALSE(c.problem.facet<problem::Drift>().above.empty());
                plant(c, "u", -4.0, "u", "u", false); // 2 u² has the wrong sign in the constraint on accelerations
            });
            EXPECT_EQ(record.outcome, Outcome::failed) << method << rtol;
            EXPECT_THAT(record.message, ::testing::HasSubstr("2*x*u + 2*y*v = 0")) << method << rtol;
        }
}

TEST(Drift, OfTheFlyingWheelsetIsNotExplained) {
    std::ifstream file(std::string(DAEDALUS_SOURCE_DIR) + "/tests/problems/wheelset.mo");
    std::ostringstream text;
    text << file.rdbuf();
    const SolveOptions options{.until = 1.0, .method = "radau", .rtol = 1e-7, .reduction = Reduction::underlying_ode};
    const Record lands = solved(text.str(), options, {});
    EXPECT_EQ(lands.outcome, Outcome::success) << lands.message;
    const Record flies = solved(text.str(), options, [](compile::CompiledModel& c) {
        plant(c, "0 = der(dGl)*vx", -2.0, "vx", "dGl", true); // vx dGl' has the wrong sign
    });
    EXPECT_EQ(flies.outcome, Outcome::failed);
    EXPECT_THAT(flies.message, ::testing::HasSubstr("does not satisfy its own equation"));
}

} // namespace
} // namespace daedalus::simulation
