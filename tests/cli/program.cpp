#include "cli/program.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace cli_test {

namespace fs = std::filesystem;

namespace {

void redirect(int descriptor, const std::string& path, int flags) {
    const int file = open(path.c_str(), flags, 0600);
    if (file < 0 || dup2(file, descriptor) < 0) _exit(125);
    close(file);
}

[[noreturn]] void become(const std::vector<std::string>& words, const How& how, const std::string& in,
                         const std::string& out, const std::string& err) {
    redirect(0, in, O_RDONLY);
    redirect(1, out, O_WRONLY | O_CREAT | O_TRUNC);
    redirect(2, err, O_WRONLY | O_CREAT | O_TRUNC);
    if (!how.folder.empty() && chdir(how.folder.c_str()) != 0) _exit(126);
    for (const std::string& setting : how.environment) putenv(const_cast<char*>(setting.c_str()));
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execv(arguments[0], arguments.data());
    _exit(127);
}

void wait_until_busy(pid_t child, const std::string& err) {
    std::error_code ignored;
    for (int i = 0; i < 6000; ++i) {
        if (const auto size = fs::file_size(err, ignored); !ignored && size > 0) return;
        siginfo_t ended{};
        if (waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid != 0)
            return; // it has ended, and its status is still there to be asked for
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

} // namespace

Answer run(const std::vector<std::string>& arguments, const How& how) {
    const Scratch scratch;
    const std::string in = scratch.file("in", how.input);
    const std::string out = how.out.empty() ? scratch / "out" : how.out.string();
    const std::string err = scratch / "err";
    std::vector<std::string> words = how.command;
    if (words.empty()) {
        words = arguments;
        words.insert(words.begin(), DAEDALUS_PROGRAM);
    }
    const pid_t child = fork();
    if (child == 0) become(words, how, in, out, err);
    Answer result;
    if (child < 0) return result;
    if (how.signal_when_busy != 0) {
        wait_until_busy(child, err);
        kill(child, how.signal_when_busy);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) result.code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
    if (how.out.empty()) result.out = read(out);
    result.err = read(err);
    return result;
}

Scratch::Scratch() {
    std::string name = (fs::temp_directory_path() / "daedalus-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "cannot make a folder in " << fs::temp_directory_path();
    folder_ = name;
}

Scratch::~Scratch() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

std::string Scratch::file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
}

std::string Scratch::model(const std::string& declarations, const std::string& equations) const {
    return file("M.mo", "model M\n  " + declarations + "\nequation\n  " + equations + "\nend M;\n");
}

std::string read(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> list;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) list.push_back(line);
    return list;
}

std::string example(const std::string& name) { return DAEDALUS_SOURCE_DIR "/examples/" + name; }

} // namespace cli_test
