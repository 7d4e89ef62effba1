// A compiled vector function: code (immutable, shared) and a workspace of its own, so that copies may run in
// different threads. The back end is chosen when the kernel is made.
#pragma once

#include "codegen/lower.hpp"
#include "codegen/tape.hpp"

#include <memory>
#include <span>
#include <vector>

namespace daedalus::codegen {

/// Executes a prepared program on a workspace; one implementation per back end.
class Program {
public:
    virtual ~Program() = default;
    virtual void run_static(double* w, double* out) const = 0;
    virtual void run_main(double* w, double* out) const = 0;
};

[[nodiscard]] std::shared_ptr<const Program> make_interpreter(Tape tape);

class Kernel {
public:
    Kernel() = default;
    /// Segment 0 must hold the parameters.
    Kernel(const expr::Graph& graph, const Segments& segments, std::span<const expr::NodeId> outputs);

    [[nodiscard]] int outputs() const { return outputs_; }
    [[nodiscard]] std::size_t instructions() const { return instructions_; }

    void set_parameters(std::span<const double> values);
    /// inputs[s] points at the values of segment s + 1. Returns whether all outputs are finite.
    [[nodiscard]] bool operator()(std::span<const double* const> inputs, double* out);

private:
    std::shared_ptr<const Program> program_;
    std::vector<std::uint32_t> segment_begin_;
    std::vector<double> w_;
    int outputs_ = 0;
    std::size_t instructions_ = 0;
};

} // namespace daedalus::codegen
