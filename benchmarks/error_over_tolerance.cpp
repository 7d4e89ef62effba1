// How honest tolerances are: the error at the end over the tolerance, by the method that `auto` takes, on all problems
// with reference values and for relative tolerances from 1e-3 to 1e-9 (absolute: the same, in units of nominal values).
// An error is counted in units of rtol |reference| + atol and the largest one of the significant variables is printed;
// "·": the reference does not know it better. Then the distribution, and the share inside of 0.05 … 5.
//
// Usage: benchmark_error_over_tolerance [PROBLEM…]
#include "daedalus/compiled_model.hpp"
#include "reference_problems.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

int main(int argc, char** argv) {
    using namespace daedalus;
    using namespace daedalus::benchmarks;
    const std::vector<std::string> names(argv + 1, argv + argc);
    constexpr int first = 3, last = 9;
    std::printf("%-16s", "rtol = atol");
    for (int k = first; k <= last; ++k) std::printf("     1e-%d", k);
    std::printf("  methods\n");
    std::vector<double> ratios;
    int failed = 0;
    for (const ReferenceProblem& problem : reference_problems(names)) {
        const auto compiled = problem.model.compile();
        if (!compiled) continue;
        std::printf("%-16s", problem.name.c_str());
        std::string methods;
        for (int k = first; k <= last; ++k) {
            const double tolerance = std::pow(10.0, -k);
            const auto solution = compiled->solve({.from = problem.t0,
                                                   .until = problem.t1,
                                                   .rtol = tolerance,
                                                   .atol = tolerance,
                                                   .certify = Certify::none,
                                                   .points = 1,
                                                   .dense = false});
            if (!solution || !solution->success()) {
                std::printf(" %8s", "failed");
                ++failed;
                continue;
            }
            if (methods.find(solution->method()) == std::string::npos)
                methods += (methods.empty() ? "" : ", ") + solution->method();
            double largest = 0.0, unknown = 0.0;
            for (const auto& [name, value] : problem.end) {
                const double allowed = tolerance * std::abs(value) + tolerance;
                largest = std::max(largest, std::abs(solution->final(name) - value) / allowed);
                unknown = std::max(unknown, problem.known * std::abs(value) / allowed);
            }
            if (largest < unknown) {
                std::printf(" %8s", "·");
                continue;
            }
            std::printf(" %8.2g", largest);
            std::fflush(stdout);
            ratios.push_back(largest);
        }
        std::printf("  %s\n", methods.c_str());
    }
    if (ratios.empty()) return 0;
    std::sort(ratios.begin(), ratios.end());
    const auto quantile = [&](double share) {
        return ratios[static_cast<std::size_t>(share * static_cast<double>(ratios.size() - 1) + 0.5)];
    };
    const auto inside = std::count_if(ratios.begin(), ratios.end(), [](double r) { return r >= 0.05 && r <= 5.0; });
    std::printf("%zu runs, %d failed; quantiles 0, 10, 25, 50, 75, 90, 100 %%:", ratios.size(), failed);
    for (const double share : {0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0}) std::printf(" %.2g", quantile(share));
    std::printf("\ninside of 0.05 … 5: %.0f %%; above 5: %td; below 0.05: %td\n",
                100.0 * static_cast<double>(inside) / static_cast<double>(ratios.size()),
                std::count_if(ratios.begin(), ratios.end(), [](double r) { return r > 5.0; }),
                std::count_if(ratios.begin(), ratios.end(), [](double r) { return r < 0.05; }));
    return 0;
}
