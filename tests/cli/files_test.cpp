// No file that is read is written over, whatever it is called; and text from a model does nothing to a terminal.
#include "cli/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace cli_test {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string declarations = "Real x(start = 1, fixed = true);", equations = "der(x) = -x;";

TEST(Overwriting, TheModelIsNotAnOutput) {
    const Scratch scratch;
    const std::string model = scratch.model(declarations, equations), before = read(model);
    // Its name must end as a format does, so that it is not refused for that.
    const std::string as_csv = scratch / "model.csv", linked = scratch / "linked.csv", hard = scratch / "hard.csv";
    std::filesystem::copy_file(model, as_csv);
    std::filesystem::create_symlink(as_csv, linked);
    std::filesystem::create_hard_link(as_csv, hard);
    std::filesystem::create_directory(scratch / "folder");
    for (const std::string& output : {as_csv, linked, hard, scratch / "folder/../model.csv"}) {
        const Answer r = run({"solve", as_csv, "--until", "1", "--output", output});
        EXPECT_EQ(r.code, 2) << output << r.out << r.err;
        EXPECT_THAT(r.err, HasSubstr("would write over the model"));
        EXPECT_EQ(read(as_csv), before) << output;
    }
    const Answer checkpoint = run({"solve", model, "--until", "1", "--checkpoint", model});
    EXPECT_EQ(checkpoint.code, 2) << checkpoint.err;
    EXPECT_THAT(checkpoint.err, HasSubstr("would write over the model"));
    const Answer page = run({"analyze", model, "--html", model});
    EXPECT_EQ(page.code, 2) << page.err;
    EXPECT_EQ(read(model), before);
    EXPECT_EQ(run({"solve", model, "--until", "1", "--output", scratch / "other.csv"}).code, 0);
}

TEST(Overwriting, NoOtherInputIsAnOutputAndNoTwoOutputsAreOne) {
    const Scratch scratch;
    const std::string model = scratch.model(declarations, equations);
    const std::string resume = scratch.file("saved.csv", "not a checkpoint, but not to be touched either");
    const Answer r = run({"solve", model, "--until", "1", "--resume", resume, "--output", resume});
    EXPECT_EQ(r.code, 2);
    EXPECT_THAT(r.err, HasSubstr("would write over --resume"));
    EXPECT_THAT(read(resume), HasSubstr("not to be touched"));
    // A checkpoint goes on in the file that the run is resumed from.
    EXPECT_THAT(run({"solve", model, "--until", "1", "--resume", resume, "--checkpoint", resume}).err,
                Not(HasSubstr("write over")));
    const Answer twice =
        run({"solve", model, "--until", "1", "--output", scratch / "a.csv", "--output", scratch / "./a.csv"});
    EXPECT_EQ(twice.code, 2) << twice.out;
    EXPECT_THAT(twice.err, HasSubstr("is the same file as"));
    EXPECT_FALSE(std::filesystem::exists(scratch / "a.csv"));
}

TEST(SampleIntervals, ThatNeverEndAreRefusedAtTheirPlace) {
    const Scratch scratch;
    for (const std::string interval : {"0", "-1", "p", "p/0", "1e-300", "1e-15"}) {
        const std::string model =
            scratch.model("Real x(start = 0, fixed = true); parameter Real p = 0;",
                          "der(x) = 1; when sample(0, " + interval + ") then reinit(x, 0); end when;");
        const Answer r = run({"solve", model, "--until", "1"});
        EXPECT_EQ(r.code, 3) << interval << ": " << r.out << r.err;
        EXPECT_THAT(r.err, HasSubstr(interval == "p/0" ? "" : "sample(0, "));
        EXPECT_THAT(r.err, HasSubstr("M.mo:")) << interval;
    }
    const std::string model = scratch.model("Real x(start = 0, fixed = true); parameter Real p = 0.25;",
                                            "der(x) = 1; when sample(0, p) then reinit(x, 0); end when;");
    EXPECT_EQ(run({"solve", model, "--until", "1"}).code, 0);
    EXPECT_EQ(run({"solve", model, "--until", "1", "--param", "p=0"}).code, 3);
}

TEST(TextOfModels, DoesNothingToATerminal) {
    const Scratch scratch;
    const auto clean = [](const std::string& text) {
        for (const char c : text)
            if ((static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f) return false;
        return text.find("\u202E") == std::string::npos && text.find("\xC2\x9B") == std::string::npos;
    };
    // Messages and descriptions
    const std::string model = scratch.model("Real x(start = 0, fixed = true) \"what \x1b[31m it \u202E is\";",
                                            "der(x) = 1; when x > 0.5 then terminate(\"the \x1b]0;end\x07 \xC2\x9B"
                                            "2J\\r\"); end when;");
    const Answer r = run({"solve", model, "--until", "1", "--color", "never", "--output", scratch / "r.html"});
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr("\\x1b]0;end"));
    EXPECT_TRUE(clean(r.out + r.err)) << r.out << r.err;
    EXPECT_TRUE(clean(read(scratch / "r.html")));
    // Names, of variables and files
    const std::string named = scratch.model("Real 'a\x1b[2J'(start = 0, fixed = true);", "der('a\x1b[2J') = 1;");
    const Answer n = run({"solve", named, "--until", "1", "--color", "never"});
    EXPECT_EQ(n.code, 3);
    EXPECT_THAT(n.err, HasSubstr("a control character in the name"));
    EXPECT_TRUE(clean(n.out + n.err)) << n.err;
    const Answer f = run({"solve", scratch / "no\x1b[2J.mo", "--until", "1", "--color", "never"});
    EXPECT_NE(f.code, 0);
    EXPECT_TRUE(clean(f.out + f.err)) << f.err;
}

} // namespace
} // namespace cli_test
