// What recording and the certificate cost beside the integration. Each model is compiled once and solved with the
// default tolerance: with nothing but its end kept; with output points; with the certificate; with both and with the
// solution at any time, as `solve` does it by default. Shares of the time of the integration alone, which is that of
// the first run without the search for initial values.
//
// Usage: benchmark_certificate [PROBLEM…]
#include "daedalus/compiled_model.hpp"
#include "measure.hpp"
#include "reference_problems.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

int main(int argc, char** argv) {
    using namespace daedalus;
    using namespace daedalus::benchmarks;
    const std::vector<std::string> names(argv + 1, argv + argc);
    std::printf("share of the integration's time\n%-16s %12s %8s %10s %8s %8s\n", "problem", "integration", "points",
                "certificate", "steps", "all");
    double sum = 0.0;
    int count = 0;
    for (const ReferenceProblem& problem : reference_problems(names)) {
        const auto compiled = problem.model.compile();
        if (!compiled) continue;
        SolveOptions full{.from = problem.t0, .until = problem.t1};
        SolveOptions bare = full;
        bare.points = 1;
        bare.certify = Certify::none;
        bare.dense = false;
        SolveOptions points = bare, certificate = bare, steps = bare;
        points.points = full.points;
        certificate.certify = Certify::all;
        steps.certify = Certify::steps;
        const auto once = [&](const SolveOptions& options) {
            const auto solution = compiled->solve(options);
            return solution && solution->success();
        };
        if (!once(full)) {
            std::printf("%-16s not solved\n", problem.name.c_str());
            continue;
        }
        // In turn, so that disturbances meet all alike; the shortest of each.
        const std::vector<std::function<void()>> work{
            [&] { (void)compiled->start(bare); }, [&] { (void)once(bare); },  [&] { (void)once(points); },
            [&] { (void)once(certificate); },     [&] { (void)once(steps); }, [&] { (void)once(full); }};
        std::vector<double> seconds(work.size(), INFINITY);
        for (int round = 0; round < 7; ++round)
            for (std::size_t k = 0; k < work.size(); ++k)
                seconds[k] = std::min(seconds[k], best_cpu_seconds(work[k], 0.01));
        const double integration = seconds[1] - seconds[0];
        const auto share = [&](std::size_t k) { return (seconds[k] - seconds[1]) / integration; };
        std::printf("%-16s %9.0f µs %8.2f %10.2f %8.2f %8.2f\n", problem.name.c_str(), 1e6 * integration, share(2),
                    share(3), share(4), share(5));
        sum += share(5);
        ++count;
    }
    if (count > 0) std::printf("mean of all: %.2f (goal: 0.25)\n", sum / count);
    return 0;
}
