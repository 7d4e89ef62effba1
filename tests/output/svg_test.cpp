#include "output/markup.hpp"
#include "output/mathml.hpp"
#include "output/svg.hpp"
#include "sample_data.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace daedalus::output;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(Svg, TicksAreNice) {
    EXPECT_THAT(nice_ticks(0, 10, 5), ElementsAre(0, 2, 4, 6, 8, 10));
    EXPECT_THAT(nice_ticks(-1, 1, 4), ElementsAre(-1, -0.5, 0, 0.5, 1));
    EXPECT_TRUE(nice_ticks(1, 1, 5).empty());
    EXPECT_TRUE(nice_ticks(0, std::numeric_limits<double>::infinity(), 5).empty());
    const double far = 1e16;
    const std::vector<double> ticks = nice_ticks(far, far + 4, 5);
    EXPECT_TRUE(std::is_sorted(ticks.begin(), ticks.end()));
    EXPECT_LE(ticks.size(), 12U);
}

TEST(Svg, EscapesNamesAndSkipsWhatIsNotANumber) {
    SvgOptions options;
    options.title = "<b>&";
    const std::string svg = svg_plot({{"x</svg><script>", {0, 1, 2, 3}, {0, std::nan(""), 1, 2}}}, options);
    EXPECT_THAT(svg, Not(HasSubstr("<script>")));
    EXPECT_THAT(svg, HasSubstr("&lt;b&gt;&amp;"));
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
    EXPECT_THAT(svg_plot({{"constant", {0, 1}, {5, 5}}}), Not(HasSubstr("nan")));
    EXPECT_THAT(svg_plot(std::vector<SvgCurve>{}), HasSubstr("</svg>"));
}

TEST(Svg, ThinsLongCurvesButKeepsTheSpike) {
    SvgCurve curve{"spiky", {}, {}};
    for (int k = 0; k < 100000; ++k) {
        curve.x.push_back(k);
        curve.y.push_back(k == 54321 ? 1.0 : 0.0);
    }
    const std::string svg = svg_plot({curve});
    EXPECT_LT(svg.size(), 60'000U);
    const std::string flat = svg_plot({{"flat", curve.x, std::vector<double>(curve.x.size(), 0.0)}});
    EXPECT_NE(svg, flat);
    // The top of the spike is at 1/22 of the height below the frame's top (5 % margin on both sides).
    EXPECT_THAT(svg, HasSubstr(" 62.73L"));
}

TEST(MathMl, TypesetsTheUsualFormulas) {
    EXPECT_EQ(
        mathml("x^{2}").value(),
        "<math displaystyle=\"true\"><mrow><msup><mi>x</mi><mrow><mrow><mn>2</mn></mrow></mrow></msup></mrow></math>");
    EXPECT_THAT(mathml("\\frac{a}{b} \\cdot \\dot{x}_{1}").value(), HasSubstr("<mfrac>"));
    EXPECT_THAT(mathml("-\\lambda \\left(x - 1\\right)").value(), HasSubstr("form=\"prefix\""));
    EXPECT_THAT(mathml("\\mathrm{body\\_1.v}").value(), HasSubstr("body_1.v"));
    EXPECT_THAT(mathml("\\begin{cases} a & \\text{if } x < 0 \\\\ b & \\text{otherwise} \\end{cases}").value(),
                HasSubstr("</mtr><mtr>"));
    EXPECT_THAT(mathml("\\sqrt[3]{x} \\le \\sin\\left(y\\right)").value(), HasSubstr("<mroot>"));
}

TEST(MathMl, GivesUpRatherThanGuess) {
    for (const char* text :
         {"\\unknown{x}", "x^", "{x", "x}", "\\left(x", "\\frac{a}", "a $ b", "\\", "\\begin{array}", "\\mathrm{x"})
        EXPECT_FALSE(mathml(text).has_value()) << text;
    EXPECT_FALSE(mathml(std::string(100000, '{')).has_value());
    EXPECT_FALSE(mathml([] {
                     std::string deep;
                     for (int i = 0; i < 100000; ++i) deep += "\\sqrt{";
                     return deep;
                 }())
                     .has_value());
    EXPECT_FALSE(mathml(std::string("x") + std::string(100000, '^')).has_value());
}

TEST(MathMl, LetsNoMarkupThrough) {
    EXPECT_THAT(mathml("\\mathrm{</math><script>}").value(), Not(HasSubstr("<script>")));
    EXPECT_THAT(mathml("a < b").value(), HasSubstr("&lt;"));
}

TEST(Markup, EscapesEverythingThatMatters) {
    EXPECT_EQ(escape_markup("<a href='x' b=\"y\">&\x01\xFF"),
              "&lt;a href=&#39;x&#39; b=&quot;y&quot;&gt;&amp;\\x01\uFFFD");
}
