// What recording and the certificate cost beside the integration. Each model is compiled once and solved with the
// default tolerance; times are shares of that of
//     (a)  the integration: nothing but its end is kept, without the search for initial values.
// To it comes
//     pieces          the solution, so that it can be evaluated anywhere
//     certificate     equations at the steps, and at the sample of points between them (`--certify all`)
//     (b) both        `solve` as callers get it who want the end, or single times
//     (c) + 500       and who read columns: 500 output points, found when they are asked for
//     eager           the same 500 points and the certificate, during the run, as the program `daedalus solve` does it
// and what was checked: at how many of the steps, and at how many points between them.
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
    std::printf("share of the integration's time\n%-16s %15s %8s %12s %9s %9s %8s   %s\n", "problem", "(a) integration",
                "pieces", "certificate", "(b) both", "(c) + 500", "eager", "checked: of steps, between");
    double both_sum = 0.0, points_sum = 0.0;
    int count = 0;
    for (const ReferenceProblem& problem : reference_problems(names)) {
        const auto compiled = problem.model.compile();
        if (!compiled) continue;
        const SolveOptions full{.from = problem.t0, .until = problem.t1};
        SolveOptions bare = full;
        bare.points = 1;
        bare.certify = Certify::none;
        bare.dense = false;
        SolveOptions pieces = bare, certificate = bare, eager = full;
        pieces.dense = true;
        certificate.certify = Certify::all;
        eager.dense = false;
        std::size_t read = 0;
        const auto once = [&](const SolveOptions& options, bool columns) {
            const auto solution = compiled->solve(options);
            if (solution && columns) read += solution->time().size();
            return solution && solution->success();
        };
        const auto whole = compiled->solve(full);
        if (!whole || !whole->success()) {
            std::printf("%-16s not solved\n", problem.name.c_str());
            continue;
        }
        // In turn, so that disturbances meet all alike; the shortest of each.
        const std::vector<std::function<void()>> work{
            [&] { (void)compiled->start(bare); }, [&] { (void)once(bare, false); },
            [&] { (void)once(pieces, false); },   [&] { (void)once(certificate, false); },
            [&] { (void)once(full, false); },     [&] { (void)once(full, true); },
            [&] { (void)once(eager, true); }};
        std::vector<double> seconds(work.size(), INFINITY);
        for (int round = 0; round < 7; ++round)
            for (std::size_t k = 0; k < work.size(); ++k)
                seconds[k] = std::min(seconds[k], best_cpu_seconds(work[k], 0.01));
        const double integration = seconds[1] - seconds[0];
        const auto share = [&](std::size_t k) { return (seconds[k] - seconds[1]) / integration; };
        long steps = 0, at_steps = 0, between = 0;
        for (const auto& [name, value] : whole->statistics()) {
            if (name == "steps") steps = value;
            if (name == "certified_steps") at_steps = value;
            if (name == "certified_between") between = value;
        }
        std::printf("%-16s %12.0f µs %8.2f %12.2f %9.2f %9.2f %8.2f   %ld of %ld, %ld\n", problem.name.c_str(),
                    1e6 * integration, share(2), share(3), share(4), share(5), share(6), at_steps, steps, between);
        both_sum += share(4);
        points_sum += share(5);
        ++count;
    }
    if (count > 0) std::printf("mean of (b): %.2f (goal: 0.25), of (c): %.2f\n", both_sum / count, points_sum / count);
    return 0;
}
