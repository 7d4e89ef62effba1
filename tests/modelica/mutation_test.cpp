// Seeded damage to the examples: whatever the text, the outcome is a model or at least one error with a place in it.
#include "modelica/flat_text.hpp"
#include "modelica/format.hpp"
#include "modelica/lexer.hpp"
#include "reading.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

namespace daedalus::modelica {
namespace {

std::vector<std::string> seeds() {
    std::vector<std::filesystem::path> paths;
    for (const char* folder : {"/examples", "/tests/fuzz/corpus"})
        for (const auto& entry : std::filesystem::directory_iterator(DAEDALUS_SOURCE_DIR + std::string(folder)))
            if (entry.path().extension() == ".mo") paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end()); // the order of a directory is not
    std::vector<std::string> texts;
    for (const auto& path : paths) {
        std::ostringstream text;
        text << std::ifstream(path, std::ios::binary).rdbuf();
        texts.push_back(std::move(text).str());
    }
    return texts;
}

class Damage {
public:
    explicit Damage(unsigned seed) : random_(seed) {}

    std::string operator()(std::string text) {
        for (std::size_t k = 0; k <= pick(3); ++k) {
            if (text.empty()) return text;
            switch (pick(6)) {
            case 0: text[pick(text.size())] = static_cast<char>(pick(256)); break;
            case 1: text.resize(pick(text.size())); break;
            case 2: text.erase(pick(text.size()), pick(20)); break;
            case 3: text.insert(pick(text.size()), text.substr(pick(text.size()), pick(40))); break;
            case 4: text.insert(pick(text.size()), std::string(words[pick(std::size(words))])); break;
            default: swap_tokens(text);
            }
        }
        return text;
    }

private:
    static constexpr std::string_view words[] = {
        " end ",        ";",           "(", ")",      " if ",    " then ", " else ",  "=",     " equation ", "\"", "/*",
        " der(",        "{",           "]", " when ", " 1e999 ", ".",      " model ", " for ", " not ",      "-",  "'",
        " annotation(", " redeclare ", "\0"};

    std::size_t pick(std::size_t below) { return below == 0 ? 0 : random_() % below; }

    void swap_tokens(std::string& text) {
        const SourceFile file("damage.mo", text);
        Report report(file);
        const auto tokens = tokenize(file, report).tokens;
        if (tokens.size() < 3) return;
        std::size_t i = pick(tokens.size() - 1);
        std::size_t j = pick(tokens.size() - 1);
        if (i > j) std::swap(i, j);
        if (i == j) return;
        const auto word = [&](std::size_t k) { return text.substr(tokens[k].begin, tokens[k].end - tokens[k].begin); };
        text = text.substr(0, tokens[i].begin) + word(j) + text.substr(tokens[i].end, tokens[j].begin - tokens[i].end) +
               word(i) + text.substr(tokens[j].end);
    }

    std::mt19937 random_;
};

TEST(Mutation, AModelOrAnError) {
    const std::vector<std::string> texts = seeds();
    ASSERT_GE(texts.size(), 7U);
    Damage damage(20240607);
    int models = 0;
    int refused = 0;
    for (int round = 0; round < 6000; ++round) {
        const std::string text = damage(texts[static_cast<std::size_t>(round) % texts.size()]);
        if (const auto once = format(SourceFile("m.mo", text))) {
            const auto twice = format(SourceFile("m.mo", *once));
            ASSERT_TRUE(twice) << *once;
            ASSERT_EQ(*twice, *once);
        }
        const auto result = read_text(text);
        if (result) {
            ++models;
            if (const auto flat = flat_text(*result)) {
                const auto again = read_text(*flat);
                ASSERT_TRUE(again) << render(again.error()) << text;
                // The first may stem from the reader of flat models, which orders parameters as they are written.
                const auto second = flat_text(*again);
                ASSERT_TRUE(second) << text;
                const auto third = read_text(*second);
                ASSERT_TRUE(third) << render(third.error()) << text;
                ASSERT_EQ(flat_text(*third).value(), *second) << text;
            }
            for (const model::Equation& e : result->equations) ASSERT_FALSE(result->text(e).empty());
        } else {
            ++refused;
            ASSERT_TRUE(has_errors(result.error()));
            ASSERT_LE(result.error().size(), 42U);
            for (const Diagnostic& d : result.error()) {
                ASSERT_TRUE(d.where.has_value());
                ASSERT_FALSE(d.message.empty());
                ASSERT_FALSE(d.code.empty());
            }
            ASSERT_FALSE(render(result.error()).empty());
        }
    }
    EXPECT_GT(models, 100);
    EXPECT_GT(refused, 1000);
}

} // namespace
} // namespace daedalus::modelica
