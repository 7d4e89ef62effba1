// Tables of circuit analyses as text and as CSV.
#include "base/printable.hpp"
#include "daedalus/circuit.hpp"
#include "output/atomic_file.hpp"
#include "output/csv.hpp"
#include "output/text_plot.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace daedalus {

namespace {

std::string point_text(const CircuitTable& table) {
    std::string out = fmt::format("operating point ({})\n", table.how);
    std::size_t longest = 0;
    for (const auto& c : table.columns) longest = std::max(longest, c.name.size());
    for (const auto& c : table.columns)
        out += fmt::format("  {:<{}}  {:>14.7g} {}\n", printable(c.name), longest, c.values.at(0), c.unit);
    return out;
}

} // namespace

std::string CircuitTopology::to_text() const {
    std::string out = "by the graph of the circuit: ";
    if (index_bound < 2)
        return out + "index at most 1: no loop of capacitors and voltage sources, no cut set of "
                     "inductors and current sources\n";
    out += sure ? "index 2\n" : "index 2 is likely; controlled sources take part, so that the graph cannot tell\n";
    for (const std::string& s : sentences) out += "  " + printable(s) + "\n";
    return out;
}

std::string CircuitTable::to_text(int width) const {
    if (analysis == "op") return point_text(*this);
    if (columns.empty() || columns[0].values.empty()) return analysis + ": no points\n";
    std::string out = fmt::format("{}: {} points, {} = {:.6g} … {:.6g}\n", analysis, columns[0].values.size(),
                                  printable(columns[0].name), columns[0].values.front(), columns[0].values.back());
    const bool logarithmic = analysis == "ac" && columns[0].values.front() > 0.0;
    std::vector<double> x = columns[0].values;
    if (logarithmic)
        for (double& f : x) f = std::log10(f);
    constexpr std::size_t most = 12; // curves on a terminal
    constexpr int height = 6;
    std::size_t drawn = 0;
    for (std::size_t k = static_cast<std::size_t>(swept); k < columns.size() && drawn < most; ++k, ++drawn) {
        const Column& c = columns[k];
        std::vector<double> y = c.values;
        std::string unit = c.unit;
        if (analysis == "ac" && unit != "deg") { // Bode
            for (double& v : y) v = 20.0 * std::log10(v);
            unit = "dB";
        }
        out += fmt::format("  {} [{}]\n", printable(c.name), unit);
        for (const std::string& line : output::braille_plot(x, y, std::max(20, width - 2), height))
            out += "  " + line + "\n";
    }
    if (columns.size() - static_cast<std::size_t>(swept) > most)
        out += fmt::format("  and {} more: --output writes all\n",
                           columns.size() - static_cast<std::size_t>(swept) - most);
    return out;
}

std::string CircuitTable::to_csv() const {
    std::string out;
    for (std::size_t k = 0; k < columns.size(); ++k) out += (k == 0 ? "" : ",") + output::csv_field(columns[k].name);
    out += "\n";
    const std::size_t rows = columns.empty() ? 0 : columns[0].values.size();
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t k = 0; k < columns.size(); ++k)
            out += fmt::format("{}{}", k == 0 ? "" : ",", columns[k].values[r]);
        out += "\n";
    }
    return out;
}

std::string CircuitTable::to_json() const {
    nlohmann::ordered_json all{{"analysis", analysis}, {"swept", swept}, {"how", how}};
    all["columns"] = nlohmann::ordered_json::array();
    for (const Column& c : columns)
        all["columns"].push_back({{"name", c.name}, {"unit", c.unit}, {"values", c.values}});
    all["diagnostics"] = nlohmann::ordered_json::parse(daedalus::to_json(warnings));
    return all.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Expected<std::uint64_t> CircuitTable::write(const std::string& path) const {
    const auto written = output::write_atomically(path, to_csv());
    if (!written) return Unexpected{written.error()};
    return written->bytes;
}

} // namespace daedalus
