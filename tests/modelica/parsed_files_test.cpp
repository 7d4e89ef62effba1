// Files of libraries are parsed once in a process, and again when they have changed.
#include "modelica/library.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace daedalus::modelica {
namespace {

TEST(ParsedFiles, AreKeptUntilTheyChange) {
    const auto folder = std::filesystem::temp_directory_path() / "daedalus_parsed_files";
    std::filesystem::create_directories(folder);
    const std::string path = (folder / "P.mo").string();
    const auto write = [&](const std::string& text) { std::ofstream(path) << text; };
    write("package P model A end A; end P;");
    const ParsedFile first = parsed_file(path);
    ASSERT_TRUE(first.unit);
    EXPECT_EQ(parsed_file(path).unit, first.unit);
    Library one({folder.string()}), other({folder.string()});
    EXPECT_NE(one.top_level("P").definition, nullptr);
    EXPECT_EQ(one.top_level("P").definition, other.top_level("P").definition);
    write("package P model A end A; model B end B; end P;");
    const ParsedFile second = parsed_file(path);
    ASSERT_TRUE(second.unit);
    EXPECT_NE(second.unit, first.unit);
    EXPECT_EQ(first.unit->tree.classes.front()->name, "P") << "what is in use stays";
    write("package P model A end B; end P; package");
    EXPECT_FALSE(parsed_file(path).problems.empty());
    EXPECT_EQ(Library({folder.string()}).top_level("P").definition, nullptr);
    std::filesystem::remove_all(folder);
}

} // namespace
} // namespace daedalus::modelica
