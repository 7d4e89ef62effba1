// A static line plot as SVG, for documents and for places where no script runs. Follows the reader's light or dark
// theme. Curves with more points than pixels are thinned so that every extremum stays.
#pragma once

#include "output/trajectory.hpp"

#include <string>
#include <vector>

namespace daedalus::output {

struct SvgCurve {
    std::string label;
    std::vector<double> x; ///< ascending is not required: x–y curves are fine
    std::vector<double> y; ///< not finite: a gap
    int look = -1;         ///< number of its colour and dashes, the same in several plots; -1: its place in the list
};

struct SvgOptions {
    std::string title;
    std::string x_label;
    std::string y_label;
    int width = 760;
    int height = 420;
    bool log_x = false;
    bool log_y = false;
    bool markers = false;    ///< a dot at every point
    bool equal_axes = false; ///< one unit is as long in x as in y
};

[[nodiscard]] std::string svg_plot(const std::vector<SvgCurve>& curves, const SvgOptions& options = {});

/// Variables over time; empty `variables`: the first few.
[[nodiscard]] std::string svg_plot(const Trajectory& trajectory, std::vector<int> variables, SvgOptions options = {});

/// "Nice" axis marks (1, 2, 5 times a power of ten) inside [low, high], about `count` of them.
[[nodiscard]] std::vector<double> nice_ticks(double low, double high, int count);

} // namespace daedalus::output
