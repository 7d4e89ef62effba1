#include "output/svg.hpp"
#include "peers/work_precision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace daedalus::benchmarks {

namespace {

constexpr std::array wanted_digits{3.0, 6.0, 9.0, 11.0};

struct Best {
    double seconds = INFINITY;
    std::string code;
};

/// Of the methods of Daedalus, or of the other codes that take the model as it is. Equations eliminated by hand are
/// another problem, and `solve` does more than integrate: both have lines of their own.
Best best_of(const ProblemCurves& p, double digits, bool daedalus) {
    Best best;
    for (const Curve& c : p.curves) {
        if (c.family == "by hand" || c.family == "Daedalus solve" || (c.family == "Daedalus") != daedalus) continue;
        const auto seconds = c.seconds_at(digits);
        if (seconds && *seconds < best.seconds) best = {*seconds, c.code};
    }
    return best;
}

std::string microseconds(double seconds) {
    return std::isfinite(seconds) ? fmt::format("{:.0f}", 1e6 * seconds) : std::string("–");
}

} // namespace

std::string text_table(const std::vector<ProblemCurves>& all) {
    std::string text;
    double sum = 0.0;
    int count = 0;
    for (const ProblemCurves& p : all) {
        text += fmt::format("{}: µs of processor time at 3, 6, 9, 11 digits\n", p.problem);
        for (const Curve& c : p.curves) {
            text += fmt::format("  {:<32}", c.code);
            for (const double d : wanted_digits)
                text += fmt::format(" {:>9}", microseconds(c.seconds_at(d).value_or(INFINITY)));
            text += '\n';
        }
    }
    text +=
        fmt::format("\nfastest peer over fastest method of Daedalus (over its default, auto); floor: straight-line "
                    "cost of the evaluations and\nfactorisations of the cheapest run of any code\n{:<16} {:>6}  {:>9} "
                    "{:<28} {:>9} {:<18} {:>6} {:>8} {:>9} {:>10}\n",
                    "problem", "digits", "peer/µs", "", "ours/µs", "", "ratio", "default", "floor/µs", "ours/floor");
    for (const ProblemCurves& p : all)
        for (const double d : wanted_digits) {
            const Best peer = best_of(p, d, false), ours = best_of(p, d, true);
            double standard = INFINITY, floor = INFINITY;
            for (const Curve& c : p.curves) floor = std::min(floor, c.floor_at(d).value_or(INFINITY));
            if (!std::isfinite(peer.seconds) && !std::isfinite(ours.seconds)) continue;
            for (const Curve& c : p.curves)
                if (c.code == "Daedalus auto") standard = c.seconds_at(d).value_or(INFINITY);
            const double ratio = peer.seconds / ours.seconds;
            const bool both = std::isfinite(peer.seconds) && std::isfinite(ours.seconds);
            if (both) {
                sum += std::log(ratio);
                ++count;
            }
            const auto shown = [&](double denominator) {
                return std::isfinite(peer.seconds) && std::isfinite(denominator)
                           ? fmt::format("{:.2f}", peer.seconds / denominator)
                           : std::string("–");
            };
            text += fmt::format("{:<16} {:>6.0f}  {:>9} {:<28} {:>9} {:<18} {:>6} {:>8} {:>9} {:>10}\n", p.problem, d,
                                microseconds(peer.seconds), peer.code, microseconds(ours.seconds), ours.code,
                                shown(ours.seconds), shown(standard), microseconds(floor),
                                std::isfinite(floor) && std::isfinite(ours.seconds)
                                    ? fmt::format("{:.2f}", ours.seconds / floor)
                                    : std::string("–"));
        }
    if (count > 0) text += fmt::format("geometric mean of {} ratios: {:.2f}\n", count, std::exp(sum / count));
    return text;
}

namespace {

double seconds_of(const ProblemCurves& p, const std::string& code, double digits) {
    for (const Curve& c : p.curves)
        if (c.code == code) return c.seconds_at(digits).value_or(INFINITY);
    return INFINITY;
}

} // namespace

std::string beside_the_integration(const std::vector<ProblemCurves>& all) {
    std::string text =
        "over Daedalus auto, at 3, 6, 9, 11 digits: `solve` with initial values, 500 points and certificate; "
        "explicit code on equations eliminated by hand\n";
    for (const ProblemCurves& p : all)
        for (const Curve& c : p.curves) {
            if (c.family != "by hand" && c.family != "Daedalus solve") continue;
            text += fmt::format("{:<16} {:<28}", p.problem, c.code);
            for (const double d : wanted_digits) {
                const double ratio = c.seconds_at(d).value_or(INFINITY) / seconds_of(p, "Daedalus auto", d);
                text += fmt::format(" {:>7}", std::isfinite(ratio) && ratio > 0 ? fmt::format("{:.2f}", ratio) : "–");
            }
            text += '\n';
        }
    return text;
}

std::string csv(const std::vector<ProblemCurves>& all) {
    std::string text = "problem,code,tolerance,digits,microseconds,floor_microseconds\n";
    for (const ProblemCurves& p : all)
        for (const Curve& c : p.curves)
            for (const Sample& s : c.samples)
                text += fmt::format("{},\"{}\",{:.3g},{:.3f},{:.4g},{:.4g}\n", p.problem, c.code, s.tolerance, s.digits,
                                    1e6 * s.seconds, 1e6 * s.floor);
    return text;
}

std::string html(const std::vector<ProblemCurves>& all) {
    std::string page = "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Work and precision"
                       "</title></head><body style=\"font-family:sans-serif;max-width:60em;margin:auto\">"
                       "<h1>Work and precision</h1>\n<pre>" +
                       text_table(all) + "</pre>\n";
    for (const ProblemCurves& p : all) {
        std::vector<output::SvgCurve> curves;
        for (const Curve& c : p.curves) {
            if (c.samples.empty()) continue;
            output::SvgCurve curve{c.code, {}, {}};
            for (const Sample& s : c.samples) {
                curve.x.push_back(s.digits);
                curve.y.push_back(1e6 * s.seconds);
            }
            curves.push_back(std::move(curve));
        }
        output::SvgOptions options;
        options.title = p.problem;
        options.x_label = "correct digits at the end";
        options.y_label = "processor time in µs";
        options.log_y = true;
        options.height = 560;
        page += output::svg_plot(curves, options) + "\n";
    }
    return page + "</body></html>\n";
}

} // namespace daedalus::benchmarks
