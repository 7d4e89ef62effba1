#include "tape/split_program.hpp"

#include "tape/interpreter.hpp"
#include "tape/liveness.hpp"

#include <algorithm>

namespace daedalus::tape {

namespace {

class SplitProgram final : public Program {
public:
    SplitProgram(Tape tape, std::vector<std::shared_ptr<const Program>> pieces, std::vector<Instruction> between)
        : tape_(std::move(tape)), pieces_(std::move(pieces)), between_(std::move(between)) {}
    void run_static(double* w, double* out) const override { // once for given parameters
        interpret<double, Function>(tape_.static_part, tape_.functions, w, out, tape_.routines);
    }
    void run_main_part(double* w, double* out, const InputPointers&) const override {
        for (std::size_t k = 0; k < pieces_.size(); ++k) {
            if (pieces_[k] != nullptr) pieces_[k]->run_main(w, out);
            if (k < between_.size()) run_routine(tape_.routines[between_[k].a], w, between_[k].d);
        }
    }
    [[nodiscard]] std::string_view name() const override { return "machine code between routines"; }

private:
    Tape tape_;
    std::vector<std::shared_ptr<const Program>> pieces_; ///< nullptr: nothing to do
    std::vector<Instruction> between_;
};

/// Slots that the piece reads before it writes them.
void mark_exposed(const std::vector<Instruction>& piece, std::vector<char>& written, std::vector<char>& exposed) {
    std::vector<std::uint32_t> touched;
    const auto read = [&](std::uint32_t slot) {
        if (!written[slot]) exposed[slot] = 1;
    };
    for (const Instruction& i : piece) {
        const int n = operand_count(i.code);
        if (n > 0) read(i.a);
        if (n > 1) read(i.b);
        if (reads_destination(i.code)) read(i.d);
        if (i.code == Code::store || i.code == Code::halt) continue;
        written[i.d] = 1;
        touched.push_back(i.d);
    }
    for (const std::uint32_t slot : touched) written[slot] = 0;
}

} // namespace

std::shared_ptr<const Program> make_split_program(Tape tape, InstructionSet set, std::string& trouble) {
    std::vector<std::vector<Instruction>> parts(1);
    std::vector<Instruction> between;
    for (const Instruction& i : tape.main_part) {
        if (i.code == Code::routine) {
            between.push_back(i);
            parts.emplace_back();
        } else if (i.code != Code::halt) {
            parts.back().push_back(i);
        }
    }
    std::vector<char> needed(tape.memory, 0), written(tape.memory, 0); // by other pieces, routines, or outside
    for (const auto& part : parts) mark_exposed(part, written, needed);
    for (const Routine& routine : tape.routines)
        for (const std::uint32_t slot : routine.operands) needed[slot] = 1;
    for (const std::uint32_t slot : tape.kept) needed[slot] = 1;
    std::vector<std::shared_ptr<const Program>> pieces;
    for (auto& part : parts) {
        if (part.empty()) {
            pieces.push_back(nullptr);
            continue;
        }
        Tape piece;
        piece.constants = tape.constants;
        piece.functions = tape.functions;
        piece.segment_begin = tape.segment_begin;
        piece.memory = tape.memory;
        piece.outputs = tape.outputs;
        for (const Instruction& i : part)
            if (i.code != Code::store && needed[i.d]) piece.kept.push_back(i.d);
        part.push_back(Instruction{});
        piece.static_part = {Instruction{}};
        piece.main_part = std::move(part);
        pieces.push_back(make_machine_code(piece, set, trouble));
        if (pieces.back() == nullptr) return nullptr;
    }
    tape.main_part = {Instruction{}};
    return std::make_shared<SplitProgram>(std::move(tape), std::move(pieces), std::move(between));
}

} // namespace daedalus::tape
