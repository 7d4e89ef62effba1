// Machine code against the interpreter, bit for bit, on random tapes. A fixed budget here; DAEDALUS_FUZZ_TAPES=1000000
// (tools/fuzz_tapes) asks for more, DAEDALUS_FUZZ_SEED for others.
#include "tape/interpreter.hpp"
#include "tape/liveness.hpp"
#include "tape/machine_code.hpp"
#include "tape/program.hpp"
#include "tape/random_tape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <sstream>

using namespace daedalus;
using namespace daedalus::tape;
using tests::Random;

namespace {

long from_environment(const char* name, long otherwise) {
    const char* const text = std::getenv(name);
    return text == nullptr ? otherwise : std::atol(text);
}

bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

std::string listing(const Tape& tape) {
    static constexpr const char* names[] = {"copy", "store", "neg", "add", "sub",  "mul", "div", "sqrt",
                                            "abs",  "min",   "max", "lt",  "le",   "eq",  "ne",  "and",
                                            "or",   "not",   "sel", "fma", "fnma", "c1",  "c2",  "halt"};
    std::ostringstream text;
    for (const auto* part : {&tape.static_part, &tape.main_part}) {
        for (const Instruction& i : *part)
            text << names[static_cast<int>(i.code)] << ' ' << i.d << ' ' << i.a << ' ' << i.b << " f" << int(i.f)
                 << '\n';
        text << "--\n";
    }
    return text.str();
}

/// Inputs in three other arrays, one here and one there; none where the tape writes to some input.
Outside scattered_inputs(const Tape& tape, Random& random) {
    Outside outside{tape.segment_begin[1], {}};
    const auto is_input = [&](std::uint32_t slot) { return slot >= outside.first && slot < tape.segment_begin[2]; };
    for (const auto* part : {&tape.static_part, &tape.main_part})
        for (const Instruction& i : *part)
            if (i.code != Code::store && i.code != Code::halt && is_input(i.d)) return {};
    for (std::uint32_t slot = outside.first; slot < tape.segment_begin[2]; ++slot)
        outside.places.push_back({random() % 5 == 0 ? Outside::inside : static_cast<std::int32_t>(slot % 7),
                                  static_cast<std::uint8_t>(random() % Outside::bases)});
    return outside;
}

void expect_equal_runs(const Tape& tape, Random& random, InstructionSet set, std::uint32_t chunk,
                       const Outside& outside) {
    std::string trouble;
    const auto code = compile_tape(tape, set, 1, trouble, chunk, outside);
    ASSERT_TRUE(code) << trouble;
    std::vector<char> persistent = persistent_slots(tape);
    std::vector<double> w = tests::random_memory(random, tape), v = w;
    std::vector<double> base[Outside::bases];
    for (std::vector<double>& b : base) b.assign(7, 3.0);
    for (std::size_t k = 0; k < outside.places.size(); ++k)
        if (const auto [at, number] = outside.places[k]; at != Outside::inside)
            base[number][static_cast<std::size_t>(at)] = w[outside.first + k]; // the last one counts
    for (std::size_t k = 0; k < outside.places.size(); ++k)
        if (const auto [at, number] = outside.places[k]; at != Outside::inside) {
            w[outside.first + k] = base[number][static_cast<std::size_t>(at)];
            v[outside.first + k] = 1e9; // nobody looks there
            persistent[outside.first + k] = 0;
        }
    std::vector<double> out(tape.outputs, 7.0), got = out;
    interpret<double, Function>(tape.static_part, tape.functions, w.data(), out.data());
    const auto run_chunk = [&](MachineCode::Chunk f) {
        f(v.data(), got.data(), base[0].data(), base[1].data(), base[2].data());
    };
    for (const auto chunk_of : code->static_part) run_chunk(chunk_of);
    for (int run = 0; run < 2; ++run) {
        interpret<double, Function>(tape.main_part, tape.functions, w.data(), out.data());
        for (const auto chunk_of : code->main_part) run_chunk(chunk_of);
        for (std::size_t k = 0; k < out.size(); ++k)
            ASSERT_TRUE(same(out[k], got[k])) << "output " << k << ": " << out[k] << " and " << got[k];
        for (std::size_t s = 0; s < w.size(); ++s)
            if (persistent[s]) {
                ASSERT_TRUE(same(w[s], v[s])) << "slot " << s << ": " << w[s] << " and " << v[s];
            }
    }
}

} // namespace

TEST(MachineCode, EqualsInterpreterBitForBitOnRandomTapes) {
    const InstructionSet best = best_instruction_set();
    if (best == InstructionSet::none) GTEST_SKIP() << "no machine code for this processor";
    const long tapes = from_environment("DAEDALUS_FUZZ_TAPES", 15000);
    const long seed = from_environment("DAEDALUS_FUZZ_SEED", 1);
    for (long k = 0; k < tapes; ++k) {
        Random random(static_cast<std::uint64_t>(seed) * 1'000'000'007U + static_cast<std::uint64_t>(k));
        static constexpr InstructionSet sets[] = {InstructionSet::sse2, InstructionSet::avx, InstructionSet::avx2};
        const InstructionSet set = std::min(best, sets[k % 3]);
        tests::TapeShape shape = tests::random_shape(random);
        shape.fused = set >= InstructionSet::avx2;
        const Tape tape = tests::random_tape(random, shape);
        const std::uint32_t chunk = k % 4 == 0 ? 1 + static_cast<std::uint32_t>(random() % 60) : default_chunk;
        const Outside outside = k % 2 == 0 ? Outside{} : scattered_inputs(tape, random);
        expect_equal_runs(tape, random, set, chunk, outside);
        if (HasFatalFailure()) {
            const std::string text = listing(tape);
            FAIL() << "tape " << k << " of seed " << seed << ", " << to_string(set) << ", chunks of " << chunk << '\n'
                   << text.substr(0, 4000);
        }
    }
}
