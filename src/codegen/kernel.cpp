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
    part.segment_begin = tape.segment_begin;
    part.memory = tape.memory;
    part.static_part = std::move(tape.time_part);
    part.main_part = {tape::Instruction{}};
    for (const tape::Instruction& i : part.static_part)
        if (i.code != tape::Code::halt) part.kept.push_back(i.d);
    tape.time_part.clear();
    return part;
}

std::uint32_t find_time(const expr::Graph& g, const Segments& segments, const std::vector<std::uint32_t>& begin) {
    for (std::size_t s = 0; s < segments.size(); ++s)
        for (std::size_t k = 0; k < segments[s].size(); ++k)
            if (g.op(segments[s][k]) == expr::Op::time) return begin[s] + static_cast<std::uint32_t>(k);
    return 0;
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
        take(std::move(looped->tape), *code, options.backend);
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
        take(std::move(tape), *code, options.backend);
    }
    time_slot_ = find_time(graph, segments, segment_begin_);
    code_ = std::move(code);
}

void Kernel::take(tape::Tape tape, Code& code, tape::Backend backend) {
    segment_begin_ = tape.segment_begin;
    w_.assign(tape.memory, 0.0);
    std::copy(tape.constants.begin(), tape.constants.end(), w_.begin());
    // What the static part leaves in w is read by the other programs on this memory.
    for (const tape::Instruction& i : tape.static_part)
        if (i.code != tape::Code::halt && i.code != tape::Code::store) tape.kept.push_back(i.d);
    if (!tape.time_part.empty()) code.of_time = tape::make_program(take_time_part(tape), backend);
    code.main = tape::make_program(std::move(tape), backend);
}

void Kernel::set_parameters(std::span<const double> values) {
    if (!code_) return;
    assert(values.size() == segment_begin_[1] - segment_begin_[0]);
    std::copy(values.begin(), values.end(), w_.begin() + segment_begin_[0]);
    code_->main->run_static(w_.data(), nullptr);
    held_time_ = std::numeric_limits<double>::quiet_NaN();
}

// Bits are compared: -0 and 0 differ in 1/t, and NaN, which marks that nothing is held, is never equal.
void Kernel::refresh_time() {
    const double t = w_[time_slot_];
    if (std::bit_cast<std::uint64_t>(t) == std::bit_cast<std::uint64_t>(held_time_) && held_time_ == held_time_) return;
    code_->of_time->run_static(w_.data(), nullptr);
    held_time_ = t;
}

bool Kernel::operator()(std::span<const double* const> inputs, double* out) {
    if (outputs_ == 0) return true;
    assert(inputs.size() + 2 == segment_begin_.size());
    double* w = w_.data();
    for (std::size_t s = 0; s < inputs.size(); ++s) {
        const double* from = inputs[s];
        double* to = w + segment_begin_[s + 1];
        const auto count = static_cast<std::size_t>(segment_begin_[s + 2] - segment_begin_[s + 1]);
        constexpr std::size_t few = 8; // a call of memcpy costs more
        if (count > few)
            std::copy_n(from, count, to);
        else
            for (std::size_t k = 0; k < count; ++k) {
                to[k] = from[k];
                asm volatile("" ::: "memory"); // or the loop is made into that call again
            }
    }
    if (code_->of_time) refresh_time();
    if (code_->stages.empty()) {
        code_->main->run_main(w, out);
    } else {
        for (const Stage& stage : code_->stages) {
            if (stage.rest) stage.rest->run_main(w, w + code_->values_begin);
            for (const Loop& loop : stage.loops) run_loop(loop, w, out, scratch_.data());
        }
        for (const auto& [to, from] : code_->copies) out[to] = w[from];
    }
    // v - v is 0 for finite v and NaN otherwise; four sums, so that none waits for the one before.
    double zero[4] = {0.0, 0.0, 0.0, 0.0};
    int k = 0;
    for (; k + 4 <= outputs_; k += 4)
        for (int l = 0; l < 4; ++l) zero[l] += out[k + l] - out[k + l];
    for (; k < outputs_; ++k) zero[0] += out[k] - out[k];
    return (zero[0] + zero[1]) + (zero[2] + zero[3]) == 0.0;
}

} // namespace daedalus::codegen
