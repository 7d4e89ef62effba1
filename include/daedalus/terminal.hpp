// What a program that prints to a terminal needs: may it be coloured, how wide is it, and a progress line.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace daedalus {

enum class TerminalMode {
    automatic, ///< where the stream is a terminal that can do it
    always,
    never
};

/// Whether to colour what goes to this stream (1: stdout, 2: stderr). NO_COLOR is honoured.
[[nodiscard]] bool use_color(TerminalMode mode, int file_descriptor);
/// Text of any origin as a terminal may be given it: control characters and such that change the direction of writing
/// are written as \x1b, \u202e. Everything that the library renders has been through this.
[[nodiscard]] std::string safe_text(std::string_view text);
/// Columns; 80 where the stream is no terminal.
[[nodiscard]] int terminal_width(int file_descriptor);

/// A progress line on stderr, from t0 to t1. A short solve stays quiet; the line is erased in the end.
class ProgressBar {
public:
    ProgressBar(double t0, double t1, TerminalMode mode);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    /// After a step that reached t with step size h: what SolveOptions::progress is told.
    void update(double t, double h);
    void finish();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace daedalus
