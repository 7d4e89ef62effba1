// Structure analysis of growing systems: time per equation and the exponent p of time ~ n^p, fitted by least squares on
// the logarithms. Processor time, so that a busy machine does not bend the curve. Each family is shuffled, so that
// nothing profits from the order in which it was generated.
//     structure_scaling [largest number of equations, default 1000000]
#include "measure.hpp"
#include "structure/block_triangular_form.hpp"
#include "structure/generated_systems.hpp"
#include "structure/index_per_variable.hpp"
#include "structure/matching.hpp"
#include "structure/signature_method.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>

namespace {

using namespace daedalus::structure;

double seconds_since(std::clock_t start) { return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC; }

struct Family {
    std::string name;
    std::function<SignatureMatrix(int)> make; ///< about that many equations
};

void run(const Family& family, int largest) {
    std::printf("%s\n%10s %8s %8s %7s %9s %9s %9s %9s %12s\n", family.name.c_str(), "equations", "index", "dof",
                "rounds", "matching", "sigma", "blocks", "total/s", "ns/equation");
    std::vector<double> sizes, times;
    for (int size = 1000; size <= largest; size *= 10) {
        const SignatureMatrix sigma = generated::shuffled(family.make(size), 42);
        std::clock_t start = std::clock();
        const Matching matching = maximum_matching(sigma.pattern);
        const double t_matching = seconds_since(start);
        start = std::clock();
        const SignatureAnalysis analysis = signature_method(sigma);
        const double t_sigma = seconds_since(start);
        if (!analysis.regular || !matching.perfect()) {
            std::printf("structurally singular\n");
            return;
        }
        start = std::clock();
        [[maybe_unused]] const BlockTriangularForm blocks =
            block_triangular_form(analysis.system_jacobian, analysis.transversal);
        const std::vector<int> index = index_per_variable(sigma, analysis);
        const double t_blocks = seconds_since(start);
        const double total = t_matching + t_sigma + t_blocks;
        const double n = sigma.equations();
        std::printf("%10d %8d %8lld %7d %9.4f %9.4f %9.4f %9.4f %12.1f\n", sigma.equations(), analysis.structural_index,
                    static_cast<long long>(analysis.value), analysis.rounds, t_matching, t_sigma, t_blocks, total,
                    1e9 * total / n);
        sizes.push_back(n);
        times.push_back(total);
    }
    if (sizes.size() > 1) std::printf("  time ~ n^%.2f\n\n", daedalus::benchmarks::fitted_exponent(sizes, times));
}

} // namespace

int main(int argc, char** argv) {
    const int largest = argc > 1 ? std::atoi(argv[1]) : 1000000;
    const std::vector<Family> families{
        {"circuit ladder", [](int n) { return generated::circuit_ladder(n / 4); }},
        {"chain of pendulums", [](int n) { return generated::pendulum_chain(n / 5); }},
        {"integrator chain (index n)", [](int n) { return generated::integrator_chain(n); }},
        {"random, depth 3, 2.5 extra entries per equation",
         [](int n) { return generated::random_of_depth(n, 3, 2.5, 7); }},
        {"random, depth 20, 2.5 extra entries per equation",
         [](int n) { return generated::random_of_depth(n, 20, 2.5, 8); }},
        {"random orders 0 and 1, 4 entries per equation", [](int n) { return generated::random_sparse(n, 1, 3, 9); }},
    };
    for (const Family& family : families) run(family, largest);
}
