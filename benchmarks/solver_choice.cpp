// What `automatic` chooses, and what it costs against each solver alone: factorisations with a solve each, in time of
// KLU's. Meshes with and without pressures, circuits and ladders; below one in the column "automatic" is a gain, and it
// should never be much above. The whole run counts, from the first factorisation on with all that is tried there.
#include "linalg/linear_solver.hpp"
#include "linalg/saddle_matrices.hpp"
#include "measure.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

namespace {

using namespace daedalus;
using namespace daedalus::linalg;

/// Seven points on side³, and `fields` unknowns each that are coupled.
Saddle box(int side, int fields, double advection) {
    std::map<std::pair<int, int>, double> entries;
    const auto at = [&](int i, int j, int k, int f) { return ((i * side + j) * side + k) * fields + f; };
    for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j)
            for (int k = 0; k < side; ++k)
                for (int f = 0; f < fields; ++f) {
                    for (int g = 0; g < fields; ++g) entries[{at(i, j, k, f), at(i, j, k, g)}] = g == f ? 7.0 : 0.3;
                    if (i > 0) entries[{at(i, j, k, f), at(i - 1, j, k, f)}] = -1.0 - advection;
                    if (i + 1 < side) entries[{at(i, j, k, f), at(i + 1, j, k, f)}] = -1.0 + advection;
                    if (j > 0) entries[{at(i, j, k, f), at(i, j - 1, k, f)}] = -1.0;
                    if (j + 1 < side) entries[{at(i, j, k, f), at(i, j + 1, k, f)}] = -1.0;
                    if (k > 0) entries[{at(i, j, k, f), at(i, j, k - 1, f)}] = -1.0;
                    if (k + 1 < side) entries[{at(i, j, k, f), at(i, j, k + 1, f)}] = -1.0;
                }
    return from_entries(side * side * side * fields, entries);
}

/// Nodes in a row with a voltage source at each tenth; `reach`: how far two-poles lead.
Saddle circuit(int nodes, int reach) {
    std::mt19937 rng(5);
    std::uniform_real_distribution<double> u(0.1, 1.0);
    std::map<std::pair<int, int>, double> entries;
    const auto two_pole = [&](int a, int b, double g) {
        entries[{a, a}] += g;
        if (b >= nodes) return;
        entries[{b, b}] += g, entries[{a, b}] -= g, entries[{b, a}] -= g;
    };
    for (int a = 0; a < nodes; ++a) {
        two_pole(a, a + 1, u(rng));
        two_pole(a, nodes, 1e-3);
        if (reach > 1) two_pole(a, a + 2 + static_cast<int>(rng() % static_cast<unsigned>(reach)), u(rng));
    }
    int n = nodes;
    for (int a = 0; a < nodes; a += 10, ++n) entries[{a, n}] = entries[{n, a}] = 1.0;
    return from_entries(n, entries);
}

double seconds(const Saddle& s, SolverKind kind, int factorisations, std::string& chosen) {
    double best = 1e300;
    for (int repeat = 0; repeat < 3; ++repeat) {
        std::mt19937 rng(1);
        std::uniform_real_distribution<double> u(0.99, 1.01);
        const double before = benchmarks::cpu_seconds();
        const auto solver = make_linear_solver<double>(s.pattern, kind);
        std::vector<double> values = s.values, b(static_cast<std::size_t>(s.pattern.cols));
        for (int k = 0; k < factorisations; ++k) {
            if (solver->factor(values) != FactorStatus::ok) return 1e300;
            for (int newton = 0; newton < 2; ++newton) {
                std::fill(b.begin(), b.end(), 1.0);
                solver->solve(b);
            }
            for (double& v : values) v *= u(rng);
        }
        best = std::min(best, benchmarks::cpu_seconds() - before);
        chosen = solver->description();
    }
    return best;
}

void report(const std::string& name, const Saddle& s, int factorisations) {
    std::string chosen;
    const double klu = seconds(s, SolverKind::klu, factorisations, chosen);
    const double umfpack = seconds(s, SolverKind::umfpack, factorisations, chosen);
    const double automatic = seconds(s, SolverKind::automatic, factorisations, chosen);
    std::printf("%-22s %6d %4d %8.2f %9.2f   %s\n", name.c_str(), s.pattern.cols, factorisations, umfpack / klu,
                automatic / klu, chosen.c_str());
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    const std::string wanted = argc > 1 ? argv[1] : "";
    std::printf("in time of KLU's     unknowns runs  umfpack automatic   chosen\n");
    const auto run = [&](const std::string& name, const auto& make, int factorisations) {
        if (name.find(wanted) != std::string::npos) report(name, make(), factorisations);
    };
    for (const int m : {10, 20, 30, 40, 55})
        for (const double sigma : {1.0, 1e4})
            run(
                "stokes_" + std::to_string(m) + (sigma > 1.0 ? "_stiff" : ""), [&] { return stokes(m, sigma, 1.0); },
                10);
    for (const int side : {8, 12, 16})
        run(
            "box_" + std::to_string(side), [&] { return box(side, 1, 0.0); }, 10);
    for (const int side : {6, 10})
        run(
            "box3_" + std::to_string(side), [&] { return box(side, 3, 0.5); }, 10);
    for (const int n : {200, 2000, 20000})
        run(
            "ladder_" + std::to_string(n), [&] { return circuit(n, 1); }, 20);
    for (const int n : {200, 2000, 20000})
        run(
            "circuit_" + std::to_string(n), [&] { return circuit(n, 12); }, 20);
    run(
        "circuit_wide_2000", [] { return circuit(2000, 400); }, 10);
}
