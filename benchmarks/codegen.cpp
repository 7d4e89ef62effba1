// Machine code of tapes: compile time per operation; nanoseconds per operation of interpreter, machine code and
// batches; and the ratio to the same tape printed as C++ and built by g++ -O2 -march=native in the same run. Goals:
// at most 1.25 of g++, at most 0.3 µs per operation to compile, batches at least four times scalar throughput.
#include "codegen/kernel.hpp"
#include "codegen_tapes.hpp"
#include "generated_models.hpp"
#include "heat_by_hand.hpp"
#include "measure.hpp"
#include "native_tape.hpp"
#include "tape/aligned_memory.hpp"
#include "tape/batch.hpp"
#include "tape/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string_view>
#include <sys/resource.h>

namespace {

using namespace daedalus;
using namespace daedalus::benchmarks;

/// g++ needs seconds per ten thousand operations: longer tapes are compared by their beginning.
constexpr std::size_t native_limit = 30'000;

/// Seconds per call, the best of several samples that last about a millisecond each.
template <class Run>
double seconds_per_call(Run&& run) {
    run();
    int calls = 1;
    for (double spent = 0.0; (spent = best_cpu_seconds(
                                  [&] {
                                      for (int k = 0; k < calls; ++k) run();
                                  },
                                  1e-9)) < 1e-3;)
        calls = spent > 1e-5 ? static_cast<int>(calls * 1.3e-3 / spent) + 1 : 10 * calls;
    return best_cpu_seconds(
               [&] {
                   for (int k = 0; k < calls; ++k) run();
               },
               0.2) /
           calls;
}

std::vector<double> memory(const tape::Tape& tape, const std::vector<double>& parameters) {
    std::vector<double> w(tape.memory, 0.0);
    std::copy(tape.constants.begin(), tape.constants.end(), w.begin());
    std::copy(parameters.begin(), parameters.end(), w.begin() + tape.segment_begin[0]);
    for (std::uint32_t s = tape.segment_begin[1]; s < tape.segment_begin.back(); ++s) w[s] = 0.1 + 0.001 * (s % 97);
    return w;
}

double run_of(const tape::Program& program, const tape::Tape& tape, std::vector<double> w, std::vector<double>& out) {
    out.assign(tape.outputs, 0.0);
    program.run_static(w.data(), out.data());
    return seconds_per_call([&] { program.run_main(w.data(), out.data()); });
}

/// Per instance, of as many instances as a batch has, one after the other, each on its own memory.
double run_of_each(const tape::Program& program, const tape::Tape& tape, const std::vector<double>& w,
                   std::size_t instances) {
    std::vector<std::vector<double>> memories(instances, w), outs(instances, std::vector<double>(tape.outputs));
    for (std::size_t k = 0; k < instances; ++k) program.run_static(memories[k].data(), outs[k].data());
    return seconds_per_call([&] {
               for (std::size_t k = 0; k < instances; ++k) program.run_main(memories[k].data(), outs[k].data());
           }) /
           static_cast<double>(instances);
}

void report(const NamedTape& named, bool with_native) {
    const tape::Tape& tape = named.tape;
    const double n = static_cast<double>(tape.main_part.size() - 1);
    const std::vector<double> w = memory(tape, named.parameters);
    std::vector<double> expected, got;
    const double compile =
        best_cpu_seconds([&] { static_cast<void>(tape::make_program(tape, tape::Backend::machine_code)); }, 0.2);
    const auto interpreter = tape::make_interpreter(tape);
    const auto machine = tape::make_program(tape, tape::Backend::machine_code);
    const double interpreted = run_of(*interpreter, tape, w, expected);
    const double compiled = run_of(*machine, tape, w, got);
    if (std::memcmp(expected.data(), got.data(), 8 * got.size()) != 0) {
        fmt::print("{}: machine code and interpreter differ\n", named.name);
        std::exit(1);
    }
    const auto batch = tape::make_batch_program(tape, tape::Backend::machine_code);
    const auto lanes = static_cast<std::size_t>(batch->width());
    tape::AlignedMemory batch_w = batch->memory(), batch_out(tape.outputs * lanes);
    for (std::size_t s = 0; s < w.size(); ++s)
        for (std::size_t l = 0; l < lanes; ++l) batch_w[s * lanes + l] = w[s];
    batch->run_static(batch_w.data(), batch_out.data());
    const double batched = seconds_per_call([&] { batch->run_main(batch_w.data(), batch_out.data()); }) / double(lanes);
    const double each = run_of_each(*machine, tape, w, lanes);
    const auto stores = tape::make_batch_program(stores_alone(tape), tape::Backend::machine_code);
    const double stored = seconds_per_call([&] { stores->run_main(batch_w.data(), batch_out.data()); }) / double(lanes);

    std::string ratio = "-", built = "-";
    if (with_native) {
        const tape::Tape cut = prefix(tape, native_limit);
        if (const NativeTape native(cut); native) {
            const auto same = tape::make_program(cut, tape::Backend::machine_code);
            std::vector<double> v = w, out(cut.outputs, 0.0);
            same->run_static(v.data(), out.data());
            // Alternately, so that both meet the same disturbances.
            double ours = 1e300, theirs = 1e300;
            for (int k = 0; k < 3; ++k) {
                ours = std::min(ours, seconds_per_call([&] { same->run_main(v.data(), out.data()); }));
                theirs = std::min(theirs, seconds_per_call([&] { native.run_main(v.data(), out.data()); }));
            }
            ratio = fmt::format("{:.2f}{}", ours / theirs, cut.main_part.size() < tape.main_part.size() ? "*" : "");
            built = fmt::format("{:.1f}", native.build_seconds());
        }
    }
    fmt::print("{:<16}{:>10.0f}{:>12.3f}{:>13.2f}{:>13.3f}{:>9}{:>11.3f} x{}{:>7.1f}{:>7.1f}{:>8.2f}{:>8}\n",
               named.name, n, 1e6 * compile / n, 1e9 * interpreted / n, 1e9 * compiled / n, ratio, 1e9 * batched / n,
               lanes, compiled / batched, each / batched, stored / batched, built);
    std::fflush(stdout);
}

/// Equations that repeat, as the kernel runs them: a loop over gathered operands against loops written by hand.
void report_loops(int n) {
    using codegen::Kernel;
    expr::Graph g;
    const ResidualAndJacobian e = heat_equations(g, n);
    const std::vector<double> parameters = heat_parameters();
    const double before = cpu_seconds();
    Kernel kernel(g, e.segments, e.outputs, {.groups = e.groups, .backend = tape::Backend::machine_code});
    const double build = cpu_seconds() - before;
    Kernel interpreted(g, e.segments, e.outputs, {.groups = e.groups, .backend = tape::Backend::interpreter});
    kernel.set_parameters(parameters);
    interpreted.set_parameters(parameters);
    const std::size_t points = e.segments[2].size();
    std::vector<double> u(points), du(points, 0.2), out(e.outputs.size()), same(out), r(points), j(5 * points);
    for (std::size_t k = 0; k < points; ++k) u[k] = 0.1 + 0.001 * static_cast<double>(k % 97);
    const double t = 0.0;
    const double* const inputs[] = {&t, u.data(), du.data()};
    const double fast = seconds_per_call([&] { static_cast<void>(kernel(inputs, out.data())); });
    const double slow = seconds_per_call([&] { static_cast<void>(interpreted(inputs, same.data())); });
    const double by_hand =
        seconds_per_call([&] { heat_by_hand(n, parameters.data(), u.data(), du.data(), r.data(), j.data()); });
    double difference = 0.0;
    for (std::size_t k = 0; k < points; ++k) difference = std::max(difference, std::abs(r[k] - out[k]));
    if (out != same || difference > 1e-12) {
        fmt::print("loops differ\n");
        std::exit(1);
    }
    const double ops = static_cast<double>(kernel.instructions());
    fmt::print(
        "heat {0}x{0} in loops: {1:.0f} operations from {2} kept, made in {3:.2f} s; machine code {4:.3f} ns/op, "
        "interpreter {5:.3f}, by hand {6:.3f}; ratio {7:.2f}\n",
        n, ops, kernel.stored_instructions(), build, 1e9 * fast / ops, 1e9 * slow / ops, 1e9 * by_hand / ops,
        fast / by_hand);
    std::fflush(stdout);
}

/// Of this process so far, in megabytes.
double largest_memory() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

} // namespace

int main(int argc, char** argv) {
    bool native = true;
    std::string_view only;
    for (int k = 1; k < argc; ++k) {
        if (std::string_view(argv[k]) == "--no-native")
            native = false;
        else
            only = argv[k];
    }
    fmt::print(
        "residual and Jacobian; ns/op per instance; gain of batches over one instance that stays in the nearest cache,"
        " own: over as many instances with memories of their own; stores: share of a batch's time that its stores "
        "alone take; "
        "* on the first {} operations\n",
        native_limit);
    fmt::print("{:<16}{:>10}{:>12}{:>13}{:>13}{:>9}{:>11}   {:>7}{:>7}{:>8}{:>8}\n", "tape", "ops", "compile",
               "interpreter", "machine", "/ g++", "batch", "gain", "own", "stores", "g++ s");
    fmt::print("{:<16}{:>10}{:>12}{:>13}{:>13}{:>9}{:>11}\n", "", "", "µs/op", "ns/op", "ns/op", "", "ns/op");
    const std::string problems = DAEDALUS_SOURCE_DIR "/tests/problems/";
    const std::pair<std::string, std::function<NamedTape()>> tapes[] = {
        {"pendulum", [&] { return file_tape("pendulum", problems + "pendulum.mo"); }},
        {"andrews", [&] { return file_tape("andrews", problems + "andrews.mo"); }},
        {"transamp", [&] { return file_tape("transamp", problems + "transamp.mo"); }},
        {"two-bit adder", [] { return model_tape("two-bit adder", two_bit_adder()); }},
        {"chain 10", [] { return model_tape("chain 10", pendulum_chain(10)); }},
        {"chain 100", [] { return model_tape("chain 100", pendulum_chain(100)); }},
        {"chain 1000", [] { return model_tape("chain 1000", pendulum_chain(1000)); }},
        {"heat 100x100", [] { return heat_tape(100); }},
        {"heat 300x300", [] { return heat_tape(300); }},
    };
    for (const auto& [name, make] : tapes)
        if (only.empty() || name.find(only) != std::string::npos) report(make(), native);
    for (const int n : {100, 300})
        if (only.empty() || fmt::format("loops {}", n).find(only) != std::string::npos) report_loops(n);
    fmt::print("largest memory of this process: {:.0f} MB\n", largest_memory());
}
