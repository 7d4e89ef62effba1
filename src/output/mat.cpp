#include "output/mat.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <span>

namespace daedalus::output {

namespace {

static_assert(std::endian::native == std::endian::little, "MOPT below says IEEE little endian");

/// The last two digits of MOPT: precision and whether the numbers are characters.
enum class Content : std::int32_t { doubles = 0, integers = 20, text = 51 };

template <class T>
void put(std::string& out, const T& value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    out.append(bytes, sizeof(T));
}

void put_header(BufferedSink& out, Content content, const char* name, std::size_t rows, std::size_t columns) {
    const std::int32_t header[5] = {static_cast<std::int32_t>(content), static_cast<std::int32_t>(rows),
                                    static_cast<std::int32_t>(columns), 0,
                                    static_cast<std::int32_t>(std::strlen(name) + 1)};
    for (const std::int32_t number : header) put(out.buffer, number);
    out.buffer.append(name, std::strlen(name) + 1);
}

/// One text per column, padded with blanks.
void put_columns(BufferedSink& out, const char* name, std::span<const std::string> texts) {
    std::size_t longest = 1;
    for (const std::string& text : texts) longest = std::max(longest, text.size());
    put_header(out, Content::text, name, longest, texts.size());
    for (const std::string& text : texts) {
        out.buffer += text;
        out.buffer.append(longest - text.size(), ' ');
        out.flush_if_full();
    }
}

/// One text per row.
void put_rows(BufferedSink& out, const char* name, std::span<const std::string> texts) {
    std::size_t longest = 1;
    for (const std::string& text : texts) longest = std::max(longest, text.size());
    put_header(out, Content::text, name, texts.size(), longest);
    for (std::size_t k = 0; k < longest; ++k)
        for (const std::string& text : texts) out.buffer += k < text.size() ? text[k] : ' ';
}

std::string described(const std::string& description, const std::string& unit) {
    return unit.empty() ? description : description + (description.empty() ? "[" : " [") + unit + "]";
}

} // namespace

void write_mat(const Trajectory& trajectory, const ReportData& report, const Sink& sink) {
    assert(trajectory.is_rectangular());
    BufferedSink out(sink);
    const std::string format[] = {"Atrajectory", "1.1", "", "binTrans"};
    put_rows(out, "Aclass", format);
    std::vector<std::string> names{"time"}, descriptions{"Time [s]"};
    std::vector<std::int32_t> places{0, 1, 0, -1};
    for (std::size_t k = 0; k < report.model.parameters.size(); ++k) {
        const ParameterValue& p = report.model.parameters[k];
        names.push_back(p.name);
        descriptions.push_back(described(p.description, p.unit));
        places.insert(places.end(), {1, static_cast<std::int32_t>(k + 2), 0, 0});
    }
    for (std::size_t k = 0; k < trajectory.variables.size(); ++k) {
        const VariableInfo& v = trajectory.variables[k];
        names.push_back(v.name);
        descriptions.push_back(described(v.description, v.unit));
        places.insert(places.end(), {2, static_cast<std::int32_t>(k + 2), 0, -1});
    }
    put_columns(out, "name", names);
    put_columns(out, "description", descriptions);
    put_header(out, Content::integers, "dataInfo", 4, names.size());
    for (const std::int32_t number : places) put(out.buffer, number);
    put_header(out, Content::doubles, "data_1", report.model.parameters.size() + 1, 2);
    const std::vector<double>& time = trajectory.time;
    for (const double t : {time.empty() ? 0.0 : time.front(), time.empty() ? 0.0 : time.back()}) {
        put(out.buffer, t);
        for (const ParameterValue& p : report.model.parameters) put(out.buffer, p.value);
    }
    put_header(out, Content::doubles, "data_2", trajectory.variables.size() + 1, time.size());
    for (std::size_t k = 0; k < time.size(); ++k) {
        put(out.buffer, time[k]);
        for (const std::vector<double>& column : trajectory.values) put(out.buffer, column[k]);
        out.flush_if_full();
    }
}

} // namespace daedalus::output
