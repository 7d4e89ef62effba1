#include "tape/register_allocation.hpp"

#include <bit>
#include <cassert>

namespace daedalus::tape {

namespace {

std::uint32_t bit(Register r) { return 1U << r; }

Step step(Action action, std::uint32_t slot, Register d, Register a) {
    Step s;
    s.action = action;
    s.slot = slot;
    s.d = d;
    s.a = a;
    return s;
}

} // namespace

RegisterAllocation::RegisterAllocation(const Tape& tape, RegisterFile file)
    : file_(file), where_(tape.memory, in_memory), held_(static_cast<std::size_t>(file.registers)) {
    free_ = file.registers == 32 ? ~0U : (1U << file.registers) - 1;
}

Register RegisterAllocation::furthest() const {
    Register best = in_memory;
    std::uint32_t next = 0;
    for (Register r = 0; r < file_.registers; ++r)
        if (!((pinned_ | free_) & bit(r)) && (best == in_memory || held_[r].next > next)) {
            best = r;
            next = held_[r].next;
        }
    return best;
}

void RegisterAllocation::save(Register r) {
    if (!held_[r].dirty) return;
    steps_.push_back(step(Action::save, held_[r].slot, 0, r));
    held_[r].dirty = false;
}

void RegisterAllocation::release(Register r) {
    where_[held_[r].slot] = in_memory;
    free_ |= bit(r);
}

void RegisterAllocation::hold(Register r, std::uint32_t slot, std::uint32_t next, bool dirty) {
    held_[r] = {slot, next, dirty};
    where_[slot] = r;
    free_ &= ~bit(r);
}

Register RegisterAllocation::take() {
    if (const Mask usable = free_ & ~pinned_; usable != 0) return static_cast<Register>(std::countr_zero(usable));
    const Register r = furthest();
    assert(r != in_memory);
    save(r);
    release(r);
    return r;
}

Register RegisterAllocation::in_register(std::uint32_t slot) {
    Register r = where_[slot];
    if (r == in_memory) {
        r = take();
        steps_.push_back(step(Action::load, slot, r, 0));
        hold(r, slot, 0, false);
    }
    pinned_ |= bit(r);
    return r;
}

// A value in memory that will be read again soon is worth a register; one that is read once is read from memory.
bool RegisterAllocation::worth_loading(std::uint32_t next) const {
    if (next >= end_) return false; // `never` too
    if (free_ & ~pinned_) return true;
    const Register r = furthest();
    return r != in_memory && held_[r].next > next && !held_[r].dirty;
}

void RegisterAllocation::after_read(std::uint32_t slot, std::uint32_t next) {
    const Register r = where_[slot];
    if (r == in_memory) return;
    if (next == never)
        release(r);
    else
        held_[r].next = next;
}

// What the slot held is overwritten.
void RegisterAllocation::forget(std::uint32_t slot) {
    if (where_[slot] != in_memory) release(where_[slot]);
}

// Chooses the register of the result: an operand's that is free by now, if any. A register whose value has yet to be
// saved is saved before the step, so that even an operand that lives on may give way.
void RegisterAllocation::define(Step s, std::uint32_t d, std::uint32_t next) {
    forget(d);
    pinned_ = s.scratch == in_memory ? 0U : bit(s.scratch);
    // x op x may end up in x, but a selection reads b after it has begun to write.
    if (!file_.three_operands && s.b != in_memory && (s.b != s.a || s.code == Code::select)) pinned_ |= bit(s.b);
    const Mask usable = free_ & ~pinned_;
    if (usable & bit(s.a))
        s.d = s.a;
    else if (s.b != in_memory && (usable & bit(s.b)))
        s.d = s.b;
    else
        s.d = take();
    steps_.push_back(s);
    hold(s.d, d, next, true);
    pinned_ = 0;
}

void RegisterAllocation::binary(Code code, std::uint32_t d, std::uint32_t a, std::uint32_t b, const NextReads& reads) {
    Step s;
    s.action = Action::operate;
    s.code = code;
    s.scratch = in_memory;
    s.a = s.b = in_memory;
    if (where_[b] != in_memory) {
        s.b = where_[b];
        pinned_ |= bit(s.b);
    }
    s.a = in_register(a);
    if (a == b)
        s.b = s.a;
    else if (s.b == in_memory && worth_loading(reads.b))
        s.b = in_register(b);
    s.slot = b;
    after_read(a, reads.a);
    after_read(b, reads.b);
    define(s, d, reads.d);
}

// The sum stays in its register.
void RegisterAllocation::accumulate(const Instruction& i, const NextReads& reads) {
    Step s;
    s.action = Action::operate;
    s.code = i.code;
    s.scratch = in_memory;
    for (const std::uint32_t slot : {i.a, i.b})
        if (where_[slot] != in_memory) pinned_ |= bit(where_[slot]);
    s.d = in_register(i.d);
    s.a = in_register(i.a);
    s.b = where_[i.b];
    if (s.b == in_memory && worth_loading(reads.b)) s.b = in_register(i.b);
    s.slot = i.b;
    after_read(i.a, reads.a);
    after_read(i.b, reads.b);
    forget(i.d);
    steps_.push_back(s);
    hold(s.d, i.d, reads.d, true);
    pinned_ = 0;
}

// Operations that read all operands from registers and need one to work in.
void RegisterAllocation::with_registers(const Instruction& i, const NextReads& reads) {
    Step s;
    s.action = Action::operate;
    s.code = i.code;
    const bool two = operand_count(i.code) > 1;
    for (const std::uint32_t slot : {i.a, two ? i.b : i.a, i.code == Code::select ? i.d : i.a})
        if (where_[slot] != in_memory) pinned_ |= bit(where_[slot]);
    s.a = in_register(i.a);
    s.b = two ? in_register(i.b) : in_memory;
    s.c = i.code == Code::select ? in_register(i.d) : in_memory;
    s.scratch = in_memory;
    if (two) {
        s.scratch = take();
        pinned_ |= bit(s.scratch);
    }
    after_read(i.a, reads.a);
    if (two) after_read(i.b, reads.b);
    define(s, i.d, reads.d);
}

void RegisterAllocation::copy(const Instruction& i, const NextReads& reads) {
    if (i.a == i.d) return after_read(i.a, reads.d);
    const Register from = where_[i.a];
    forget(i.d);
    if (from == in_memory) {
        const Register r = take();
        steps_.push_back(step(Action::load, i.a, r, 0));
        hold(r, i.d, reads.d, true);
    } else if (reads.a == never) { // the register changes its name
        release(from);
        hold(from, i.d, reads.d, true);
    } else {
        held_[from].next = reads.a;
        pinned_ = bit(from);
        const Register r = take();
        pinned_ = 0;
        steps_.push_back(step(Action::move, 0, r, from));
        hold(r, i.d, reads.d, true);
    }
}

void RegisterAllocation::call(const Instruction& i, const NextReads& reads, const SinCos* pair) {
    const bool two = i.code == Code::call2;
    for (Register r = 0; r < file_.registers; ++r) {
        if (free_ & bit(r)) continue;
        const Held& h = held_[r];
        bool lives = h.slot != i.d;
        if (h.slot == i.a && reads.a == never) lives = false;
        if (two && h.slot == i.b && reads.b == never) lives = false;
        if (lives) save(r);
    }
    // Arguments: registers 0 and 1. Everything that lives is saved: any other register may be overwritten.
    const Register a = where_[i.a], b = two ? where_[i.b] : Register{1};
    const auto argument = [&](Register to, Register from, std::uint32_t slot) {
        if (from == in_memory)
            steps_.push_back(step(Action::load, slot, to, 0));
        else if (from != to)
            steps_.push_back(step(Action::move, 0, to, from));
    };
    if (!two || b != 0) {
        argument(0, a, i.a);
        if (two) argument(1, b, i.b);
    } else if (a == 1) { // exchanged
        argument(2, 0, 0);
        argument(0, 1, 0);
        argument(1, 2, 0);
    } else {
        argument(1, b, i.b);
        if (a != 0) argument(0, a, i.a);
    }
    for (Register r = 0; r < file_.registers; ++r)
        if (!(free_ & bit(r))) release(r);
    Step s;
    s.code = i.code;
    s.f = i.f;
    if (pair == nullptr || !pair->wanted) {
        s.action = Action::call;
        steps_.push_back(s);
    } else {
        s.action = Action::call_pair;
        s.slot = static_cast<std::uint32_t>(pair->pair);
        steps_.push_back(s);
        if (reads.d == never) return;
        steps_.push_back(step(Action::frame_load, 2 * s.slot + (pair->cosine ? 1U : 0U), 0, 0));
    }
    hold(0, i.d, reads.d, true);
}

void RegisterAllocation::one(const Instruction& i, const NextReads& reads) {
    switch (i.code) {
    case Code::copy: return copy(i, reads);
    case Code::store: {
        const Register r = in_register(i.a);
        steps_.push_back(step(Action::store, i.d, 0, r));
        after_read(i.a, reads.a);
        pinned_ = 0;
        return;
    }
    case Code::add:
    case Code::sub:
    case Code::mul:
    case Code::div:
    case Code::lt:
    case Code::le:
    case Code::eq:
    case Code::ne: return binary(i.code, i.d, i.a, i.b, reads);
    case Code::min:
    case Code::max: // the processor's min(x, y) is x < y ? x : y; ours is b < a ? b : a
        return binary(i.code, i.d, i.b, i.a, {reads.d, reads.b, reads.a, false});
    case Code::add_product:
    case Code::sub_product: return accumulate(i, reads);
    default: return with_registers(i, reads);
    }
}

std::vector<Step>& RegisterAllocation::chunk(std::span<const Instruction> part, const PartAnalysis& analysis,
                                             std::size_t number) {
    steps_.clear();
    end_ = analysis.chunk_begin[number + 1];
    for (std::uint32_t k = analysis.chunk_begin[number]; k < end_; ++k) {
        const NextReads& reads = analysis.reads[k];
        if (reads.dead) continue;
        const SinCos* const pair =
            analysis.sincos.empty() || analysis.sincos[k].pair < 0 ? nullptr : &analysis.sincos[k];
        if (pair != nullptr && pair->second) {
            forget(part[k].d);
            const Register r = take();
            const auto place = 2 * static_cast<std::uint32_t>(pair->pair) + (pair->cosine ? 1U : 0U);
            steps_.push_back(step(Action::frame_load, place, r, 0));
            hold(r, part[k].d, reads.d, true);
        } else if (part[k].code == Code::call1 || part[k].code == Code::call2) {
            call(part[k], reads, pair);
        } else {
            one(part[k], reads);
        }
    }
    for (Register r = 0; r < file_.registers; ++r) {
        if (free_ & bit(r)) continue;
        save(r);
        release(r);
    }
    return steps_;
}

} // namespace daedalus::tape
