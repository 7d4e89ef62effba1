#include "measure.hpp"

#include <cmath>
#include <sys/resource.h>

namespace daedalus::benchmarks {

double cpu_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double peak_megabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024.0; // Linux counts in kilobytes
}

double fitted_exponent(const std::vector<double>& n, const std::vector<double>& time) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (std::size_t k = 0; k < n.size(); ++k) {
        const double x = std::log(n[k]), y = std::log(time[k]);
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    const double m = static_cast<double>(n.size());
    return (m * sxy - sx * sy) / (m * sxx - sx * sx);
}

} // namespace daedalus::benchmarks
