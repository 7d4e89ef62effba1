#include "output/write_output.hpp"

#include "output/csv.hpp"
#include "output/html_report.hpp"
#include "output/json.hpp"
#include "output/mat.hpp"
#include "output/svg.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace daedalus::output {

Expected<Format> format_of(const std::string& path) {
    std::string extension = std::filesystem::path(path).extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (extension == ".csv") return Format::csv;
    if (extension == ".json") return Format::json;
    if (extension == ".html" || extension == ".htm") return Format::html;
    if (extension == ".svg") return Format::svg;
    if (extension == ".mat") return Format::mat;
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) { // the more helpful of two true messages
        if (std::optional<Diagnostic> problem = check_target(path)) return fail(std::move(*problem));
    }
    return fail(make_error("unknown-output-format",
                           extension.empty() ? "cannot tell the format of '" + path + "': the name has no extension"
                                             : "unknown output format '" + extension + "' of '" + path + "'",
                           "use .csv, .json, .html, .mat or .svg"));
}

Expected<Written> write_output(const std::string& path, const Trajectory& trajectory, const ReportData& report,
                               const Scene& scene) {
    const Expected<Format> format = format_of(path);
    if (!format) return Unexpected{format.error()};
    return write_output(path, *format, trajectory, report, scene);
}

Expected<Written> write_output(const std::string& path, Format format, const Trajectory& trajectory,
                               const ReportData& report, const Scene& scene) {
    Expected<AtomicFile> file = AtomicFile::open(path);
    if (!file) return Unexpected{file.error()};
    const Sink sink = file->sink();
    switch (format) {
    case Format::csv: write_csv(trajectory, sink); break;
    case Format::json: write_json(trajectory, report, sink); break;
    case Format::mat: write_mat(trajectory, report, sink); break;
    case Format::html: write_html_report(trajectory, report, sink, {}, scene); break;
    case Format::svg: {
        SvgOptions options;
        options.title = report.model.name;
        sink(svg_plot(trajectory, {}, options));
        break;
    }
    }
    return file->commit();
}

} // namespace daedalus::output
