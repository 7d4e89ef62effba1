#include "output/csv.hpp"

#include "output/shortest_decimal.hpp"

#include <algorithm>
#include <cassert>
#include <span>
#include <vector>

namespace daedalus::output {

std::string csv_field(std::string_view field) {
    const bool padded = !field.empty() && (field.front() == ' ' || field.back() == ' '); // readers may trim these
    if (!padded && field.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(field);
    std::string out = "\"";
    for (const char c : field) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + '"';
}

namespace {

/// Variables are columns in memory and a point is a row of the file. A row read by itself would fetch a cache line for
/// every number, so a few rows are gathered at a time: eight numbers fill a line of 64 bytes.
void write_rows(const Trajectory& trajectory, const Sink& sink) {
    constexpr std::size_t gathered = 16, capacity = std::size_t{1} << 16U;
    const std::size_t columns = trajectory.values.size();
    std::vector<double> rows(std::min(gathered, trajectory.points()) * columns);
    std::vector<char> text(capacity + 2 * (longest_number + 1)); // a time and a number, with a sign between, may follow
    char* at = text.data();
    const auto flush_if_full = [&](std::size_t full) {
        if (at < text.data() + full) return;
        sink({text.data(), static_cast<std::size_t>(at - text.data())});
        at = text.data();
    };
    for (std::size_t first = 0; first < trajectory.points(); first += gathered) {
        const std::size_t count = std::min(gathered, trajectory.points() - first);
        for (std::size_t v = 0; v < columns; ++v) {
            const double* const column = trajectory.values[v].data() + first;
            for (std::size_t k = 0; k < count; ++k) rows[k * columns + v] = column[k];
        }
        for (std::size_t k = 0; k < count; ++k) {
            at = write_shortest(at, trajectory.time[first + k]);
            for (const double value : std::span(rows).subspan(k * columns, columns)) {
                *at++ = ',';
                at = write_shortest(at, value);
                flush_if_full(capacity);
            }
            *at++ = '\n';
            flush_if_full(capacity);
        }
    }
    flush_if_full(1);
}

} // namespace

void write_csv(const Trajectory& trajectory, const Sink& sink) {
    assert(trajectory.is_rectangular());
    BufferedSink out(sink);
    out.buffer += "time";
    for (const VariableInfo& variable : trajectory.variables) {
        out.buffer += ',' + csv_field(variable.name);
        out.flush_if_full();
    }
    out.buffer += '\n';
    out.flush();
    write_rows(trajectory, sink);
}

std::string csv_text(const Trajectory& trajectory) {
    std::string text;
    write_csv(trajectory, [&](std::string_view piece) { text += piece; });
    return text;
}

} // namespace daedalus::output
