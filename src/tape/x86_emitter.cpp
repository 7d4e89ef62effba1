#include "tape/x86_emitter.hpp"

#if defined(__x86_64__) && defined(__linux__)

#include "tape/address_windows.hpp"
#include "tape/elementary.hpp"

#include <asmjit/x86.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

namespace daedalus::tape {

namespace {

using namespace asmjit;
using Id = x86::Inst::Id;

// Predicates of compare instructions, by the semantics of C++: ordered and quiet or signalling alike, but != is true
// of NaN.
enum Predicate : int { equal = 0, less = 1, less_equal = 2, not_equal = 4 };

/// Constants in front of the code, one vector register wide each.
enum class Pool : int { one, zero, sign, magnitude, count };
constexpr int pool_entry = 64;

/// One form of each instruction per instruction set and width.
struct Instructions {
    Id load, save, move, add, sub, mul, div, sqrt, min, max, compare, bit_and, bit_xor, add_product, sub_product;
};
constexpr Instructions sse2{x86::Inst::kIdMovsd, x86::Inst::kIdMovsd, x86::Inst::kIdMovapd, x86::Inst::kIdAddsd,
                            x86::Inst::kIdSubsd, x86::Inst::kIdMulsd, x86::Inst::kIdDivsd,  x86::Inst::kIdSqrtsd,
                            x86::Inst::kIdMinsd, x86::Inst::kIdMaxsd, x86::Inst::kIdCmpsd,  x86::Inst::kIdAndpd,
                            x86::Inst::kIdXorpd, x86::Inst::kIdNone,  x86::Inst::kIdNone};
constexpr Instructions avx{x86::Inst::kIdVmovsd, x86::Inst::kIdVmovsd,      x86::Inst::kIdVmovapd,
                           x86::Inst::kIdVaddsd, x86::Inst::kIdVsubsd,      x86::Inst::kIdVmulsd,
                           x86::Inst::kIdVdivsd, x86::Inst::kIdVsqrtsd,     x86::Inst::kIdVminsd,
                           x86::Inst::kIdVmaxsd, x86::Inst::kIdVcmpsd,      x86::Inst::kIdVandpd,
                           x86::Inst::kIdVxorpd, x86::Inst::kIdVfmadd231sd, x86::Inst::kIdVfnmadd231sd};
constexpr Instructions packed{x86::Inst::kIdVmovupd, x86::Inst::kIdVmovupd,     x86::Inst::kIdVmovapd,
                              x86::Inst::kIdVaddpd,  x86::Inst::kIdVsubpd,      x86::Inst::kIdVmulpd,
                              x86::Inst::kIdVdivpd,  x86::Inst::kIdVsqrtpd,     x86::Inst::kIdVminpd,
                              x86::Inst::kIdVmaxpd,  x86::Inst::kIdVcmppd,      x86::Inst::kIdVandpd,
                              x86::Inst::kIdVxorpd,  x86::Inst::kIdVfmadd231pd, x86::Inst::kIdVfnmadd231pd};
// The floating-point forms of and, xor on 512 bits came with AVX-512DQ; the integer forms are in AVX-512F.
constexpr Instructions packed512{x86::Inst::kIdVmovupd, x86::Inst::kIdVmovupd,     x86::Inst::kIdVmovapd,
                                 x86::Inst::kIdVaddpd,  x86::Inst::kIdVsubpd,      x86::Inst::kIdVmulpd,
                                 x86::Inst::kIdVdivpd,  x86::Inst::kIdVsqrtpd,     x86::Inst::kIdVminpd,
                                 x86::Inst::kIdVmaxpd,  x86::Inst::kIdVcmppd,      x86::Inst::kIdVpandq,
                                 x86::Inst::kIdVpxorq,  x86::Inst::kIdVfmadd231pd, x86::Inst::kIdVfnmadd231pd};

/// For functions without a vector form.
void call_lanes(double (*f)(double), double* a, const double* /*b*/, int width) {
    for (int l = 0; l < width; ++l) a[l] = f(a[l]);
}
void call_lanes_of_two(double (*f)(double, double), double* a, const double* b, int width) {
    for (int l = 0; l < width; ++l) a[l] = f(a[l], b[l]);
}
int count_bases(const Outside& outside) {
    int count = 0;
    for (const Outside::Place& p : outside.places)
        if (p.displacement != Outside::inside) count = std::max(count, p.base + 1);
    return count;
}
template <class Pointer>
std::uint64_t address(Pointer* p) {
    return reinterpret_cast<std::uint64_t>(p);
}

} // namespace

struct X86Emitter::Impl : ErrorHandler {
    Impl(const Tape& t, InstructionSet set, int lanes, const Outside& o)
        : tape(t), outside(o), width(lanes), vex(set >= InstructionSet::avx), fuses(set >= InstructionSet::avx2),
          masks(lanes == 8), bases(count_bases(o)), in(lanes == 8  ? packed512
                                                       : lanes > 1 ? packed
                                                       : vex       ? avx
                                                                   : sse2) {}

    const Tape& tape;
    const Outside& outside;
    int width;
    bool vex;   ///< three operands
    bool fuses; ///< has fused products
    bool masks; ///< comparisons give mask registers (AVX-512)
    int bases;  ///< so many are used
    const Instructions& in;
    CodeHolder code;
    x86::Assembler a;
    Label pool_label;
    std::vector<void*> vector_forms; ///< per function of the tape; batches only
    Error error = kErrorOk;
    x86::Gp w = x86::rdi, out = x86::rsi;
    std::array<x86::Gp, Outside::bases> base;
    std::vector<x86::Gp> windows; ///< registers that operands are read by
    Address chosen;               ///< for the step at hand

    void handleError(Error e, const char*, BaseEmitter*) override { error = error == kErrorOk ? e : error; }

    [[nodiscard]] x86::Vec r(Register i) const {
        if (width == 8) return x86::zmm(i);
        return width == 4 ? x86::Vec(x86::ymm(i)) : x86::Vec(x86::xmm(i));
    }
    [[nodiscard]] int bytes() const { return 8 * width; }
    [[nodiscard]] x86::Mem at(const x86::Gp& from, std::uint32_t slot) const {
        return {from, static_cast<std::int32_t>(slot) * bytes(), static_cast<std::uint32_t>(bytes())};
    }
    [[nodiscard]] x86::Mem value(std::uint32_t slot) const {
        const std::size_t k = slot - std::size_t{outside.first};
        if (slot < outside.first || k >= outside.places.size()) return at(w, slot);
        const Outside::Place& place = outside.places[k];
        if (place.displacement == Outside::inside) return at(w, slot);
        return {base[place.base], place.displacement * 8, static_cast<std::uint32_t>(bytes())};
    }
    [[nodiscard]] std::uint8_t array_of(std::uint32_t slot) const {
        const std::size_t k = slot - std::size_t{outside.first};
        const bool in_w =
            slot < outside.first || k >= outside.places.size() || outside.places[k].displacement == Outside::inside;
        return in_w ? 0 : static_cast<std::uint8_t>(2 + outside.places[k].base);
    }
    [[nodiscard]] const x86::Gp& array(std::uint8_t number) const {
        return number == 0 ? w : number == 1 ? out : base[number - std::size_t{2}];
    }
    /// By the window that was chosen for the step, if one was.
    [[nodiscard]] x86::Mem near(const x86::Mem& m) const {
        if (chosen.window == Address::plain) return m;
        return {windows[chosen.window], static_cast<std::int32_t>(m.offset()) - chosen.center, m.size()};
    }
    [[nodiscard]] MemoryUse use_of(const Step& s) const;
    void find_windows(bool calls);
    [[nodiscard]] x86::Mem pool(Pool entry) const {
        return x86::ptr(pool_label, static_cast<int>(entry) * pool_entry,
                        static_cast<std::uint32_t>(std::max(16, bytes())));
    }

    void start();
    void emit_pool();
    void prologue(bool calls, std::uint32_t frame);
    void epilogue(bool calls);
    void one(const Step& s);
    void operate(const Step& s);
    void apply(Id id, const Step& s, const Operand_& second);
    void accumulate(Id id, const Step& s, const Operand_& second);
    void compare(const Step& s, const Operand_& second, Predicate p);
    void logical(const Step& s);
    void select(const Step& s);
    void call(const Step& s);
    void truth(Register d, const x86::KReg& k);
};

void X86Emitter::Impl::start() {
    code.init(Environment::host());
    code.setErrorHandler(this);
    code.attach(&a);
    if (width > 1)
        for (const Function& f : tape.functions) vector_forms.push_back(vector_function(f, width));
    emit_pool();
}

void X86Emitter::Impl::emit_pool() {
    pool_label = a.newLabel();
    a.bind(pool_label);
    constexpr std::uint64_t values[] = {0x3ff0000000000000U, 0, 0x8000000000000000U, 0x7fffffffffffffffU};
    static_assert(std::size(values) == static_cast<std::size_t>(Pool::count));
    for (const std::uint64_t value : values) {
        std::uint64_t lanes[pool_entry / 8];
        std::fill(std::begin(lanes), std::end(lanes), value);
        a.embed(lanes, sizeof lanes);
    }
}

// With calls, w, out and bases move to registers that calls preserve, and the stack is aligned for vector spills.
constexpr x86::Gp passed_base[] = {x86::rdx, x86::rcx, x86::r8};
constexpr x86::Gp preserved_base[] = {x86::r13, x86::r14, x86::r15};

void X86Emitter::Impl::prologue(bool calls, std::uint32_t frame) {
    w = calls ? x86::rbx : x86::rdi;
    out = calls ? x86::r12 : x86::rsi;
    for (std::size_t k = 0; k < base.size(); ++k) base[k] = calls ? preserved_base[k] : passed_base[k];
    if (!calls) return;
    a.push(x86::rbp);
    a.mov(x86::rbp, x86::rsp);
    a.push(x86::rbx);
    a.push(x86::r12);
    for (int k = 0; k < bases; ++k) a.push(preserved_base[k]);
    a.sub(x86::rsp, frame);
    a.and_(x86::rsp, -64);
    a.mov(x86::rbx, x86::rdi);
    a.mov(x86::r12, x86::rsi);
    for (int k = 0; k < bases; ++k) a.mov(preserved_base[k], passed_base[k]);
}

void X86Emitter::Impl::epilogue(bool calls) {
    if (width > 1) a.vzeroupper(); // else scalar code of the older kind would be slow afterwards
    if (calls) {
        a.lea(x86::rsp, x86::ptr(x86::rbp, -8 * (2 + bases)));
        for (int k = bases; k-- > 0;) a.pop(preserved_base[k]);
        a.pop(x86::r12);
        a.pop(x86::rbx);
        a.pop(x86::rbp);
    }
    a.ret();
}

void X86Emitter::Impl::apply(Id id, const Step& s, const Operand_& second) {
    if (vex) {
        a.emit(id, r(s.d), r(s.a), second);
        return;
    }
    if (s.d != s.a) a.emit(in.move, r(s.d), r(s.a));
    a.emit(id, r(s.d), second);
}

void X86Emitter::Impl::accumulate(Id id, const Step& s, const Operand_& second) {
    if (fuses)
        a.emit(id, r(s.d), r(s.a), second);
    else
        error = kErrorInvalidInstruction;
}

void X86Emitter::Impl::truth(Register d, const x86::KReg& k) { a.k(k).z().vmovapd(r(d), pool(Pool::one)); }

void X86Emitter::Impl::compare(const Step& s, const Operand_& second, Predicate p) {
    if (masks) {
        a.emit(in.compare, x86::k1, r(s.a), second, imm(p));
        return truth(s.d, x86::k1);
    }
    if (vex) {
        a.emit(in.compare, r(s.d), r(s.a), second, imm(p));
        a.emit(in.bit_and, r(s.d), r(s.d), pool(Pool::one));
        return;
    }
    if (s.d != s.a) a.emit(in.move, r(s.d), r(s.a));
    a.emit(in.compare, r(s.d), second, imm(p));
    a.emit(in.bit_and, r(s.d), pool(Pool::one));
}

void X86Emitter::Impl::logical(const Step& s) {
    const bool both = s.code == Code::logical_and;
    if (masks) {
        a.emit(in.compare, x86::k1, r(s.a), pool(Pool::zero), imm(not_equal));
        a.emit(in.compare, x86::k2, r(s.b), pool(Pool::zero), imm(not_equal));
        a.emit(both ? x86::Inst::kIdKandw : x86::Inst::kIdKorw, x86::k1, x86::k1, x86::k2);
        return truth(s.d, x86::k1);
    }
    if (vex) {
        a.emit(in.compare, r(s.scratch), r(s.a), pool(Pool::zero), imm(not_equal));
        a.emit(in.compare, r(s.d), r(s.b), pool(Pool::zero), imm(not_equal));
        a.emit(both ? in.bit_and : Id(x86::Inst::kIdVorpd), r(s.d), r(s.d), r(s.scratch));
        a.emit(in.bit_and, r(s.d), r(s.d), pool(Pool::one));
        return;
    }
    a.emit(in.move, r(s.scratch), r(s.a));
    a.emit(in.compare, r(s.scratch), pool(Pool::zero), imm(not_equal));
    if (s.d != s.b) a.emit(in.move, r(s.d), r(s.b));
    a.emit(in.compare, r(s.d), pool(Pool::zero), imm(not_equal));
    a.emit(both ? in.bit_and : Id(x86::Inst::kIdOrpd), r(s.d), r(s.scratch));
    a.emit(in.bit_and, r(s.d), pool(Pool::one));
}

void X86Emitter::Impl::select(const Step& s) {
    if (masks) {
        a.emit(in.compare, x86::k1, r(s.a), pool(Pool::zero), imm(not_equal));
        a.k(x86::k1).vblendmpd(x86::zmm(s.d), x86::zmm(s.c), x86::zmm(s.b));
        return;
    }
    if (vex) {
        a.emit(in.compare, r(s.scratch), r(s.a), pool(Pool::zero), imm(not_equal));
        a.emit(x86::Inst::kIdVblendvpd, r(s.d), r(s.c), r(s.b), r(s.scratch));
        return;
    }
    // then ^ (~mask & (old ^ then))
    a.emit(in.move, r(s.scratch), r(s.a));
    a.emit(in.compare, r(s.scratch), pool(Pool::zero), imm(not_equal));
    if (s.d != s.c) a.emit(in.move, r(s.d), r(s.c));
    a.emit(in.bit_xor, r(s.d), r(s.b));
    a.emit(x86::Inst::kIdAndnpd, r(s.scratch), r(s.d));
    a.emit(in.move, r(s.d), r(s.scratch));
    a.emit(in.bit_xor, r(s.d), r(s.b));
}

void X86Emitter::Impl::operate(const Step& s) {
    const x86::Mem memory = near(value(s.slot));
    const x86::Vec b = r(s.b == in_memory ? 0 : s.b);
    const Operand_& second = s.b == in_memory ? static_cast<const Operand_&>(memory) : b;
    switch (s.code) {
    case Code::add: return apply(in.add, s, second);
    case Code::sub: return apply(in.sub, s, second);
    case Code::mul: return apply(in.mul, s, second);
    case Code::div: return apply(in.div, s, second);
    case Code::min: return apply(in.min, s, second);
    case Code::max: return apply(in.max, s, second);
    case Code::add_product: return accumulate(in.add_product, s, second);
    case Code::sub_product: return accumulate(in.sub_product, s, second);
    case Code::lt: return compare(s, second, less);
    case Code::le: return compare(s, second, less_equal);
    case Code::eq: return compare(s, second, equal);
    case Code::ne: return compare(s, second, not_equal);
    case Code::neg: return apply(in.bit_xor, s, pool(Pool::sign));
    case Code::abs: return apply(in.bit_and, s, pool(Pool::magnitude));
    case Code::logical_not: return compare(s, pool(Pool::zero), equal);
    case Code::logical_and:
    case Code::logical_or: return logical(s);
    case Code::select: return select(s);
    case Code::sqrt:
        if (width == 1 && vex)
            a.emit(in.sqrt, r(s.d), r(s.a), r(s.a));
        else
            a.emit(in.sqrt, r(s.d), r(s.a));
        return;
    default: error = kErrorInvalidInstruction;
    }
}

void X86Emitter::Impl::call(const Step& s) {
    const Function& f = tape.functions[s.f];
    const bool two = s.code == Code::call2;
    const std::uint64_t scalar = two ? address(f.two) : address(f.one);
    if (width == 1 || vector_forms[s.f] != nullptr) {
        a.mov(x86::rax, width == 1 ? scalar : address(vector_forms[s.f]));
        a.call(x86::rax);
        return;
    }
    a.emit(in.save, x86::Mem(x86::rsp, 0, static_cast<std::uint32_t>(bytes())), r(0));
    if (two) a.emit(in.save, x86::Mem(x86::rsp, 64, static_cast<std::uint32_t>(bytes())), r(1));
    a.vzeroupper();
    a.mov(x86::rdi, scalar);
    a.mov(x86::rsi, x86::rsp);
    a.lea(x86::rdx, x86::ptr(x86::rsp, 64));
    a.mov(x86::ecx, width);
    a.mov(x86::rax, two ? address(&call_lanes_of_two) : address(&call_lanes));
    a.call(x86::rax);
    a.emit(in.load, r(0), x86::Mem(x86::rsp, 0, static_cast<std::uint32_t>(bytes())));
}

void X86Emitter::Impl::one(const Step& s) {
    switch (s.action) {
    case Action::load: a.emit(in.load, r(s.d), near(value(s.slot))); return;
    case Action::save: a.emit(in.save, near(at(w, s.slot)), r(s.a)); return;
    case Action::move: a.emit(in.move, r(s.d), r(s.a)); return;
    case Action::store: a.emit(in.save, near(at(out, s.slot)), r(s.a)); return;
    case Action::store_pair:
        a.vunpcklpd(x86::xmm(s.scratch), x86::xmm(s.a), x86::xmm(s.b));
        a.vmovupd(near(x86::ptr(out, static_cast<std::int32_t>(s.slot) * 8, 16)), x86::xmm(s.scratch));
        return;
    case Action::operate: return operate(s);
    case Action::call: return call(s);
    case Action::call_pair:
        a.lea(x86::rdi, x86::ptr(x86::rsp, static_cast<std::int32_t>(16 * s.slot)));
        a.lea(x86::rsi, x86::ptr(x86::rsp, static_cast<std::int32_t>(16 * s.slot + 8)));
        a.mov(x86::rax, address(static_cast<void (*)(double, double*, double*)>(::sincos)));
        a.call(x86::rax);
        return;
    case Action::frame_load: a.emit(in.load, r(s.d), at(x86::rsp, s.slot)); return;
    }
}

MemoryUse X86Emitter::Impl::use_of(const Step& s) const {
    const auto bytes_to = [](std::uint64_t doubles) { return static_cast<std::int32_t>(8 * doubles); };
    const auto in_array = [&](std::uint8_t number, std::uint32_t slot) -> MemoryUse {
        return {number, bytes_to(std::uint64_t{slot} * static_cast<std::uint64_t>(width))};
    };
    const auto of_slot = [&](std::uint32_t slot) -> MemoryUse {
        const std::uint8_t number = array_of(slot);
        if (number == 0) return in_array(0, slot);
        return {number, 8 * outside.places[slot - std::size_t{outside.first}].displacement};
    };
    switch (s.action) {
    case Action::load: return of_slot(s.slot);
    case Action::save: return in_array(0, s.slot);
    case Action::store: return in_array(1, s.slot);
    case Action::store_pair: return {1, bytes_to(s.slot)};
    case Action::call:
    case Action::call_pair: return {MemoryUse::everything, 0};
    case Action::operate:
        switch (s.code) {
        case Code::add:
        case Code::sub:
        case Code::mul:
        case Code::div:
        case Code::min:
        case Code::max:
        case Code::add_product:
        case Code::sub_product:
        case Code::lt:
        case Code::le:
        case Code::eq:
        case Code::ne: return s.b == in_memory ? of_slot(s.slot) : MemoryUse{};
        default: return {};
        }
    default: return {};
    }
}

/// Registers that hold nothing else between calls.
void X86Emitter::Impl::find_windows(bool calls) {
    windows = {x86::rax, x86::r9, x86::r10, x86::r11};
    if (calls || bases < 1) windows.push_back(x86::rdx);
    if (calls || bases < 2) windows.push_back(x86::rcx);
    if (calls || bases < 3) windows.push_back(x86::r8);
}

X86Emitter::X86Emitter(const Tape& tape, InstructionSet set, int width, const Outside& outside)
    : impl_(std::make_unique<Impl>(tape, set, width, outside)) {
    impl_->start();
}
X86Emitter::~X86Emitter() = default;

RegisterFile X86Emitter::registers() const { return {impl_->width == 8 ? 32 : 16, impl_->vex}; }

std::size_t X86Emitter::function(std::span<const Step> steps, std::uint32_t pairs) {
    Impl& e = *impl_;
    e.a.align(AlignMode::kCode, 16);
    const std::size_t begin = e.a.offset();
    const bool calls = std::any_of(steps.begin(), steps.end(), [](const Step& s) {
        return s.action == Action::call || s.action == Action::call_pair;
    });
    // Batches keep two vectors in the frame for calls lane by lane, and pair nothing.
    e.prologue(calls, e.width > 1 ? 128 : (16 * pairs + 63) / 64 * 64);
    // Shorter functions are in the nearest cache, where their length does not matter.
    constexpr std::size_t short_enough = 1024;
    std::vector<Address> addresses;
    if (steps.size() > short_enough) {
        e.find_windows(calls);
        std::vector<MemoryUse> uses;
        uses.reserve(steps.size());
        for (const Step& s : steps) uses.push_back(e.use_of(s));
        addresses = choose_windows(uses, static_cast<int>(e.windows.size()));
        for (std::size_t k = 0; k < steps.size(); ++k) {
            e.chosen = addresses[k];
            if (e.chosen.moves) e.a.lea(e.windows[e.chosen.window], x86::ptr(e.array(uses[k].array), e.chosen.center));
            e.one(steps[k]);
        }
        e.chosen = {};
    } else {
        for (const Step& s : steps) e.one(s);
    }
    e.epilogue(calls);
    return begin;
}

std::size_t X86Emitter::finish() {
    Impl& e = *impl_;
    if (e.error == kErrorOk) e.error = e.code.flatten();
    if (e.error == kErrorOk) e.error = e.code.resolveUnresolvedLinks();
    return e.error == kErrorOk ? e.code.codeSize() : 0;
}

bool X86Emitter::copy_to(std::byte* where) {
    Impl& e = *impl_;
    return e.code.relocateToBase(reinterpret_cast<std::uint64_t>(where)) == kErrorOk &&
           e.code.copyFlattenedData(where, e.code.codeSize()) == kErrorOk;
}

std::string X86Emitter::trouble() const { return DebugUtils::errorAsString(impl_->error); }

} // namespace daedalus::tape

#endif
