// The analysis of a pencil as one page of text, and as JSON.
#include "daedalus/pencil.hpp"
#include "output/json_writer.hpp"
#include "output/number_text.hpp"
#include "output/terminal.hpp"
#include "output/text_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace daedalus {

namespace {

using output::brief_number;
using output::JsonWriter;
using output::Paint;

constexpr std::size_t most_rows = 20; // of a list on one page; JSON has them all

/// "3, 2 × 2, 1" from 3, 2, 2, 1
std::string sizes_text(const std::vector<int>& sizes) {
    std::map<int, int, std::greater<>> counts;
    for (const int size : sizes) ++counts[size];
    std::vector<std::string> words;
    for (const auto& [size, times] : counts)
        words.push_back(times == 1 ? fmt::format("{}", size) : fmt::format("{} ({} times)", size, times));
    return fmt::format("{}", fmt::join(words, ", "));
}

void list_blocks(std::string& out, const PencilBlocks& b) {
    out += fmt::format("  finite part        {}\n", b.finite);
    out += fmt::format("  infinite blocks    {}\n", b.infinite.empty() ? "none" : sizes_text(b.infinite));
    if (!b.right_minimal_indices.empty())
        out += fmt::format("  right blocks       {} (minimal indices: too few equations)\n",
                           sizes_text(b.right_minimal_indices));
    if (!b.left_minimal_indices.empty())
        out += fmt::format("  left blocks        {} (minimal indices: too many equations)\n",
                           sizes_text(b.left_minimal_indices));
}

std::string complex_text(std::complex<double> z) {
    if (z.imag() == 0.0) return brief_number(z.real(), 8);
    return fmt::format("{} {} {}i", brief_number(z.real(), 8), z.imag() < 0.0 ? "-" : "+",
                       brief_number(std::abs(z.imag()), 8));
}

std::string combination(const std::vector<double>& vector, const char* word) {
    double largest = 0.0;
    for (const double entry : vector) largest = std::max(largest, std::abs(entry));
    std::vector<std::string> terms;
    std::size_t left_out = 0;
    for (std::size_t i = 0; i < vector.size(); ++i) {
        constexpr double visible = 1e-10; // of the largest: below, rounding errors of zero
        if (std::abs(vector[i]) <= visible * largest) continue;
        if (terms.size() < 8)
            terms.push_back(fmt::format("{} × {} {}", brief_number(vector[i] / largest, 4), word, i + 1));
        else
            ++left_out;
    }
    return fmt::format("{}{}", fmt::join(terms, " + "), left_out > 0 ? fmt::format(" + {} more", left_out) : "");
}

void list_gaps(std::string& out, const std::vector<PencilRankGap>& gaps, const Paint& paint) {
    output::TextTable table({{"rank decision"},
                             {"block", output::Align::right},
                             {"rank", output::Align::right},
                             {"smallest kept", output::Align::right},
                             {"largest dropped", output::Align::right},
                             {"tolerance", output::Align::right},
                             {""}});
    for (std::size_t i = 0; i < gaps.size() && i < most_rows; ++i) {
        const PencilRankGap& g = gaps[i];
        table.add_row({g.what, fmt::format("{} × {}", g.rows, g.cols), fmt::format("{}", g.rank),
                       g.kept ? brief_number(*g.kept, 3) : "-", brief_number(g.dropped, 3),
                       brief_number(g.tolerance, 3), g.decided ? "" : paint.yellow("not clear")});
    }
    out += table.text(0, 2);
    if (gaps.size() > most_rows) out += fmt::format("  … and {} more\n", gaps.size() - most_rows);
}

void write_integers(JsonWriter& json, const char* key, const std::vector<int>& list) {
    json.key(key);
    json.begin_array();
    for (const int number : list) json.value(number);
    json.end_array();
}

void write_strings(JsonWriter& json, const char* key, const std::vector<std::string>& list) {
    json.key(key);
    json.begin_array();
    for (const std::string& text : list) json.value(text);
    json.end_array();
}

template <class T>
void write_optional(JsonWriter& json, const char* key, const std::optional<T>& value) {
    json.key(key);
    if (value)
        json.value(*value);
    else
        json.null();
}

void write_vectors(JsonWriter& json, const char* key, const std::vector<std::vector<double>>& vectors) {
    json.key(key);
    json.begin_array();
    for (const auto& vector : vectors) json.numbers(vector);
    json.end_array();
}

void write_blocks(JsonWriter& json, const PencilBlocks& b) {
    write_integers(json, "infinite_blocks", b.infinite);
    write_integers(json, "right_minimal_indices", b.right_minimal_indices);
    write_integers(json, "left_minimal_indices", b.left_minimal_indices);
    json.field("finite_size", b.finite);
}

} // namespace

std::string PencilAnalysis::to_text(bool color) const {
    const Paint paint{color};
    std::string out = fmt::format("Pencil λ E + H with {} rows and {} columns, for E x' + H x = c\n\n", rows, cols);
    const std::string colored = !decided                  ? paint.yellow(verdict)
                                : regular.value_or(false) ? paint.green(verdict)
                                                          : paint.red(verdict);
    out += fmt::format("{}  {}\n", paint.bold("Verdict"), colored);
    for (std::size_t i = 1; i < reasons.size() && i < most_rows; ++i)
        out += fmt::format("         and {}\n", reasons[i]);
    if (blocks) {
        out += paint.bold("\nKronecker form") + "\n";
        list_blocks(out, *blocks);
    } else if (likely) {
        out += paint.bold("\nKronecker form, with the tolerance in use, not certain") + "\n";
        list_blocks(out, *likely);
    }
    if (finite_eigenvalues && !finite_eigenvalues->empty()) {
        out += paint.bold("\nFinite eigenvalues") + "\n";
        for (std::size_t i = 0; i < finite_eigenvalues->size() && i < most_rows; ++i)
            out += "  " + complex_text((*finite_eigenvalues)[i]) + "\n";
        if (finite_eigenvalues->size() > most_rows)
            out += fmt::format("  … and {} more (--json has all)\n", finite_eigenvalues->size() - most_rows);
    }
    if (!meaning.empty()) {
        out += paint.bold("\nWhat it means for E x' + H x = c") + "\n";
        for (const std::string& line : meaning) out += "  - " + line + "\n";
    }
    if (!left_null.empty() && left_null.size() == 1)
        out += fmt::format("\n  This combination of equations vanishes: {}\n", combination(left_null[0], "row"));
    if (!right_null.empty() && right_null.size() == 1)
        out +=
            fmt::format("\n  This combination of unknowns appears nowhere: {}\n", combination(right_null[0], "column"));
    if (!rank_gaps.empty()) {
        out += "\n";
        list_gaps(out, rank_gaps, paint);
    }
    out += "\n";
    if (backward_error) out += fmt::format("  backward error     {}\n", brief_number(*backward_error, 2));
    if (weierstrass)
        out += fmt::format("  condition of P, Q  {}, {}\n", brief_number(weierstrass->condition_p, 2),
                           brief_number(weierstrass->condition_q, 2));
    if (!cross_check.empty()) out += fmt::format("  independent check  {}\n", cross_check);
    for (const std::string& line : remarks) out += "  note: " + line + "\n";
    return out;
}

std::string PencilAnalysis::to_json() const {
    std::string text;
    {
        JsonWriter json([&text](std::string_view piece) { text += piece; });
        json.begin_object();
        json.field("rows", rows);
        json.field("cols", cols);
        json.field("verdict", verdict);
        json.field("decided", decided);
        write_strings(json, "reasons", reasons);
        write_optional(json, "regular", regular);
        write_optional(json, "index", index);
        if (blocks) {
            write_blocks(json, *blocks);
        } else {
            for (const char* key :
                 {"infinite_blocks", "right_minimal_indices", "left_minimal_indices", "finite_size"}) {
                json.key(key);
                json.null();
            }
        }
        json.key("likely");
        if (likely) {
            json.begin_object();
            write_blocks(json, *likely);
            json.end_object();
        } else {
            json.null();
        }
        json.key("finite_eigenvalues");
        if (finite_eigenvalues) {
            json.begin_array();
            for (const auto& z : *finite_eigenvalues) json.numbers(std::vector{z.real(), z.imag()});
            json.end_array();
        } else {
            json.null();
        }
        write_optional(json, "degrees_of_freedom", degrees_of_freedom);
        write_optional(json, "backward_error", backward_error);
        json.key("rank_gaps");
        json.begin_array();
        for (const PencilRankGap& g : rank_gaps) {
            json.begin_object();
            json.field("what", g.what);
            json.field("rows", g.rows);
            json.field("cols", g.cols);
            json.field("rank", g.rank);
            write_optional(json, "kept", g.kept);
            json.field("dropped", g.dropped);
            json.field("tolerance", g.tolerance);
            json.field("decided", g.decided);
            json.end_object();
        }
        json.end_array();
        json.key("condition");
        if (weierstrass) {
            json.begin_object();
            json.field("p", weierstrass->condition_p);
            json.field("q", weierstrass->condition_q);
            json.end_object();
        } else {
            json.null();
        }
        json.field("cross_check", cross_check);
        write_vectors(json, "right_null", right_null);
        write_vectors(json, "left_null", left_null);
        write_strings(json, "meaning", meaning);
        write_strings(json, "remarks", remarks);
        json.end_object();
    }
    return text + "\n";
}

} // namespace daedalus
