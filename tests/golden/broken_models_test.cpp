// What a user reads about a model that is wrong: every message is compared, letter by letter, with the file beside it.
// After a change for the better: DAEDALUS_REGENERATE=1 test_golden, then read the difference before committing it.
#include <daedalus/daedalus.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace daedalus;

namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path(DAEDALUS_SOURCE_DIR) / "tests/golden/broken";

std::string contents(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

// "// param: name=value" in the first line.
SolveOptions options_in(const std::string& text) {
    SolveOptions options;
    options.until = 2.0;
    const std::string key = "// param: ";
    if (text.starts_with(key)) {
        const auto sign = text.find('='), end = text.find('\n');
        options.parameters.push_back(
            {text.substr(key.size(), sign - key.size()), std::stod(text.substr(sign + 1, end - sign - 1))});
    }
    return options;
}

// The log of attempts to start is no message: it may change with every improvement of the solver.
std::string without_attempts(const std::string& text) {
    std::istringstream lines(text);
    std::string line, kept;
    while (std::getline(lines, line))
        if (line.find(" attempts failed: ") == std::string::npos) kept += line + "\n";
    return kept;
}

std::string messages(const std::string& name, const std::string& text) {
    const auto model = Model::from_string(text, name + ".mo", {}, {(folder.parent_path() / "library").string()});
    if (!model) return render(model.error());
    const SolveOptions options = options_in(text);
    std::string all = render(model->warnings());
    const auto solution = solve(*model, options);
    return all + without_attempts(render(solution ? solution->diagnostics() : solution.error()));
}

class BrokenModels : public testing::TestWithParam<std::string> {};

std::vector<std::string> names() {
    std::vector<std::string> list;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".mo") list.push_back(entry.path().stem().string());
    std::sort(list.begin(), list.end());
    return list;
}

} // namespace

TEST_P(BrokenModels, SayWhatIsWrong) {
    const std::string said = messages(GetParam(), contents(folder / (GetParam() + ".mo")));
    EXPECT_FALSE(said.empty());
    const fs::path expected = folder / (GetParam() + ".txt");
    if (std::getenv("DAEDALUS_REGENERATE") != nullptr)
        std::ofstream(expected, std::ios::binary) << said;
    else
        EXPECT_EQ(said, contents(expected));
}

INSTANTIATE_TEST_SUITE_P(Golden, BrokenModels, testing::ValuesIn(names()), [](const auto& test) { return test.param; });

TEST(BrokenModels, AreAtLeastSixty) { EXPECT_GE(names().size(), 60U); }
