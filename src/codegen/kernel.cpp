#include "codegen/kernel.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace daedalus::codegen {

namespace {

/// The time part as a program of its own on the same memory.
tape::Tape take_time_part(tape::Tape& tape) {
    tape::Tape part;
    part.constants = tape.constants;
    part.functions = tape.functions;
    part.routines = tape.routines;
    part.segment_begin = tape.segment_begin;
    part.memory = tape.memory;
    part.static_part = std::move(tape.time_part);
    part.main_part = {tape::Instruction{}};
    for (const tape::Instruction& i : part.static_part)
        if (i.code != tape::Code::halt) part.kept.push_back(i.d);
    tape.time_part.clear();
    return part;
}

struct TimePlace {
    std::uint32_t slot = 0;
    std::size_t input = 0;
    std::size_t number = 0; ///< in the input
};
TimePlace find_time(const expr::Graph& g, const Segments& segments, const std::vector<std::uint32_t>& begin) {
    for (std::size_t s = 1; s < segments.size(); ++s)
        for (std::size_t k = 0; k < segments[s].size(); ++k)
            if (g.op(segments[s][k]) == expr::Op::time) return {begin[s] + static_cast<std::uint32_t>(k), s - 1, k};
    return {};
}

/// Writes into the code whether all outputs are finite: w[slot] is then 0, otherwise NaN. Where there are few outputs,
/// reading them again takes longer. Returns the slot.
std::uint32_t write_check(tape::Tape& tape) {
    using tape::Code;
    const std::uint32_t zero = tape.memory, sum = tape.memory + 1, other = tape.memory + 2;
    tape.memory += 3;
    const bool fused = tape::has_fused_products();
    std::vector<tape::Instruction> code;
    code.reserve(tape.main_part.size() + 2 * tape.outputs + 4);
    std::uint32_t seen = 0;
    for (const tape::Instruction& i : tape.main_part) {
        if (i.code == Code::halt && seen > 1) code.push_back({.code = Code::add, .d = sum, .a = sum, .b = other});
        code.push_back(i);
        if (i.code != Code::store) continue;
        const std::uint32_t to = seen % 2 == 0 ? sum : other; // in turn, so that none waits for the one before
        if (fused && seen > 0) {
            if (seen == 1) code.push_back({.code = Code::copy, .d = to, .a = zero});
            code.push_back({.code = Code::add_product, .d = to, .a = i.a, .b = zero});
        } else { // v - v is 0 for finite v, and so is v · 0
            code.push_back({.code = Code::sub, .d = zero, .a = i.a, .b = i.a});
            if (seen < 2)
                code.push_back({.code = Code::copy, .d = to, .a = zero});
            else
                code.push_back({.code = Code::add, .d = to, .a = to, .b = zero});
        }
        ++seen;
    }
    tape.main_part = std::move(code);
    tape.kept.push_back(sum);
    return sum;
}

} // namespace

Kernel::Kernel(const expr::Graph& graph, const Segments& segments, std::span<const expr::NodeId> outputs,
               const KernelOptions& options) {
    outputs_ = static_cast<int>(outputs.size());
    auto code = std::make_shared<Code>();
    std::optional<LoopedTape> looped;
    if (options.loops) looped = lower_repeated(graph, segments, outputs, options.groups, Hold::parameters_and_time);
    if (looped) {
        instructions_ = looped->instructions();
        stored_ = looped->stored();
        take(std::move(looped->tape), *code, options.backend, tape::Inputs::in_memory);
        code->values_begin = looped->values_begin;
        code->copies = std::move(looped->copies);
        std::size_t scratch = 0;
        for (LoopedTape::Stage& stage : looped->stages) {
            for (Loop& loop : stage.loops) {
                compile_loop(loop, options.backend);
                scratch = std::max(scratch, loop.scratch());
            }
            code->stages.push_back(
                {stage.rest.main_part.empty() ? nullptr : tape::make_program(std::move(stage.rest), options.backend),
                 std::move(stage.loops)});
        }
        scratch_.resize(scratch);
    } else {
        tape::Tape tape = lower(graph, segments, outputs, Hold::parameters_and_time, options.groups);
        instructions_ = tape.main_part.size() - 1;
        stored_ = tape.static_part.size() + tape.time_part.size() + tape.main_part.size();
        constexpr std::uint32_t few_outputs = 64;
        if (tape.outputs > 0 && tape.outputs <= few_outputs) check_slot_ = write_check(tape);
        take(std::move(tape), *code, options.backend, tape::Inputs::outside);
    }
    const TimePlace time = find_time(graph, segments, segment_begin_);
    time_slot_ = time.slot;
    time_input_ = time.input;
    time_number_ = time.number;
    holds_time_ = code->of_time != nullptr;
    bare_ = direct_ && check_slot_ != 0;
    code_ = std::move(code);
}

void Kernel::rest() { w_ = std::vector<double>(); } // unlike {}, which keeps the memory

void Kernel::make_memory(const Code& code) {
    w_.assign(code.memory, 0.0);
    std::copy(code.constants.begin(), code.constants.end(), w_.begin());
}

void Kernel::take(tape::Tape tape, Code& code, tape::Backend backend, tape::Inputs inputs) {
    segment_begin_ = tape.segment_begin;
    code.memory = tape.memory;
    code.constants = tape.constants;
    make_memory(code);
    // What the static part leaves in w is read by the other programs on this memory.
    for (const tape::Instruction& i : tape.static_part)
        if (i.code != tape::Code::halt && i.code != tape::Code::store) tape.kept.push_back(i.d);
    if (!tape.time_part.empty()) code.of_time = tape::make_program(take_time_part(tape), backend);
    code.main = tape::make_program(std::move(tape), backend, inputs);
    direct_ = code.main->reads_outside();
}

void Kernel::set_parameters(std::span<const double> values) {
    if (!code_) return;
    if (w_.empty()) make_memory(*code_);
    assert(values.size() == segment_begin_[1] - segment_begin_[0]);
    std::copy(values.begin(), values.end(), w_.begin() + segment_begin_[0]);
    code_->main->run_static(w_.data(), nullptr);
    held_time_ = nothing_held;
}

void Kernel::hold_time(double t) {
    w_[time_slot_] = t;
    code_->of_time->run_static(w_.data(), nullptr);
    held_time_ = std::bit_cast<std::uint64_t>(t);
}

void Kernel::copy_inputs(std::span<const double* const> inputs) {
    for (std::size_t s = 0; s < inputs.size(); ++s)
        std::copy_n(inputs[s], segment_begin_[s + 2] - segment_begin_[s + 1], w_.data() + segment_begin_[s + 1]);
}

// v - v is 0 for finite v and NaN otherwise; two sums of pairs, so that none waits for the one before.
bool Kernel::all_finite(const double* out) const {
    using Pair [[gnu::vector_size(16), gnu::aligned(8), gnu::may_alias]] = double;
    Pair zero[2] = {};
    const double* const end = out + outputs_;
    for (; out + 4 <= end; out += 4)
        for (int h = 0; h < 2; ++h) {
            const Pair v = *reinterpret_cast<const Pair*>(out + 2 * h);
            zero[h] += v - v;
        }
    for (; out != end; ++out) zero[0][0] += *out - *out;
    zero[0] += zero[1];
    return zero[0][0] + zero[0][1] == 0.0;
}

bool Kernel::operator()(std::span<const double* const> inputs, double* out) {
    if (outputs_ == 0) return true;
    assert(inputs.size() + 2 == segment_begin_.size());
    const Code& code = *code_;
    double* const w = w_.data();
    if (holds_time_) refresh_time(inputs[time_input_][time_number_]);
    if (direct_) {
        tape::InputPointers pointers{};
        for (std::size_t s = 0; s < inputs.size(); ++s) pointers[s] = inputs[s];
        code.main->run_main(w, out, pointers);
    } else {
        copy_inputs(inputs);
        if (code.stages.empty()) code.main->run_main(w, out);
        for (const Stage& stage : code.stages) {
            if (stage.rest) stage.rest->run_main(w, w + code.values_begin);
            for (const Loop& loop : stage.loops) run_loop(loop, w, out, scratch_.data());
        }
        for (const auto& [to, from] : code.copies) out[to] = w[from];
    }
    return check_slot_ != 0 ? w[check_slot_] == 0.0 : all_finite(out);
}

} // namespace daedalus::codegen
