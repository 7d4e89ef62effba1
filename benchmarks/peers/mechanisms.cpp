// What mechanisms cost: explicit methods on constraints against code for equations eliminated by hand, against the best
// implicit code for DAEs at hand, a sweep against processes and on two threads, and chains of N bodies in both
// coordinates, against Simbody where it was found. Processor times, and ratios of one run.
#include "compile/compile.hpp"
#include "integrate/consistent_start.hpp"
#include "measure.hpp"
#include "mechanics/read_mechanism.hpp"
#include "peers/peer_code.hpp"
#include "problem/explicit_form.hpp"

#include <daedalus/compiled_model.hpp>
#include <daedalus/solve.hpp>
#include <daedalus/sweep.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#ifdef DAEDALUS_SIMBODY
namespace daedalus::benchmarks {
/// Processor time of a chain of n rods to t1 at an accuracy, and where its tip is.
double simbody_chain(int n, double t1, double accuracy, double& x, double& y);
} // namespace daedalus::benchmarks
#endif

namespace daedalus::benchmarks {
namespace {

struct Sample {
    double digits, seconds;
};

/// Over the usual tolerances, those that cost less than one with fewer digits left out.
std::vector<Sample> curve(const TestProblem& problem, const PeerCode& code) {
    std::vector<Sample> list;
    for (double tolerance = 1e-2; tolerance > 1e-13; tolerance /= std::sqrt(10.0)) {
        std::vector<double> values;
        const double seconds = best_cpu_seconds([&] { values = code.run(tolerance); }, 0.02);
        if (!values.empty()) list.push_back({problem.digits(values), seconds});
    }
    return list;
}

/// The shortest time that gives so many digits.
std::optional<double> time_for(const std::vector<Sample>& list, double digits) {
    std::optional<double> best;
    for (const Sample& s : list)
        if (s.digits >= digits && (!best || s.seconds < *best)) best = s.seconds;
    return best;
}

void compare_with_hand(const char* name) {
    for (const TestProblem& problem : test_problems(name)) {
        const auto own = curve(problem, make_daedalus(problem, "auto"));
        const auto solve = curve(problem, make_solve(problem));
        std::vector<Sample> hand, others;
        for (const ByHand method : {ByHand::dopri5, ByHand::dop853})
            if (const PeerCode code = make_by_hand(problem, method); code.run) {
                const auto one = curve(problem, code);
                hand.insert(hand.end(), one.begin(), one.end());
            }
        for (int d = 0; d < (problem.index == 3 ? 3 : 1); ++d) {
            const auto form = std::make_shared<PeerForm>(peer_form(problem, d));
            for (const bool second_order : {false, true})
                if (const PeerCode code = make_radau5(form, problem.t0, problem.t1, second_order); code.run) {
                    const auto one = curve(problem, code);
                    others.insert(others.end(), one.begin(), one.end());
                }
        }
        for (const double digits : {3.0, 6.0, 9.0}) {
            const auto a = time_for(own, digits), b = time_for(hand, digits), c = time_for(others, digits),
                       s = time_for(solve, digits);
            const auto ratio = [](std::optional<double> x, std::optional<double> y) {
                return x && y ? fmt::format("{:8.2f}", *x / *y) : fmt::format("{:>8}", "-");
            };
            std::printf("%-10s %2.0f digits %10.1f us   over by hand %s   RADAU5 over it %s   solve over it %s\n", name,
                        digits, a ? 1e6 * *a : NAN, ratio(a, b).c_str(), ratio(c, a).c_str(), ratio(s, a).c_str());
        }
    }
}

double wall_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// 1,000 pendulums of different length: as a sweep on one thread and on two, and as processes of the program.
void compare_sweep() {
    const auto model = Model::from_file(DAEDALUS_SOURCE_DIR "/examples/pendulum.mo");
    if (!model) return;
    const auto compiled = model->compile();
    if (!compiled) return;
    SweepOptions options;
    options.names = {"L"};
    for (const double length : equally_spaced(0.5, 2.0, 1000)) options.points.push_back({length});
    double wall[2] = {}, cpu = 0.0;
    for (const int threads : {1, 2}) {
        options.threads = threads;
        const double begin = wall_seconds(), used = cpu_seconds();
        const auto result = sweep(*compiled, options);
        if (!result || result->failures() > 0) return;
        wall[threads - 1] = wall_seconds() - begin;
        if (threads == 1) cpu = cpu_seconds() - used;
    }
    constexpr int processes = 20;
    const double begin = wall_seconds();
    for (int k = 0; k < processes; ++k)
        if (std::system(DAEDALUS_PROGRAM " solve " DAEDALUS_SOURCE_DIR "/examples/pendulum.mo --json >/dev/null") != 0)
            return;
    const double each = (wall_seconds() - begin) / processes;
    std::printf(
        "sweep of 1,000 pendulums: %.0f us each; 1,000 processes over it %.1f (of elapsed time), one thread over "
        "two %.2f\n",
        1e3 * cpu, 1e3 * each / wall[0], wall[0] / wall[1]);
}

std::string chain(int n, const char* coordinates) {
    std::string text =
        fmt::format("mechanism chain in plane parameter l = {}, m = {} gravity = (0, -9.81) ", 1.0 / n, 1.0 / n);
    for (int k = 1; k <= n; ++k)
        text += fmt::format("body b{0} {{ mass = m, inertia = m*l^2/12, center = (l/2, 0) }} revolute h{0} between {1} "
                            "and b{0} {{ angle = {2} }} ",
                            k, k == 1 ? "ground" : fmt::format("b{} at (l, 0)", k - 1), 0.6 * std::sin(2.0 * k));
    return text + "coordinates " + coordinates;
}

/// One evaluation of accelerations and forces of joints at the start, and how long it takes to read and to compile.
struct ChainCost {
    double evaluation = NAN, preparation = NAN;
};
ChainCost chain_cost(int bodies, const char* coordinates) {
    const double before = cpu_seconds();
    const auto file = std::make_shared<SourceFile>("chain.mech", chain(bodies, coordinates));
    auto model = mechanics::read_mechanism(file);
    if (!model) return {};
    auto compiled =
        compile::compile(std::make_shared<const model::Model>(*std::move(model)), {.inline_definitions = true});
    if (!compiled) return {};
    const auto start = integrate::consistent_start(compiled->initial);
    const problem::ImplicitProblem& p = compiled->problem;
    const auto& form = p.facet<problem::ExplicitForm>();
    if (!start || form.empty()) return {};
    const std::vector<double> x = start->x(compiled->initial);
    std::vector<double> z(x.size() + problem::ExplicitForm::watched);
    if (form.evaluate(p.call(), 0.0, x.data(), z.data()) != problem::EvalStatus::ok) return {};
    ChainCost cost;
    cost.preparation = cpu_seconds() - before;
    constexpr int times = 50;
    cost.evaluation = best_cpu_seconds([&] {
                          for (int k = 0; k < times; ++k) (void)form.evaluate(p.call(), 0.0, x.data(), z.data());
                      }) /
                      times;
    return cost;
}

void chain_costs(const char* coordinates, bool more) {
    std::vector<double> n, time;
    for (const int bodies : {10, 30, 100, 300, 1000, 3000, 10'000}) {
        if (bodies > 1000 && !more) break;
        const ChainCost cost = chain_cost(bodies, coordinates);
        std::printf("chain of %5d, %-8s %10.2f us per evaluation; reading, compiling and starting %.2f s\n", bodies,
                    coordinates, 1e6 * cost.evaluation, cost.preparation);
        std::fflush(stdout);
        if (!std::isfinite(cost.evaluation)) continue;
        n.push_back(bodies);
        time.push_back(cost.evaluation);
        if (cost.preparation > 10.0) break; // that of the next would take minutes
    }
    std::printf("  exponent %.2f\n", fitted_exponent(n, time));
}

#ifdef DAEDALUS_SIMBODY
/// Both follow the chain of 50 for a tenth of a second; what is compared is where its end is.
void compare_simbody() {
    constexpr int bodies = 50;
    constexpr double t1 = 0.1;
    const auto model = Model::from_string(chain(bodies, "automatic"), "chain.mech");
    if (!model) return;
    const std::string tip_x = fmt::format("b{}.x", bodies), tip_y = fmt::format("b{}.y", bodies);
    const auto compiled = model->compile();
    const auto exact = compiled ? compiled->solve({.until = t1, .rtol = 1e-12, .points = 2}) : solve(*model, {});
    if (!compiled || !exact || !exact->success()) return;
    const auto digits = [&](double x, double y) {
        return -std::log10(std::max(std::hypot(x - exact->final(tip_x), y - exact->final(tip_y)), 1e-16));
    };
    std::vector<Sample> own, other;
    for (double tolerance = 1e-3; tolerance > 1e-11; tolerance *= 0.1) {
        Expected<Solution> s = compiled->solve({.until = t1, .rtol = tolerance, .points = 2});
        const double seconds =
            best_cpu_seconds([&] { s = compiled->solve({.until = t1, .rtol = tolerance, .points = 2}); }, 0.1);
        if (s && s->success()) own.push_back({digits(s->final(tip_x), s->final(tip_y)), seconds});
        double x = 0.0, y = 0.0;
        const double theirs = simbody_chain(bodies, t1, tolerance, x, y);
        other.push_back({digits(x, y), theirs});
    }
    for (const double wanted : {3.0, 5.0, 7.0}) {
        const auto a = time_for(own, wanted), b = time_for(other, wanted);
        std::printf("chain of %d to %.0f digits: solve %.0f us, Simbody over it %.2f\n", bodies, wanted,
                    a ? 1e6 * *a : NAN, a && b ? *b / *a : NAN);
    }
}
#endif

} // namespace
} // namespace daedalus::benchmarks

int main(int argc, char** argv) {
    using namespace daedalus::benchmarks;
    const std::string part = argc > 1 ? argv[1] : "all";
    if (part == "all" || part == "hand")
        for (const char* name : {"pendulum", "caraxis", "andrews"}) compare_with_hand(name);
    if (part == "all" || part == "sweep") compare_sweep();
    if (part == "all" || part == "chain" || part == "long") // long: up to 10,000 bodies, minutes
        for (const char* coordinates : {"absolute", "joint"}) chain_costs(coordinates, part == "long");
#ifdef DAEDALUS_SIMBODY
    if (part == "all" || part == "simbody") compare_simbody();
#else
    std::printf("no Simbody: left out\n");
#endif
    return 0;
}
