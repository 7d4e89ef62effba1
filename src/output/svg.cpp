#include "output/svg.hpp"

#include "output/markup.hpp"
#include "output/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>

namespace daedalus::output {
namespace {

// The report's palette (report/report.css): distinguishable for colour-blind readers on light and on dark.
constexpr const char* style =
    "<style>.bg{fill:#fff}.grid{stroke:#e4e4e0;stroke-width:1}.axis{stroke:#8a8a85;stroke-width:1}"
    "text{font:12px system-ui,-apple-system,'Segoe UI',sans-serif;fill:#4a4a46}.title{font-size:15px;font-weight:600;"
    "fill:#1c1c1a}.c{fill:none;stroke-width:1.8;stroke-linejoin:round}"
    ".s0{stroke:#2f6fb0}.s1{stroke:#c9571a}.s2{stroke:#2e8b57}.s3{stroke:#a33b7f}.s4{stroke:#b08a00}"
    ".s5{stroke:#3a98a8}.s6{stroke:#7a5cc4}.s7{stroke:#777}"
    ".d1{stroke-dasharray:7 3}.d2{stroke-dasharray:2 3}"
    "@media(prefers-color-scheme:dark){.bg{fill:#16181b}.grid{stroke:#2b2f34}.axis{stroke:#6d737a}text{fill:#b9bec4}"
    ".title{fill:#f0f1f2}.s0{stroke:#6aa9e9}.s1{stroke:#f0894f}.s2{stroke:#5cc48c}.s3{stroke:#e07cba}"
    ".s4{stroke:#dcb83c}.s5{stroke:#63c5d6}.s6{stroke:#a990f0}.s7{stroke:#aaa}}</style>";
constexpr int colours = 8;

/// Of curve i: a colour, and dashes from the ninth on.
std::string curve_class(std::size_t i) {
    std::string name = "c s" + std::to_string(i % colours);
    if (i >= colours) name += " d" + std::to_string(i / colours % 3);
    return name;
}

std::size_t look_of(const std::vector<SvgCurve>& curves, std::size_t i) {
    return curves[i].look < 0 ? i : static_cast<std::size_t>(curves[i].look);
}

struct Range {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    void include(double v) {
        low = std::min(low, v);
        high = std::max(high, v);
    }
    [[nodiscard]] double length() const { return high - low; }
    /// Never empty, and a constant gets room around it.
    void open(double margin) {
        if (!(low <= high)) *this = {0, 1};
        if (length() <= 1e-12 * std::max(std::abs(low), std::abs(high))) {
            const double pad = std::max(std::abs(low) * 0.1, low == 0 ? 1.0 : 1e-300);
            low -= pad;
            high += pad;
        } else {
            const double pad = margin * length();
            low -= pad;
            high += pad;
        }
    }
};

struct Frame {
    Range x;
    Range y;
    double left, top, width, height;
    [[nodiscard]] double px(double v) const { return left + (v - x.low) / x.length() * width; }
    [[nodiscard]] double py(double v) const { return top + height - (v - y.low) / y.length() * height; }
};

void append_coordinate(std::string& out, double v) {
    char text[40];
    std::snprintf(text, sizeof text, "%.5g", v);
    // Two decimals are a fiftieth of a pixel.
    if (std::abs(v) < 1e5) std::snprintf(text, sizeof text, "%.2f", v);
    out += text;
}

double on_axis(double value, bool logarithmic) {
    if (!logarithmic) return value;
    return value > 0 ? std::log10(value) : std::numeric_limits<double>::quiet_NaN();
}

// One polyline per stretch without gaps. Within one pixel column only the first, lowest, highest and last point
// are kept: the drawn picture is the same.
class CurvePath {
public:
    explicit CurvePath(const Frame& frame) : frame_(frame) {}
    std::string draw(const SvgCurve& curve, const SvgOptions& options) {
        const std::size_t n = std::min(curve.x.size(), curve.y.size());
        for (std::size_t k = 0; k < n; ++k) {
            const double x = on_axis(curve.x[k], options.log_x), y = on_axis(curve.y[k], options.log_y);
            if (!std::isfinite(y) || !std::isfinite(x)) {
                flush_column();
                pen_down_ = false;
                continue;
            }
            add(frame_.px(x), frame_.py(y));
        }
        flush_column();
        return std::move(path_);
    }

private:
    struct Point {
        double x, y;
    };
    void add(double x, double y) {
        const double column = std::floor(x);
        if (count_ > 0 && column != column_) flush_column();
        if (count_ == 0) {
            column_ = column;
            first_ = low_ = high_ = {x, y};
        }
        last_ = {x, y};
        if (y < low_.y) low_ = last_;
        if (y > high_.y) high_ = last_;
        ++count_;
    }
    void flush_column() {
        if (count_ == 0) return;
        put(first_);
        if (count_ > 3) {
            put(low_.x <= high_.x ? low_ : high_);
            put(low_.x <= high_.x ? high_ : low_);
        }
        if (count_ > 1) put(last_);
        count_ = 0;
    }
    void put(Point p) {
        path_ += pen_down_ ? 'L' : 'M';
        append_coordinate(path_, p.x);
        path_ += ' ';
        append_coordinate(path_, p.y);
        pen_down_ = true;
    }

    const Frame& frame_;
    std::string path_;
    bool pen_down_ = false;
    int count_ = 0;
    double column_ = 0;
    Point first_{}, low_{}, high_{}, last_{};
};

void line(std::string& out, const char* kind, double x1, double y1, double x2, double y2) {
    out += std::string("<path class=\"") + kind + "\" d=\"M";
    append_coordinate(out, x1);
    out += ' ';
    append_coordinate(out, y1);
    out += 'L';
    append_coordinate(out, x2);
    out += ' ';
    append_coordinate(out, y2);
    out += "\"/>";
}

void label(std::string& out, double x, double y, const char* attributes, const std::string& text) {
    out += "<text x=\"";
    append_coordinate(out, x);
    out += "\" y=\"";
    append_coordinate(out, y);
    out += std::string("\" ") + attributes + ">" + escape_markup(text) + "</text>";
}

std::string tick_text(double v, double step, bool log_axis) {
    if (log_axis) return v == std::round(v) ? "1e" + brief_number(v, 4) : brief_number(std::pow(10.0, v), 1);
    return brief_number(std::abs(v) < 1e-9 * step ? 0.0 : v, 6);
}

/// Powers of ten; on a short axis with 2 and 5 times each.
std::vector<double> axis_ticks(const Range& range, int count, bool logarithmic) {
    std::vector<double> ticks = nice_ticks(range.low, range.high, count);
    if (!logarithmic) return ticks;
    constexpr double few = 2.5; // decades
    if (range.length() > few) {
        std::erase_if(ticks, [](double v) { return v != std::round(v); });
        return ticks;
    }
    ticks.clear();
    for (double decade = std::floor(range.low); decade <= range.high; ++decade)
        for (const double v : {decade, decade + std::log10(2.0), decade + std::log10(5.0)})
            if (v >= range.low && v <= range.high) ticks.push_back(v);
    return ticks;
}

void draw_axes(std::string& out, const Frame& f, const SvgOptions& options) {
    const std::vector<double> xs = axis_ticks(f.x, std::max(2, static_cast<int>(f.width / 90)), options.log_x);
    const std::vector<double> ys = axis_ticks(f.y, std::max(2, static_cast<int>(f.height / 50)), options.log_y);
    const double bottom = f.top + f.height;
    for (const double v : xs) {
        line(out, "grid", f.px(v), f.top, f.px(v), bottom);
        label(out, f.px(v), bottom + 18, "text-anchor=\"middle\"", tick_text(v, f.x.length(), options.log_x));
    }
    for (const double v : ys) {
        line(out, "grid", f.left, f.py(v), f.left + f.width, f.py(v));
        label(out, f.left - 8, f.py(v) + 4, "text-anchor=\"end\"", tick_text(v, f.y.length(), options.log_y));
    }
    line(out, "axis", f.left, bottom, f.left + f.width, bottom);
    line(out, "axis", f.left, f.top, f.left, bottom);
    if (!options.x_label.empty())
        label(out, f.left + f.width / 2, bottom + 36, "text-anchor=\"middle\"", options.x_label);
    if (!options.y_label.empty()) label(out, f.left, f.top - 8, "text-anchor=\"start\"", options.y_label);
}

void draw_legend(std::string& out, const std::vector<SvgCurve>& curves, double x, double top, double height) {
    const std::size_t room = static_cast<std::size_t>(std::max(1.0, height / 20));
    for (std::size_t i = 0; i < curves.size() && i < room; ++i) {
        const double y = top + 10 + 20.0 * static_cast<double>(i);
        const bool more = i + 1 == room && curves.size() > room;
        if (!more) {
            const std::string kind = curve_class(look_of(curves, i));
            line(out, kind.c_str(), x, y - 4, x + 18, y - 4);
        }
        label(out, x + 24, y, "", more ? "… " + std::to_string(curves.size() - i) + " more" : curves[i].label);
    }
}

/// A point is a line of no length with round ends.
void draw_markers(std::string& out, const Frame& f, const SvgCurve& curve, const std::string& kind,
                  const SvgOptions& options) {
    for (std::size_t k = 0; k < std::min(curve.x.size(), curve.y.size()); ++k) {
        const double x = on_axis(curve.x[k], options.log_x), y = on_axis(curve.y[k], options.log_y);
        if (!std::isfinite(x) || !std::isfinite(y)) continue;
        out += "<path class=\"" + kind + "\" style=\"stroke-width:7;stroke-linecap:round;stroke-dasharray:none\" d=\"M";
        append_coordinate(out, f.px(x));
        out += ' ';
        append_coordinate(out, f.py(y));
        out += "h.01\"><title>" +
               escape_markup(curve.label + ": " + brief_number(curve.x[k], 3) + ", " + brief_number(curve.y[k], 3)) +
               "</title></path>";
    }
}

void make_equal(Frame& f) {
    const double per_pixel = std::max(f.x.length() / f.width, f.y.length() / f.height);
    const double grow_x = (per_pixel * f.width - f.x.length()) / 2;
    const double grow_y = (per_pixel * f.height - f.y.length()) / 2;
    f.x = {f.x.low - grow_x, f.x.high + grow_x};
    f.y = {f.y.low - grow_y, f.y.high + grow_y};
}

} // namespace

std::vector<double> nice_ticks(double low, double high, int count) {
    std::vector<double> ticks;
    if (!(low < high) || !std::isfinite(high - low) || count < 1) return ticks;
    const double raw = (high - low) / count;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    if (!(power > 0)) return ticks;
    const double fraction = raw / power;
    const double step = power * (fraction <= 1 ? 1 : fraction <= 2 ? 2 : fraction <= 5 ? 5 : 10);
    // Multiples are counted, not accumulated: no drift. A range far from zero may hold fewer doubles than ticks.
    const double first = std::ceil(low / step);
    for (int i = 0; i <= 2 * count + 1; ++i) {
        const double v = (first + i) * step;
        if (v > high) break;
        if (ticks.empty() || v > ticks.back()) ticks.push_back(v);
    }
    return ticks;
}

std::string svg_plot(const std::vector<SvgCurve>& curves, const SvgOptions& options) {
    Frame f{{}, {}, 64, 48, 0, 0};
    std::size_t longest = 0;
    for (const SvgCurve& curve : curves) {
        longest = std::max(longest, curve.label.size());
        for (std::size_t k = 0; k < std::min(curve.x.size(), curve.y.size()); ++k) {
            const double x = on_axis(curve.x[k], options.log_x), y = on_axis(curve.y[k], options.log_y);
            if (!std::isfinite(y) || !std::isfinite(x)) continue;
            f.x.include(x);
            f.y.include(y);
        }
    }
    f.x.open(options.equal_axes || options.markers ? 0.05 : 0.0);
    f.y.open(0.05);
    const double legend = std::min(180.0, 40.0 + 7.0 * static_cast<double>(longest));
    f.width = std::max(40.0, options.width - f.left - legend - 16);
    f.height = std::max(40.0, options.height - f.top - 48.0);
    if (options.equal_axes) make_equal(f);

    const std::string w = std::to_string(options.width);
    const std::string h = std::to_string(options.height);
    std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + w + " " + h + "\" width=\"" + w +
                      "\" height=\"" + h + "\" role=\"img\"><title>" +
                      escape_markup(options.title.empty() ? "plot" : options.title) + "</title>" + style +
                      "<rect class=\"bg\" width=\"100%\" height=\"100%\"/>";
    if (!options.title.empty()) label(out, f.left, 24, "class=\"title\"", options.title);
    draw_axes(out, f, options);
    for (std::size_t i = 0; i < curves.size(); ++i) {
        const std::string kind = curve_class(look_of(curves, i));
        out += "<path class=\"" + kind + "\" d=\"" + CurvePath(f).draw(curves[i], options) + "\"/>";
        if (options.markers) draw_markers(out, f, curves[i], kind, options);
    }
    draw_legend(out, curves, f.left + f.width + 16, f.top, f.height);
    return out + "</svg>\n";
}

std::string svg_plot(const Trajectory& trajectory, std::vector<int> variables, SvgOptions options) {
    if (variables.empty()) {
        variables.resize(std::min<std::size_t>(trajectory.variables.size(), colours));
        std::iota(variables.begin(), variables.end(), 0);
    }
    std::vector<SvgCurve> curves;
    for (const int v : variables) {
        const VariableInfo& info = trajectory.variables.at(static_cast<std::size_t>(v));
        curves.push_back({info.unit.empty() ? info.name : info.name + " [" + info.unit + "]", trajectory.time,
                          trajectory.values.at(static_cast<std::size_t>(v))});
    }
    if (options.x_label.empty()) options.x_label = "time";
    return svg_plot(curves, options);
}

} // namespace daedalus::output
