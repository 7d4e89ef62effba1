// Tables of inputs from CSV files.
#include "base/diagnostic.hpp"
#include "base/expected.hpp"
#include "base/printable.hpp"
#include "daedalus/input.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>

namespace daedalus {

namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t' || text.front() == '"')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r' || text.back() == '"'))
        text.remove_suffix(1);
    return text;
}

/// Cells between commas or, where a line has none, semicolons.
std::vector<std::string_view> cells_of(std::string_view line) {
    const char separator = line.find(',') == std::string_view::npos ? ';' : ',';
    std::vector<std::string_view> cells;
    for (;;) {
        const std::size_t at = line.find(separator);
        cells.push_back(trimmed(line.substr(0, at)));
        if (at == std::string_view::npos) return cells;
        line.remove_prefix(at + 1);
    }
}

std::optional<double> number(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

Diagnostic bad(std::string message, std::string hint = {}) {
    return make_error("bad-input", std::move(message), std::move(hint));
}

/// A line of names: "time", then the inputs'.
void take_header(const std::vector<std::string_view>& cells, std::vector<Input>& inputs) {
    for (std::size_t k = 1; k < cells.size(); ++k) inputs[k - 1].name = cells[k];
}

} // namespace

Expected<std::vector<Input>> read_inputs(const std::string& path, const std::string& name) {
    std::ifstream file(path);
    if (!file)
        return fail(bad(fmt::format("cannot read '{}'", printable(path)), "a CSV file: times, then a value each"));
    std::vector<Input> inputs;
    std::string line;
    bool begun = false;
    for (int at = 1; std::getline(file, line); ++at) {
        if (trimmed(line).empty() || trimmed(line).starts_with('#')) continue;
        const std::vector<std::string_view> cells = cells_of(line);
        const auto where = [&] { return fmt::format("{}:{}", printable(path), at); };
        if (!begun) {
            begun = true;
            if (cells.size() < 2)
                return fail(bad(fmt::format("{}: one column is no table", where()), "a time and a value per line"));
            if (!name.empty() && cells.size() != 2)
                return fail(bad(fmt::format("{}: {} columns for the input '{}'", where(), cells.size(), name),
                                "--inputs takes the names from the first line"));
            inputs.resize(cells.size() - 1);
            for (Input& input : inputs) {
                input.name = name;
                input.origin = path;
            }
            if (!number(cells[0])) {
                if (name.empty()) take_header(cells, inputs);
                continue;
            }
            if (name.empty())
                return fail(bad(fmt::format("{}: the first line has to name the inputs", where()), "time,u,v"));
        }
        if (cells.size() != inputs.size() + 1)
            return fail(
                bad(fmt::format("{}: {} columns, the first line has {}", where(), cells.size(), inputs.size() + 1)));
        std::vector<double> row;
        for (const std::string_view cell : cells) {
            const auto value = number(cell);
            if (!value || !std::isfinite(*value))
                return fail(bad(fmt::format("{}: '{}' is not a {}number", where(), printable(std::string(cell)),
                                            value ? "finite " : "")));
            row.push_back(*value);
        }
        for (std::size_t k = 0; k < inputs.size(); ++k) {
            inputs[k].times.push_back(row[0]);
            inputs[k].values.push_back(row[k + 1]);
            inputs[k].lines.push_back(at);
        }
    }
    if (inputs.empty() || inputs.front().times.empty())
        return fail(bad(fmt::format("'{}' holds no values", printable(path)), "a time and a value per line"));
    return inputs;
}

} // namespace daedalus
