// A run started from C++ writes over nothing that it reads: model, tables of inputs and checkpoints, by whatever name.
#include "daedalus/daedalus.hpp"
#include "daedalus/files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace daedalus {
namespace {

namespace fs = std::filesystem;

class Overwriting : public ::testing::Test {
protected:
    Overwriting() : folder_(fs::path(::testing::TempDir()) / "daedalus_overwriting") {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
        std::ofstream(at("m.csv")) << text; // any extension that results may have
        std::ofstream(at("u.csv")) << table;
        fs::create_symlink(at("m.csv"), at("link.csv"));
        fs::create_hard_link(at("u.csv"), at("hard.csv"));
    }
    ~Overwriting() override { fs::remove_all(folder_); }
    [[nodiscard]] std::string at(const std::string& name) const { return (folder_ / name).string(); }
    [[nodiscard]] static std::string content(const std::string& path) {
        std::ostringstream all;
        all << std::ifstream(path).rdbuf();
        return all.str();
    }
    SolveOptions options() {
        SolveOptions o;
        o.until = 1;
        auto inputs = read_inputs(at("u.csv"), "u");
        EXPECT_TRUE(inputs.has_value());
        if (inputs) o.inputs = *inputs;
        return o;
    }

    const std::string text = "model M input Real u; Real x(start = 1, fixed = true); equation der(x) = u - x; end M;\n";
    const std::string table = "0,1\n1,2\n";
    fs::path folder_;
};

TEST_F(Overwriting, ResultsLeaveModelAndTablesAlone) {
    const auto model = Model::from_file(at("m.csv"));
    ASSERT_TRUE(model.has_value());
    const auto s = solve(*model, options());
    ASSERT_TRUE(s.has_value()) << s.error().front().message;
    for (const char* name : {"m.csv", "link.csv", "u.csv", "hard.csv", "./m.csv"}) {
        const auto written = s->write(at(name));
        ASSERT_FALSE(written.has_value()) << name;
        EXPECT_EQ(written.error().front().code, "overwriting");
    }
    EXPECT_EQ(content(at("m.csv")), text);
    EXPECT_EQ(content(at("u.csv")), table);
    EXPECT_TRUE(s->write(at("result.csv")).has_value());
    EXPECT_TRUE(s->write(at("result.csv")).has_value()); // its own results it may replace
    const auto compiled = model->compile(options());
    ASSERT_TRUE(compiled.has_value());
    const auto again = compiled->solve(options());
    ASSERT_TRUE(again.has_value());
    EXPECT_FALSE(again->write(at("link.csv")).has_value());
}

TEST_F(Overwriting, CheckpointsLeaveModelAndTablesAlone) {
    const auto model = Model::from_file(at("m.csv"));
    ASSERT_TRUE(model.has_value());
    for (const char* name : {"m.csv", "link.csv", "u.csv", "hard.csv"}) {
        SolveOptions o = options();
        o.checkpoint = at(name);
        const auto s = solve(*model, o);
        ASSERT_FALSE(s.has_value()) << name;
        EXPECT_EQ(s.error().front().code, "overwriting");
    }
    EXPECT_EQ(content(at("m.csv")), text);
    EXPECT_EQ(content(at("u.csv")), table);
}

TEST_F(Overwriting, SweepsLeaveModelAndTablesAlone) {
    std::ofstream(at("m.csv"))
        << "model M parameter Real k = 1; input Real u; Real x(start = 1, fixed = true); equation "
           "der(x) = u - k*x; end M;\n";
    const std::string written_model = content(at("m.csv"));
    const auto model = Model::from_file(at("m.csv"));
    ASSERT_TRUE(model.has_value());
    const auto compiled = model->compile(options());
    ASSERT_TRUE(compiled.has_value());
    SweepOptions o;
    o.solve = options();
    o.names = {"k"};
    o.points = {{1.0}, {2.0}};
    const auto result = sweep(*compiled, o);
    ASSERT_TRUE(result.has_value()) << result.error().front().message;
    for (const char* name : {"m.csv", "link.csv", "u.csv", "hard.csv"}) {
        const auto written = result->write(at(name));
        ASSERT_FALSE(written.has_value()) << name;
        EXPECT_EQ(written.error().front().code, "overwriting");
    }
    EXPECT_EQ(content(at("m.csv")), written_model);
    EXPECT_EQ(content(at("u.csv")), table);
    EXPECT_TRUE(result->write(at("sweep.csv")).has_value());
    EXPECT_TRUE(result->write(at("sweep.csv")).has_value());
}

TEST_F(Overwriting, CheckpointsOfABlackBoxLeaveTablesAlone) {
    BlackBox box;
    box.residual = [](double, std::span<const double> x, std::span<const double> dx, std::span<double> r) {
        r[0] = dx[0] + x[0];
    };
    box.x0 = {1.0};
    box.dx0 = {-1.0};
    for (const char* name : {"u.csv", "hard.csv"}) {
        SolveOptions o = options();
        o.checkpoint = at(name);
        const auto s = solve(box, o);
        ASSERT_FALSE(s.has_value()) << name;
        EXPECT_EQ(s.error().front().code, "overwriting");
    }
    EXPECT_EQ(content(at("u.csv")), table);
}

TEST_F(Overwriting, FilesOfAProgram) {
    EXPECT_TRUE(overwriting({{"the model", at("m.csv")}}, {{"--output", at("o.csv")}}).empty());
    EXPECT_EQ(overwriting({{"the model", at("m.csv")}}, {{"--output", at("link.csv")}}).size(), 1u);
    EXPECT_EQ(overwriting({}, {{"a", at("u.csv")}, {"b", at("hard.csv")}}).size(), 1u);
}

} // namespace
} // namespace daedalus
