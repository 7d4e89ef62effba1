// A compiled vector function: code (immutable, shared) and a workspace of its own, so that copies may run in
// different threads. The back end is chosen when the kernel is made.
#pragma once

#include "codegen/lower.hpp"
#include "tape/program.hpp"

#include <memory>
#include <span>
#include <vector>

namespace daedalus::codegen {

class Kernel {
public:
    Kernel() = default;
    /// Segment 0 must hold the parameters.
    Kernel(const expr::Graph& graph, const Segments& segments, std::span<const expr::NodeId> outputs,
           tape::Backend backend = tape::Backend::automatic);

    [[nodiscard]] int outputs() const { return outputs_; }
    /// What runs it: "interpreter" or an instruction set; empty for a kernel without code.
    [[nodiscard]] std::string_view backend() const { return program_ ? program_->name() : std::string_view(); }
    [[nodiscard]] std::size_t instructions() const { return instructions_; }

    void set_parameters(std::span<const double> values);
    /// inputs[s] points at the values of segment s + 1. Returns whether all outputs are finite.
    [[nodiscard]] bool operator()(std::span<const double* const> inputs, double* out);

private:
    std::shared_ptr<const tape::Program> program_;
    std::vector<std::uint32_t> segment_begin_;
    std::vector<double> w_;
    int outputs_ = 0;
    std::size_t instructions_ = 0;
};

} // namespace daedalus::codegen
