// Steps that are kept for later say the same as the method said while the step was its last one, bit for bit.
#include "integrate/integration.hpp"
#include "integrate/kept_step.hpp"
#include "integrate/problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string_view>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

constexpr double shares[] = {0.0, 0.1, 0.5, 0.77, 1.0};

struct Asked {
    std::unique_ptr<const integrate::KeptStep> kept;
    int degree = 0;
    std::vector<double> times, said; ///< x and x' at each of the times
};

class Keeper final : public integrate::Observer {
public:
    explicit Keeper(std::size_t n) : n_(n) {}
    integrate::Action step(const integrate::AcceptedStep& step) override {
        Asked asked{step.interpolant.keep(), step.interpolant.degree(), {}, {}};
        for (const double share : shares) {
            const double t = share == 1.0 ? step.t : step.t_before + share * (step.t - step.t_before);
            asked.times.push_back(t);
            asked.said.resize(asked.said.size() + 2 * n_);
            double* const z = asked.said.data() + asked.said.size() - 2 * n_;
            step.interpolant.evaluate(t, z, z + n_);
        }
        steps.push_back(std::move(asked));
        return integrate::Action::proceed;
    }
    std::vector<Asked> steps;

private:
    std::size_t n_;
};

class KeptStep : public ::testing::TestWithParam<const char*> {};
// Constant numbers of stages with and without the quintic, stages that change, and differences.
INSTANTIATE_TEST_SUITE_P(Methods, KeptStep, ::testing::Values("radau1", "radau5", "radau9", "radau", "bdf"));

TEST_P(KeptStep, SaysWhatTheMethodSaid) {
    const integrate::Method* method = integrate::find_method(GetParam());
    ASSERT_NE(method, nullptr);
    const bool low = std::string_view(GetParam()) == "radau1";
    const auto options = with_tolerance(low ? 1e-3 : 1e-7);
    auto problem = make_problem(Robertson{}, 3);
    Keeper keeper(3);
    const std::vector<double> start{1, 0, 0}, slope{-0.04, 0.04, 0};
    const auto result = integrate::integrate(problem, *method, 0, low ? 1 : 100, start, slope, options, keeper);
    ASSERT_TRUE(result.finished());
    ASSERT_GT(keeper.steps.size(), 10U);
    std::unique_ptr<integrate::StepReader> reader;
    std::vector<double> z(6);
    // From the last to the first: what a reader says does not depend on what it read before.
    for (auto asked = keeper.steps.rbegin(); asked != keeper.steps.rend(); ++asked) {
        ASSERT_NE(asked->kept, nullptr);
        EXPECT_GT(asked->kept->size(), 0U);
        if (!reader || !reader->read(*asked->kept)) {
            reader = asked->kept->make_reader(problem, options);
            ASSERT_TRUE(reader->read(*asked->kept));
        }
        EXPECT_EQ(reader->keeps_states() ? 0 : reader->degree(), asked->degree);
        for (std::size_t m = 0; m < asked->times.size(); ++m) {
            reader->interpolate(asked->times[m], z.data(), z.data() + 3);
            EXPECT_TRUE(std::equal(z.begin(), z.end(), asked->said.data() + 6 * m)) << asked->times[m];
        }
    }
}

TEST(KeptStep, OfOneMethodIsNoneOfAnother) {
    auto problem = make_problem(Robertson{}, 3);
    const auto options = with_tolerance(1e-5);
    const std::vector<double> start{1, 0, 0}, slope{-0.04, 0.04, 0};
    const auto last_of = [&](const char* name) {
        Keeper keeper(3);
        (void)integrate::integrate(problem, *integrate::find_method(name), 0, 1, start, slope, options, keeper);
        return std::move(keeper.steps.back().kept);
    };
    const auto radau5 = last_of("radau5"), radau9 = last_of("radau9"), bdf = last_of("bdf");
    const auto reader = radau5->make_reader(problem, options);
    EXPECT_TRUE(reader->read(*radau5));
    EXPECT_FALSE(reader->read(*radau9));
    EXPECT_FALSE(reader->read(*bdf));
}

} // namespace
