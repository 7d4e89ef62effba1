#include "expr/straight_line.hpp"

#include "expr/evaluate.hpp"
#include "expr/routine.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <map>
#include <unordered_map>

namespace daedalus::expr {

StraightLine::StraightLine(const Graph& g, int leaves, std::span<const NodeId> first, std::span<const NodeId> second)
    : leaves_(static_cast<std::size_t>(leaves)), size_(leaves_) {
    std::unordered_map<std::uint32_t, std::uint32_t> slot;
    std::map<std::pair<const Routine*, std::vector<NodeId>>, std::uint32_t> runs;
    const auto of = [&](NodeId node) { return slot.at(index(node)); };
    for (const auto& roots : {first, second}) {
        first_constants_ = constants_.size();
        for (const NodeId node : g.reachable(roots))
            if (g.is_constant(node) && slot.try_emplace(index(node), static_cast<std::uint32_t>(size_)).second) {
                constants_.push_back(g.constant_value(node));
                ++size_;
            }
    }
    const auto add = [&](std::span<const NodeId> roots) {
        for (const NodeId node : g.reachable(roots)) {
            if (slot.contains(index(node))) continue;
            const Op op = g.op(node);
            if (op == Op::variable) {
                assert(g.variable_id(node) < leaves && g.derivative_order(node) == 0);
                slot[index(node)] = static_cast<std::uint32_t>(g.variable_id(node));
                continue;
            }
            assert(!is_leaf(op));
            const auto d = static_cast<std::uint32_t>(size_);
            if (op == Op::call) { // calls on the same operands run once
                const Graph::Call& call = g.call_of(node);
                const auto [known, is_new] = runs.try_emplace({call.routine.get(), call.operands}, d);
                slot[index(node)] = known->second + static_cast<std::uint32_t>(call.output);
                if (!is_new) continue;
                Called made{call.routine, {}};
                for (const NodeId operand : call.operands) made.operands.push_back(of(operand));
                size_ += static_cast<std::size_t>(call.routine->outputs());
                steps_.push_back({op, d, static_cast<std::uint32_t>(calls_.size()), 0, 0});
                calls_.push_back(std::move(made));
                continue;
            }
            ++size_;
            Step step{op, d, 0, 0, 0};
            const int n = g.arity(node);
            step.a = of(g.operand(node, 0));
            if (n > 1) step.b = of(g.operand(node, 1));
            if (n > 2) step.c = of(g.operand(node, 2));
            steps_.push_back(step);
            slot[index(node)] = d;
        }
    };
    add(first);
    split_ = steps_.size();
    add(second);
    for (const NodeId root : first) first_.push_back(of(root));
    for (const NodeId root : second) second_.push_back(of(root));
}

void StraightLine::prepare(double* memory) const { std::copy(constants_.begin(), constants_.end(), memory + leaves_); }

void StraightLine::prepare_first(double* memory) const {
    std::copy_n(constants_.data(), first_constants_, memory + leaves_);
}
void StraightLine::prepare_second(double* memory) const {
    std::copy(constants_.begin() + static_cast<std::ptrdiff_t>(first_constants_), constants_.end(),
              memory + leaves_ + first_constants_);
}

void StraightLine::run(std::size_t begin, std::size_t end, double* w) const {
    for (std::size_t k = begin; k < end; ++k) {
        const Step& s = steps_[k];
        switch (s.op) { // the most frequent operations without a call
        case Op::add: w[s.d] = w[s.a] + w[s.b]; break;
        case Op::sub: w[s.d] = w[s.a] - w[s.b]; break;
        case Op::mul: w[s.d] = w[s.a] * w[s.b]; break;
        case Op::div: w[s.d] = w[s.a] / w[s.b]; break;
        case Op::select: w[s.d] = w[s.a] != 0.0 ? w[s.b] : w[s.c]; break;
        case Op::call: {
            const Called& call = calls_[s.a];
            const Scratch in(call.operands.size());
            for (std::size_t i = 0; i < call.operands.size(); ++i) in.data()[i] = w[call.operands[i]];
            call.routine->run(in.data(), w + s.d);
            break;
        }
        default: w[s.d] = apply(s.op, w[s.a], w[s.b], w[s.c]);
        }
    }
}

namespace {
thread_local std::vector<std::vector<double>> scratch; // by how deep routines run each other
thread_local std::size_t depth = 0;
} // namespace

Scratch::Scratch(std::size_t size) {
    if (scratch.size() == depth) scratch.emplace_back();
    if (scratch[depth].size() < size) scratch[depth].resize(size);
    data_ = scratch[depth++].data();
}
Scratch::~Scratch() { --depth; }

std::string StraightLine::text() const {
    std::string all;
    const auto say = [&](std::uint64_t word) { all.append(reinterpret_cast<const char*>(&word), sizeof word); };
    say(leaves_);
    for (const double value : constants_) say(std::bit_cast<std::uint64_t>(value));
    for (const Step& s : steps_) {
        for (const std::uint32_t word : {static_cast<std::uint32_t>(s.op), s.d, s.a, s.b, s.c}) say(word);
        if (s.op != Op::call) continue;
        const Called& call = calls_[s.a];
        all += call.routine->text();
        for (const std::uint32_t operand : call.operands) say(operand);
    }
    say(split_);
    for (const auto* roots : {&first_, &second_})
        for (const std::uint32_t root : *roots) say(root);
    return all;
}

} // namespace daedalus::expr
