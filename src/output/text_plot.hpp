// Curves in plain text: a one-line sparkline of block characters and a small plot of braille dots (2 × 4 per cell).
#pragma once

#include <span>
#include <string>
#include <vector>

namespace daedalus::output {

/// `width` characters ▁…█; points are gathered in equal parts of the x range. A gap is a blank.
[[nodiscard]] std::string sparkline(std::span<const double> x, std::span<const double> y, int width);

/// Lines of a plot with the value range at the left and the x range below; empty if there is nothing finite to draw.
[[nodiscard]] std::vector<std::string> braille_plot(std::span<const double> x, std::span<const double> y, int width,
                                                    int height);

} // namespace daedalus::output
