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

#include <bit>
#include <cstdint>
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
    /// Gives its memory back: for kernels that are only copied from now on. set_parameters() makes it again.
    void rest();
    /// inputs[s] points at the values of segment s + 1, which must not overlap with the outputs. Returns whether all
    /// outputs are finite.
    [[nodiscard]] bool operator()(std::span<const double* const> inputs, double* out);
    /// For three inputs: what is called most often, and is often so short that a call less can be felt.
    [[nodiscard]] bool operator()(const tape::InputPointers& inputs, double* out) {
        if (!bare_) return (*this)(std::span<const double* const>(inputs), out);
        if (holds_time_) refresh_time(inputs[time_input_][time_number_]);
        code_->main->run_main(w_.data(), out, inputs);
        return w_[check_slot_] == 0.0;
    }

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
        std::uint32_t memory = 0;      ///< size of w …
        std::vector<double> constants; ///< … and what it begins with
        std::vector<std::pair<std::uint32_t, std::uint32_t>> copies;
    };
    void make_memory(const Code& code);
    void take(tape::Tape tape, Code& code, tape::Backend backend, tape::Inputs inputs);
    // Bits are compared: -0 and 0 differ in 1/t.
    void refresh_time(double t) {
        if (std::bit_cast<std::uint64_t>(t) != held_time_) hold_time(t);
    }
    void hold_time(double t);
    void copy_inputs(std::span<const double* const> inputs);
    [[nodiscard]] bool all_finite(const double* out) const;

    static constexpr std::uint64_t nothing_held = 0x7ff800000badbad0; ///< a NaN that nobody passes
    std::shared_ptr<const Code> code_;
    std::vector<std::uint32_t> segment_begin_;
    std::vector<double> w_;
    tape::AlignedMemory scratch_;  ///< of loops
    bool direct_ = false;          ///< inputs are read where they are
    bool bare_ = false;            ///< … and code does all but what is held for time
    std::uint32_t check_slot_ = 0; ///< where code says whether all outputs are finite; 0: nowhere
    std::uint32_t time_slot_ = 0;
    std::size_t time_input_ = 0, time_number_ = 0;
    bool holds_time_ = false;                ///< there are values of time only
    std::uint64_t held_time_ = nothing_held; ///< for which they are in w, by its bits
    int outputs_ = 0;
    std::size_t instructions_ = 0;
    std::size_t stored_ = 0;
};

} // namespace daedalus::codegen
