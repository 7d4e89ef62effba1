#include "tape/program.hpp"

#include "tape/interpreter.hpp"

#include <atomic>
#include <cstdlib>
#include <mutex>

namespace daedalus::tape {

namespace {

class InterpretedProgram final : public Program {
public:
    explicit InterpretedProgram(Tape tape) : tape_(std::move(tape)) {}
    void run_static(double* w, double* out) const override { interpret(tape_.static_part, tape_.functions, w, out); }
    void run_main(double* w, double* out) const override { interpret(tape_.main_part, tape_.functions, w, out); }
    [[nodiscard]] std::string_view name() const override { return "interpreter"; }

private:
    Tape tape_;
};

std::atomic<bool>& allowed_by_setting() {
    static std::atomic<bool> allowed = [] {
        const char* const denied = std::getenv("DAEDALUS_NO_JIT");
        return denied == nullptr || std::string_view(denied) == "0" || std::string_view(denied).empty();
    }();
    return allowed;
}

} // namespace

void allow_machine_code(bool allowed) { allowed_by_setting() = allowed; }
bool machine_code_allowed() { return allowed_by_setting(); }

std::string machine_code_trouble() { return {}; }

std::shared_ptr<const Program> make_interpreter(Tape tape) {
    return std::make_shared<InterpretedProgram>(std::move(tape));
}

std::shared_ptr<const Program> make_program(Tape tape, Backend /*backend*/) {
    return make_interpreter(std::move(tape));
}

} // namespace daedalus::tape
