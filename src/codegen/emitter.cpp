#include "codegen/emitter.hpp"

#include "expr/functions/function.hpp"
#include "expr/routine.hpp"

#include <bit>
#include <cmath>

namespace daedalus::codegen {

namespace {

using expr::NodeId;
using expr::Op;
using tape::Code;

constexpr int largest_unrolled_power = 64; // above, std::pow is no slower than the products

double call_pow(double a, double b) { return std::pow(a, b); }
tape::Quad call_pow_in_quad(tape::Quad a, tape::Quad b) { return expr::apply_to(Op::pow, a, b); }

tape::Function function_of(Op op) {
    if (op == Op::pow) return {.name = "pow", .two = call_pow, .quad = {.two = call_pow_in_quad}, .in_libmvec = true};
    const expr::Function& f = expr::function(op);
    return {.name = f.name,
            .one = f.value1,
            .two = f.value2,
            .quad = {.one = f.quad1, .two = f.quad2},
            .in_libmvec = f.in_libmvec};
}

} // namespace

std::optional<int> integer_exponent(const expr::Graph& g, NodeId exponent) {
    if (!g.is_constant(exponent)) return std::nullopt;
    const double value = g.constant_value(exponent);
    if (value != std::floor(value) || std::abs(value) > largest_unrolled_power || value == 0) return std::nullopt;
    return static_cast<int>(value);
}

bool is_called(const expr::Graph& g, NodeId node) {
    const Op op = g.op(node);
    if (op == Op::pow) return !integer_exponent(g, g.operand(node, 1));
    return expr::is_function(op) && expr::function(op).called;
}

std::uint32_t Emitter::constant(double value) {
    const auto [it, is_new] = constant_slot_.try_emplace(std::bit_cast<std::uint64_t>(value),
                                                         static_cast<std::uint32_t>(tape_.constants.size()));
    if (is_new) tape_.constants.push_back(value);
    return it->second;
}

std::uint32_t Emitter::take() {
    if (free_.empty()) return next_slot++;
    const std::uint32_t s = free_.back();
    free_.pop_back();
    return s;
}

void Emitter::call(Op op, std::uint32_t d, const std::uint32_t* operands) {
    int& entry = called_[static_cast<std::size_t>(op)];
    if (entry == 0) {
        tape_.functions.push_back(function_of(op));
        entry = static_cast<int>(tape_.functions.size());
    }
    const bool binary = expr::arity(op) == 2;
    code_->push_back({binary ? Code::call2 : Code::call1, static_cast<std::uint8_t>(entry - 1), d, operands[0],
                      binary ? operands[1] : 0});
}

// The results keep their slots: other outputs of the same run may be asked for later.
void Emitter::routine(NodeId node, std::uint32_t d, const std::function<std::uint32_t(int k)>& operand) {
    const expr::Graph::Call& call = g_.call_of(node);
    const auto [at, is_new] = results_.try_emplace({call.routine.get(), call.operands}, next_slot);
    if (is_new) {
        tape::Routine made;
        made.run = [routine = call.routine](const double* in, double* out) { routine->run(in, out); };
        for (int k = 0; k < g_.arity(node); ++k) made.operands.push_back(operand(k));
        made.results = static_cast<std::uint32_t>(call.routine->outputs());
        next_slot += made.results;
        emit(Code::routine, at->second, static_cast<std::uint32_t>(tape_.routines.size()));
        tape_.routines.push_back(std::move(made));
    }
    emit(Code::copy, d, at->second + static_cast<std::uint32_t>(call.output));
}

// x^n by repeated squaring; a negative power is the reciprocal of the positive one.
void Emitter::power(std::uint32_t d, std::uint32_t x, int n) {
    auto rest = static_cast<unsigned>(std::abs(n));
    const std::uint32_t square = take();
    std::uint32_t base = x;
    bool started = false;
    while (rest != 0) {
        if (rest & 1U) {
            if (started)
                emit(Code::mul, d, d, base);
            else
                emit(Code::copy, d, base);
            started = true;
        }
        rest >>= 1U;
        if (rest != 0) {
            if (rest == 1 && !started) { // the highest bit alone: its square is the result
                emit(Code::mul, d, base, base);
                break;
            }
            emit(Code::mul, square, base, base);
            base = square;
        }
    }
    if (n < 0) emit(Code::div, d, constant(1.0), d);
    release(square);
}

void Emitter::operation(NodeId node, std::uint32_t d, const std::uint32_t* s) {
    const Op op = g_.op(node);
    switch (op) {
    case Op::neg: return emit(Code::neg, d, s[0]);
    case Op::add: return emit(Code::add, d, s[0], s[1]);
    case Op::sub: return emit(Code::sub, d, s[0], s[1]);
    case Op::mul: return emit(Code::mul, d, s[0], s[1]);
    case Op::div: return emit(Code::div, d, s[0], s[1]);
    case Op::sqrt: return emit(Code::sqrt, d, s[0]);
    case Op::abs: return emit(Code::abs, d, s[0]);
    case Op::min: return emit(Code::min, d, s[0], s[1]);
    case Op::max: return emit(Code::max, d, s[0], s[1]);
    case Op::lt: return emit(Code::lt, d, s[0], s[1]);
    case Op::le: return emit(Code::le, d, s[0], s[1]);
    case Op::gt: return emit(Code::lt, d, s[1], s[0]);
    case Op::ge: return emit(Code::le, d, s[1], s[0]);
    case Op::eq: return emit(Code::eq, d, s[0], s[1]);
    case Op::ne: return emit(Code::ne, d, s[0], s[1]);
    case Op::logical_and: return emit(Code::logical_and, d, s[0], s[1]);
    case Op::logical_or: return emit(Code::logical_or, d, s[0], s[1]);
    case Op::logical_not: return emit(Code::logical_not, d, s[0]);
    case Op::select: emit(Code::copy, d, s[2]); return emit(Code::select, d, s[0], s[1]);
    case Op::pow:
        if (const auto n = integer_exponent(g_, g_.operand(node, 1))) return power(d, s[0], *n);
        return call(op, d, s);
    default: return call(op, d, s);
    }
}

} // namespace daedalus::codegen
