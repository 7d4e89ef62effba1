// Models that differ in numbers only share one compilation: counted.
#include "facade/solving.hpp"
#include "structure/work_count.hpp"

#include <daedalus/analysis.hpp>

namespace daedalus {
namespace {

constexpr const char* pendulum = R"(model Pendulum
  Real x(start = 1), y(start = 0), u(start = 0), v(start = 0), lambda;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -lambda*x;
  der(v) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
  annotation(experiment(StopTime = 10));
end Pendulum;
)";

// The perturbation index takes about 25 solutions of perturbed models, the conditioning one more. Once they took a
// compilation each, and 87 structural analyses. Six formulations are compiled to tell their indices.
TEST(SharedAnalysis, OfPerturbedModels) {
    const Model model = testing::read(pendulum);
    const structure::WorkCount before = structure::work_count();
    const auto a = analyze(model, {}, {.measure = true, .along_solution = true});
    ASSERT_TRUE(a);
    EXPECT_EQ(a->perturbation_index.value, 3);
    EXPECT_LE(structure::work_count().compilations - before.compilations, 4 + 6);
    EXPECT_LE(structure::work_count().signature_methods - before.signature_methods, 30 + 36);
}

} // namespace
} // namespace daedalus
