#include "peers/work_precision.hpp"

#include "measure.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

namespace daedalus::benchmarks {

namespace {

// Finer than getrusage(), which counts ticks on some kernels.
double now() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

} // namespace

std::optional<double> Curve::at(double digits, double Sample::*time) const {
    // Corners of the envelope: no other run is both at least as accurate and faster.
    std::vector<Sample> corners = samples;
    std::sort(corners.begin(), corners.end(), [time](const Sample& a, const Sample& b) {
        return a.*time != b.*time ? a.*time < b.*time : a.digits > b.digits;
    });
    double best = -1e300;
    std::erase_if(corners, [&](const Sample& s) {
        if (s.digits <= best) return true;
        best = s.digits;
        return false;
    });
    for (std::size_t k = 0; k < corners.size(); ++k) {
        if (corners[k].digits < digits) continue;
        if (k == 0) return corners[k].*time;
        const Sample &a = corners[k - 1], &b = corners[k];
        const double share = (digits - a.digits) / (b.digits - a.digits);
        return a.*time * std::pow(b.*time / a.*time, share);
    }
    return std::nullopt;
}

std::vector<Curve> measure(const TestProblem& problem, const std::vector<PeerCode>& codes,
                           const MeasureOptions& options) {
    struct Cell {
        std::size_t code, sample;
        long repetitions;
    };
    std::vector<Curve> curves;
    std::vector<Cell> cells;
    for (std::size_t c = 0; c < codes.size(); ++c) {
        curves.push_back({codes[c].name, codes[c].family, {}});
        std::optional<UnitCosts> costs; // those of one step size serve all: only the values of the matrix differ
        for (const double tolerance : options.tolerances) {
            (void)codes[c].run(tolerance); // warms up
            const double begin = now();
            const std::vector<double> values = codes[c].run(tolerance);
            const double once = std::max(now() - begin, 1e-7);
            const double digits = values.empty() ? NAN : problem.digits(values);
            if (!(digits > 0) && once > problem.longest) break;
            if (!(digits > 0)) continue; // a wrong answer, or none
            cells.push_back({c, curves[c].samples.size(), std::max(1L, std::lround(options.shortest / once))});
            const Work work = codes[c].work();
            if (!costs && codes[c].costs)
                costs = codes[c].costs((problem.t1 - problem.t0) / static_cast<double>(std::max(1L, work.steps)));
            curves[c].samples.push_back({tolerance, digits, once, costs ? floor_of(work, *costs).total() : INFINITY});
            if (once > problem.longest) break;
        }
    }
    // Back and forth: what runs behind a code that leaves the caches full of its own is not always the same.
    for (int round = 0; round < options.rounds; ++round, std::reverse(cells.begin(), cells.end()))
        for (const Cell& cell : cells) {
            Sample& sample = curves[cell.code].samples[cell.sample];
            if (cell.repetitions > 1) (void)codes[cell.code].run(sample.tolerance); // caches are what another code left
            const double begin = now();
            for (long k = 0; k < cell.repetitions; ++k) (void)codes[cell.code].run(sample.tolerance);
            sample.seconds = std::min(sample.seconds, (now() - begin) / static_cast<double>(cell.repetitions));
        }
    return curves;
}

} // namespace daedalus::benchmarks
