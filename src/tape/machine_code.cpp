#include "tape/machine_code.hpp"

#include "tape/liveness.hpp"
#include "tape/register_allocation.hpp"
#include "tape/store_pairs.hpp"
#include "tape/x86_emitter.hpp"

#include <algorithm>
#include <new>

namespace daedalus::tape {

#if defined(__x86_64__) && defined(__linux__)

namespace {

// Displacements are 32-bit.
constexpr std::uint64_t largest_memory = 1ULL << 30U;

std::vector<std::size_t> emit(X86Emitter& emitter, RegisterAllocation& allocation, const Tape& tape,
                              std::span<const Instruction> part, const std::vector<char>& persistent,
                              std::uint32_t chunk, bool pairs, Register store_scratch) {
    const PartAnalysis analysis = analyze_part(tape, part, persistent, chunk, pairs);
    std::vector<std::size_t> begins;
    for (std::size_t c = 0; c + 1 < analysis.chunk_begin.size(); ++c) {
        std::vector<Step>& steps = allocation.chunk(part, analysis, c);
        if (store_scratch != in_memory) pair_stores(steps, store_scratch);
        begins.push_back(emitter.function(steps, analysis.chunk_pairs[c]));
    }
    return begins;
}

/// A register is set aside for pairs of stores where stores are so many that they hold everything up.
bool stores_much(const Tape& tape) {
    constexpr std::size_t share = 4;
    const auto stores = std::count_if(tape.main_part.begin(), tape.main_part.end(),
                                      [](const Instruction& i) { return i.code == Code::store; });
    return share * static_cast<std::size_t>(stores) >= tape.main_part.size();
}

std::optional<MachineCode> compile(const Tape& tape, InstructionSet set, int width, std::string& trouble,
                                   std::uint32_t chunk, const Outside& outside) {
    X86Emitter emitter(tape, set, width, outside);
    RegisterFile file = emitter.registers();
    Register store_scratch = in_memory;
    if (width == 1 && file.three_operands && stores_much(tape)) store_scratch = static_cast<Register>(--file.registers);
    RegisterAllocation allocation(tape, file);
    const std::vector<char> persistent = persistent_slots(tape);
    const bool pairs = width == 1;
    const auto static_begins =
        emit(emitter, allocation, tape, tape.static_part, persistent, chunk, pairs, store_scratch);
    const auto main_begins = emit(emitter, allocation, tape, tape.main_part, persistent, chunk, pairs, store_scratch);
    const std::size_t size = emitter.finish();
    if (size == 0) {
        trouble = emitter.trouble();
        return std::nullopt;
    }
    MachineCode code;
    code.bytes = size;
    code.memory = ExecutableMemory::create(size, [&](std::byte* where) { return emitter.copy_to(where); });
    if (!code.memory) {
        trouble = "the system allows no executable memory";
        return std::nullopt;
    }
    const auto entry = [&](std::size_t begin) {
        return reinterpret_cast<MachineCode::Chunk>(reinterpret_cast<std::uintptr_t>(code.memory.data()) + begin);
    };
    for (const std::size_t begin : static_begins) code.static_part.push_back(entry(begin));
    for (const std::size_t begin : main_begins) code.main_part.push_back(entry(begin));
    return code;
}

} // namespace

std::optional<MachineCode> compile_tape(const Tape& tape, InstructionSet set, int width, std::string& trouble,
                                        std::uint32_t chunk, const Outside& outside) {
    if (set == InstructionSet::none) {
        trouble = "there is no machine code for this processor";
        return std::nullopt;
    }
    const auto slots = static_cast<std::uint64_t>(std::max(tape.memory, tape.outputs));
    if (slots * 8 * static_cast<std::uint64_t>(width) > largest_memory) {
        trouble = "the system of equations is too large";
        return std::nullopt;
    }
    try {
        return compile(tape, set, width, trouble, chunk, outside);
    } catch (const std::bad_alloc&) {
        trouble = "out of memory";
        return std::nullopt;
    }
}

#else

std::optional<MachineCode> compile_tape(const Tape&, InstructionSet, int, std::string& trouble, std::uint32_t,
                                        const Outside&) {
    trouble = "there is no machine code for this processor";
    return std::nullopt;
}

#endif

} // namespace daedalus::tape
