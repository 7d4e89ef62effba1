// What benchmarks report: processor time and memory of this process, and the exponent p of time ~ n^p. Seconds alone
// say little on a shared machine; ratios and exponents within one run do.
#pragma once

#include <vector>

namespace daedalus::benchmarks {

/// Processor time of this process so far, user and system: unlike wall time not disturbed by other processes.
[[nodiscard]] double cpu_seconds();
/// Largest resident memory of this process so far, in megabytes.
[[nodiscard]] double peak_megabytes();

/// Least squares on the logarithms.
[[nodiscard]] double fitted_exponent(const std::vector<double>& n, const std::vector<double>& time);

/// Smallest processor time among a few runs of `work`: repeated until `budget` seconds are spent, at least once.
template <class Work>
double best_cpu_seconds(Work&& work, double budget = 0.5) {
    double best = 1e300;
    for (double spent = 0.0; spent < budget;) {
        const double before = cpu_seconds();
        work();
        const double used = cpu_seconds() - before;
        best = used < best ? used : best;
        spent += used > 1e-6 ? used : 1e-6;
    }
    return best;
}

} // namespace daedalus::benchmarks
