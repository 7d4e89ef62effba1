#include "tape/stream.hpp"

namespace daedalus::tape {

std::shared_ptr<const StreamProgram> make_stream_program(const Tape& tape, const Outside& outside, Backend backend) {
    const InstructionSet set = best_instruction_set();
    const int width = batch_width(set);
    const bool wanted = backend == Backend::machine_code || (backend == Backend::automatic && machine_code_allowed());
    if (!wanted || width == 1) return nullptr;
    std::string trouble;
    constexpr std::uint32_t whole = 0x7fffffff; // one function
    auto code = compile_tape(tape, set, width, trouble, whole, outside);
    if (!code || code->main_part.size() != 1) {
        if (!code) note_machine_code_trouble(trouble);
        return nullptr;
    }
    return std::make_shared<StreamProgram>(*std::move(code), width);
}

} // namespace daedalus::tape
