// A run that is interrupted and resumed ends with the bits of one that was not.
#include <daedalus/daedalus.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <filesystem>

using namespace daedalus;

namespace {

// States are exchanged as it swings, and a force switches on and off.
const std::string pendulum = R"(
model Pendulum
  parameter Real g = 9.81;
  Real x(start = 1, fixed = true), y(start = 0), u(start = 0, fixed = true), v, lambda, e(start = 0, fixed = true);
equation
  der(x) = u;
  der(y) = v;
  der(u) = -lambda*x + (if x > 0.3 then 0.5 else -0.25);
  der(v) = -lambda*y - g;
  x^2 + y^2 = 1;
  der(e) = if time > 2.5 then x*u else 1;
end Pendulum;
)";

struct File {
    std::string path;
    explicit File(const std::string& name)
        : path((std::filesystem::path(::testing::TempDir()) / ("daedalus_" + name + ".chk")).string()) {}
    ~File() { std::filesystem::remove(path); }
};

Model pendulum_model() {
    auto model = Model::from_string(pendulum);
    EXPECT_TRUE(model) << (model ? "" : render(model.error()));
    return *std::move(model);
}

class Checkpoints : public ::testing::TestWithParam<const char*> {};

TEST_P(Checkpoints, ResumedEqualsUninterrupted) {
    const Model model = pendulum_model();
    const File file(std::string("part_") + GetParam());
    SolveOptions options{.until = 240, .method = GetParam(), .rtol = 1e-6, .points = 60};
    const File unused(std::string("whole_") + GetParam());
    SolveOptions uninterrupted = options;
    uninterrupted.checkpoint = unused.path;
    const auto whole = solve(model, uninterrupted);
    ASSERT_TRUE(whole && whole->success());

    for (const double when : {190.3, 239.2}) {
        std::atomic<bool> interrupt = false;
        SolveOptions first = options;
        first.checkpoint = file.path;
        first.interrupt = &interrupt;
        first.progress = [&](double t, double) { interrupt = t > when; };
        const auto part = solve(model, first);
        ASSERT_TRUE(part);
        EXPECT_EQ(part->outcome(), Outcome::interrupted);
        SolveOptions second = options;
        second.checkpoint.clear();
        second.resume = file.path;
        const auto rest = solve(model, second);
        ASSERT_TRUE(rest) << render(rest.error());
        ASSERT_TRUE(rest->success()) << rest->message();
        ASSERT_EQ(rest->time().size(), whole->time().size());
        for (const std::string& name : whole->names()) {
            const auto a = (*whole)[name], b = (*rest)[name];
            for (std::size_t k = 0; k < a.size(); ++k)
                ASSERT_EQ(std::bit_cast<std::uint64_t>(a[k]), std::bit_cast<std::uint64_t>(b[k]))
                    << name << " at " << whole->time()[k];
        }
        EXPECT_EQ(rest->statistics(), whole->statistics());
        EXPECT_EQ(rest->largest_residual(), whole->largest_residual());
    }
}

INSTANTIATE_TEST_SUITE_P(Methods, Checkpoints,
                         ::testing::Values("auto", "radau", "radau5", "bdf", "esdirk4", "rodas5", "limex", "dop853",
                                           "dopri5"));

TEST(CheckpointFile, IsRefusedWhereItDoesNotBelong) {
    const Model model = pendulum_model();
    const File file("refused");
    SolveOptions options{.until = 150};
    options.checkpoint = file.path;
    ASSERT_TRUE(solve(model, options));
    SolveOptions resume{.until = 150};
    resume.resume = file.path;
    EXPECT_TRUE(solve(model, resume));
    const auto why = [&](const SolveOptions& o) {
        const auto s = solve(model, o);
        return s ? std::string("accepted") : render(s.error());
    };
    SolveOptions other = resume;
    other.rtol = 1e-3;
    EXPECT_NE(why(other).find("other options"), std::string::npos) << why(other);
    other = resume;
    other.parameters = {{"g", 1.62}};
    EXPECT_NE(why(other).find("another model"), std::string::npos) << why(other);
    other = resume;
    other.resume = file.path + ".missing";
    EXPECT_NE(why(other).find("no such file"), std::string::npos) << why(other);
    std::filesystem::resize_file(file.path, std::filesystem::file_size(file.path) / 2);
    EXPECT_NE(why(resume).find("damaged"), std::string::npos) << why(resume);
    std::filesystem::resize_file(file.path, 4);
    EXPECT_NE(why(resume).find("not a checkpoint"), std::string::npos) << why(resume);
}

// What a clause does is no equation: it must be told apart all the same.
TEST(CheckpointFile, OfAModelWithAnotherClauseIsRefused) {
    const auto text = [](const std::string& name, const std::string& factor, const std::string& message) {
        return "model " + name + " Real x(start = 1, fixed = true), v(start = 0, fixed = true); equation der(x) = v; " +
               "der(v) = -9.81; when x < 0 then reinit(v, -" + factor + "*v); end when; when x > 5 then terminate(\"" +
               message + "\"); end when; end " + name + ";";
    };
    const auto model = Model::from_string(text("Ball", "1", "far"));
    ASSERT_TRUE(model) << render(model.error());
    const File file("clause");
    SolveOptions options{.until = 600, .max_step = 0.1};
    options.checkpoint = file.path;
    ASSERT_TRUE(solve(*model, options));
    ASSERT_TRUE(std::filesystem::exists(file.path));
    SolveOptions resume{.until = 600, .max_step = 0.1};
    resume.resume = file.path;
    EXPECT_TRUE(solve(*model, resume));
    for (const auto& [other, reason] :
         {std::pair{text("Ball", "0.999", "far"), "another model of this name"},
          std::pair{text("Ball", "1", "away"), "another model of this name"},
          std::pair{text("Bell", "1", "far"), "another model: to 'Ball', and this is 'Bell'"}}) {
        const auto changed = Model::from_string(other);
        ASSERT_TRUE(changed);
        const auto refused = solve(*changed, resume);
        ASSERT_FALSE(refused);
        EXPECT_NE(render(refused.error()).find(reason), std::string::npos) << render(refused.error());
    }
}

} // namespace
