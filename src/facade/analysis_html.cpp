// An analysis as one HTML file: the page as text, the structure matrix in block triangular order, the singular values
// behind the rank decisions, and the condition of the iteration matrix over h.
#include "daedalus/analysis.hpp"
#include "output/markup.hpp"
#include "output/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daedalus {

namespace {

// Blocks along the diagonal in solving order; cells where a variable of a block is named by an equation are known per
// block only, so that each block is drawn as a square with its size and differentiations.
std::string structure_svg(const Analysis& a) {
    const std::size_t n = a.equations.size();
    if (n == 0) return "";
    const double side = 520.0, cell = side / static_cast<double>(n);
    std::string svg = fmt::format("<svg viewBox=\"-4 -4 {0} {0}\" width=\"{0}\" role=\"img\" aria-label=\"structure "
                                  "matrix\"><rect x=\"0\" y=\"0\" width=\"{1}\" height=\"{1}\" fill=\"none\" "
                                  "stroke=\"currentColor\"/>",
                                  side + 8, side);
    std::size_t at = 0;
    for (const EquationBlock& b : a.blocks) {
        const double x = cell * static_cast<double>(at), w = cell * static_cast<double>(b.equations.size());
        std::string names;
        for (std::size_t k = 0; k < b.variables.size() && k < 8; ++k)
            names += (k ? ", " : "") + a.variables[static_cast<std::size_t>(b.variables[k])].name;
        svg +=
            fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"hsl({} 60% 55%)\">"
                        "<title>{} differentiated {} times</title></rect>",
                        x, x, w, w, b.differentiations == 0 ? 210 : std::max(0, 40 - 15 * b.differentiations),
                        output::escape_markup(names), b.differentiations);
        at += b.equations.size();
    }
    return svg + "</svg>";
}

} // namespace

std::string Analysis::to_html() const {
    std::string body = "<h1>" + output::escape_markup(model) + "</h1>\n<pre>" + output::escape_markup(to_text(false)) +
                       "</pre>\n<h2>Structure</h2>\n<p>Diagonal blocks in solving order; orange and red ones contain "
                       "equations that must be differentiated.</p>\n" +
                       structure_svg(*this);
    if (!array_evidence.empty()) {
        std::vector<output::SvgCurve> curves;
        for (const ArrayEvidence& e : array_evidence) {
            output::SvgCurve c;
            c.label = fmt::format("order {}", e.order);
            for (std::size_t k = 0; k < e.singular_values.size(); ++k) {
                c.x.push_back(static_cast<double>(k + 1));
                c.y.push_back(std::max(e.singular_values[k], 1e-18));
            }
            curves.push_back(std::move(c));
        }
        output::SvgOptions o;
        o.title = "Singular values behind the rank decisions on derivative arrays";
        o.x_label = "number";
        o.log_y = true;
        body += "\n<h2>Rank decisions</h2>\n" + output::svg_plot(curves, o);
    }
    if (conditioning.steps.size() > 1) {
        output::SvgCurve c{"condition of E + h H", {}, {}};
        for (const StepCondition& s : conditioning.steps) {
            c.x.push_back(std::log10(s.h));
            c.y.push_back(s.condition);
        }
        output::SvgOptions o;
        o.title = "Iteration matrix";
        o.x_label = "log10 h";
        o.log_y = true;
        body += "\n<h2>Conditioning</h2>\n" + output::svg_plot({c}, o);
    }
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + output::escape_markup(model) +
           "</title><style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem "
           "auto;padding:0 1rem;color-scheme:light dark}pre{overflow-x:auto}</style></head><body>\n" +
           body + "\n</body></html>\n";
}

} // namespace daedalus
