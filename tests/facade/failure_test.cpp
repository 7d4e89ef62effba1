// Models that cannot be solved to the end: each report names the cause, and where.
#include <daedalus/daedalus.hpp>
#include <gtest/gtest.h>

using namespace daedalus;

namespace {

struct Broken {
    const char* name;
    const char* declarations;
    const char* equations;
    double until;
    double ends;      ///< about; negative: refused before the first step
    const char* says; ///< in the message or its notes
};

const Broken models[] = {
    {"finite_escape", "Real x(start=1,fixed=true);", "der(x) = x^2;", 3, 1, "x grows beyond all bounds"},
    {"coupled_escape", "Real x(start=1,fixed=true), y(start=1,fixed=true), z;", "der(x)=x*z; der(y)=-y; z=x+y;", 3,
     0.738, "x grows beyond all bounds"},
    {"exponential_escape", "Real x(start=1,fixed=true);", "der(x)=exp(x);", 3, 0.36788, "grows beyond all bounds"},
    {"unstable", "Real x(start=1e-8,fixed=true), v(start=0,fixed=true), y(start=1,fixed=true);",
     "der(x) = 50*x + 2000*v; der(v) = 50*v - 2000*x; der(y) = sqrt(1 - x) - y;", 3, 0.3705,
     "the equations themselves are unstable"},
    {"pole", "Real x(start=0,fixed=true);", "der(x) = 1/(1 - time);", 3, 1, "derivative of x grows beyond all bounds"},
    {"escape_of_an_equation", "Real x(start=1,fixed=true);", "der(x) = x^2;", 3, 1, "der(x) = x^2"},
    {"pole_of_an_equation", "Real x(start=1,fixed=true), v(start=0,fixed=true);", "der(x) = v; der(v) = -1/(1 - time);",
     3, 1, "der(v) = -1/(1 - time)"},
    {"pole_of_algebraic", "Real x(start=1,fixed=true), z;", "der(x) = -1; x*z = 1;", 3, 1, "no longer contains z"},
    {"index_change", "Real x(start=1,fixed=true), y(start=0), z(start=0);", "der(x)=-1; der(y)=z; x*z + y = sin(time);",
     3, 1, "no longer contains z"},
    {"domain_of_algebraic", "Real x(start=1,fixed=true), y;", "der(x) = -1; y = sqrt(x);", 3, 1,
     "sqrt of a negative number"},
    {"domain_of_differential", "Real x(start=1,fixed=true), y(start=0,fixed=true);", "der(x) = -1; der(y) = log(x);", 3,
     1, "log of a number that is not positive"},
    {"domain_of_itself", "Real x(start=1,fixed=true);", "der(x) = -sqrt(x);", 3, 2, "sqrt of a negative number"},
    {"sliding", "Real x(start=1,fixed=true);", "der(x) = if x > 0 then -1 else 1;", 3, 1, "x > 0 switches back"},
    {"accumulating", "Real h(start=1,fixed=true), v(start=0,fixed=true);",
     "der(h) = v; der(v) = -9.81; when h <= 0 then reinit(v, -0.5*pre(v)); end when;", 3, 1.35,
     "h <= 0 come faster and faster"},
    {"fold", "Real x(start=-2,fixed=true), y(start=0.66);", "der(y) = -x; 0 = y - (x^3/3 - x);", 3, 0.8069,
     "no longer contains x"},
    {"fold_of_two", "Real s(start=0,fixed=true), y(start=1), z(start=0.5);",
     "der(s) = 1; y^2 + z^2 = 1.25 - s; 3*y = 6*z;", 3, 1.25, "no longer contains y, z"},
    {"impasse", "Real x(start=1,fixed=true), z(start=1);", "der(x) = -1; z^2 = x;", 3, 1, "no longer contains z"},
    {"undefined_start", "Real x(start=-1,fixed=true), y;", "der(x) = 1; y = log(x);", 3, -1,
     "log of a number that is not positive (-1)"},
    {"inconsistent_start", "Real x(start=1,fixed=true), y(start=3,fixed=true);", "der(x) = y - x; x^2 + y^2 = 1;", 3,
     -1, "x^2 + y^2 = 1"},
    {"bound", "Real x(start=1,fixed=true,min=0.2);", "der(x) = -1;", 3, 0.8, "x"},
};

class FailureReports : public ::testing::TestWithParam<std::tuple<std::size_t, const char*>> {};

TEST_P(FailureReports, NameTheCause) {
    const Broken& b = models[std::get<0>(GetParam())];
    const std::string text = std::string("model M ") + b.declarations + "\nequation\n" + b.equations + "\nend M;\n";
    const auto model = Model::from_string(text);
    ASSERT_TRUE(model) << render(model.error());
    const std::string name = b.name, method = std::get<1>(GetParam());
    const auto s = solve(*model, {.until = b.until, .method = method});
    if (b.ends < 0) {
        ASSERT_FALSE(s) << b.name;
        EXPECT_NE(render(s.error()).find(b.says), std::string::npos) << render(s.error());
        return;
    }
    ASSERT_TRUE(s) << render(s.error());
    EXPECT_FALSE(s->success()) << b.name;
    EXPECT_NEAR(s->end_time(), b.ends, 0.02 * b.ends) << b.name;
    const std::string report = s->message() + render(s->diagnostics());
    EXPECT_NE(report.find(b.says), std::string::npos) << b.name << ": " << report;
}

INSTANTIATE_TEST_SUITE_P(Models, FailureReports,
                         ::testing::Combine(::testing::Range(std::size_t{0}, std::size(models)),
                                            ::testing::Values("auto", "radau", "bdf", "rodas4", "esdirk4")),
                         [](const auto& test) {
                             return std::string(models[std::get<0>(test.param)].name) + "_" + std::get<1>(test.param);
                         });

} // namespace
