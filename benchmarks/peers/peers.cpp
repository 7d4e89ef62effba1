// Work and precision beside the established codes on the classic test set: same machine, same run, same compiled
// residual and Jacobian, all interleaved. `benchmark_peers [PROBLEM] [--rounds N] [--decades] [--out PREFIX]`
// prints the table and writes PREFIX.csv and PREFIX.html. With `--only CODE --tolerance T --repeat N` (CODE or "all")
// it runs and counts the work, for a profiler.
#include "measure.hpp"
#include "peers/work_precision.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

using namespace daedalus::benchmarks;

namespace {

std::vector<PeerCode> codes_for(const TestProblem& problem) {
    std::vector<PeerCode> codes;
    const auto add = [&](PeerCode code) {
        if (code.run) codes.push_back(std::move(code));
    };
    if (problem.large) {
        for (const char* method : {"auto", "bdf", "radau5", "rodas4", "esdirk4"}) add(make_daedalus(problem, method));
        const auto form = std::make_shared<PeerForm>(peer_form(problem, 0));
#ifdef DAEDALUS_IDA
        add(make_ida(form, problem.t0, problem.t1, IdaSolver::klu));
#endif
#ifdef DAEDALUS_PETSC
        for (const PetscMethod method : {PetscMethod::bdf, PetscMethod::rosenbrock})
            add(make_petsc(form, problem.t0, problem.t1, method));
#endif
        return codes;
    }
    for (const char* method :
         {"auto", "radau", "radau5", "bdf", "rodas4", "rodas5", "rodas6", "esdirk5", "limex", "dop853", "dopri5"})
        add(make_daedalus(problem, method));
    add(make_solve(problem));
    for (const ByHand method : {ByHand::dopri5, ByHand::dop853}) add(make_by_hand(problem, method));
    // Position constraints of mechanisms are offered to the peers differentiated as well; other constraints as they
    // are.
    const int forms = problem.index == 3 ? 3 : 1;
    for (int d = 0; d < forms; ++d) {
        const auto form = std::make_shared<PeerForm>(peer_form(problem, d));
        add(make_radau5(form, problem.t0, problem.t1, false));
        add(make_radau5(form, problem.t0, problem.t1, true));
        if (form->highest_index() > 2) continue; // IDA and DASPK do not take index 3
        add(make_daspk(form, problem.t0, problem.t1));
#ifdef DAEDALUS_IDA
        add(make_ida(form, problem.t0, problem.t1, IdaSolver::dense));
        add(make_ida(form, problem.t0, problem.t1, IdaSolver::klu));
#endif
    }
    return codes;
}

/// Prints what one run does and the shortest processor time of `repeat` runs.
void run_alone(const TestProblem& problem, const PeerCode& code, double tolerance, long repeat) {
    std::vector<double> values;
    double best = INFINITY;
    for (long k = 0; k < repeat; ++k) {
        const double begin = cpu_seconds();
        values = code.run(tolerance);
        best = std::min(best, cpu_seconds() - begin);
    }
    const Work w = code.work();
    std::printf("%s: %.7f s, %.2f digits; %ld steps, %ld residuals, %ld Jacobians, %ld factorisations, %ld solves\n",
                code.name.c_str(), best, values.empty() ? NAN : problem.digits(values), w.steps, w.residuals,
                w.jacobians, w.factorizations, w.solves);
}

} // namespace

int main(int argc, char** argv) {
    std::string only, prefix = "peers", single;
    MeasureOptions options;
    bool decades = false;
    double tolerance = 1e-6;
    long repeat = 1;
    for (int i = 1; i < argc; ++i) {
        const auto value = [&] { return i + 1 < argc ? argv[++i] : ""; };
        if (!std::strcmp(argv[i], "--rounds"))
            options.rounds = std::atoi(value());
        else if (!std::strcmp(argv[i], "--decades"))
            decades = true;
        else if (!std::strcmp(argv[i], "--out"))
            prefix = value();
        else if (!std::strcmp(argv[i], "--only"))
            single = value();
        else if (!std::strcmp(argv[i], "--tolerance"))
            tolerance = std::atof(value());
        else if (!std::strcmp(argv[i], "--repeat"))
            repeat = std::atol(value());
        else
            only = argv[i];
    }
    for (int k = 2; k <= 26; k += decades ? 2 : 1) options.tolerances.push_back(std::pow(10.0, -0.5 * k));
    std::vector<ProblemCurves> all;
    for (const TestProblem& problem : test_problems(only)) {
        const std::vector<PeerCode> codes = codes_for(problem);
        if (!single.empty()) {
            for (const PeerCode& code : codes)
                if (code.name == single || single == "all") run_alone(problem, code, tolerance, repeat);
            continue;
        }
        std::fprintf(stderr, "%s …\n", problem.name.c_str());
        all.push_back({problem.name, measure(problem, codes, options)});
    }
    if (!single.empty()) return 0;
    std::fputs(text_table(all).c_str(), stdout);
    std::fputs(beside_the_integration(all).c_str(), stdout);
    std::ofstream(prefix + ".csv") << csv(all);
    std::ofstream(prefix + ".html") << html(all);
    std::printf("curves: %s.csv and %s.html\n", prefix.c_str(), prefix.c_str());
    return 0;
}
