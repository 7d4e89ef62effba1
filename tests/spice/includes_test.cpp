// Files in files: where they are looked for, which are refused, sections of libraries.
#include "reading.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace daedalus;
using namespace daedalus::spice;
using testing::HasSubstr;

namespace {

namespace fs = std::filesystem;

class SpiceIncludes : public testing::Test {
protected:
    void SetUp() override {
        root_ = fs::temp_directory_path() / ("spice_includes_" + std::to_string(::getpid()));
        fs::remove_all(root_);
        fs::create_directories(root_ / "deck" / "lib");
        fs::create_directories(root_ / "elsewhere");
    }
    void TearDown() override { fs::remove_all(root_); }

    void file(const std::string& name, const std::string& text) const {
        std::ofstream(root_ / name, std::ios::binary) << text;
    }
    [[nodiscard]] Expected<Netlist> read(const std::string& lines, const ReadOptions& options = {}) const {
        return read_netlist(
            std::make_shared<const SourceFile>((root_ / "deck" / "main.cir").string(), "title\n" + lines), options);
    }
    [[nodiscard]] std::string said(const std::string& lines, const ReadOptions& options = {}) const {
        const auto r = read(lines, options);
        return render(r ? r->warnings : r.error());
    }

    fs::path root_;
};

} // namespace

TEST_F(SpiceIncludes, AreFoundBesideTheIncludingFile) {
    file("deck/a.inc", ".include lib/b.inc\nR1 1 0 {k}\n");
    file("deck/lib/b.inc", "* no title here\n.inc \"c d.inc\"\n.param k=5\n");
    file("deck/lib/c d.inc", "R2 1 0 2\n.end\nR9 1 0 1\n");
    const auto n = read(".include 'a.inc'\n.include lib\\c d.inc\n.end\n");
    ASSERT_FALSE(n) << "a blank ends a name without quotes";
    const auto good = read(".include a.inc\nR3 1 0 3\n");
    ASSERT_TRUE(good) << render(good.error());
    EXPECT_EQ(good->elements.size(), 3U);
    EXPECT_EQ(value(*good, "R1"), 5.0);
    EXPECT_EQ(good->sources.size(), 4U);
    EXPECT_THAT(element(*good, "R2").span.locate().file, testing::EndsWith("deck/lib/c d.inc"));
}

TEST_F(SpiceIncludes, LibrariesHaveSections) {
    file("deck/m.lib", ".lib TT\n.model d d is=1\n.endl TT\n.lib ff\n.lib 'm.lib' common\n.model d d is=2\n.endl\n.lib "
                       "common\nR9 1 0 9\n.endl\n");
    const auto tt = read(".lib m.lib tt\nD1 1 0 d\n");
    ASSERT_TRUE(tt) << render(tt.error());
    EXPECT_EQ(model(*tt, "D1").values.at("is").number, 1.0);
    EXPECT_EQ(tt->elements.size(), 1U);
    const auto ff = read(".lib 'm.lib' FF\nD1 1 0 d\n");
    ASSERT_TRUE(ff) << render(ff.error());
    EXPECT_EQ(model(*ff, "D1").values.at("is").number, 2.0);
    EXPECT_EQ(ff->elements.size(), 2U);
    EXPECT_THAT(said(".lib m.lib sf\nD1 1 0 d\n"), HasSubstr("there is no section 'sf' in this file"));
    EXPECT_THAT(said(".lib m.lib comon\n"), HasSubstr("did you mean 'common'?"));
    const auto plain = read(".lib plain.lib\nR1 1 0 1\n");
    EXPECT_FALSE(plain);
    file("deck/plain.lib", "R2 1 0 1\n");
    EXPECT_TRUE(read(".lib plain.lib\nR1 1 0 1\n")) << "without a section: the whole file";
    const auto own = read(".lib corner\nR5 1 0 1\n.endl\nR1 1 0 1\n");
    ASSERT_TRUE(own);
    EXPECT_EQ(own->elements.size(), 1U) << "a section that nobody asked for";
}

TEST_F(SpiceIncludes, OnlyInsideOfTheDecksFolderAndAllowedOnes) {
    file("elsewhere/x.inc", "R1 1 0 1\n");
    const std::string outside = (root_ / "elsewhere" / "x.inc").string();
    EXPECT_THAT(said(".include ../elsewhere/x.inc\n"), HasSubstr("lies outside of the deck's folder"));
    EXPECT_THAT(said(".include ../elsewhere/none.inc\n"), HasSubstr("lies outside of the deck's folder"))
        << "nothing is told about what exists there";
    EXPECT_THAT(said(".include " + outside + "\n"), HasSubstr("lies outside of the deck's folder"));
    EXPECT_THAT(said(".include /etc/passwd\n"), HasSubstr("lies outside of the deck's folder"));
    EXPECT_THAT(said(".include lib/../../elsewhere/x.inc\n"), HasSubstr("lies outside"));
    fs::create_symlink(root_ / "elsewhere" / "x.inc", root_ / "deck" / "link.inc");
    EXPECT_THAT(said(".include link.inc\n"), HasSubstr("lies outside of the deck's folder"));
    fs::create_directory_symlink(root_ / "elsewhere", root_ / "deck" / "linked");
    EXPECT_THAT(said(".include linked/x.inc\n"), HasSubstr("lies outside of the deck's folder"));
    fs::create_directories(root_ / "deck-other");
    file("deck-other/y.inc", "R1 1 0 1\n");
    EXPECT_THAT(said(".include ../deck-other/y.inc\n"), HasSubstr("lies outside"))
        << "a folder whose name begins alike";
    ReadOptions options;
    options.allowed_folders = {(root_ / "elsewhere").string()};
    EXPECT_TRUE(read(".include ../elsewhere/x.inc\n", options));
    EXPECT_TRUE(read(".include link.inc\n", options));
}

TEST_F(SpiceIncludes, WhatIsNoFileIsRefused) {
    EXPECT_THAT(said(".include none.inc\n"), HasSubstr("there is no file 'none.inc'"));
    EXPECT_THAT(said(".include lib\n"), HasSubstr("there is no file 'lib'"));
    EXPECT_THAT(said(".include\n"), HasSubstr("the name of a file is missing"));
    EXPECT_THAT(said(".include \"open\n"), HasSubstr("the name of a file is missing"));
    ASSERT_EQ(::mkfifo((root_ / "deck" / "pipe").c_str(), 0600), 0);
    EXPECT_THAT(said(".include pipe\n"), HasSubstr("there is no file 'pipe'")) << "does not wait for a writer";
}

TEST_F(SpiceIncludes, RecursionAndMultiplicationAreBounded) {
    file("deck/a.inc", ".include b.inc\n");
    file("deck/b.inc", ".include a.inc\n");
    const std::string loop = said(".include a.inc\nR1 1 0 1\n");
    EXPECT_THAT(loop, HasSubstr("this file includes itself"));
    EXPECT_THAT(loop, HasSubstr("b.inc → "));
    EXPECT_THAT(said(".include main.cir\nR1 1 0 1\n"), HasSubstr("there is no file")) << "the deck is a text here";
    for (int k = 0; k < 60; ++k) file("deck/d" + std::to_string(k), ".include d" + std::to_string(k + 1) + "\n");
    EXPECT_THAT(said(".include d0\nR1 1 0 1\n"), HasSubstr("more than 50 levels deep"));
    for (int k = 0; k < 40; ++k) {
        const std::string next = ".include e" + std::to_string(k + 1) + "\n";
        file("deck/e" + std::to_string(k), next + next);
    }
    file("deck/e40", "* nothing\n");
    EXPECT_THAT(said(".include e0\nR1 1 0 1\n"), HasSubstr("more than 10000 files"));
    // The same models twice are no conflict.
    file("deck/models.inc", ".model d d is=1\n.subckt s a\nR1 a 0 1\n.ends\n");
    EXPECT_EQ(said(".include models.inc\n.include models.inc\nD1 1 0 d\nX1 1 s\n"), "");
}

TEST_F(SpiceIncludes, MessagesNameTheFile) {
    file("deck/a.inc", "R1 1 0 1k\nR2 1\n");
    EXPECT_THAT(said("R3 1\n.include a.inc\n"),
                testing::ContainsRegex("main.cir:2:5: error: .*\n.*\n.*\n.*\n.*a.inc:2:5: error"));
}
