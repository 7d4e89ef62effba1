// Expressions of numbered variables as a list of operations, for routines that evaluate them many times.
#pragma once

#include "expr/graph.hpp"

#include <span>
#include <string>
#include <vector>

namespace daedalus::expr {

/// Two groups of expressions; the second can be left out of an evaluation, and shares what the first has computed.
class StraightLine {
public:
    /// Leaves are variables 0 … leaves − 1, without derivatives, and constants.
    StraightLine(const Graph& graph, int leaves, std::span<const NodeId> first, std::span<const NodeId> second);

    /// `memory` has size() places: leaves, constants, results.
    [[nodiscard]] std::size_t size() const { return size_; }
    /// Puts the constants in place: all, or those of the first group and then the rest.
    void prepare(double* memory) const;
    void prepare_first(double* memory) const;
    void prepare_second(double* memory) const;
    void run_first(double* memory) const { run(0, split_, memory); }
    void run_second(double* memory) const { run(split_, steps_.size(), memory); }
    [[nodiscard]] double first(std::size_t k, const double* memory) const { return memory[first_[k]]; }
    /// The same for the same operations.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] double second(std::size_t k, const double* memory) const { return memory[second_[k]]; }

private:
    struct Step {
        Op op = Op::constant;
        std::uint32_t d = 0, a = 0, b = 0, c = 0; ///< of a call, a: its place in calls_; all outputs go to d, d + 1, …
    };
    struct Called {
        std::shared_ptr<const Routine> routine;
        std::vector<std::uint32_t> operands;
    };
    void run(std::size_t begin, std::size_t end, double* memory) const;

    std::size_t leaves_ = 0, size_ = 0;
    std::vector<double> constants_;
    std::size_t first_constants_ = 0;
    std::vector<Step> steps_;
    std::vector<Called> calls_;
    std::size_t split_ = 0;
    std::vector<std::uint32_t> first_, second_;
};

/// Memory of the thread for one run of a routine, not cleared; routines that it runs take theirs behind it.
class Scratch {
public:
    explicit Scratch(std::size_t size);
    ~Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    [[nodiscard]] double* data() const { return data_; }

private:
    double* data_;
};

} // namespace daedalus::expr
