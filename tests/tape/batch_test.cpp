// Batches: arithmetic as the interpreter lane by lane, bit for bit; elementary functions within 4 ulp of the truth,
// which quadruple precision tells.
#include "tape/batch.hpp"
#include "tape/elementary.hpp"
#include "tape/interpreter.hpp"
#include "tape/liveness.hpp"
#include "tape/machine_code.hpp"
#include "tape/random_tape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>

using namespace daedalus;
using namespace daedalus::tape;
using tests::Random;

namespace {

std::vector<InstructionSet> batch_sets() {
    std::vector<InstructionSet> sets;
    for (const InstructionSet set : {InstructionSet::none, InstructionSet::avx2, InstructionSet::avx512})
        if (set <= best_instruction_set()) sets.push_back(set);
    return sets;
}

bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

void run_and_compare(const Tape& tape, Random& random, const BatchProgram& batch) {
    const auto width = static_cast<std::size_t>(batch.width());
    const std::vector<char> persistent = persistent_slots(tape);
    AlignedMemory w = batch.memory(), out(tape.outputs * width, 7.0);
    std::vector<std::vector<double>> lane_w, lane_out(width, std::vector<double>(tape.outputs, 7.0));
    for (std::size_t l = 0; l < width; ++l) {
        lane_w.push_back(tests::random_memory(random, tape));
        for (std::size_t s = tape.constants.size(); s < tape.memory; ++s) w[s * width + l] = lane_w[l][s];
        interpret<double, Function>(tape.static_part, tape.functions, lane_w[l].data(), lane_out[l].data());
        interpret<double, Function>(tape.main_part, tape.functions, lane_w[l].data(), lane_out[l].data());
    }
    batch.run_static(w.data(), out.data());
    batch.run_main(w.data(), out.data());
    // Which of two NaNs a compiled sum passes on is the compiler's choice (sanitized builds choose otherwise): between
    // two interpreters one is as good as the other. Machine code keeps the order of operands.
    const bool compiled = batch.name() != "interpreter";
    const auto agree = [&](double a, double b) { return same(a, b) || (!compiled && std::isnan(a) && std::isnan(b)); };
    for (std::size_t l = 0; l < width; ++l) {
        for (std::size_t k = 0; k < tape.outputs; ++k)
            ASSERT_TRUE(agree(lane_out[l][k], out[k * width + l])) << "output " << k << " of lane " << l;
        for (std::size_t s = 0; s < tape.memory; ++s)
            if (persistent[s]) {
                ASSERT_TRUE(agree(lane_w[l][s], w[s * width + l])) << "slot " << s << " of lane " << l;
            }
    }
}

/// Distance in units of the last place of the nearest double to the truth.
double ulps(double value, Quad truth) {
    const auto nearest = static_cast<double>(truth);
    if (std::isnan(nearest) || std::isinf(nearest) || std::isnan(value))
        return same(value, nearest) || (std::isnan(nearest) && std::isnan(value)) ? 0 : INFINITY;
    const double unit = std::max(std::nextafter(std::abs(nearest), INFINITY) - std::abs(nearest), 0x1p-1074);
    const Quad error = (Quad(value) - truth) / Quad(unit);
    return std::abs(static_cast<double>(error));
}

} // namespace

TEST(Batch, ArithmeticAndLaneCallsEqualTheInterpreterBitForBit) {
    Random random(3);
    for (const InstructionSet set : batch_sets())
        for (int k = 0; k < 1500; ++k) {
            tests::TapeShape shape = tests::random_shape(random);
            shape.calls = 0;
            shape.fused = true;
            Tape tape = tests::random_tape(random, shape);
            // Some negations become calls of functions that have no vector form.
            const std::uint8_t unknown = tests::called_function("unknown"), floor = tests::called_function("floor");
            for (Instruction& i : tape.main_part)
                if (i.code == Code::neg && k % 2 == 0) {
                    i.code = Code::call1;
                    i.f = i.a % 2 == 0 ? unknown : floor;
                }
            const auto batch = make_batch_program(tape, Backend::machine_code, set);
            ASSERT_EQ(batch->name(), set == InstructionSet::none ? "interpreter" : to_string(set));
            run_and_compare(tape, random, *batch);
            if (HasFatalFailure()) FAIL() << "tape " << k << ' ' << to_string(set);
        }
}

TEST(Batch, ElementaryFunctionsAreWithinFourUlps) {
    for (const InstructionSet set : batch_sets())
        for (const Function& f : tests::called_functions()) {
            if (f.name == "unknown") continue;
            Tape tape;
            tape.functions = {f};
            tape.segment_begin = {0, 0, 2};
            tape.memory = 3;
            tape.outputs = 1;
            tape.static_part = {{}};
            tape.main_part = {
                {f.one != nullptr ? Code::call1 : Code::call2, 0, 2, 0, 1}, {Code::store, 0, 0, 2, 0}, {}};
            const auto batch = make_batch_program(tape, Backend::machine_code, set);
            const Callable<Quad> truth = f.quad;
            const auto width = static_cast<std::size_t>(batch->width());
            AlignedMemory w = batch->memory(), out(width);
            Random random(7);
            double worst = 0, at = 0;
            for (int k = 0; k < 2000; ++k) {
                for (double& value : w) {
                    value = 8 * (static_cast<double>(random() >> 11U) * 0x1p-53 - 0.5);
                    if (f.name == "asin" || f.name == "acos") value /= 4;
                    if (f.name == "log" || f.name == "log10" || f.name == "pow") value = std::abs(value);
                    if (random() % 50 == 0) value *= 1e-8;
                    if (random() % 50 == 0 && f.name != "asin" && f.name != "acos" && f.name != "pow") value *= 50;
                }
                batch->run_main(w.data(), out.data());
                for (std::size_t l = 0; l < width; ++l) {
                    const Quad a = w[l], b = w[width + l];
                    const double error = ulps(out[l], truth.one != nullptr ? truth.one(a) : truth.two(a, b));
                    if (error > worst) {
                        worst = error;
                        at = w[l];
                    }
                }
            }
            EXPECT_LE(worst, 4.0) << f.name << " at " << at << ", " << to_string(set);
        }
}

// Where there is no processor to run it: code for AVX-512 is made for every operation, and a disassembler knows each
// instruction of it and finds none beyond AVX-512F, which is all that the processor was asked for.
TEST(Batch, CodeForAvx512ConsistsOfKnownInstructions) {
    if (best_instruction_set() == InstructionSet::none) GTEST_SKIP() << "no machine code for this processor";
    static constexpr std::string_view known[] = {
        "vmovupd",     "vmovapd",      "vaddpd", "vsubpd", "vmulpd", "vdivpd",    "vsqrtpd",    "vminpd",   "vmaxpd",
        "vfmadd231pd", "vfnmadd231pd", "vpandq", "vpxorq", "kandw",  "korw",      "vblendmpd",  "mov",      "movabs",
        "lea",         "push",         "pop",    "sub",    "and",    "call",      "vzeroupper", "ret",      "nop",
        "xchg",        "cs",           "data16", "nopw",   "nopl",   "vcmpneqpd", "vcmpltpd",   "vcmpeqpd", "vcmplepd"};
    Random random(11);
    const bool disassembler = std::system("objdump --version > /dev/null 2>&1") == 0;
    for (int k = 0; k < 300; ++k) {
        tests::TapeShape shape = tests::random_shape(random);
        shape.fused = true;
        const Tape tape = tests::random_tape(random, shape);
        std::string trouble;
        const auto code = compile_tape(tape, InstructionSet::avx512, 8, trouble);
        ASSERT_TRUE(code) << trouble;
        if (!disassembler || k % 30 != 0 || code->main_part.empty()) continue;
        const auto begin = reinterpret_cast<std::uintptr_t>(code->main_part.front());
        const auto end = reinterpret_cast<std::uintptr_t>(code->memory.data()) + code->bytes;
        const std::string file = testing::TempDir() + "daedalus_avx512_" + std::to_string(getpid());
        std::ofstream(file, std::ios::binary)
            .write(reinterpret_cast<const char*>(begin), static_cast<std::streamsize>(end - begin));
        const std::string command = "objdump -D -b binary -m i386:x86-64 --no-show-raw-insn " + file +
                                    " | sed -n 's/^ *[0-9a-f]*:[[:space:]]//p'";
        FILE* const listing = popen(command.c_str(), "r");
        ASSERT_NE(listing, nullptr);
        char line[256];
        int lines = 0;
        for (; std::fgets(line, sizeof line, listing) != nullptr; ++lines) {
            const std::string_view text(line);
            const auto mnemonic = text.substr(0, text.find_first_of(" \n"));
            EXPECT_NE(std::find(std::begin(known), std::end(known), mnemonic), std::end(known)) << text;
        }
        pclose(listing);
        std::filesystem::remove(file);
        EXPECT_GT(lines, 0);
    }
}

TEST(Quad, RunsTapesToThirtyDigits) {
    Tape tape; // sin(x)^2 + cos(x)^2 - 1 and sqrt(2)·x/3
    tape.constants = {1.0, 2.0, 3.0};
    tape.functions = {tests::called_functions()[tests::called_function("sin")],
                      tests::called_functions()[tests::called_function("cos")]};
    tape.segment_begin = {3, 3, 4};
    tape.memory = 7;
    tape.outputs = 2;
    tape.static_part = {{}};
    tape.main_part = {{Code::call1, 0, 4, 3, 0}, {Code::call1, 1, 5, 3, 0}, {Code::mul, 0, 4, 4, 4},
                      {Code::mul, 0, 5, 5, 5},   {Code::add, 0, 4, 4, 5},   {Code::sub, 0, 4, 4, 0},
                      {Code::store, 0, 0, 4, 0}, {Code::sqrt, 0, 5, 1, 0},  {Code::mul, 0, 5, 5, 3},
                      {Code::div, 0, 5, 5, 2},   {Code::store, 0, 1, 5, 0}, {}};
    const QuadInterpreter quad(tape);
    ASSERT_TRUE(quad.usable());
    std::vector<Quad> w = quad.memory(), out(2);
    w[3] = Quad(7) / 10;
    quad.run_static(w.data(), out.data());
    quad.run_main(w.data(), out.data());
    EXPECT_LT(std::abs(static_cast<double>(out[0])), 1e-33);
    const Quad square = out[1] * 3 / w[3] * (out[1] * 3 / w[3]);
    EXPECT_LT(std::abs(static_cast<double>(square - 2)), 1e-32);
    tape.functions[0].quad = {};
    EXPECT_FALSE(QuadInterpreter(tape).usable());
}
