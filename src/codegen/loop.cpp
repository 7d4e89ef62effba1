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
        case Code::routine: // has no place in a loop
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
class CompiledLoop {
public:
    CompiledLoop(const Loop& loop, const double* w, double* target, double* scratch)
        : loop_(loop), w_(w), target_(target), scratch_(scratch), size_(loop.body.memory * width),
          constants_(loop.body.constants.size()), results_(scratch + loop.body.memory * lanes) {
        std::fill_n(scratch, loop.body.memory * lanes, 0.0); // unused lanes must not slow arithmetic down
        for (std::size_t v = 0; v < vectors; ++v) {
            double* const memory = scratch + v * size_;
            for (std::size_t c = 0; c < constants_; ++c) std::fill_n(memory + c * width, width, loop.body.constants[c]);
            for (std::size_t k = 0; k < loop.operands.size(); ++k)
                if (loop.operands[k].kind == Loop::Operand::Kind::uniform)
                    std::fill_n(memory + (constants_ + k) * width, width, w[loop.operands[k].first]);
        }
    }

    /// Instances begin … end - 1.
    void gathered(std::uint32_t begin, std::uint32_t end) {
        for (; begin < end; begin += lanes) block(begin, std::min<std::size_t>(lanes, end - begin));
    }

    /// The last vector may compute again what the one before it has computed.
    void streamed(const Loop::Run& run) {
        const double* const base = w_ + loop_.operands[loop_.reference].of(run.begin);
        for (std::uint32_t i = 0; i < run.count; i += width) {
            i = std::min<std::uint32_t>(i, run.count - width);
            loop_.stream->run_main(scratch_, results_, base + i);
            const double* from = results_;
            for (const Loop::Result& result : loop_.results) {
                double* const to = target_ + result.index[run.begin + i];
                if (result.stride == 1)
                    std::memcpy(to, from, width * sizeof(double));
                else
                    for (std::size_t l = 0; l < width; ++l) to[l * result.stride] = from[l];
                from += width;
            }
        }
    }

private:
    static constexpr std::size_t vectors = lanes / width;

    void block(std::uint32_t begin, std::size_t used) {
        for (std::size_t k = 0; k < loop_.operands.size(); ++k) {
            const Loop::Operand& operand = loop_.operands[k];
            double* to = scratch_ + (constants_ + k) * width;
            if (used < lanes) {
                for (std::size_t v = 0; v * width < used; ++v, to += size_)
                    gather(operand, w_, begin + static_cast<std::uint32_t>(v * width),
                           std::min(width, used - v * width), to);
            } else if (operand.kind == Loop::Operand::Kind::contiguous) {
                const double* from = w_ + operand.first + begin;
                for (std::size_t v = 0; v < vectors; ++v, to += size_, from += width)
                    for (std::size_t l = 0; l < width; ++l) to[l] = from[l];
            } else if (operand.kind == Loop::Operand::Kind::gathered) {
                const std::uint32_t* index = operand.index.data() + begin;
                for (std::size_t v = 0; v < vectors; ++v, to += size_, index += width)
                    for (std::size_t l = 0; l < width; ++l) to[l] = w_[index[l]];
            }
        }
        for (std::size_t v = 0; v * width < used; ++v) {
            loop_.code->run_main(scratch_ + v * size_, results_);
            const std::size_t here = std::min(width, used - v * width);
            for (std::size_t r = 0; r < loop_.results.size(); ++r) {
                const std::uint32_t* index = loop_.results[r].index.data() + begin + v * width;
                const double* const from = results_ + r * width;
                if (here == width)
                    for (std::size_t l = 0; l < width; ++l) target_[index[l]] = from[l];
                else
                    for (std::size_t l = 0; l < here; ++l) target_[index[l]] = from[l];
            }
        }
    }

    const Loop& loop_;
    const double* w_;
    double *target_, *scratch_;
    std::size_t size_, constants_;
    double* results_;
};

template <std::size_t width>
void run_compiled(const Loop& loop, const double* w, double* target, double* scratch) {
    CompiledLoop<width> compiled(loop, w, target, scratch);
    std::uint32_t done = 0;
    for (const Loop::Run& run : loop.runs) {
        compiled.gathered(done, run.begin);
        compiled.streamed(run);
        done = run.begin + run.count;
    }
    compiled.gathered(done, loop.count);
}

/// Finds runs by the example of two neighbours in the middle; none if they hold less than half of the instances.
void find_runs(Loop& loop, std::uint32_t least) {
    using Kind = Loop::Operand::Kind;
    const auto varies = [](const Loop::Operand& o) { return o.kind != Kind::uniform; };
    const auto first = std::find_if(loop.operands.begin(), loop.operands.end(), varies);
    if (first == loop.operands.end()) return;
    loop.reference = static_cast<std::size_t>(first - loop.operands.begin());
    const auto base = [&](std::uint32_t i) { return loop.operands[loop.reference].of(i); };
    std::uint32_t middle = loop.count / 2;
    while (middle + 1 < loop.count && base(middle + 1) != base(middle) + 1) ++middle; // not where a row ends
    if (middle + 1 >= loop.count) return;
    for (Loop::Result& r : loop.results) r.stride = r.index[middle + 1] - r.index[middle];
    const auto conforms = [&](std::uint32_t i) {
        return std::all_of(loop.operands.begin(), loop.operands.end(), [&](const Loop::Operand& o) {
            return !varies(o) || o.of(i) - base(i) == o.of(middle) - base(middle);
        });
    };
    const auto follows = [&](std::uint32_t i) { // i + 1 on i
        return base(i + 1) == base(i) + 1 &&
               std::all_of(loop.results.begin(), loop.results.end(),
                           [&](const Loop::Result& r) { return r.index[i + 1] - r.index[i] == r.stride; });
    };
    std::uint32_t inside = 0;
    for (std::uint32_t i = 0; i < loop.count;) {
        const std::uint32_t begin = i++;
        if (!conforms(begin)) continue;
        while (i < loop.count && conforms(i) && follows(i - 1)) ++i;
        if (i - begin < least) continue;
        loop.runs.push_back({begin, i - begin});
        inside += i - begin;
    }
    if (2 * inside < loop.count) loop.runs.clear();
}

/// Where operands lie as seen from the reference; empty if that is too far.
tape::Outside places(const Loop& loop) {
    tape::Outside outside{static_cast<std::uint32_t>(loop.body.constants.size()), {}};
    const std::uint32_t begin = loop.runs.front().begin;
    constexpr std::int64_t far = 1 << 27; // a displacement in bytes has 32 bits
    for (const Loop::Operand& o : loop.operands) {
        const std::int64_t distance = std::int64_t{o.of(begin)} - loop.operands[loop.reference].of(begin);
        const bool uniform = o.kind == Loop::Operand::Kind::uniform;
        if (!uniform && std::abs(distance) > far) return {};
        outside.places.push_back({uniform ? tape::Outside::inside : static_cast<std::int32_t>(distance)});
    }
    return outside;
}

} // namespace

void compile_loop(Loop& loop, tape::Backend backend) {
    tape::Tape body = loop.body;
    for (tape::Function& f : body.functions) f.in_libmvec = false; // vector forms round differently
    auto code = tape::make_batch_program(body, backend);
    if (code->name() == "interpreter") return;
    loop.code = std::move(code);
    find_runs(loop, static_cast<std::uint32_t>(loop.code->width()));
    if (loop.runs.empty()) return;
    if (const tape::Outside outside = places(loop); !outside.places.empty())
        loop.stream = tape::make_stream_program(body, outside, backend);
    if (!loop.stream) loop.runs.clear();
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
