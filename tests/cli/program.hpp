// Runs the built program as a process, the way a shell does, and keeps what it said.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cli_test {

struct Answer {
    int code = -1;  ///< exit code; -1 if a signal ended it
    int signal = 0; ///< that signal
    std::string out;
    std::string err;
};

struct How {
    std::string input = {};                    ///< standard input
    std::filesystem::path folder = {};         ///< working directory; empty: the scratch folder
    std::filesystem::path out = {};            ///< where stdout goes instead of Answer::out
    int signal_when_busy = 0;                  ///< sent once the program has written to stderr
    std::vector<std::string> environment = {}; ///< added: "NAME=value"
    std::vector<std::string> command = {};     ///< run this instead of the program with arguments
};

[[nodiscard]] Answer run(const std::vector<std::string>& arguments, const How& how = {});

/// A folder for one test, removed in the end; files in it by name.
class Scratch {
public:
    Scratch();
    ~Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    [[nodiscard]] std::string operator/(const std::string& name) const { return (folder_ / name).string(); }
    /// Writes a file and returns its path.
    [[nodiscard]] std::string file(const std::string& name, const std::string& text) const;
    /// "model M …; equation …; end M;" in M.mo.
    [[nodiscard]] std::string model(const std::string& declarations, const std::string& equations) const;
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

private:
    std::filesystem::path folder_;
};

[[nodiscard]] std::string read(const std::filesystem::path& file);
[[nodiscard]] std::vector<std::string> lines(const std::string& text);
/// Path of an example model.
[[nodiscard]] std::string example(const std::string& name);

} // namespace cli_test
