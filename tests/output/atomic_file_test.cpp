#include "output/atomic_file.hpp"
#include "output/write_output.hpp"
#include "sample_data.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace daedalus;
using namespace daedalus::output;
namespace fs = std::filesystem;
using testing::HasSubstr;

namespace {

class AtomicFileTest : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "daedalus-test-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder = name;
    }
    void TearDown() override { fs::remove_all(folder); }

    [[nodiscard]] std::string path(const std::string& name) const { return (folder / name).string(); }
    [[nodiscard]] std::size_t entries() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
    }
    static std::string read(const std::string& name) {
        std::ostringstream text;
        text << std::ifstream(name).rdbuf();
        return text.str();
    }

    fs::path folder;
};

std::string code_of(const Expected<Written>& result) { return result ? "" : result.error().at(0).code; }

} // namespace

TEST_F(AtomicFileTest, AppearsOnlyAtCommit) {
    Expected<AtomicFile> file = AtomicFile::open(path("r.csv"));
    ASSERT_TRUE(file);
    file->write("half");
    EXPECT_FALSE(fs::exists(path("r.csv")));
    const Expected<Written> written = file->commit();
    ASSERT_TRUE(written);
    EXPECT_EQ(written->bytes, 4U);
    EXPECT_EQ(read(path("r.csv")), "half");
    EXPECT_EQ(entries(), 1U);
}

TEST_F(AtomicFileTest, AbandonedLeavesTheOldFileAndNoTemporary) {
    ASSERT_TRUE(write_atomically(path("r.csv"), "old"));
    {
        Expected<AtomicFile> file = AtomicFile::open(path("r.csv"));
        ASSERT_TRUE(file);
        file->write("new");
    }
    EXPECT_EQ(read(path("r.csv")), "old");
    EXPECT_EQ(entries(), 1U);
}

TEST_F(AtomicFileTest, KeepsTheModeOfTheFileItReplacesAndHonoursUmask) {
    const mode_t mask = umask(0027);
    ASSERT_TRUE(write_atomically(path("r.csv"), "a"));
    umask(mask);
    struct stat info {};
    ASSERT_EQ(stat(path("r.csv").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777U, 0640U);
    ASSERT_EQ(chmod(path("r.csv").c_str(), 0604), 0);
    ASSERT_TRUE(write_atomically(path("r.csv"), "b"));
    ASSERT_EQ(stat(path("r.csv").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777U, 0604U);
}

TEST_F(AtomicFileTest, FollowsSymbolicLinks) {
    ASSERT_TRUE(write_atomically(path("real.csv"), "old"));
    fs::create_symlink("real.csv", path("link.csv"));
    ASSERT_TRUE(write_atomically(path("link.csv"), "new"));
    EXPECT_TRUE(fs::is_symlink(path("link.csv")));
    EXPECT_EQ(read(path("real.csv")), "new");
}

TEST_F(AtomicFileTest, RefusesADirectory) {
    const Expected<Written> result = write_atomically(folder.string(), "x");
    EXPECT_EQ(code_of(result), "output-is-directory");
    EXPECT_THAT(result.error()[0].message, HasSubstr("is a directory"));
    EXPECT_THAT(result.error()[0].hint, HasSubstr("result.csv"));
    EXPECT_EQ(check_target(folder.string())->code, "output-is-directory");
    EXPECT_EQ(check_target(path("new/"))->code, "output-is-directory");
}

TEST_F(AtomicFileTest, NamesAMissingFolder) {
    const Expected<Written> result = write_atomically(path("no/such/r.csv"), "x");
    EXPECT_EQ(code_of(result), "output-folder-missing");
    EXPECT_THAT(result.error()[0].hint, HasSubstr("mkdir -p"));
    EXPECT_EQ(check_target(path("no/such/r.csv"))->code, "output-folder-missing");
    ASSERT_TRUE(write_atomically(path("file"), "x"));
    EXPECT_EQ(code_of(write_atomically(path("file/r.csv"), "x")), "output-folder-missing");
    EXPECT_EQ(code_of(write_atomically("", "x")), "output-folder-missing");
}

// In a child process without privileges, because root may write everywhere.
TEST_F(AtomicFileTest, ReportsMissingPermission) {
    ASSERT_TRUE(write_atomically(path("r.csv"), "precious"));
    ASSERT_EQ(chmod(path("r.csv").c_str(), 0444), 0);
    ASSERT_EQ(chmod(folder.c_str(), 0555), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        constexpr uid_t nobody = 65534;
        if (geteuid() == 0 && setuid(nobody) != 0) _exit(100);
        int failures = 0;
        failures += code_of(write_atomically(path("new.csv"), "x")) == "output-no-permission" ? 0 : 1;
        failures += code_of(write_atomically(path("r.csv"), "x")) == "output-no-permission" ? 0 : 2;
        const std::optional<Diagnostic> early = check_target(path("new.csv"));
        failures += early && early->code == "output-no-permission" ? 0 : 4;
        _exit(failures);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_EQ(chmod(folder.c_str(), 0755), 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
    EXPECT_EQ(read(path("r.csv")), "precious");
}

TEST_F(AtomicFileTest, CatchesAFullDisk) {
    if (!fs::exists("/dev/full")) GTEST_SKIP();
    const Expected<Written> result = write_output("/dev/full", Format::csv, sample::pendulum(50), {});
    EXPECT_EQ(code_of(result), "output-disk-full");
    EXPECT_THAT(result.error()[0].message, HasSubstr("no space left"));
    EXPECT_TRUE(fs::is_character_file("/dev/full")); // not replaced by a rename
}

// A write that fails in the middle of a real file: the limit on file size stands in for a full disk.
TEST_F(AtomicFileTest, RemovesTheTemporaryWhenAWriteFailsHalfway) {
    ASSERT_TRUE(write_atomically(path("r.csv"), "old"));
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{1000, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    const Expected<Written> result = write_output(path("r.csv"), sample::pendulum(500), {});
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, handler);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error()[0].code, "cannot-write");
    EXPECT_EQ(read(path("r.csv")), "old");
    EXPECT_EQ(entries(), 1U);
}

TEST_F(AtomicFileTest, WritesDirectlyToSpecialFiles) {
    ASSERT_TRUE(write_atomically("/dev/null", "x"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(AtomicFileTest, TakesTheLongestName) {
    const std::string name = std::string(251, 'a') + ".csv"; // 255 bytes, the limit of common file systems
    EXPECT_TRUE(write_atomically(path(name), "x"));
    EXPECT_FALSE(write_atomically(path("b" + name), "x"));
    EXPECT_EQ(entries(), 1U);
}

TEST_F(AtomicFileTest, FormatFollowsTheExtension) {
    EXPECT_EQ(*format_of("a/b.CSV"), Format::csv);
    EXPECT_EQ(*format_of("r.json"), Format::json);
    EXPECT_EQ(*format_of("r.x.html"), Format::html);
    EXPECT_EQ(*format_of("r.svg"), Format::svg);
    EXPECT_EQ(format_of("r.xlsx").error()[0].code, "unknown-output-format");
    EXPECT_THAT(format_of("r").error()[0].hint, HasSubstr(".csv"));
    EXPECT_EQ(format_of(folder.string()).error()[0].code, "output-is-directory");
    for (const char* name : {"r.csv", "r.json", "r.html", "r.svg"}) {
        const Expected<Written> written = write_output(path(name), sample::pendulum(50), sample::pendulum_report());
        ASSERT_TRUE(written) << name;
        EXPECT_EQ(fs::file_size(path(name)), written->bytes);
    }
}
