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

// Equations in solving order from above, the variables that they determine from the left: blocks along the diagonal,
// and a dot for every variable that an equation mentions. Dots right of a block are variables whose derivatives are
// what is determined later.
std::string structure_svg(const Analysis& a) {
    const std::size_t n = a.equations.size();
    if (n == 0) return "";
    constexpr std::size_t most_labels = 40; // more would overlap
    const bool labels = n <= most_labels;
    const double cell = std::min(labels ? 30.0 : 520.0, 520.0 / static_cast<double>(n));
    constexpr std::size_t longest_name = 14;
    std::size_t longest = 0;
    for (const AnalyzedVariable& v : a.variables) longest = std::max(longest, std::min(v.name.size(), longest_name));
    const double size = std::clamp(0.55 * cell, 8.0, 13.0); // of letters
    const double above = labels ? 16.0 + 0.5 * size * static_cast<double>(longest) : 4.0;
    const double side = cell * static_cast<double>(n), right = labels ? 460.0 : 4.0;
    std::string svg = fmt::format("<svg viewBox=\"-4 {0:.0f} {1:.0f} {2:.0f}\" width=\"{1:.0f}\" role=\"img\" "
                                  "aria-label=\"structure matrix\"><rect x=\"0\" y=\"0\" width=\"{3:.2f}\" "
                                  "height=\"{3:.2f}\" fill=\"none\" stroke=\"currentColor\"/>",
                                  -above, side + 4 + right, side + above + 4, side);
    std::vector<std::size_t> column(a.variables.size(), n); // n: eliminated, not drawn
    std::vector<std::size_t> row(n, n);
    std::size_t at = 0;
    for (const EquationBlock& b : a.blocks) {
        const double x = cell * static_cast<double>(at), w = cell * static_cast<double>(b.equations.size());
        std::string names;
        for (std::size_t k = 0; k < b.variables.size() && k < 8; ++k)
            names += (k ? ", " : "") + a.variables[static_cast<std::size_t>(b.variables[k])].name;
        svg +=
            fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"hsl({} 60% 55%)\" "
                        "fill-opacity=\"0.45\"><title>{} differentiated {} times</title></rect>",
                        x, x, w, w, b.differentiations == 0 ? 210 : std::max(0, 40 - 15 * b.differentiations),
                        output::escape_markup(names), b.differentiations);
        for (std::size_t k = 0; k < b.equations.size(); ++k) row[static_cast<std::size_t>(b.equations[k])] = at + k;
        for (std::size_t k = 0; k < b.variables.size(); ++k) column[static_cast<std::size_t>(b.variables[k])] = at + k;
        at += b.equations.size();
    }
    constexpr std::size_t most_titles = 2000; // more would only make the file heavy
    std::size_t dots = 0;
    for (std::size_t i = 0; i < n; ++i)
        for (const int v : a.equations[i].mentions) {
            const std::size_t j = column[static_cast<std::size_t>(v)];
            if (row[i] >= n || j >= n) continue;
            const std::string title =
                ++dots > most_titles ? ""
                                     : fmt::format("<title>{} in {}</title>",
                                                   output::escape_markup(a.variables[static_cast<std::size_t>(v)].name),
                                                   output::escape_markup(a.equations[i].text.substr(0, 120)));
            svg += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\" fill=\"currentColor\">{}</circle>",
                               cell * (static_cast<double>(j) + 0.5), cell * (static_cast<double>(row[i]) + 0.5),
                               std::clamp(0.22 * cell, 0.6, 5.0), title);
        }
    for (std::size_t v = 0; labels && v < column.size(); ++v)
        if (column[v] < n)
            svg += fmt::format("<text transform=\"translate({:.2f} -6) rotate(-50)\" font-size=\"{:.1f}\" "
                               "fill=\"currentColor\">{}</text>",
                               cell * (static_cast<double>(column[v]) + 0.6), size,
                               output::escape_markup(a.variables[v].name.substr(0, longest_name)));
    for (std::size_t i = 0; labels && i < n; ++i)
        if (row[i] < n) {
            constexpr std::size_t room = 60;
            const std::string& text = a.equations[i].text;
            svg += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{:.1f}\" fill=\"currentColor\" "
                               "opacity=\"0.8\">{}</text>",
                               side + 8, cell * (static_cast<double>(row[i]) + 0.5) + 0.35 * size, size,
                               output::escape_markup(text.size() <= room ? text : text.substr(0, room - 2) + " …"));
        }
    return svg + "</svg>";
}

// λ in the complex plane; the axes cross at 0, and the left half, where solutions decay, is shaded.
std::string eigenvalue_svg(const std::vector<std::complex<double>>& list) {
    double extent = 1e-300;
    for (const auto& z : list) extent = std::max({extent, std::abs(z.real()), std::abs(z.imag())});
    const double half = 200.0, scale = 0.9 * half / extent;
    std::string svg = fmt::format(
        "<svg viewBox=\"{0} {0} {1} {1}\" width=\"{1}\" role=\"img\" aria-label=\"eigenvalues in the complex "
        "plane\"><rect x=\"{0}\" y=\"{0}\" width=\"{2}\" height=\"{1}\" fill=\"hsl(210 60% 55%)\" "
        "fill-opacity=\"0.12\"/><line x1=\"{0}\" x2=\"{2}\" y1=\"0\" y2=\"0\" stroke=\"currentColor\"/><line "
        "y1=\"{0}\" y2=\"{2}\" x1=\"0\" x2=\"0\" stroke=\"currentColor\"/><text x=\"{3}\" y=\"-6\" "
        "fill=\"currentColor\" font-size=\"13\" text-anchor=\"end\">Re λ, ±{4:.3g}</text><text x=\"6\" "
        "y=\"{5}\" fill=\"currentColor\" font-size=\"13\">Im λ</text>",
        -half, 2 * half, half, half - 4, extent / 0.9, -half + 14);
    for (const auto& z : list)
        svg += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"4\" fill=\"hsl(10 70% 50%)\"><title>{:.6g}{:+.6g} "
                           "i</title></circle>",
                           scale * z.real(), -scale * z.imag(), z.real(), z.imag());
    return svg + "</svg>";
}

constexpr const char* style =
    ":root{color-scheme:light dark;--line:color-mix(in srgb,currentColor 18%,transparent)}"
    "body{font:16px/1.55 system-ui,sans-serif;max-width:64rem;margin:2.5rem auto;padding:0 1.2rem}"
    "h1{font-size:1.9rem;margin:0 0 1rem}h2{font-size:1.25rem;margin:2.2rem 0 .6rem;padding-top:1rem;"
    "border-top:1px solid var(--line)}"
    ".cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.8rem;margin:0 0 1.2rem}"
    ".card{border:1px solid var(--line);border-radius:.6rem;padding:.7rem .9rem}"
    ".card b{display:block;font-size:1.7rem;line-height:1.2}.card span{font-size:.85rem;opacity:.75}"
    ".note{border-left:4px solid hsl(210 60% 55%);padding:.3rem .9rem;margin:.6rem 0}"
    ".warn{border-left-color:hsl(25 85% 52%)}"
    "pre{white-space:pre-wrap;font-size:.84rem;line-height:1.45;border:1px solid var(--line);border-radius:.6rem;"
    "padding:.9rem}summary{cursor:pointer;margin:.4rem 0}table{border-collapse:collapse;font-size:.92rem;margin:.4rem "
    "0 1rem}"
    "td,th{padding:.25rem .9rem .25rem 0;text-align:left;border-bottom:1px solid "
    "var(--line)}svg{max-width:100%;height:auto}";

/// The numbers that one looks for first, then what to do and what to beware of.
std::string cards(const Analysis& a) {
    std::string out = "<div class=\"cards\">";
    const auto card = [&](const std::string& value, const std::string& name, const std::string& why) {
        out += fmt::format("<div class=\"card\" title=\"{}\"><b>{}</b><span>{}</span></div>",
                           output::escape_markup(why), output::escape_markup(value), name);
    };
    const auto index = [&](const IndexFinding& f, const char* name) {
        card(f.value ? std::to_string(*f.value) : "–", fmt::format("{}{}", name, f.inferred ? " (inferred)" : ""),
             f.reason);
    };
    index(a.differentiation_index, "differentiation index");
    index(a.strangeness_index, "strangeness index");
    index(a.tractability_index, "tractability index");
    index(a.perturbation_index, "perturbation index");
    card(std::to_string(a.structural_index), "structural index", a.structural_index_reason);
    card(std::to_string(a.array_degrees_of_freedom.value_or(a.degrees_of_freedom)), "degrees of freedom", "");
    out += "</div>\n";
    const bool differ = std::find(a.warnings.begin(), a.warnings.end(), a.agreement) != a.warnings.end();
    if (!a.agreement.empty())
        out += fmt::format("<p class=\"note{}\">{}</p>\n", differ ? " warn" : "", output::escape_markup(a.agreement));
    for (const std::string& w : a.warnings)
        if (w != a.agreement) out += "<p class=\"note warn\">" + output::escape_markup(w) + "</p>\n";
    if (!a.recommendation.empty())
        out += "<p class=\"note\"><b>Recommendation.</b> " + output::escape_markup(a.recommendation) + "</p>\n";
    return out;
}

std::string gap_table(const std::vector<ArrayEvidence>& list) {
    std::string rows;
    for (const ArrayEvidence& e : list)
        rows += fmt::format("<tr><td>{}</td><td>{} × {}</td><td>{}</td><td>{:.2g}</td><td>{:.2g}</td><td>{}</td><td>{}"
                            "</td></tr>",
                            e.order, e.rows, e.columns, e.rank, e.smallest_kept, e.largest_dropped,
                            e.determines_derivatives ? "yes" : "no", e.decided ? "clear" : "undecided");
    return "<table><tr><th>order</th><th>size of M</th><th>rank</th><th>smallest kept</th><th>largest dropped</th>"
           "<th>determines x'</th><th>decision</th></tr>" +
           rows + "</table>\n";
}

} // namespace

std::string Analysis::to_html() const {
    std::string body =
        "<h1>" + output::escape_markup(model) + "</h1>\n" + cards(*this) +
        "<details open><summary>The page as text</summary><pre>" + output::escape_markup(to_text(false)) +
        "</pre></details>\n<h2>Structure</h2>\n<p>Equations in solving order, one row each; a dot where an equation "
        "mentions a variable. Orange and red blocks contain equations that must be differentiated.</p>\n" +
        structure_svg(*this);
    if (eigenvalues && !eigenvalues->empty())
        body += "\n<h2>Finite eigenvalues of the pencil</h2>\n" + eigenvalue_svg(*eigenvalues);
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
        body += "\n<h2>Rank decisions</h2>\n" + gap_table(array_evidence) + output::svg_plot(curves, o);
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
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
           "content=\"width=device-width\"><title>" +
           output::escape_markup(model) + "</title><style>" + style + "</style></head><body>\n" + body +
           "\n</body></html>\n";
}

} // namespace daedalus
