// Choosing a back end, and what happens where machine code cannot be had.
#include "tape/batch.hpp"
#include "tape/executable_memory.hpp"
#include "tape/machine_code.hpp"
#include "tape/program.hpp"
#include "tape/random_tape.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <string>

using namespace daedalus;
using namespace daedalus::tape;

namespace {

Tape quotient() { // x/y, log(y)
    Tape tape;
    tape.functions = {{.name = "log", .one = [](double x) { return std::log(x); }}};
    tape.segment_begin = {0, 0, 2};
    tape.memory = 4;
    tape.outputs = 2;
    tape.static_part = {{}};
    tape.main_part = {
        {Code::div, 0, 2, 0, 1}, {Code::store, 0, 0, 2, 0}, {Code::call1, 0, 3, 1, 0}, {Code::store, 0, 1, 3, 0}, {}};
    return tape;
}

bool has_machine_code() { return best_instruction_set() != InstructionSet::none; }

} // namespace

TEST(Program, BackendIsChosenAndNamed) {
    EXPECT_EQ(make_program(quotient(), Backend::interpreter)->name(), "interpreter");
    if (!has_machine_code()) GTEST_SKIP();
    EXPECT_NE(make_program(quotient(), Backend::machine_code)->name(), "interpreter");
    const bool before = machine_code_allowed();
    allow_machine_code(false);
    EXPECT_EQ(make_program(quotient())->name(), "interpreter");
    EXPECT_NE(make_program(quotient(), Backend::machine_code)->name(), "interpreter");
    allow_machine_code(true);
    EXPECT_NE(make_program(quotient())->name(), "interpreter");
    allow_machine_code(before);
}

TEST(Program, DomainErrorsAreDataNotTraps) {
    for (const Backend backend : {Backend::interpreter, Backend::machine_code}) {
        const auto program = make_program(quotient(), backend);
        std::vector<double> w{1.0, 0.0, 0.0, 0.0}, out(2);
        program->run_static(w.data(), out.data());
        program->run_main(w.data(), out.data());
        EXPECT_EQ(out[0], INFINITY);
        EXPECT_EQ(out[1], -INFINITY);
        w[1] = -1.0;
        program->run_main(w.data(), out.data());
        EXPECT_EQ(out[0], -1.0);
        EXPECT_TRUE(std::isnan(out[1]));
    }
}

TEST(Program, WithoutExecutableMemoryTheInterpreterRuns) {
    if (!has_machine_code()) GTEST_SKIP();
    ExecutableMemory::deny(true);
    const auto program = make_program(quotient(), Backend::machine_code);
    const auto batch = make_batch_program(quotient(), Backend::machine_code);
    ExecutableMemory::deny(false);
    EXPECT_EQ(program->name(), "interpreter");
    EXPECT_EQ(batch->name(), "interpreter");
    EXPECT_EQ(machine_code_trouble(), "the system allows no executable memory");
    std::vector<double> w{1.0, 2.0, 0.0, 0.0}, out(2);
    program->run_main(w.data(), out.data());
    EXPECT_EQ(out[0], 0.5);
}

TEST(Program, NoPageIsWritableAndExecutable) {
    if (!has_machine_code()) GTEST_SKIP();
    const auto program = make_program(quotient(), Backend::machine_code);
    std::ifstream maps("/proc/self/maps");
    if (!maps) GTEST_SKIP() << "no /proc";
    for (std::string line; std::getline(maps, line);) EXPECT_EQ(line.find(" rwx"), std::string::npos) << line;
}

TEST(Program, KeptSlotsAreInMemoryAfterARun) {
    Tape tape = quotient();
    tape.kept = {2};
    for (const Backend backend : {Backend::interpreter, Backend::machine_code}) {
        std::vector<double> w{3.0, 2.0, 0.0, 0.0}, out(2);
        make_program(tape, backend)->run_main(w.data(), out.data());
        EXPECT_EQ(w[2], 1.5);
    }
}

TEST(Program, TooLargeATapeIsInterpreted) {
    Tape tape = quotient();
    tape.outputs = 1U << 30U;
    std::string trouble;
    EXPECT_FALSE(compile_tape(tape, best_instruction_set(), 1, trouble));
    EXPECT_FALSE(trouble.empty());
}

TEST(MachineCode, SizeIsLinearInTheLengthOfTheTape) {
    if (!has_machine_code()) GTEST_SKIP();
    std::string trouble;
    std::vector<double> bytes_per_operation;
    for (const int length : {20'000, 80'000}) {
        tests::Random random(5);
        const Tape tape =
            tests::random_tape(random, {.length = length, .temporaries = 30, .calls = 0.02, .strange = 0});
        const auto code = compile_tape(tape, InstructionSet::sse2, 1, trouble);
        ASSERT_TRUE(code) << trouble;
        EXPECT_EQ(code->main_part.size(), (tape.main_part.size() - 1 + default_chunk - 1) / default_chunk);
        bytes_per_operation.push_back(static_cast<double>(code->bytes) / length);
    }
    EXPECT_NEAR(bytes_per_operation[1] / bytes_per_operation[0], 1.0, 0.05);
}
