#include "output/csv.hpp"

#include "output/number_text.hpp"

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
    for (std::size_t k = 0; k < trajectory.points(); ++k) {
        append_number(out.buffer, trajectory.time[k]);
        for (const std::vector<double>& column : trajectory.values) {
            out.buffer += ',';
            append_number(out.buffer, column[k]);
            out.flush_if_full();
        }
        out.buffer += '\n';
    }
}

std::string csv_text(const Trajectory& trajectory) {
    std::string text;
    write_csv(trajectory, [&](std::string_view piece) { text += piece; });
    return text;
}

} // namespace daedalus::output
