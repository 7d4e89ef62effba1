// Bad and extreme input of the analysis commands, as a table: each ends with a stated verdict, with "undecided, because
// …", or with an error and its exit code; never with a crash or an index that was made up.
#include "cli/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace cli_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

json parsed(const Answer& r) {
    EXPECT_EQ(r.signal, 0) << r.err;
    const json value = json::parse(r.out, nullptr, false);
    EXPECT_FALSE(value.is_discarded()) << r.out << r.err;
    return value;
}

std::string array(int rows, int cols, const std::string& by_columns) {
    return "%%MatrixMarket matrix array real general\n" + std::to_string(rows) + " " + std::to_string(cols) + "\n" +
           by_columns + "\n";
}
const std::string identity2 = array(2, 2, "1 0 0 1"), identity3 = array(3, 3, "1 0 0 0 1 0 0 0 1");

struct PencilCase {
    const char* name;
    std::string e, h;
    const char* verdict; ///< how it begins
    int index = -1;      ///< -1: null
};

TEST(LaboratoryInput, PencilsGetAVerdict) {
    const PencilCase cases[] = {
        {"ordinary", identity2, array(2, 2, "1 3 2 4"), "regular, index 0", 0},
        {"one by one", array(1, 1, "2"), array(1, 1, "3"), "regular, index 0", 0},
        {"one by one, algebraic", array(1, 1, "0"), array(1, 1, "3"), "regular, index 1", 1},
        {"one by one, zero", array(1, 1, "0"), array(1, 1, "0"), "singular"},
        {"empty", array(0, 0, ""), array(0, 0, ""), "regular, index 0", 0},
        {"no equations", array(0, 3, ""), array(0, 3, ""), "singular (0 by 3)"},
        {"wide", array(2, 3, "1 0 0 1 0 0"), array(2, 3, "0 1 0 0 1 0"), "singular (2 by 3)"},
        {"tall", array(3, 2, "1 0 0 0 1 0"), array(3, 2, "0 1 0 0 0 1"), "singular (3 by 2)"},
        {"not a number", array(2, 2, "nan 0 0 1"), identity2, "undecided, because entry (1, 1) of E is nan"},
        {"infinite", identity2, array(2, 2, "1 0 -inf 1"), "undecided, because entry (1, 2) of H is -inf"},
        {"huge E", array(2, 2, "1e200 0 0 0"), identity2, "regular, index 1", 1},
        {"tiny E", array(2, 2, "1e-200 0 0 0"), identity2, "regular, index 1", 1},
        {"denormal", array(2, 2, "5e-324 0 0 0"), identity2, "regular, index 1", 1},
        {"both huge", array(2, 2, "0 0 1e200 0"), array(2, 2, "1e200 0 0 1e200"), "regular, index 2", 2},
        {"both tiny", array(2, 2, "0 0 1e-200 0"), array(2, 2, "1e-200 0 0 1e-200"), "regular, index 2", 2},
        // rows of size 1e200, 1e-200 and 1: the rule of the largest entry alone loses the second
        {"rows of every size", array(3, 3, "0 0 0 1e200 0 0 0 1e-200 0"), array(3, 3, "1e200 0 0 0 1e-200 0 0 0 1"),
         "regular, index 3", 3},
        {"columns of every size", array(3, 3, "0 0 0 1e200 0 0 0 1e-100 0"),
         array(3, 3, "1e-50 0 0 0 1e200 0 0 0 1e-100"), "regular, index 3", 3},
        // no scaling makes all four entries of [1 1e-200; 1e-200 1] alike, and none is needed to see that it is regular
        {"entries of every size", array(2, 2, "1 1e-200 1e-200 1"), array(2, 2, "0 1 1 0"), "", -2},
        // E has singular values 2 and 5e-9: an ODE with a solution like exp(4e8 t), or a constraint?
        {"within noise", array(2, 2, "1 1 1 1.00000001"), array(2, 2, "1 3 2 5"), "undecided, because the rank"},
        {"singular", array(2, 2, "1 1 1 1"), array(2, 2, "2 2 2 2"), "singular"},
    };
    for (const PencilCase& c : cases) {
        const Scratch scratch;
        const Answer r = run({"pencil", scratch.file("E.mtx", c.e), scratch.file("H.mtx", c.h), "--json"});
        EXPECT_EQ(r.code, 0) << c.name << r.err;
        const json a = parsed(r);
        for (const char* key :
             {"regular", "index", "infinite_blocks", "finite_eigenvalues", "backward_error", "rank_gaps", "verdict"})
            EXPECT_TRUE(a.contains(key)) << c.name << ": " << key;
        EXPECT_THAT(a["verdict"].get<std::string>(), StartsWith(c.verdict)) << c.name;
        const int index = a["index"].is_null() ? -1 : a["index"].get<int>();
        if (c.index >= -1) {
            EXPECT_EQ(index, c.index) << c.name;
        }
        // Whatever is said: an index only of what is regular, blocks that fit it.
        if (index >= 0) {
            EXPECT_EQ(a["regular"], true) << c.name;
            EXPECT_EQ(a["infinite_blocks"].empty() ? 0 : a["infinite_blocks"][0].get<int>(), index) << c.name;
        }
        if (a["regular"].is_null()) {
            EXPECT_THAT(a["verdict"].get<std::string>(), StartsWith("undecided, because"));
        }
    }
}

TEST(LaboratoryInput, FilesThatAreNoMatricesAreRefused) {
    const std::string coordinate = "%%MatrixMarket matrix coordinate real general\n";
    const std::pair<std::string, const char*> files[] = {
        {"", "not a Matrix Market file"},
        {"hello world\n", "not a Matrix Market file"},
        {"2 2\n1\n0\n0\n1\n", "not a Matrix Market file"},
        {std::string("\0\1\2\xff", 4), "not a Matrix Market file"},
        {"%%MatrixMarket matrix array real\n2 2\n1\n0\n0\n1\n", "five words"},
        {"%%MatrixMarket vector array real general\n2 2\n1\n0\n0\n1\n", "five words"},
        {"%%MatrixMarket matrix array real general\n", "size line is missing"},
        {array(2, 2, "1 0 0"), "entries end before"},
        {array(2, 2, "1 0 0 1 7"), "more entries"},
        {array(2, 2, "1 x 0 1"), "'x' is not a number"},
        {array(2, 2, "1e400 0 0 1"), "range of double precision"},
        {array(-2, 2, "1"), "'-2' is not a size"},
        {array(1000000000, 1000000000, "1"), "too large"},
        {coordinate + "2000000000 2000000000 1\n1 1 1\n", "too large"},
        {coordinate + "99999999999999999999 2 1\n1 1 1\n", "is not a size"},
        {coordinate + "2 2 99999999999\n1 1 1\n", "more entries than the file has room for"},
        {coordinate + "2 2 1\n3 1 1\n", "'3' is not a row"},
        {coordinate + "2 2 1\n0 1 1\n", "'0' is not a row"},
        {"%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 1 1 0\n", "'complex' is not supported"},
        {"%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n0 1\n1 0\n", "'complex' is not supported"},
        {"%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 1\n2 2\n", "'pattern' is not supported"},
        {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 3\n", "on and below the diagonal"},
        {"%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 1 1\n", "symmetric matrix is square"},
        {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 3\n", "diagonal"},
        {identity3, "E is 3 by 3, but H is 2 by 2"},
    };
    for (const auto& [text, message] : files) {
        const Scratch scratch;
        const Answer r = run({"pencil", scratch.file("E.mtx", text), scratch.file("H.mtx", identity2), "--json"});
        EXPECT_EQ(r.code, 3) << text;
        EXPECT_THAT(parsed(r)["diagnostics"][0]["message"].get<std::string>(), HasSubstr(message)) << text;
    }
    // What the format allows is read.
    for (const char* text : {"%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 1 3\n",
                             "%%MatrixMarket matrix array real symmetric\n2 2\n1\n3\n4\n",
                             "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 3\n",
                             "%%MatrixMarket matrix array integer general\n2 2\n1\n0\n0\n1\n",
                             "%%MatrixMarket matrix array real general\r\n2 2\r\n1\r\n0\r\n0\r\n1\r\n",
                             "%%matrixmarket MATRIX ARRAY REAL GENERAL\n% c\n\n2 2\n1.0D0\n0\n0\n1d0\n"}) {
        const Scratch scratch;
        const Answer r = run({"pencil", scratch.file("E.mtx", text), scratch.file("H.mtx", identity2), "--json"});
        EXPECT_EQ(r.code, 0) << text << r.out;
        EXPECT_EQ(parsed(r)["index"], 0) << text;
    }
}

void expect_analysis_keys(const json& a, const std::string& what) {
    for (const char* key : {"differentiation_index", "strangeness_index", "tractability_index", "perturbation_index",
                            "structural_index"}) {
        ASSERT_TRUE(a.contains(key)) << what << key;
        EXPECT_TRUE(a[key].is_null() || a[key].is_number_integer()) << what << key;
        ASSERT_TRUE(a.contains(std::string(key) + "_reason")) << what << key;
        EXPECT_FALSE(a[std::string(key) + "_reason"].get<std::string>().empty()) << what << key;
    }
    for (const char* key : {"index_per_variable", "hidden_constraints", "degrees_of_freedom", "conditioning",
                            "warnings", "recommendation"})
        EXPECT_TRUE(a.contains(key)) << what << key;
}

TEST(LaboratoryInput, AnalyzeHasItsKeysWhateverTheModel) {
    struct Case {
        const char *declarations, *equations;
        int code;
    };
    const Case cases[] = {
        {"Real x(start=1);", "der(x) = -x;", 0},
        {"Real x1, x2, x3, x4;", "x1 = sin(time); x2 = der(x1); x3 = der(x2); x4 = der(x3);", 0},
        {"Real x(start=1), y;", "der(x) = 1e200*y; 1e-200*y = x;", 0},
        {"Real x(start=1), y;", "der(x) = -x; y = log(-1 - x^2);", 0},     // no value anywhere
        {"Real x(start=1);", "der(x) = -x; x = time;", 4},                 // over-determined
        {"Real x(start=1), y;", "der(x) = y;", 4},                         // under-determined
        {"Real x(start=1), y;", "der(x) + y = 1; 2*der(x) + 2*y = 2;", 4}, // dependent
        {"Real x(start=1), y;", "der(x) + y = 1; der(x) + y = 2;", 4},     // contradictory
        {"Real x(start=1), y, z;", "der(x) = y; x = 1; y = time;", 4},     // z nowhere
    };
    for (const Case& c : cases) {
        const Scratch scratch;
        const Answer r = run({"analyze", scratch.model(c.declarations, c.equations), "--json", "--until", "1"});
        EXPECT_EQ(r.code, c.code) << c.equations << r.out;
        const json a = parsed(r);
        expect_analysis_keys(a, c.equations);
        if (c.code != 0) {
            EXPECT_TRUE(a["differentiation_index"].is_null()) << c.equations;
            EXPECT_FALSE(a["diagnostics"].empty()) << c.equations;
        }
    }
    for (const char* name : {"circle_steering.mo", "differentiator.mo", "pendulum.mo", "van_der_pol_dae.mo"})
        expect_analysis_keys(parsed(run({"analyze", example(name), "--json"})), name);
}

TEST(LaboratoryInput, UnknownNamesAndImpossibleFiles) {
    const Scratch scratch;
    const std::pair<std::vector<std::string>, int> cases[] = {
        {{"reproduce", "XX-1.1", "--json"}, 2},
        {{"reproduce", "--json"}, 2},
        {{"reproduce", "NC-5.1", "NC-5.2", "--json"}, 2},
        {{"orders", "--method", "nonsense", "--json"}, 2},
        {{"orders", "--class", "index7", "--json"}, 2},
        {{"analyze", "--json"}, 2},
        {{"analyze", scratch / "missing.mo", "--json"}, 3},
        {{"analyze", scratch.folder().string(), "--json"}, 3},
        {{"analyze", scratch.file("empty.mo", ""), "--json"}, 3},
        {{"analyze", scratch.file("zeros.mo", std::string(100, '\0')), "--json"}, 3},
        {{"pencil", "--json"}, 2},
        {{"pencil", scratch / "missing.mtx", scratch / "missing.mtx", "--json"}, 3},
        {{"pencil", scratch.folder().string(), scratch.folder().string(), "--json"}, 3},
        {{"derive", "--json"}, 2},
    };
    for (const auto& [arguments, code] : cases) {
        const Answer r = run(arguments);
        EXPECT_EQ(r.code, code) << arguments[0] << " " << arguments[1] << r.out;
        EXPECT_FALSE(parsed(r)["diagnostics"][0]["message"].get<std::string>().empty());
    }
}

TEST(LaboratoryInput, ReproducedTablesHaveTheirColumns) {
    for (const char* id : {"NC-5.1", "NC-5.2"}) {
        const json rows = parsed(run({"reproduce", id, "--json"}))["rows"];
        ASSERT_FALSE(rows.empty()) << id;
        for (const json& row : rows)
            for (const char* key : {"h", "t", "exact_iv", "consistent_iv"}) {
                ASSERT_TRUE(row.contains(key)) << id << key;
                EXPECT_GT(row[key].get<double>(), 0.0) << id << key; // absolute errors
            }
    }
}

} // namespace
} // namespace cli_test
