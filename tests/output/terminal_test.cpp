#include "output/progress.hpp"
#include "output/terminal.hpp"
#include "output/text_plot.hpp"
#include "output/text_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fcntl.h>
#include <limits>
#include <unistd.h>

using namespace daedalus::output;
using testing::HasSubstr;

TEST(Terminal, ColourIsAskedFor) {
    setenv("TERM", "xterm", 1);
    EXPECT_TRUE(use_color(ColorMode::always, 1));
    EXPECT_FALSE(use_color(ColorMode::never, 1));
    int pipe_ends[2];
    ASSERT_EQ(pipe(pipe_ends), 0);
    EXPECT_FALSE(use_color(ColorMode::automatic, pipe_ends[1])) << "a pipe is no terminal";
    close(pipe_ends[0]);
    close(pipe_ends[1]);

    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || !is_terminal(terminal)) GTEST_SKIP() << "no pseudo-terminal here";
    unsetenv("NO_COLOR");
    EXPECT_TRUE(use_color(ColorMode::automatic, terminal));
    setenv("NO_COLOR", "", 1); // empty does not count
    EXPECT_TRUE(use_color(ColorMode::automatic, terminal));
    setenv("NO_COLOR", "1", 1);
    EXPECT_FALSE(use_color(ColorMode::automatic, terminal));
    EXPECT_TRUE(use_color(ColorMode::always, terminal)) << "an explicit wish wins";
    unsetenv("NO_COLOR");
    setenv("TERM", "dumb", 1);
    EXPECT_FALSE(use_color(ColorMode::automatic, terminal));
    setenv("TERM", "xterm", 1);
    close(terminal);
}

TEST(Terminal, PaintVanishesWithoutColour) {
    EXPECT_EQ(Paint{false}.red("no"), "no");
    EXPECT_EQ(Paint{true}.green("ok"), "\x1b[32mok\x1b[0m");
}

TEST(Terminal, MeasuresColumns) {
    EXPECT_EQ(text_width("abc"), 3);
    EXPECT_EQ(text_width("λ²–é"), 4);
    EXPECT_EQ(text_width("e\u0301"), 1);
    EXPECT_EQ(text_width("振り子"), 6);
    EXPECT_EQ(text_width(Paint{true}.red("abc")), 3);
    EXPECT_EQ(fit_text("pendulum", 5), "pend…");
    EXPECT_EQ(fit_text("振り子", 4), "振…");
    EXPECT_EQ(text_width(fit_text(Paint{true}.red("pendulum"), 5)), 5);
    EXPECT_EQ(fit_text("abc", 3), "abc");
}

TEST(TextTable, AlignsAndCuts) {
    TextTable table({{"name"}, {"value", Align::right}});
    table.add_row({"λ", "1.5"});
    table.add_row({"position", "-10.25"});
    EXPECT_EQ(table.text(), "name       value\n────────  ──────\nλ            1.5\nposition  -10.25\n");
    TextTable narrow({{""}, {"", Align::right}});
    narrow.add_row({"a very long description", "7"});
    EXPECT_EQ(narrow.text(14), "a very lon…  7\n");
    EXPECT_EQ(narrow.text(0, 2), "  a very long description  7\n");
}

TEST(TextPlot, SparklineFollowsTheCurve) {
    const std::vector<double> x{0, 1, 2, 3, 4, 5, 6, 7};
    EXPECT_EQ(sparkline(x, x, 8), "▁▂▃▄▅▆▇█");
    EXPECT_EQ(sparkline(x, std::vector<double>(8, 3.0), 4), "▅▅▅▅");
    EXPECT_EQ(sparkline({}, {}, 4), "");
    const double nan = std::nan("");
    EXPECT_EQ(sparkline(x, std::vector<double>(8, nan), 4), "    ");
    const double huge = std::numeric_limits<double>::max();
    EXPECT_EQ(sparkline(std::vector<double>{0, 1}, std::vector<double>{-huge, huge}, 2), "▁█");
}

TEST(TextPlot, BrailleLinesHaveTheSameWidth) {
    std::vector<double> x;
    std::vector<double> y;
    for (int k = 0; k <= 100; ++k) {
        x.push_back(0.1 * k);
        y.push_back(std::sin(x.back()));
    }
    const std::vector<std::string> lines = braille_plot(x, y, 30, 6);
    ASSERT_EQ(lines.size(), 7U);
    for (int r = 0; r < 6; ++r) EXPECT_EQ(text_width(lines[static_cast<std::size_t>(r)]), text_width(lines[0]));
    EXPECT_THAT(lines[6], HasSubstr("10"));
    // A straight line from corner to corner: first dot bottom left, last dot top right.
    const std::vector<std::string> line = braille_plot(std::vector<double>{0, 1}, std::vector<double>{0, 1}, 4, 1);
    EXPECT_EQ(line[0].substr(line[0].size() - 12), "⣀⠤⠒⠉");
    EXPECT_TRUE(braille_plot(x, std::vector<double>(101, std::nan("")), 30, 6).empty());
}

TEST(Progress, LineFitsAndNeverClaimsTooMuch) {
    const std::string line = progress_line(0.425, 4.25, 1.3e-3, 2.0, 80);
    EXPECT_THAT(line, HasSubstr(" 42 %"));
    EXPECT_THAT(line, HasSubstr("t = 4.25"));
    EXPECT_THAT(line, HasSubstr("h = 0.0013"));
    EXPECT_THAT(line, HasSubstr("2.71 s left"));
    EXPECT_THAT(progress_line(0.999999, 1, 1, 1, 80), HasSubstr(" 99 %"));
    for (int width = 1; width < 120; ++width) {
        ASSERT_LT(text_width(progress_line(0.5, 123.456, 1e-10, 4000, width)), width + (width == 1 ? 1 : 0));
        ASSERT_LE(text_width(progress_line(std::nan(""), std::nan(""), 1e-10, 4000, width)), width);
    }
}

TEST(Progress, IsThrottledAndErased) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    double now = 0;
    Progress::Options options;
    options.file_descriptor = ends[1];
    options.when = Progress::Options::When::always;
    options.width = 80;
    options.clock = [&] { return now; };
    {
        Progress progress(0, 10, options);
        for (int k = 0; k < 10000; ++k) { // one second
            now = 1e-4 * k;
            progress.update(1e-3 * k, 1e-3);
        }
    }
    close(ends[1]);
    std::string text;
    char buffer[4096];
    for (ssize_t n = 0; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(n));
    close(ends[0]);
    std::size_t drawings = 0;
    for (std::size_t at = 0; (at = text.find("t = ", at)) != std::string::npos; ++at) ++drawings;
    EXPECT_GE(drawings, 14U);
    EXPECT_LE(drawings, 20U);
    EXPECT_TRUE(text.ends_with("\r\x1b[K"));
    EXPECT_EQ(text.find('\n'), std::string::npos);
}

TEST(Progress, IsSilentWithoutATerminal) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    double now = 0;
    Progress::Options options;
    options.file_descriptor = ends[1];
    options.clock = [&] { return now += 1; };
    {
        Progress progress(0, 10, options);
        EXPECT_FALSE(progress.active());
        progress.update(5, 0.1);
    }
    close(ends[1]);
    char byte = 0;
    EXPECT_EQ(read(ends[0], &byte, 1), 0);
    close(ends[0]);
}
