// Where text goes: results to stdout, everything else to stderr; with --json errors go to stdout too, as JSON.
#pragma once

#include "daedalus/diagnostic.hpp"
#include "daedalus/terminal.hpp"
#include "exit_code.hpp"

#include <string>
#include <string_view>

namespace cli {

struct Console {
    bool json = false;
    bool quiet = false;
    daedalus::TerminalMode color = daedalus::TerminalMode::automatic;

    /// A result; stays away with --quiet unless it is JSON, which was asked for.
    void result(std::string_view text) const;
    /// About the result: to stdout beside it, or to stderr where stdout carries JSON.
    void remark(std::string_view text) const;
    /// What to know about a result, to stderr; --quiet leaves only errors. JSON results carry their own.
    void warn(const daedalus::Diagnostics& diagnostics) const;
    /// Errors after a result was printed, to stderr: stdout already carries its one JSON value.
    [[nodiscard]] ExitCode fail_late(const daedalus::Diagnostics& diagnostics) const;
    /// Errors in place of a result; returns the exit code that belongs to them.
    [[nodiscard]] ExitCode fail(const daedalus::Diagnostics& diagnostics) const;

    [[nodiscard]] bool colored() const { return daedalus::use_color(color, 1); }
    /// Grey where there is colour.
    [[nodiscard]] std::string dim(std::string_view text) const;
};

/// Flushes stdout; `code` unless that fails (a full disk behind a redirection), which is an error of its own.
[[nodiscard]] ExitCode finish(const Console& console, ExitCode code);

/// A JSON string, with its quotes.
[[nodiscard]] std::string quoted(std::string_view text);

} // namespace cli
