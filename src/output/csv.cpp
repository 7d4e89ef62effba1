#include "output/csv.hpp"

#include "output/number_text.hpp"

#include <algorithm>
#include <cassert>

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

void write_csv(const Trajectory& trajectory, const Sink& sink) {
    assert(trajectory.is_rectangular());
    BufferedSink out(sink);
    out.buffer += "time";
    for (const VariableInfo& variable : trajectory.variables) {
        out.buffer += ',' + csv_field(variable.name);
        out.flush_if_full();
    }
    out.buffer += '\n';
    // Variables are columns in memory and a point is a row of the file. A row read by itself would fetch a cache line
    // for every number, so a few rows are gathered at a time: eight numbers fill a line of 64 bytes.
    constexpr std::size_t gathered = 16;
    const std::size_t columns = trajectory.values.size();
    std::vector<double> rows(std::min(gathered, trajectory.points()) * columns);
    for (std::size_t first = 0; first < trajectory.points(); first += gathered) {
        const std::size_t count = std::min(gathered, trajectory.points() - first);
        for (std::size_t v = 0; v < columns; ++v)
            for (std::size_t k = 0; k < count; ++k) rows[k * columns + v] = trajectory.values[v][first + k];
        for (std::size_t k = 0; k < count; ++k) {
            append_number(out.buffer, trajectory.time[first + k]);
            for (std::size_t v = 0; v < columns; ++v) {
                out.buffer += ',';
                append_number(out.buffer, rows[k * columns + v]);
                out.flush_if_full();
            }
            out.buffer += '\n';
        }
    }
}

std::string csv_text(const Trajectory& trajectory) {
    std::string text;
    write_csv(trajectory, [&](std::string_view piece) { text += piece; });
    return text;
}

} // namespace daedalus::output
