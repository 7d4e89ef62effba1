#include "tape/random_tape.hpp"

#include "expr/functions/function.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <quadmath.h>

namespace daedalus::tests {

using tape::Code;
using tape::Instruction;

namespace {

double unknown(double x) { return 2 * x + 1; }

} // namespace

const std::vector<tape::Function>& called_functions() {
    static const std::vector<tape::Function> list = [] {
        std::vector<tape::Function> all{{.name = "unknown", .one = unknown},
                                        {.name = "pow",
                                         .two = [](double a, double b) { return std::pow(a, b); },
                                         .quad = {.two = [](tape::Quad a, tape::Quad b) { return powq(a, b); }},
                                         .in_libmvec = true}};
        for (const expr::Function* f : expr::all_functions())
            if (f->called)
                all.push_back({.name = f->name,
                               .one = f->value1,
                               .two = f->value2,
                               .quad = {.one = f->quad1, .two = f->quad2},
                               .in_libmvec = f->in_libmvec});
        return all;
    }();
    return list;
}

std::uint8_t called_function(std::string_view name) {
    const auto& list = called_functions();
    const auto it = std::find_if(list.begin(), list.end(), [&](const tape::Function& f) { return f.name == name; });
    return static_cast<std::uint8_t>(it - list.begin());
}

double random_value(Random& random) {
    using limits = std::numeric_limits<double>;
    static constexpr double special[] = {0.0,
                                         -0.0,
                                         1.0,
                                         -1.0,
                                         limits::infinity(),
                                         -limits::infinity(),
                                         limits::quiet_NaN(),
                                         limits::denorm_min(),
                                         -limits::denorm_min(),
                                         limits::min(),
                                         limits::max(),
                                         -limits::max(),
                                         1e-310,
                                         1e300,
                                         1e-300,
                                         0.5};
    const std::uint64_t kind = random() % 8;
    if (kind == 0) return special[random() % std::size(special)];
    const double scale = kind == 1 ? std::exp2(static_cast<double>(random() % 2000) - 1000) : 4.0;
    return scale * (static_cast<double>(random() >> 11U) * 0x1p-53 - 0.5);
}

TapeShape random_shape(Random& random) {
    const auto below = [&](std::uint64_t n) { return static_cast<int>(random() % n); };
    TapeShape shape;
    const int size = below(100);
    shape.length = size < 80 ? 1 + below(120) : size < 98 ? below(1000) : below(5000);
    shape.temporaries = 1 + below(below(3) == 0 ? 200 : 40);
    shape.calls = below(2) == 0 ? 0.0 : 0.2 * below(100) / 100.0;
    shape.strange = below(3) == 0 ? 0.05 : 0.0;
    return shape;
}

std::vector<double> random_memory(Random& random, const tape::Tape& tape) {
    std::vector<double> w(tape.memory);
    for (double& value : w) value = random_value(random);
    std::copy(tape.constants.begin(), tape.constants.end(), w.begin());
    return w;
}

tape::Tape random_tape(Random& random, const TapeShape& shape) {
    const auto below = [&](std::size_t n) { return static_cast<std::uint32_t>(random() % n); };
    const auto chance = [&](double p) { return static_cast<double>(random() >> 11U) * 0x1p-53 < p; };
    tape::Tape t;
    for (std::uint32_t k = 1 + below(4); k > 0; --k) t.constants.push_back(random_value(random));
    t.functions = called_functions();
    const auto constants = static_cast<std::uint32_t>(t.constants.size());
    const std::uint32_t parameters = 1 + below(4), inputs = 1 + below(6), statics = below(6);
    t.segment_begin = {constants, constants + parameters, constants + parameters + inputs};
    const std::uint32_t first_static = constants + parameters + inputs;
    const std::uint32_t first_temporary = first_static + statics;
    t.memory = first_temporary + static_cast<std::uint32_t>(shape.temporaries);
    t.outputs = 1 + below(12);

    std::vector<std::uint32_t> readable;
    for (std::uint32_t s = 0; s < constants + parameters; ++s) readable.push_back(s);
    std::vector<char> is_readable(t.memory, 0);
    const auto write = [&](std::uint32_t slot) {
        if (!is_readable[slot]) readable.push_back(slot);
        is_readable[slot] = 1;
    };
    const auto add = [&](std::vector<Instruction>& code, std::uint32_t d) {
        const auto operand = [&] {
            if (chance(shape.strange)) return below(t.memory);
            // Recent results more often than old ones.
            const std::size_t n = readable.size();
            return readable[chance(0.5) ? n - 1 - below(std::min<std::size_t>(n, 4)) : below(n)];
        };
        Instruction i{.code = static_cast<Code>(below(static_cast<std::size_t>(Code::select) + 1)),
                      .d = d,
                      .a = operand(),
                      .b = operand()};
        if (chance(0.4)) i.code = static_cast<Code>(static_cast<int>(Code::add) + static_cast<int>(below(4)));
        if (i.code == Code::store) i.code = Code::sub;
        if (shape.fused && chance(0.15)) i.code = chance(0.5) ? Code::add_product : Code::sub_product;
        if (tape::reads_destination(i.code) && !is_readable[d] && !chance(shape.strange)) i.code = Code::mul;
        if (chance(shape.calls)) {
            i.f = static_cast<std::uint8_t>(chance(0.5) ? below(2) : below(t.functions.size()));
            i.code = t.functions[i.f].one != nullptr ? Code::call1 : Code::call2;
        }
        code.push_back(i);
        write(d);
    };
    for (std::uint32_t s = 0; s < statics; ++s) {
        add(t.static_part, first_static + s);
        if (chance(0.3)) add(t.static_part, first_static + s);
    }
    t.static_part.push_back({});
    for (std::uint32_t s = constants + parameters; s < first_static; ++s) write(s);
    for (int k = 0; k < shape.length; ++k) {
        const bool into_input = chance(shape.strange);
        add(t.main_part, into_input ? below(t.memory - constants) + constants
                                    : first_temporary + below(static_cast<std::size_t>(shape.temporaries)));
        if (chance(0.1)) t.main_part.push_back({Code::store, 0, below(t.outputs), readable[below(readable.size())], 0});
    }
    for (std::uint32_t k = 0; k < t.outputs; ++k)
        t.main_part.push_back(
            {Code::store, 0, k, readable[readable.size() - 1 - below(std::min<std::size_t>(readable.size(), 20))], 0});
    t.main_part.push_back({});
    if (chance(0.3)) t.kept.push_back(below(t.memory));
    return t;
}

} // namespace daedalus::tests
