#include "console.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace cli {

namespace {

void put(std::FILE* stream, std::string_view text) { std::fwrite(text.data(), 1, text.size(), stream); }

} // namespace

void Console::result(std::string_view text) const {
    if (json || !quiet) put(stdout, text);
}

void Console::remark(std::string_view text) const {
    if (!quiet) put(json ? stderr : stdout, text);
}

void Console::warn(const daedalus::Diagnostics& diagnostics) const {
    if (json) return;
    std::fflush(stdout);
    for (const daedalus::Diagnostic& diagnostic : diagnostics)
        if (!quiet || diagnostic.severity == daedalus::Severity::error)
            put(stderr, render(diagnostic, daedalus::use_color(color, 2)));
}

ExitCode Console::fail_late(const daedalus::Diagnostics& diagnostics) const {
    std::fflush(stdout);
    put(stderr, render(diagnostics, daedalus::use_color(color, 2)));
    return exit_code(diagnostics);
}

ExitCode Console::fail(const daedalus::Diagnostics& diagnostics) const {
    if (!json) return fail_late(diagnostics);
    const ExitCode code = exit_code(diagnostics);
    put(stdout, fmt::format("{{\n\"exit_code\": {},\n\"diagnostics\": {}\n}}\n", static_cast<int>(code),
                            daedalus::to_json(diagnostics)));
    return code;
}

std::string Console::dim(std::string_view text) const {
    return colored() ? fmt::format("\x1b[2m{}\x1b[0m", text) : std::string(text);
}

ExitCode finish(const Console& console, ExitCode code) {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    daedalus::Diagnostic problem;
    problem.code = "cannot-write";
    problem.message = fmt::format("cannot write to standard output: {}", std::strerror(errno));
    put(stderr, render(problem, daedalus::use_color(console.color, 2)));
    return ExitCode::output;
}

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += fmt::format("\\{}", c);
        else if (static_cast<unsigned char>(c) < 0x20)
            out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
            out += c;
    }
    return out + "\"";
}

} // namespace cli
