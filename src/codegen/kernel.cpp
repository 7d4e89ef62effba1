#include "codegen/kernel.hpp"

#include <algorithm>
#include <cassert>

namespace daedalus::codegen {

Kernel::Kernel(const expr::Graph& graph, const Segments& segments, std::span<const expr::NodeId> outputs,
               tape::Backend backend) {
    tape::Tape tape = lower(graph, segments, outputs);
    segment_begin_ = tape.segment_begin;
    outputs_ = static_cast<int>(tape.outputs);
    instructions_ = tape.main_part.size() - 1;
    w_.assign(tape.memory, 0.0);
    std::copy(tape.constants.begin(), tape.constants.end(), w_.begin());
    program_ = tape::make_program(std::move(tape), backend);
}

void Kernel::set_parameters(std::span<const double> values) {
    if (!program_) return;
    assert(values.size() == segment_begin_[1] - segment_begin_[0]);
    std::copy(values.begin(), values.end(), w_.begin() + segment_begin_[0]);
    program_->run_static(w_.data(), nullptr);
}

bool Kernel::operator()(std::span<const double* const> inputs, double* out) {
    if (outputs_ == 0) return true;
    assert(inputs.size() + 2 == segment_begin_.size());
    for (std::size_t s = 0; s < inputs.size(); ++s)
        std::copy_n(inputs[s], segment_begin_[s + 2] - segment_begin_[s + 1], w_.data() + segment_begin_[s + 1]);
    program_->run_main(w_.data(), out);
    // v - v is 0 for finite v and NaN otherwise; four sums, so that none waits for the one before.
    double zero[4] = {0.0, 0.0, 0.0, 0.0};
    int k = 0;
    for (; k + 4 <= outputs_; k += 4)
        for (int l = 0; l < 4; ++l) zero[l] += out[k + l] - out[k + l];
    for (; k < outputs_; ++k) zero[0] += out[k] - out[k];
    return (zero[0] + zero[1]) + (zero[2] + zero[3]) == 0.0;
}

} // namespace daedalus::codegen
