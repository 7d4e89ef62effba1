#include "output/text_plot.hpp"

#include "output/number_text.hpp"
#include "output/terminal.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace daedalus::output {
namespace {

struct Range {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    [[nodiscard]] bool empty() const { return !(low <= high); }
    /// 0 … 1; the middle of a range without extent. Halves first: the difference of huge values may overflow.
    [[nodiscard]] double place(double v) const {
        const double length = high / 2 - low / 2;
        return length > 0 ? std::clamp((v / 2 - low / 2) / length, 0.0, 1.0) : 0.5;
    }
};

Range range_of(std::span<const double> values) {
    Range range;
    for (const double v : values) {
        if (!std::isfinite(v)) continue;
        range.low = std::min(range.low, v);
        range.high = std::max(range.high, v);
    }
    return range;
}

// Cells of 2 × 4 dots; U+2800 plus one bit per dot.
class DotCanvas {
public:
    DotCanvas(int width, int height)
        : width_(width), height_(height), cells_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {}
    [[nodiscard]] int dots_x() const { return 2 * width_; }
    [[nodiscard]] int dots_y() const { return 4 * height_; }

    void line(int x0, int y0, int x1, int y1) {
        const int steps = std::max({std::abs(x1 - x0), std::abs(y1 - y0), 1});
        for (int i = 0; i <= steps; ++i) {
            const double s = static_cast<double>(i) / steps;
            dot(static_cast<int>(std::lround(x0 + s * (x1 - x0))), static_cast<int>(std::lround(y0 + s * (y1 - y0))));
        }
    }
    [[nodiscard]] std::string row(int r) const {
        std::string out;
        for (int c = 0; c < width_; ++c) {
            const unsigned code = 0x2800U + cells_[static_cast<std::size_t>(r * width_ + c)];
            out += static_cast<char>(0xE0U | code >> 12U);
            out += static_cast<char>(0x80U | (code >> 6U & 0x3FU));
            out += static_cast<char>(0x80U | (code & 0x3FU));
        }
        return out;
    }

private:
    void dot(int x, int y) {
        static constexpr unsigned char bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
        cells_[static_cast<std::size_t>(y / 4 * width_ + x / 2)] |= bits[y % 4][x % 2];
    }
    int width_;
    int height_;
    std::vector<unsigned char> cells_;
};

} // namespace

std::string sparkline(std::span<const double> x, std::span<const double> y, int width) {
    static constexpr const char* levels[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const std::size_t n = std::min(x.size(), y.size());
    const Range xs = range_of(x.first(n));
    if (xs.empty() || width < 1) return {};
    std::vector<double> sum(static_cast<std::size_t>(width));
    std::vector<int> count(static_cast<std::size_t>(width));
    for (std::size_t k = 0; k < n; ++k) {
        if (!std::isfinite(x[k]) || !std::isfinite(y[k])) continue;
        const int cell = std::min(width - 1, static_cast<int>(xs.place(x[k]) * width));
        sum[static_cast<std::size_t>(cell)] += y[k];
        ++count[static_cast<std::size_t>(cell)];
    }
    // Cells between two points far apart take the mean of the last one that has any.
    std::vector<double> mean(static_cast<std::size_t>(width), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t c = 0; c < mean.size(); ++c) {
        if (count[c] > 0)
            mean[c] = sum[c] / count[c];
        else if (c > 0 && n <= mean.size())
            mean[c] = mean[c - 1];
    }
    const Range ys = range_of(mean);
    std::string out;
    for (const double m : mean) out += std::isfinite(m) ? levels[std::min(7, static_cast<int>(ys.place(m) * 8))] : " ";
    return out;
}

std::vector<std::string> braille_plot(std::span<const double> x, std::span<const double> y, int width, int height) {
    const std::size_t n = std::min(x.size(), y.size());
    const Range xs = range_of(x.first(n));
    const Range ys = range_of(y.first(n));
    if (xs.empty() || ys.empty() || width < 4 || height < 1) return {};
    DotCanvas canvas(width, height);
    int last_x = -1;
    int last_y = 0;
    for (std::size_t k = 0; k < n; ++k) {
        if (!std::isfinite(x[k]) || !std::isfinite(y[k])) {
            last_x = -1;
            continue;
        }
        const int px = static_cast<int>(std::lround(xs.place(x[k]) * (canvas.dots_x() - 1)));
        const int py = static_cast<int>(std::lround((1 - ys.place(y[k])) * (canvas.dots_y() - 1)));
        canvas.line(last_x < 0 ? px : last_x, last_x < 0 ? py : last_y, px, py);
        last_x = px;
        last_y = py;
    }

    const std::string top = brief_number(ys.high, 4);
    const std::string bottom = brief_number(ys.low, 4);
    const std::size_t margin = std::max(top.size(), bottom.size());
    std::vector<std::string> lines;
    for (int r = 0; r < height; ++r) {
        std::string label = r == 0 ? top : r == height - 1 ? bottom : "";
        label.insert(0, margin - label.size(), ' ');
        lines.push_back(label + (r == 0 || r == height - 1 ? " ┤" : " │") + canvas.row(r));
    }
    const std::string left = brief_number(xs.low, 4);
    const std::string right = brief_number(xs.high, 4);
    const int between = width - text_width(left) - text_width(right);
    lines.push_back(std::string(margin + 2, ' ') + left +
                    std::string(static_cast<std::size_t>(std::max(1, between)), ' ') + right);
    return lines;
}

} // namespace daedalus::output
