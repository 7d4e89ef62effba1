// Work counts as snapshots: steps and evaluations of every method on a few problems of the test set. Work
// that grows by more than a quarter is a regression to be found; progress is to be written down here
// (DAEDALUS_SHOW_WORK=1 prints the counts).
#include <daedalus/daedalus.hpp>
#include <gtest/gtest.h>

#include <cstdlib>

using namespace daedalus;

namespace {

struct Snapshot {
    const char* problem;
    double until;
    const char* method;
    double steps, residuals;
    double tolerance = 1e-6; ///< low orders get less to do
};
std::ostream& operator<<(std::ostream& out, const Snapshot& s) { return out << s.problem << ' ' << s.method; }

class WorkSnapshot : public ::testing::TestWithParam<Snapshot> {};

TEST_P(WorkSnapshot, GrowsByAQuarterAtMost) {
    const Snapshot& s = GetParam();
    const auto model = Model::from_file(std::string(DAEDALUS_SOURCE_DIR "/tests/problems/") + s.problem + ".mo");
    ASSERT_TRUE(model) << render(model.error());
    const auto solution =
        solve(*model, {.until = s.until, .method = s.method, .rtol = s.tolerance, .atol = s.tolerance, .points = 2});
    ASSERT_TRUE(solution) << render(solution.error());
    ASSERT_TRUE(solution->success()) << solution->message();
    for (const auto& [name, value] : solution->statistics()) {
        const double wanted = name == "steps" ? s.steps : name == "residual_evaluations" ? s.residuals : 0.0;
        if (wanted == 0.0) continue;
        if (std::getenv("DAEDALUS_SHOW_WORK") != nullptr)
            std::printf("%s %s %s %.0f\n", s.problem, s.method, name.c_str(), static_cast<double>(value));
        EXPECT_LE(static_cast<double>(value), 1.25 * wanted) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Problems, WorkSnapshot,
    ::testing::Values(
        // clang-format off
                             Snapshot{"chemakzo", 180, "auto", 24, 327},
                             Snapshot{"chemakzo", 180, "radau9", 24, 327},
                             Snapshot{"chemakzo", 180, "radau13", 23, 442},
                             Snapshot{"chemakzo", 180, "radau17", 31, 741},
                             Snapshot{"chemakzo", 180, "rodas3", 131, 853},
                             Snapshot{"chemakzo", 180, "rodas4p", 58, 533},
                             Snapshot{"chemakzo", 180, "esdirk3", 194, 1142},
                             Snapshot{"chemakzo", 180, "dop853", 122, 1932},
                             Snapshot{"chemakzo", 180, "dopri5", 246, 1610},
                             Snapshot{"chemakzo", 180, "radau1", 1711, 5459, 1e-3},
                             Snapshot{"chemakzo", 180, "midpoint", 50, 448, 1e-3},
                             Snapshot{"transamp", 0.2, "auto", 388, 12974},
                             Snapshot{"transamp", 0.2, "radau9", 450, 11462},
                             Snapshot{"transamp", 0.2, "radau13", 287, 13475},
                             Snapshot{"transamp", 0.2, "radau17", 279, 16228},
                             Snapshot{"transamp", 0.2, "rodas4p", 9274, 94063},
                             Snapshot{"transamp", 0.2, "esdirk3", 20947, 195635},
                             Snapshot{"transamp", 0.2, "radau1", 643229, 1471509, 1e-3},
                             Snapshot{"transamp", 0.2, "midpoint", 16513, 104271, 1e-3},
                             Snapshot{"caraxis", 3, "auto", 90, 2863},
                             Snapshot{"caraxis", 3, "radau9", 171, 3713},
                             Snapshot{"caraxis", 3, "radau13", 81, 2816},
                             Snapshot{"caraxis", 3, "radau17", 65, 3318},
                             Snapshot{"caraxis", 3, "rodas4p", 1223, 13025},
                             Snapshot{"caraxis", 3, "esdirk3", 6872, 41488},
                             Snapshot{"caraxis", 3, "dop853", 206, 3237},
                             Snapshot{"caraxis", 3, "dopri5", 925, 9674},
                             Snapshot{"caraxis", 3, "radau1", 12148, 33315, 1e-3},
                             Snapshot{"caraxis", 3, "midpoint", 2463, 18400, 1e-3},
                             Snapshot{"pendulum", 10, "auto", 129, 2266},
                             Snapshot{"pendulum", 10, "radau9", 184, 5649},
                             Snapshot{"pendulum", 10, "radau13", 136, 7195},
                             Snapshot{"pendulum", 10, "radau17", 129, 11170},
                             Snapshot{"pendulum", 10, "rodas4p", 2420, 17683},
                             Snapshot{"pendulum", 10, "esdirk3", 6160, 50279},
                             Snapshot{"pendulum", 10, "dop853", 151, 2609},
                             Snapshot{"pendulum", 10, "dopri5", 535, 5731},
                             Snapshot{"pendulum", 10, "radau1", 39601, 109470, 1e-3},
                             Snapshot{"pendulum", 10, "midpoint", 2857, 22945, 1e-3},
                             Snapshot{"ascher_petzold", 1, "auto", 25, 577},
                             Snapshot{"ascher_petzold", 1, "radau9", 20, 440},
                             Snapshot{"ascher_petzold", 1, "radau13", 15, 606},
                             Snapshot{"ascher_petzold", 1, "radau17", 18, 1037},
                             Snapshot{"ascher_petzold", 1, "rodas4p", 259, 3033},
                             Snapshot{"ascher_petzold", 1, "esdirk3", 75, 1225},
                             Snapshot{"ascher_petzold", 1, "dop853", 56, 911},
                             Snapshot{"ascher_petzold", 1, "dopri5", 121, 1144},
                             Snapshot{"ascher_petzold", 1, "radau1", 1113, 3970, 1e-3},
                             Snapshot{"ascher_petzold", 1, "midpoint", 34, 566, 1e-3},
                             Snapshot{"chemakzo", 180, "radau", 24, 353},
                             Snapshot{"chemakzo", 180, "radau5", 35, 369},
                             Snapshot{"chemakzo", 180, "bdf", 238, 1035},
                             Snapshot{"chemakzo", 180, "rodas4", 71, 689},
                             Snapshot{"chemakzo", 180, "rodas5", 45, 515},
                             Snapshot{"chemakzo", 180, "rodas6", 35, 798},
                             Snapshot{"chemakzo", 180, "esdirk4", 56, 1065},
                             Snapshot{"chemakzo", 180, "esdirk5", 35, 794},
                             Snapshot{"chemakzo", 180, "limex", 22, 555},
                             Snapshot{"transamp", 0.2, "radau", 492, 14148},
                             Snapshot{"transamp", 0.2, "radau5", 1511, 24984},
                             Snapshot{"transamp", 0.2, "bdf", 7025, 24709},
                             Snapshot{"transamp", 0.2, "rodas4", 9275, 98490},
                             Snapshot{"transamp", 0.2, "rodas5", 3865, 51428},
                             Snapshot{"transamp", 0.2, "rodas6", 2552, 62552},
                             Snapshot{"transamp", 0.2, "esdirk4", 5215, 111517},
                             Snapshot{"transamp", 0.2, "esdirk5", 3659, 109657},
                             Snapshot{"transamp", 0.2, "limex", 998, 40607},
                             Snapshot{"caraxis", 3, "radau", 94, 2912},
                             Snapshot{"caraxis", 3, "radau5", 650, 6790},
                             Snapshot{"caraxis", 3, "bdf", 2269, 9637},
                             Snapshot{"caraxis", 3, "rodas4", 1223, 14972},
                             Snapshot{"caraxis", 3, "rodas5", 373, 5870},
                             Snapshot{"caraxis", 3, "rodas6", 299, 8118},
                             Snapshot{"caraxis", 3, "esdirk4", 938, 17594},
                             Snapshot{"caraxis", 3, "esdirk5", 434, 12636},
                             Snapshot{"caraxis", 3, "limex", 204, 7862},
                             Snapshot{"pendulum", 10, "radau", 204, 5944},
                             Snapshot{"pendulum", 10, "radau5", 595, 7412},
                             Snapshot{"pendulum", 10, "bdf", 2205, 9199},
                             Snapshot{"pendulum", 10, "rodas4", 2011, 16718},
                             Snapshot{"pendulum", 10, "rodas5", 1045, 11725},
                             Snapshot{"pendulum", 10, "rodas6", 686, 15092},
                             Snapshot{"pendulum", 10, "esdirk4", 1094, 26438},
                             Snapshot{"pendulum", 10, "esdirk5", 550, 24006},
                             Snapshot{"pendulum", 10, "limex", 371, 14146},
                             Snapshot{"ascher_petzold", 1, "radau", 23, 531},
                             Snapshot{"ascher_petzold", 1, "radau5", 22, 398},
                             Snapshot{"ascher_petzold", 1, "bdf", 144, 750},
                             Snapshot{"ascher_petzold", 1, "rodas4", 166, 2210},
                             Snapshot{"ascher_petzold", 1, "rodas5", 120, 1831},
                             Snapshot{"ascher_petzold", 1, "rodas6", 76, 2007},
                             Snapshot{"ascher_petzold", 1, "esdirk4", 40, 1342},
                             Snapshot{"ascher_petzold", 1, "esdirk5", 38, 1373},
                             Snapshot{"ascher_petzold", 1, "limex", 31, 1085} // clang-format on
        ),
    [](const auto& tested) { return std::string(tested.param.problem) + "_" + tested.param.method; });

} // namespace
