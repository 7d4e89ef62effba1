#include "program_attack.hpp"

#include "daedalus/daedalus.hpp"
#include "fuzz/stop_request.hpp"
#include "random_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <random>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace attack {

namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

/// A folder of its own, removed at the end.
class Folder {
public:
    Folder() {
        std::string name = (fs::temp_directory_path() / "attack_XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw fs::filesystem_error("mkdtemp", {});
        path_ = name;
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    [[nodiscard]] fs::path operator/(const std::string& name) const { return path_ / name; }

private:
    fs::path path_;
};

struct Ended {
    int status = 0;
    bool hung = false;
    std::string said;
};

class ProgramAttack {
public:
    ProgramAttack(std::string kind, std::uint64_t seed, int seconds, std::string program, std::string examples)
        : random_(seed * 0x9E3779B97F4A7C15ULL + 77), seconds_(seconds), program_(std::move(program)) {
        counts_.kind = std::move(kind);
        for (const auto& entry : fs::directory_iterator(examples))
            if (entry.path().extension() == ".mo") models_.push_back(entry.path());
        std::sort(models_.begin(), models_.end()); // the order of a directory is anybody's
    }
    ProgramCounts run(long runs) {
        static const std::map<std::string, void (ProgramAttack::*)()> kinds{
            {"models", &ProgramAttack::mutated_model},    {"commands", &ProgramAttack::random_command},
            {"matrices", &ProgramAttack::mutated_matrix}, {"checkpoints", &ProgramAttack::mutated_checkpoint},
            {"kills", &ProgramAttack::killed_run},        {"threads", &ProgramAttack::storm}};
        const auto attack = kinds.at(counts_.kind);
        constexpr auto said_every = std::chrono::minutes(1);
        auto said = std::chrono::steady_clock::now();
        for (long k = 0; k < runs && daedalus::fuzz::stop_requested == 0; ++k) {
            (this->*attack)();
            if (std::chrono::steady_clock::now() - said < said_every) continue;
            said = std::chrono::steady_clock::now();
            fmt::print("// {} so far: {} runs, {} with success, {} refused, {} unacceptable\n", counts_.kind,
                       counts_.runs, counts_.successes, counts_.refusals, counts_.unacceptable());
            std::fflush(stdout);
        }
        return counts_;
    }

private:
    std::size_t pick(std::size_t size) { return static_cast<std::size_t>(random_() % size); }
    template <class List>
    const auto& one_of(const List& list) {
        return list[pick(std::size(list))];
    }

    /// `kill_after` > 0: killed by us after so many seconds.
    Ended call(const std::vector<std::string>& arguments, double kill_after = 0.0) {
        const fs::path errors = folder_ / "said";
        const pid_t child = fork();
        if (child == 0) {
            setpgid(0, 0); // Ctrl-C is meant for the attack
            const int nothing = open("/dev/null", O_RDWR);
            const int file = open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
            dup2(nothing, 0);
            dup2(file, 1); // with --json that is where errors are said
            dup2(file, 2);
            const auto limit = static_cast<rlim_t>(seconds_);
            const rlimit no_core{0, 0}, time{limit, limit + 1};
            setrlimit(RLIMIT_CORE, &no_core);
            setrlimit(RLIMIT_CPU, &time);
            std::vector<char*> list{const_cast<char*>(program_.c_str())};
            for (const std::string& a : arguments) list.push_back(const_cast<char*>(a.c_str()));
            list.push_back(nullptr);
            execv(program_.c_str(), list.data());
            _exit(127);
        }
        Ended ended;
        if (kill_after > 0.0) {
            std::this_thread::sleep_for(std::chrono::duration<double>(kill_after));
            kill(child, SIGKILL);
        }
        waitpid(child, &ended.status, 0);
        ended.hung =
            WIFSIGNALED(ended.status) && (WTERMSIG(ended.status) == SIGXCPU || WTERMSIG(ended.status) == SIGKILL);
        ended.said = read_file(errors);
        return ended;
    }

    void show(const std::vector<std::string>& arguments, const std::string& what) const {
        std::string line;
        for (const std::string& a : arguments) line += " '" + a + "'";
        fmt::print("// {}: {}{}\n", counts_.kind, what, line);
        for (const std::string& a : arguments)
            if (a.rfind(folder_.operator/("").string(), 0) == 0 && fs::path(a).extension() != ".csv" && fs::exists(a))
                fmt::print("{}\n", read_file(a).substr(0, 4000));
    }

    /// Counts what became of a call; true for success.
    bool judge(const std::vector<std::string>& arguments, const Ended& ended) {
        ++counts_.runs;
        if (ended.hung) {
            ++counts_.hangs;
            show(arguments, "did not end");
        } else if (WIFSIGNALED(ended.status)) {
            ++counts_.signals;
            show(arguments, fmt::format("signal {}", WTERMSIG(ended.status)));
        } else if (const int code = WEXITSTATUS(ended.status); code == 0) {
            ++counts_.successes;
            return true;
        } else if (code > 7 || ended.said.empty()) {
            ++counts_.undocumented;
            show(arguments, fmt::format("exit code {} with {} characters of explanation", code, ended.said.size()));
        } else
            ++counts_.refusals;
        return false;
    }

    /// Words, numbers and signs.
    static std::vector<std::string> tokens(const std::string& text) {
        std::vector<std::string> list;
        const auto word = [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
        };
        for (const char c : text) {
            if (!list.empty() && word(c) && word(list.back().back()))
                list.back() += c;
            else
                list.emplace_back(1, c);
        }
        return list;
    }

    std::string mutated(const std::string& text) {
        static const char* const strange[] = {
            "0", "-1", "1e308", "1e-320", "1e999", "(",    ")",   "der(", "time",   "/ 0",  "if",  "when", "end",
            ";", "x",  "\"",    "sqrt(",  "^",     "\xff", "\0x", "1/0",  "reinit", "pre(", "[1]", "each", "parameter"};
        std::vector<std::string> list = tokens(text);
        for (std::size_t n = 1 + pick(4); n > 0 && !list.empty(); --n) {
            const std::size_t at = pick(list.size());
            const auto place = list.begin() + static_cast<std::ptrdiff_t>(at);
            switch (pick(5)) {
            case 0: list.erase(place); break;
            case 1: list.insert(place, list[pick(list.size())]); break;
            case 2: std::swap(list[at], list[pick(list.size())]); break;
            case 3: list[at] = one_of(strange); break;
            default: list[at] = list[pick(list.size())];
            }
        }
        std::string result;
        for (const std::string& token : list) result += token;
        return result;
    }

    std::string some_model() {
        return pick(2) == 0 && !models_.empty() ? read_file(one_of(models_)) : random_model(random_()).text;
    }

    void mutated_model() {
        const fs::path model = folder_ / "model.mo";
        write_file(model, mutated(some_model()));
        static const char* const commands[] = {"solve", "solve", "solve", "analyze", "start", "explain"};
        std::vector<std::string> arguments{one_of(commands), model.string()};
        if (arguments[0] == "solve") arguments.insert(arguments.end(), {"--until", "1", "--max-steps", "20000"});
        judge(arguments, call(arguments));
    }

    void random_command() {
        static const char* const commands[] = {"solve",  "analyze", "start", "explain",
                                               "derive", "sweep",   "list",  "orders"};
        static const char* const flags[] = {
            "--until",  "--from",     "--stop-at",    "--stop-when",  "--backward", "--method",    "--linear-solver",
            "--rtol",   "--atol",     "--atol-of",    "--reduce",     "--certify",  "--no-jit",    "--no-aliases",
            "--tear",   "--param",    "--start",      "--prefer",     "--guess",    "--init",      "--class",
            "--points", "--integral", "--first-step", "--fixed-step", "--max-step", "--max-steps", "--max-order",
            "--json",   "--quiet",    "--output",     "--color",      "--measure",  "--along",     "--minimize"};
        static const char* const values[] = {
            "0",    "1",    "-1",         "1e-3", "1e308", "nan",   "inf", "x=1",   "y=-0.6", "L=2",   "radau",  "bdf",
            "auto", "none", "projection", "ggl",  "x < 0", "1e-12", "",    "steps", "=",      "1:2:3", "steady", "klu"};
        std::vector<std::string> arguments{one_of(commands), one_of(models_).string()};
        const fs::path output = folder_ / "result.csv";
        for (std::size_t n = pick(5); n > 0; --n) {
            const std::string flag = one_of(flags);
            arguments.push_back(flag);
            if (flag == "--output")
                arguments.push_back(output.string());
            else if (pick(8) != 0)
                arguments.emplace_back(one_of(values));
        }
        if (arguments[0] == "solve") arguments.insert(arguments.end(), {"--max-steps", "20000"});
        judge(arguments, call(arguments));
    }

    void mutated_matrix() {
        const auto matrix = [&](std::size_t n) {
            std::string text = fmt::format("%%MatrixMarket matrix coordinate real general\n{} {} {}\n", n, n, 2 * n);
            for (std::size_t k = 0; k < 2 * n; ++k)
                text += fmt::format("{} {} {}\n", 1 + pick(n), 1 + pick(n), static_cast<double>(pick(7)) - 3.0);
            return pick(3) == 0 ? text : mutated(text);
        };
        const std::size_t n = 1 + pick(6);
        write_file(folder_ / "E.mtx", matrix(n));
        write_file(folder_ / "H.mtx", matrix(n));
        const std::vector<std::string> arguments{"pencil", (folder_ / "E.mtx").string(), (folder_ / "H.mtx").string()};
        judge(arguments, call(arguments));
    }

    [[nodiscard]] std::vector<std::string> long_run(const fs::path& model, const std::string& output) const {
        return {"solve",    model.string(), "--until", "1500",     "--method",
                "bdf",      "--rtol",       "1e-8",    "--output", (folder_ / output).string(),
                "--points", "200",          "--quiet"};
    }

    /// The end of an undisturbed run with checkpoints, as bytes.
    void make_reference(const fs::path& model) {
        if (!reference_.empty()) return;
        std::vector<std::string> arguments = long_run(model, "reference.csv");
        arguments.insert(arguments.end(), {"--checkpoint", (folder_ / "reference.check").string()});
        const auto begin = std::chrono::steady_clock::now();
        (void)call(arguments);
        duration_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        reference_ = read_file(folder_ / "reference.csv");
        if (reference_.empty()) fmt::print("// {}: no reference could be made\n", counts_.kind);
    }
    [[nodiscard]] fs::path pendulum() const {
        const auto found = std::find_if(models_.begin(), models_.end(),
                                        [](const fs::path& p) { return p.filename() == "pendulum.mo"; });
        return found != models_.end() ? *found : models_.front();
    }

    /// A run from a checkpoint gives what the undisturbed one gives, or is refused.
    void resume(const fs::path& checkpoint) {
        std::vector<std::string> arguments = long_run(pendulum(), "resumed.csv");
        arguments.insert(arguments.end(), {"--resume", checkpoint.string()});
        fs::remove(folder_ / "resumed.csv");
        const bool success = judge(arguments, call(arguments));
        if (success && read_file(folder_ / "resumed.csv") != reference_) {
            ++counts_.wrong;
            show(arguments, "a result that is not the undisturbed one");
        }
    }

    void killed_run() {
        make_reference(pendulum());
        const fs::path checkpoint = folder_ / "run.check";
        fs::remove(checkpoint);
        std::vector<std::string> arguments = long_run(pendulum(), "killed.csv");
        arguments.insert(arguments.end(), {"--checkpoint", checkpoint.string()});
        fs::remove(folder_ / "killed.csv");
        const double share = static_cast<double>(1 + pick(1000)) / 1000.0;
        (void)call(arguments, share * duration_);
        if (const std::string left = read_file(folder_ / "killed.csv"); !left.empty() && left != reference_) {
            ++counts_.wrong;
            show(arguments, "half a result after a kill");
        }
        if (fs::exists(checkpoint)) resume(checkpoint);
    }

    void mutated_checkpoint() {
        if (whole_checkpoint_.empty()) {
            make_reference(pendulum());
            const fs::path checkpoint = folder_ / "run.check";
            for (double share = 0.5; whole_checkpoint_.empty() && share < 1.0; share += 0.1) {
                std::vector<std::string> arguments = long_run(pendulum(), "killed.csv");
                arguments.insert(arguments.end(), {"--checkpoint", checkpoint.string()});
                (void)call(arguments, share * duration_);
                whole_checkpoint_ = read_file(checkpoint);
            }
        }
        std::string bytes = whole_checkpoint_;
        for (std::size_t n = 1 + pick(3); n > 0 && !bytes.empty(); --n) {
            const std::size_t at = pick(bytes.size());
            switch (pick(4)) {
            case 0: bytes[at] = static_cast<char>(pick(256)); break;
            case 1: bytes.resize(at); break;
            case 2: bytes.insert(at, 1 + pick(16), static_cast<char>(pick(256))); break;
            default: bytes.erase(at, 1 + pick(16));
            }
        }
        const fs::path checkpoint = folder_ / "mutated.check";
        write_file(checkpoint, bytes);
        resume(checkpoint);
    }

    /// One compiled model, four threads: each result is that of the run alone, bit by bit.
    void storm() {
        const auto model = daedalus::Model::from_string(random_model(random_()).text, "storm.mo");
        ++counts_.runs;
        if (!model) return;
        const auto compiled = model->compile();
        if (!compiled) {
            ++counts_.refusals;
            return;
        }
        constexpr std::size_t threads = 4;
        const auto solve = [&](std::size_t k) {
            daedalus::SolveOptions o;
            o.rtol = std::pow(10.0, -3.0 - static_cast<double>(k));
            o.points = 10;
            const auto s = compiled->solve(o);
            std::vector<double> end;
            if (s)
                for (const std::string& name : s->names()) end.push_back(s->operator[](name).back());
            return end;
        };
        std::vector<std::vector<double>> alone, together(threads);
        for (std::size_t k = 0; k < threads; ++k) alone.push_back(solve(k));
        std::vector<std::thread> list;
        for (std::size_t k = 0; k < threads; ++k) list.emplace_back([&, k] { together[k] = solve(k); });
        for (std::thread& t : list) t.join();
        if (alone == together)
            ++counts_.successes;
        else {
            ++counts_.wrong;
            fmt::print("// threads: results differ from those of runs alone\n");
        }
    }

    std::mt19937_64 random_;
    int seconds_;
    std::string program_;
    std::vector<fs::path> models_;
    Folder folder_;
    ProgramCounts counts_;
    std::string reference_, whole_checkpoint_;
    double duration_ = 1.0; ///< of the undisturbed run, in seconds
};

} // namespace

const std::vector<std::string>& program_kinds() {
    static const std::vector<std::string> kinds{"models", "commands", "matrices", "checkpoints", "kills", "threads"};
    return kinds;
}

ProgramCounts attack_program(const std::string& kind, std::uint64_t seed, long runs, int seconds,
                             const std::string& program, const std::string& examples) {
    return ProgramAttack(kind, seed, seconds, program, examples).run(runs);
}

} // namespace attack
