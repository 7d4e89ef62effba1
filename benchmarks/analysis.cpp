// What analysis costs beyond structure: `analyze` of circuit ladders without derivative arrays, derivative-array index
// of chains of pendulums and of Andrews' squeezer, pencils of growing size. Processor time and the exponent p of
// time ~ n^p.
//     analysis
// Goals: 1,000 equations without arrays within 2 s, the squeezer within 1 s, a pencil of 500 in seconds.
#include "daedalus/analysis.hpp"

#include "daedalus/pencil.hpp"
#include "generated_models.hpp"
#include "measure.hpp"

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

namespace {

using namespace daedalus;
using benchmarks::best_cpu_seconds;

template <class T>
T must(Expected<T> value) {
    if (value) return *std::move(value);
    for (const Diagnostic& d : value.error()) std::fprintf(stderr, "%s\n", d.message.c_str());
    std::exit(1);
}

/// Times `work(n)` for each size and prints the growth.
template <class Work>
void growth(const char* what, const std::vector<int>& sizes, Work&& work) {
    std::vector<double> n, seconds;
    for (const int size : sizes) {
        n.push_back(size);
        seconds.push_back(best_cpu_seconds([&] { work(size); }));
        std::printf("%-52s n = %5d  %9.3f s\n", what, size, seconds.back());
    }
    std::printf("%-52s time ~ n^%.2f\n\n", what, benchmarks::fitted_exponent(n, seconds));
}

/// Index 2: a random invertible mixture of diag(I, N) and diag(C, I) with blocks N of size 2.
void random_pencil(int n, MatrixData& e, MatrixData& h) {
    std::minstd_rand random(7);
    std::uniform_real_distribution<double> entry(-1.0, 1.0);
    std::vector<double> ev(static_cast<std::size_t>(n) * static_cast<std::size_t>(n)), hv(ev.size());
    const auto at = [n](int i, int j) {
        return static_cast<std::size_t>(j) * static_cast<std::size_t>(n) + static_cast<std::size_t>(i);
    };
    const int finite = n / 2;
    for (int i = 0; i < n; ++i) {
        if (i < finite) {
            ev[at(i, i)] = 1.0;
            for (int j = 0; j < finite; ++j) hv[at(i, j)] = entry(random);
        } else {
            hv[at(i, i)] = 1.0;
            if ((i - finite) % 2 == 0 && i + 1 < n) ev[at(i, i + 1)] = 1.0;
        }
    }
    // Reflections from both sides: orthogonal, so that the structure stays as clear as it is.
    std::vector<double> u(static_cast<std::size_t>(n));
    for (int side = 0; side < 2; ++side) {
        double norm = 0.0;
        for (double& v : u) norm += (v = entry(random)) * v;
        for (auto* m : {&ev, &hv})
            for (int k = 0; k < n; ++k) {
                double dot = 0.0;
                for (int l = 0; l < n; ++l) dot += u[static_cast<std::size_t>(l)] * (*m)[side ? at(k, l) : at(l, k)];
                for (int l = 0; l < n; ++l)
                    (*m)[side ? at(k, l) : at(l, k)] -= 2.0 * dot / norm * u[static_cast<std::size_t>(l)];
            }
    }
    e = MatrixData::dense(n, n, ev);
    h = MatrixData::dense(n, n, hv);
}

} // namespace

int main() {
    growth("analyze a circuit ladder, no derivative arrays", {250, 1000, 4000}, [](int n) {
        const Model m = must(Model::from_string(benchmarks::circuit_ladder(benchmarks::ladder_sections(n))));
        const Analysis a =
            must(analyze(m, {}, {.derivative_arrays = false, .measure = false, .along_solution = false}));
        if (a.structural_index != 1) std::abort();
    });
    growth("derivative-array index of a chain of pendulums", {5, 10, 20, 30}, [](int equations) {
        const Model m = must(Model::from_string(benchmarks::pendulum_chain(equations / 5)));
        const Analysis a = must(analyze(m, {}, {.derivative_arrays = true, .measure = false, .along_solution = false}));
        if (a.differentiation_index.value != 3) std::fprintf(stderr, "%s\n", a.differentiation_index.reason.c_str());
    });
    const Model squeezer = must(Model::from_file(std::string(DAEDALUS_SOURCE_DIR) + "/tests/problems/andrews.mo"));
    const double seconds = best_cpu_seconds([&] {
        const Analysis a =
            must(analyze(squeezer, {}, {.derivative_arrays = true, .measure = false, .along_solution = false}));
        if (a.differentiation_index.value != 3) std::fprintf(stderr, "%s\n", a.differentiation_index.reason.c_str());
    });
    std::printf("%-52s n = %5zu  %9.3f s\n\n", "derivative-array index of Andrews' squeezer", squeezer.equation_count(),
                seconds);
    growth("pencil of index 2", {60, 125, 250, 500}, [](int n) {
        MatrixData e, h;
        random_pencil(n, e, h);
        const PencilAnalysis p = must(analyze_pencil(e, h));
        if (p.index != 2) std::fprintf(stderr, "%s\n", p.verdict.c_str());
    });
}
