// A progress line on a terminal: "  42 % ████████▌············ t = 4.21  h = 1.3e-3  1.2 s, 2 s left". Drawn at most
// 20 times a second, erased when the work ends; silent where the stream is no terminal.
#pragma once

#include <functional>
#include <string>

namespace daedalus::output {

class Progress {
public:
    struct Options {
        int file_descriptor = 2; ///< stderr: never mixed into results
        /// Draw even where it is no terminal (--progress=always), or never.
        enum class When { terminal, always, never } when = When::terminal;
        int width = 0;                 ///< columns; 0: ask the terminal
        double period = 1.0 / 20;      ///< seconds between two drawings
        double patience = 0.2;         ///< seconds before the first: a short solve stays quiet
        std::function<double()> clock; ///< seconds, monotonic; empty: the real one
    };

    Progress(double t_start, double t_end) : Progress(t_start, t_end, Options()) {}
    Progress(double t_start, double t_end, Options options);
    ~Progress() { finish(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// After an accepted step that reached t. Cheap: looks at the clock and usually returns.
    void update(double t, double h);
    /// Erases the line. update() afterwards does nothing.
    void finish();

    [[nodiscard]] bool active() const { return active_; }

private:
    void draw(double t, double h, double elapsed);
    void put(const std::string& text) const;

    double t_start_;
    double t_end_;
    Options options_;
    double began_ = 0.0;
    double last_drawn_ = 0.0;
    bool active_ = false;
    bool visible_ = false;
};

/// One line of progress, without escape sequences; at most `width` columns.
[[nodiscard]] std::string progress_line(double fraction, double t, double h, double elapsed, int width);

} // namespace daedalus::output
