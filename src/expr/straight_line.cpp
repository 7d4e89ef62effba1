#include "expr/straight_line.hpp"

#include "expr/evaluate.hpp"
#include "expr/routine.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <unordered_map>

namespace daedalus::expr {

StraightLine::StraightLine(const Graph& g, int leaves, std::span<const NodeId> first, std::span<const NodeId> second)
    : initial_(static_cast<std::size_t>(leaves), 0.0) {
    std::unordered_map<std::uint32_t, std::uint32_t> slot;
    const auto of = [&](NodeId node) { return slot.at(index(node)); };
    const auto add = [&](std::span<const NodeId> roots) {
        for (const NodeId node : g.reachable(roots)) {
            if (slot.contains(index(node))) continue;
            const Op op = g.op(node);
            if (op == Op::variable) {
                assert(g.variable_id(node) < leaves && g.derivative_order(node) == 0);
                slot[index(node)] = static_cast<std::uint32_t>(g.variable_id(node));
                continue;
            }
            assert(!is_leaf(op) || op == Op::constant);
            const auto d = static_cast<std::uint32_t>(initial_.size());
            initial_.push_back(op == Op::constant ? g.constant_value(node) : 0.0);
            if (op == Op::call) {
                const Graph::Call& call = g.call_of(node);
                Called made{call.routine, call.output, {}};
                for (const NodeId operand : call.operands) made.operands.push_back(of(operand));
                steps_.push_back({op, d, static_cast<std::uint32_t>(calls_.size()), 0, 0});
                calls_.push_back(std::move(made));
            } else if (op != Op::constant) {
                Step step{op, d, 0, 0, 0};
                const int n = g.arity(node);
                step.a = of(g.operand(node, 0));
                if (n > 1) step.b = of(g.operand(node, 1));
                if (n > 2) step.c = of(g.operand(node, 2));
                steps_.push_back(step);
            }
            slot[index(node)] = d;
        }
    };
    add(first);
    split_ = steps_.size();
    add(second);
    for (const NodeId root : first) first_.push_back(of(root));
    for (const NodeId root : second) second_.push_back(of(root));
}

void StraightLine::prepare(double* memory) const { std::copy(initial_.begin(), initial_.end(), memory); }

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
            std::vector<double> values(call.operands.size() + static_cast<std::size_t>(call.routine->outputs()));
            for (std::size_t i = 0; i < call.operands.size(); ++i) values[i] = w[call.operands[i]];
            call.routine->run(values.data(), values.data() + call.operands.size());
            w[s.d] = values[call.operands.size() + static_cast<std::size_t>(call.output)];
            break;
        }
        default: w[s.d] = apply(s.op, w[s.a], w[s.b], w[s.c]);
        }
    }
}

std::string StraightLine::text() const {
    std::string all;
    const auto say = [&](std::uint64_t word) { all.append(reinterpret_cast<const char*>(&word), sizeof word); };
    for (const double value : initial_) say(std::bit_cast<std::uint64_t>(value));
    for (const Step& s : steps_) {
        for (const std::uint32_t word : {static_cast<std::uint32_t>(s.op), s.d, s.a, s.b, s.c}) say(word);
        if (s.op != Op::call) continue;
        const Called& call = calls_[s.a];
        all += call.routine->text();
        say(static_cast<std::uint64_t>(call.output));
        for (const std::uint32_t operand : call.operands) say(operand);
    }
    say(split_);
    for (const auto* roots : {&first_, &second_})
        for (const std::uint32_t root : *roots) say(root);
    return all;
}

} // namespace daedalus::expr
