#include "tape/program.hpp"

#include "tape/interpreter.hpp"
#include "tape/machine_code.hpp"
#include "tape/machine_code_scope.hpp"
#include "tape/split_program.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>

namespace daedalus::tape {

namespace {

class InterpretedProgram final : public Program {
public:
    explicit InterpretedProgram(Tape tape) : tape_(std::move(tape)) {}
    void run_static(double* w, double* out) const override {
        interpret<double, Function>(tape_.static_part, tape_.functions, w, out, tape_.routines);
    }
    void run_main_part(double* w, double* out, const InputPointers&) const override {
        interpret<double, Function>(tape_.main_part, tape_.functions, w, out, tape_.routines);
    }
    [[nodiscard]] std::string_view name() const override { return "interpreter"; }

private:
    Tape tape_;
};

class MachineProgram final : public Program {
public:
    MachineProgram(MachineCode code, InstructionSet set, bool reads_outside) : code_(std::move(code)), set_(set) {
        reads_outside_ = reads_outside;
        if (code_.main_part.size() == 1) whole_ = code_.main_part.front();
    }
    void run_static(double* w, double* out) const override {
        for (const MachineCode::Chunk chunk : code_.static_part) chunk(w, out, nullptr, nullptr, nullptr);
    }
    void run_main_part(double* w, double* out, const InputPointers& in) const override {
        for (const MachineCode::Chunk chunk : code_.main_part) chunk(w, out, in[0], in[1], in[2]);
    }
    [[nodiscard]] std::string_view name() const override { return to_string(set_); }

private:
    MachineCode code_;
    InstructionSet set_;
};

/// Every segment behind the first has a base of its own.
Outside segments_outside(const Tape& tape) {
    Outside outside{tape.segment_begin[1], {}};
    for (std::size_t s = 1; s + 1 < tape.segment_begin.size(); ++s)
        for (std::uint32_t k = tape.segment_begin[s]; k < tape.segment_begin[s + 1]; ++k)
            outside.places.push_back(
                {static_cast<std::int32_t>(k - tape.segment_begin[s]), static_cast<std::uint8_t>(s - 1)});
    return outside;
}

std::mutex trouble_mutex;
std::string first_trouble;

thread_local bool denied_in_thread = false;

std::atomic<bool>& allowed_by_setting() {
    static std::atomic<bool> allowed = [] {
        const char* const denied = std::getenv("DAEDALUS_NO_JIT");
        return denied == nullptr || std::string_view(denied) == "0" || std::string_view(denied).empty();
    }();
    return allowed;
}

} // namespace

void allow_machine_code(bool allowed) { allowed_by_setting() = allowed; }
bool machine_code_allowed() { return !denied_in_thread && allowed_by_setting(); }

MachineCodeScope::MachineCodeScope(bool allowed) : before_(denied_in_thread) { denied_in_thread |= !allowed; }
MachineCodeScope::~MachineCodeScope() { denied_in_thread = before_; }

void note_machine_code_trouble(const std::string& trouble) {
    const std::lock_guard lock(trouble_mutex);
    if (first_trouble.empty()) first_trouble = trouble;
}

std::string machine_code_trouble() {
    const std::lock_guard lock(trouble_mutex);
    return first_trouble;
}

std::shared_ptr<const Program> make_interpreter(Tape tape) {
    return std::make_shared<InterpretedProgram>(std::move(tape));
}

std::shared_ptr<const Program> make_machine_code(const Tape& tape, InstructionSet set, std::string& trouble,
                                                 Inputs inputs) {
    const auto fused = [](const Instruction& i) { return i.code == Code::add_product || i.code == Code::sub_product; };
    const bool fuses = std::any_of(tape.static_part.begin(), tape.static_part.end(), fused) ||
                       std::any_of(tape.main_part.begin(), tape.main_part.end(), fused);
    set = std::min(set, fuses ? InstructionSet::avx2 : InstructionSet::avx);
    const std::size_t segments = tape.segment_begin.size() - 1;
    const bool outside = inputs == Inputs::outside && segments > 1 && segments <= 1 + Outside::bases;
    auto code = compile_tape(tape, set, 1, trouble, default_chunk, outside ? segments_outside(tape) : Outside{});
    if (!code) return nullptr;
    return std::make_shared<MachineProgram>(*std::move(code), set, outside);
}

std::shared_ptr<const Program> make_program(Tape tape, Backend backend, Inputs inputs) {
    const InstructionSet set = best_instruction_set();
    const bool wanted = backend == Backend::machine_code || (backend == Backend::automatic && machine_code_allowed());
    if (!wanted || set == InstructionSet::none) return make_interpreter(std::move(tape));
    std::string trouble;
    if (!tape.routines.empty()) {
        if (auto program = make_split_program(tape, set, trouble)) return program;
        note_machine_code_trouble(trouble);
        return make_interpreter(std::move(tape));
    }
    if (auto program = make_machine_code(tape, set, trouble, inputs)) return program;
    note_machine_code_trouble(trouble);
    return make_interpreter(std::move(tape));
}

} // namespace daedalus::tape
