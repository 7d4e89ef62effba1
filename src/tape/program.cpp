#include "tape/program.hpp"

#include "tape/interpreter.hpp"

namespace daedalus::tape {

namespace {

class InterpretedProgram final : public Program {
public:
    explicit InterpretedProgram(Tape tape) : tape_(std::move(tape)) {}
    void run_static(double* w, double* out) const override { interpret(tape_.static_part, tape_.functions, w, out); }
    void run_main(double* w, double* out) const override { interpret(tape_.main_part, tape_.functions, w, out); }

private:
    Tape tape_;
};

} // namespace

std::shared_ptr<const Program> make_interpreter(Tape tape) {
    return std::make_shared<InterpretedProgram>(std::move(tape));
}

} // namespace daedalus::tape
