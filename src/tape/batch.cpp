#include "tape/batch.hpp"

#include "tape/elementary.hpp"
#include "tape/interpreter.hpp"
#include "tape/machine_code.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::tape {

namespace {

constexpr int portable_width = 4;

// The interpreter with a loop over lanes inside each operation.
void interpret_lanes(const Tape& tape, const std::vector<Instruction>& part, double* w, double* out) {
    constexpr int n = portable_width;
    const std::vector<Function>& functions = tape.functions;
    for (const Instruction& i : part) {
        if (i.code == Code::routine) {
            for (int l = 0; l < n; ++l) run_routine(tape.routines[i.a], w + l, i.d, n);
            continue;
        }
        double* const d = (i.code == Code::store ? out : w) + std::size_t{i.d} * n;
        const double* const a = w + std::size_t{i.a} * n;
        const double* const b = w + std::size_t{i.b} * n;
        const auto each = [&](auto&& f) {
            for (int l = 0; l < n; ++l) d[l] = f(a[l], b[l], d[l]);
        };
        switch (i.code) {
        case Code::copy:
        case Code::store: each([](double x, double, double) { return x; }); break;
        case Code::neg: each([](double x, double, double) { return -x; }); break;
        case Code::add: each([](double x, double y, double) { return x + y; }); break;
        case Code::sub: each([](double x, double y, double) { return x - y; }); break;
        case Code::mul: each([](double x, double y, double) { return x * y; }); break;
        case Code::div: each([](double x, double y, double) { return x / y; }); break;
        case Code::sqrt: each([](double x, double, double) { return std::sqrt(x); }); break;
        case Code::abs: each([](double x, double, double) { return std::abs(x); }); break;
        case Code::min: each([](double x, double y, double) { return y < x ? y : x; }); break;
        case Code::max: each([](double x, double y, double) { return y > x ? y : x; }); break;
        case Code::lt: each([](double x, double y, double) { return double(x < y); }); break;
        case Code::le: each([](double x, double y, double) { return double(x <= y); }); break;
        case Code::eq: each([](double x, double y, double) { return double(x == y); }); break;
        case Code::ne: each([](double x, double y, double) { return double(x != y); }); break;
        case Code::logical_and: each([](double x, double y, double) { return double(x != 0 && y != 0); }); break;
        case Code::logical_or: each([](double x, double y, double) { return double(x != 0 || y != 0); }); break;
        case Code::logical_not: each([](double x, double, double) { return double(x == 0); }); break;
        case Code::select: each([](double x, double y, double old) { return x != 0 ? y : old; }); break;
        case Code::add_product: each([](double x, double y, double sum) { return add_product(sum, x, y); }); break;
        case Code::sub_product: each([](double x, double y, double sum) { return sub_product(sum, x, y); }); break;
        case Code::call1: each([f = functions[i.f].one](double x, double, double) { return f(x); }); break;
        case Code::call2: each([f = functions[i.f].two](double x, double y, double) { return f(x, y); }); break;
        case Code::routine: break;
        case Code::halt: return;
        }
    }
}

class InterpretedBatch final : public BatchProgram {
public:
    explicit InterpretedBatch(Tape tape) : BatchProgram(tape, portable_width), tape_(std::move(tape)) {}
    void run_static(double* w, double* out) const override { interpret_lanes(tape_, tape_.static_part, w, out); }
    [[nodiscard]] std::string_view name() const override { return "interpreter"; }

protected:
    void run_main_part(double* w, double* out) const override { interpret_lanes(tape_, tape_.main_part, w, out); }

private:
    Tape tape_;
};

class MachineBatch final : public BatchProgram {
public:
    MachineBatch(const Tape& tape, MachineCode code, InstructionSet set)
        : BatchProgram(tape, batch_width(set)), code_(std::move(code)), set_(set) {
        if (code_.main_part.size() == 1) whole_ = code_.main_part.front();
    }
    void run_static(double* w, double* out) const override {
        for (const MachineCode::Chunk chunk : code_.static_part) chunk(w, out, nullptr, nullptr, nullptr);
    }
    [[nodiscard]] std::string_view name() const override { return to_string(set_); }

protected:
    void run_main_part(double* w, double* out) const override {
        for (const MachineCode::Chunk chunk : code_.main_part) chunk(w, out, nullptr, nullptr, nullptr);
    }

private:
    MachineCode code_;
    InstructionSet set_;
};

} // namespace

BatchProgram::BatchProgram(const Tape& tape, int width)
    : width_(width), slots_(tape.memory), constants_(tape.constants) {}

AlignedMemory BatchProgram::memory() const {
    AlignedMemory w(std::size_t{slots_} * static_cast<std::size_t>(width_), 0.0);
    for (std::size_t c = 0; c < constants_.size(); ++c)
        std::fill_n(w.begin() + static_cast<std::ptrdiff_t>(c) * width_, width_, constants_[c]);
    return w;
}

std::shared_ptr<const BatchProgram> make_batch_program(Tape tape, Backend backend, InstructionSet most) {
    const InstructionSet set = std::min(best_instruction_set(), most);
    const bool wanted = backend == Backend::machine_code || (backend == Backend::automatic && machine_code_allowed());
    if (wanted && batch_width(set) > 1 && tape.routines.empty()) {
        std::string trouble;
        if (auto code = compile_tape(tape, set, batch_width(set), trouble))
            return std::make_shared<MachineBatch>(tape, *std::move(code), set);
        note_machine_code_trouble(trouble);
    }
    return std::make_shared<InterpretedBatch>(std::move(tape));
}

} // namespace daedalus::tape
