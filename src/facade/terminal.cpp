#include "daedalus/terminal.hpp"

#include "base/printable.hpp"
#include "output/progress.hpp"
#include "output/terminal.hpp"

namespace daedalus {

namespace {

output::ColorMode color_mode(TerminalMode mode) {
    switch (mode) {
    case TerminalMode::always: return output::ColorMode::always;
    case TerminalMode::never: return output::ColorMode::never;
    default: return output::ColorMode::automatic;
    }
}

output::Progress::Options progress_options(TerminalMode mode) {
    using When = output::Progress::Options::When;
    output::Progress::Options options;
    options.when = mode == TerminalMode::always  ? When::always
                   : mode == TerminalMode::never ? When::never
                                                 : When::terminal;
    return options;
}

} // namespace

bool use_color(TerminalMode mode, int file_descriptor) { return output::use_color(color_mode(mode), file_descriptor); }

std::string safe_text(std::string_view text) { return printable(text); }

int terminal_width(int file_descriptor) { return output::terminal_width(file_descriptor); }

struct ProgressBar::Impl {
    output::Progress progress;
};

ProgressBar::ProgressBar(double t0, double t1, TerminalMode mode)
    : impl_(new Impl{output::Progress(t0, t1, progress_options(mode))}) {}
ProgressBar::~ProgressBar() = default;
void ProgressBar::update(double t, double h) { impl_->progress.update(t, h); }
void ProgressBar::finish() { impl_->progress.finish(); }

} // namespace daedalus
