#include "output/progress.hpp"

#include "output/number_text.hpp"
#include "output/terminal.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <unistd.h>

namespace daedalus::output {
namespace {

double steady_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string bar(double fraction, int cells) {
    static constexpr const char* eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const int filled = static_cast<int>(fraction * cells * 8);
    std::string out;
    for (int i = 0; i < filled / 8; ++i) out += "█";
    out += eighths[filled % 8];
    for (int i = (filled + 7) / 8; i < cells; ++i) out += "·";
    return out;
}

} // namespace

std::string progress_line(double fraction, double t, double h, double elapsed, int width) {
    fraction = std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) : 0.0;
    char head[16];
    // Rounded down: 100 % is said only when it is done.
    std::snprintf(head, sizeof head, "%3d %% ", static_cast<int>(std::floor(fraction * 100)));
    std::string tail = "  t = " + brief_number(t, 5) + "  h = " + brief_number(h, 2) + "  " + brief_duration(elapsed);
    // Too early, the estimate is noise.
    if (fraction > 0.01 && fraction < 1) tail += ", " + brief_duration(elapsed / fraction * (1 - fraction)) + " left";
    const int room = width - text_width(head) - text_width(tail) - 1;
    const int cells = std::min(room, 40);
    if (cells < 6) return fit_text(head + tail.substr(1), width - 1);
    return head + bar(fraction, cells) + tail;
}

Progress::Progress(double t_start, double t_end, Options options)
    : t_start_(t_start), t_end_(t_end), options_(std::move(options)) {
    if (!options_.clock) options_.clock = steady_seconds;
    active_ = options_.when == Options::When::always ||
              (options_.when == Options::When::terminal && is_terminal(options_.file_descriptor));
    if (!active_) return;
    began_ = options_.clock();
    last_drawn_ = began_ + options_.patience - options_.period;
}

void Progress::update(double t, double h) {
    if (!active_) return;
    const double now = options_.clock();
    if (now - last_drawn_ < options_.period) return;
    last_drawn_ = now;
    draw(t, h, now - began_);
}

void Progress::draw(double t, double h, double elapsed) {
    const int width = options_.width > 0 ? options_.width : terminal_width(options_.file_descriptor);
    const double fraction = t_end_ == t_start_ ? 1.0 : (t - t_start_) / (t_end_ - t_start_);
    put("\r\x1b[K" + progress_line(fraction, t, h, elapsed, width));
    visible_ = true;
}

void Progress::finish() {
    if (visible_) put("\r\x1b[K");
    visible_ = false;
    active_ = false;
}

// One write per line, so that it does not tear; a terminal that went away is no reason to stop a solve.
void Progress::put(const std::string& text) const {
    [[maybe_unused]] const ssize_t ignored = write(options_.file_descriptor, text.data(), text.size());
}

} // namespace daedalus::output
