#include "codegen/loop.hpp"

#include "tape/elementary.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace daedalus::codegen {

namespace {

using tape::Code;
using tape::Instruction;

constexpr std::size_t lanes = Loop::lanes;

// Two doubles as one value: what every x86-64 has registers for.
using Pack [[gnu::vector_size(16), gnu::aligned(8), gnu::may_alias]] = double;
constexpr std::size_t packs = lanes / 2;

template <class Operation>
[[gnu::always_inline]] inline void each(double* d, const double* a, const double* b, Operation&& operation) {
    auto* pd = reinterpret_cast<Pack*>(d);
    const auto* pa = reinterpret_cast<const Pack*>(a);
    const auto* pb = reinterpret_cast<const Pack*>(b);
    for (std::size_t k = 0; k < packs; ++k) pd[k] = operation(pa[k], pb[k]);
}

void run_block(const Loop& loop, double* w, std::uint32_t begin, std::size_t used, double* target) {
    const tape::Tape& body = loop.body;
    const Pack one = {1, 1};
    const Pack zero = {0, 0};
    for (const Instruction* i = body.main_part.data(); i->code != Code::halt; ++i) {
        double* d = w + i->d * lanes;
        const double* a = w + i->a * lanes;
        const double* b = w + i->b * lanes;
        switch (i->code) {
        case Code::copy: std::memmove(d, a, lanes * sizeof(double)); break;
        case Code::neg: each(d, a, b, [](Pack x, Pack) { return -x; }); break;
        case Code::add: each(d, a, b, [](Pack x, Pack y) { return x + y; }); break;
        case Code::sub: each(d, a, b, [](Pack x, Pack y) { return x - y; }); break;
        case Code::mul: each(d, a, b, [](Pack x, Pack y) { return x * y; }); break;
        case Code::div: each(d, a, b, [](Pack x, Pack y) { return x / y; }); break;
        case Code::min: each(d, a, b, [](Pack x, Pack y) { return y < x ? y : x; }); break;
        case Code::max: each(d, a, b, [](Pack x, Pack y) { return y > x ? y : x; }); break;
        case Code::lt: each(d, a, b, [&](Pack x, Pack y) { return x < y ? one : zero; }); break;
        case Code::le: each(d, a, b, [&](Pack x, Pack y) { return x <= y ? one : zero; }); break;
        case Code::eq: each(d, a, b, [&](Pack x, Pack y) { return x == y ? one : zero; }); break;
        case Code::ne: each(d, a, b, [&](Pack x, Pack y) { return x != y ? one : zero; }); break;
        case Code::logical_and:
            each(d, a, b, [&](Pack x, Pack y) { return ((x != zero) & (y != zero)) ? one : zero; });
            break;
        case Code::logical_or:
            each(d, a, b, [&](Pack x, Pack y) { return ((x != zero) | (y != zero)) ? one : zero; });
            break;
        case Code::logical_not: each(d, a, b, [&](Pack x, Pack) { return x == zero ? one : zero; }); break;
        case Code::select: {
            for (std::size_t l = 0; l < lanes; ++l)
                if (a[l] != 0) d[l] = b[l];
            break;
        }
        case Code::add_product:
            for (std::size_t l = 0; l < used; ++l) d[l] = tape::add_product(d[l], a[l], b[l]);
            break;
        case Code::sub_product:
            for (std::size_t l = 0; l < used; ++l) d[l] = tape::sub_product(d[l], a[l], b[l]);
            break;
        case Code::sqrt:
            for (std::size_t l = 0; l < used; ++l) d[l] = std::sqrt(a[l]);
            break;
        case Code::abs:
            for (std::size_t l = 0; l < used; ++l) d[l] = std::abs(a[l]);
            break;
        case Code::call1: {
            const auto f = body.functions[i->f].one;
            for (std::size_t l = 0; l < used; ++l) d[l] = f(a[l]);
            break;
        }
        case Code::call2: {
            const auto f = body.functions[i->f].two;
            for (std::size_t l = 0; l < used; ++l) d[l] = f(a[l], b[l]);
            break;
        }
        case Code::store: {
            const std::uint32_t* index = loop.results[i->d].index.data() + begin;
            for (std::size_t l = 0; l < used; ++l) target[index[l]] = a[l];
            break;
        }
        case Code::halt: break;
        }
    }
}

/// Operand k of `used` instances from `begin` on.
void gather(const Loop::Operand& operand, const double* w, std::uint32_t begin, std::size_t used, double* to) {
    if (operand.kind == Loop::Operand::Kind::contiguous) {
        for (std::size_t l = 0; l < used; ++l) to[l] = w[operand.first + begin + l];
    } else if (operand.kind == Loop::Operand::Kind::gathered) {
        const std::uint32_t* index = operand.index.data() + begin;
        for (std::size_t l = 0; l < used; ++l) to[l] = w[index[l]];
    }
}

/// A block as several vectors, each with a memory of its own: all operands of a block are in place before the first is
/// read, because reading a vector right after its parts were written stalls.
template <std::size_t width>
void run_compiled(const Loop& loop, const double* w, double* target, double* scratch) {
    constexpr std::size_t vectors = lanes / width;
    const std::size_t size = loop.body.memory * width;
    const std::size_t constants = loop.body.constants.size();
    double* const results = scratch + loop.body.memory * lanes;
    std::fill_n(scratch, loop.body.memory * lanes, 0.0); // lanes beyond the last instance must not slow arithmetic down
    for (std::size_t v = 0; v < vectors; ++v) {
        double* const memory = scratch + v * size;
        for (std::size_t c = 0; c < constants; ++c) std::fill_n(memory + c * width, width, loop.body.constants[c]);
        for (std::size_t k = 0; k < loop.operands.size(); ++k)
            if (loop.operands[k].kind == Loop::Operand::Kind::uniform)
                std::fill_n(memory + (constants + k) * width, width, w[loop.operands[k].first]);
    }
    for (std::uint32_t begin = 0; begin < loop.count; begin += lanes) {
        const std::size_t used = std::min<std::size_t>(lanes, loop.count - begin);
        for (std::size_t k = 0; k < loop.operands.size(); ++k) {
            const Loop::Operand& operand = loop.operands[k];
            double* to = scratch + (constants + k) * width;
            if (used < lanes) {
                for (std::size_t v = 0; v * width < used; ++v, to += size)
                    gather(operand, w, begin + static_cast<std::uint32_t>(v * width), std::min(width, used - v * width),
                           to);
            } else if (operand.kind == Loop::Operand::Kind::contiguous) {
                const double* from = w + operand.first + begin;
                for (std::size_t v = 0; v < vectors; ++v, to += size, from += width)
                    for (std::size_t l = 0; l < width; ++l) to[l] = from[l];
            } else if (operand.kind == Loop::Operand::Kind::gathered) {
                const std::uint32_t* index = operand.index.data() + begin;
                for (std::size_t v = 0; v < vectors; ++v, to += size, index += width)
                    for (std::size_t l = 0; l < width; ++l) to[l] = w[index[l]];
            }
        }
        for (std::size_t v = 0; v * width < used; ++v) {
            loop.code->run_main(scratch + v * size, results);
            const std::size_t here = std::min(width, used - v * width);
            for (std::size_t r = 0; r < loop.results.size(); ++r) {
                const std::uint32_t* index = loop.results[r].index.data() + begin + v * width;
                const double* const from = results + r * width;
                if (here == width)
                    for (std::size_t l = 0; l < width; ++l) target[index[l]] = from[l];
                else
                    for (std::size_t l = 0; l < here; ++l) target[index[l]] = from[l];
            }
        }
    }
}

} // namespace

void compile_loop(Loop& loop, tape::Backend backend) {
    tape::Tape body = loop.body;
    for (tape::Function& f : body.functions) f.name = {}; // vector forms round differently
    auto code = tape::make_batch_program(std::move(body), backend);
    if (code->name() != "interpreter") loop.code = std::move(code);
}

void run_loop(const Loop& loop, double* w, double* out, double* scratch) {
    double* target = loop.to_outputs ? out : w;
    if (loop.code)
        return loop.code->width() == 8 ? run_compiled<8>(loop, w, target, scratch)
                                       : run_compiled<4>(loop, w, target, scratch);
    const auto constants = static_cast<std::uint32_t>(loop.body.constants.size());
    std::fill_n(scratch, loop.scratch(), 0.0); // lanes beyond the last instance must not slow arithmetic down
    for (std::uint32_t c = 0; c < constants; ++c) std::fill_n(scratch + c * lanes, lanes, loop.body.constants[c]);
    for (std::size_t k = 0; k < loop.operands.size(); ++k)
        if (loop.operands[k].kind == Loop::Operand::Kind::uniform)
            std::fill_n(scratch + (constants + k) * lanes, lanes, w[loop.operands[k].first]);
    for (std::uint32_t begin = 0; begin < loop.count; begin += lanes) {
        const std::size_t used = std::min<std::size_t>(lanes, loop.count - begin);
        for (std::size_t k = 0; k < loop.operands.size(); ++k)
            gather(loop.operands[k], w, begin, used, scratch + (constants + k) * lanes);
        run_block(loop, scratch, begin, used, target);
    }
}

} // namespace daedalus::codegen
