// A compiled vector function: code (immutable, shared) and a workspace of its own, so that copies may run in
// different threads. The back end is chosen when the kernel is made.
//
// Values that depend on parameters only are computed when parameters are set, those of time only when time differs
// from the last call's: Newton iterations at one time pay for them once. Equations of equal shape run as loops.
#pragma once

#include "codegen/lower.hpp"
#include "codegen/repeated_structure.hpp"
#include "tape/aligned_memory.hpp"
#include "tape/program.hpp"

#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace daedalus::codegen {

struct KernelOptions {
    /// Outputs that belong together (a residual and its row of the Jacobian), by number; empty: each for itself.
    std::span<const std::uint32_t> groups = {};
    bool loops = true; ///< look for repeated structure
    tape::Backend backend = tape::Backend::automatic;
};

class Kernel {
public:
    Kernel() = default;
    /// Segment 0 must hold the parameters.
    Kernel(const expr::Graph& graph, const Segments& segments, std::span<const expr::NodeId> outputs,
           const KernelOptions& options = {});

    [[nodiscard]] int outputs() const { return outputs_; }
    /// What runs it: "interpreter" or an instruction set; empty for a kernel without code.
    [[nodiscard]] std::string_view backend() const { return code_ ? code_->main->name() : std::string_view(); }
    /// That one run executes when neither parameters nor time have changed.
    [[nodiscard]] std::size_t instructions() const { return instructions_; }
    /// Kept in memory: far fewer than those executed where equations repeat.
    [[nodiscard]] std::size_t stored_instructions() const { return stored_; }

    void set_parameters(std::span<const double> values);
    /// inputs[s] points at the values of segment s + 1. Returns whether all outputs are finite.
    [[nodiscard]] bool operator()(std::span<const double* const> inputs, double* out);

private:
    struct Stage {
        std::shared_ptr<const tape::Program> rest; ///< may be missing
        std::vector<Loop> loops;
    };
    struct Code {
        std::shared_ptr<const tape::Program> main;    ///< and the static part
        std::shared_ptr<const tape::Program> of_time; ///< as its static part; missing where nothing is held for time
        std::vector<Stage> stages;                    ///< run after main
        std::uint32_t values_begin = 0;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> copies;
    };
    void take(tape::Tape tape, Code& code, tape::Backend backend);
    void refresh_time();

    std::shared_ptr<const Code> code_;
    std::vector<std::uint32_t> segment_begin_;
    std::vector<double> w_;
    tape::AlignedMemory scratch_; ///< of loops
    std::uint32_t time_slot_ = 0;
    double held_time_ = std::numeric_limits<double>::quiet_NaN(); ///< for which values of time only are in w
    int outputs_ = 0;
    std::size_t instructions_ = 0;
    std::size_t stored_ = 0;
};

} // namespace daedalus::codegen
