#include "tape/interpreter.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

extern "C" {
__float128 sqrtq(__float128) noexcept;
__float128 fabsq(__float128) noexcept;
}

namespace daedalus::tape {

namespace {

double square_root(double x) { return std::sqrt(x); }
double absolute(double x) { return std::abs(x); }
Quad square_root(Quad x) { return sqrtq(x); }
Quad absolute(Quad x) { return fabsq(x); }
// A rounding more or less does not matter there.
Quad add_product(Quad sum, Quad a, Quad b) { return sum + a * b; }
Quad sub_product(Quad sum, Quad a, Quad b) { return sum - a * b; }

} // namespace

// Threaded code: one indirect jump per instruction, each with its own branch history (a `switch` costs 10–50 % more).
template <class Scalar, class CalledFunction>
void interpret(std::span<const Instruction> instructions, std::span<const CalledFunction> functions, Scalar* w,
               Scalar* out, std::span<const Routine> routines) {
    static constexpr void* label[] = {&&copy,  &&store, &&neg,     &&add,  &&sub,    &&mul,         &&div,
                                      &&sqrt_, &&abs_,  &&min_,    &&max_, &&lt,     &&le,          &&eq,
                                      &&ne,    &&and_,  &&or_,     &&not_, &&select, &&add_product, &&sub_product,
                                      &&call1, &&call2, &&routine, &&halt};
    const Instruction* i = instructions.data();
#define DAEDALUS_NEXT goto* label[static_cast<std::size_t>((++i)->code)]
    goto* label[static_cast<std::size_t>(i->code)];
copy:
    w[i->d] = w[i->a];
    DAEDALUS_NEXT;
store:
    out[i->d] = w[i->a];
    DAEDALUS_NEXT;
neg:
    w[i->d] = -w[i->a];
    DAEDALUS_NEXT;
add:
    w[i->d] = w[i->a] + w[i->b];
    DAEDALUS_NEXT;
sub:
    w[i->d] = w[i->a] - w[i->b];
    DAEDALUS_NEXT;
mul:
    w[i->d] = w[i->a] * w[i->b];
    DAEDALUS_NEXT;
div:
    w[i->d] = w[i->a] / w[i->b];
    DAEDALUS_NEXT;
sqrt_:
    w[i->d] = square_root(w[i->a]);
    DAEDALUS_NEXT;
abs_:
    w[i->d] = absolute(w[i->a]);
    DAEDALUS_NEXT;
min_:
    w[i->d] = w[i->b] < w[i->a] ? w[i->b] : w[i->a];
    DAEDALUS_NEXT;
max_:
    w[i->d] = w[i->b] > w[i->a] ? w[i->b] : w[i->a];
    DAEDALUS_NEXT;
lt:
    w[i->d] = w[i->a] < w[i->b];
    DAEDALUS_NEXT;
le:
    w[i->d] = w[i->a] <= w[i->b];
    DAEDALUS_NEXT;
eq:
    w[i->d] = w[i->a] == w[i->b];
    DAEDALUS_NEXT;
ne:
    w[i->d] = w[i->a] != w[i->b];
    DAEDALUS_NEXT;
and_:
    w[i->d] = w[i->a] != 0 && w[i->b] != 0;
    DAEDALUS_NEXT;
or_:
    w[i->d] = w[i->a] != 0 || w[i->b] != 0;
    DAEDALUS_NEXT;
not_:
    w[i->d] = w[i->a] == 0;
    DAEDALUS_NEXT;
select:
    if (w[i->a] != 0) w[i->d] = w[i->b];
    DAEDALUS_NEXT;
add_product:
    w[i->d] = add_product(w[i->d], w[i->a], w[i->b]);
    DAEDALUS_NEXT;
sub_product:
    w[i->d] = sub_product(w[i->d], w[i->a], w[i->b]);
    DAEDALUS_NEXT;
call1:
    w[i->d] = functions[i->f].one(w[i->a]);
    DAEDALUS_NEXT;
call2:
    w[i->d] = functions[i->f].two(w[i->a], w[i->b]);
    DAEDALUS_NEXT;
routine:
    if constexpr (std::is_same_v<Scalar, double>) run_routine(routines[i->a], w, i->d);
    DAEDALUS_NEXT;
halt:
    return;
#undef DAEDALUS_NEXT
}

template void interpret(std::span<const Instruction>, std::span<const Function>, double*, double*,
                        std::span<const Routine>);
template void interpret(std::span<const Instruction>, std::span<const Callable<Quad>>, Quad*, Quad*,
                        std::span<const Routine>);

void run_routine(const Routine& routine, double* w, std::uint32_t d, std::size_t width) {
    thread_local std::vector<double> values; // routines do not run tapes
    values.resize(routine.operands.size() + routine.results);
    for (std::size_t k = 0; k < routine.operands.size(); ++k) values[k] = w[routine.operands[k] * width];
    double* const out = values.data() + routine.operands.size();
    routine.run(values.data(), out);
    for (std::uint32_t k = 0; k < routine.results; ++k) w[(d + k) * width] = out[k];
}

QuadInterpreter::QuadInterpreter(Tape tape) : tape_(std::move(tape)), usable_(tape_.routines.empty()) {
    for (const Function& f : tape_.functions) {
        functions_.push_back(f.quad);
        if (functions_.back().one == nullptr && functions_.back().two == nullptr) usable_ = false;
    }
}

std::vector<Quad> QuadInterpreter::memory() const {
    std::vector<Quad> w(tape_.memory);
    std::copy(tape_.constants.begin(), tape_.constants.end(), w.begin());
    return w;
}

void QuadInterpreter::run_static(Quad* w, Quad* out) const {
    interpret<Quad, Callable<Quad>>(tape_.static_part, functions_, w, out);
}
void QuadInterpreter::run_main(Quad* w, Quad* out) const {
    interpret<Quad, Callable<Quad>>(tape_.main_part, functions_, w, out);
}

} // namespace daedalus::tape
