// Steps on registers → x86-64 instructions. The only file pair that knows asmjit is this one's .cpp and its user
// machine_code.cpp does not.
#pragma once

#include "tape/cpu_features.hpp"
#include "tape/machine_code.hpp"
#include "tape/register_allocation.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace daedalus::tape {

class X86Emitter {
public:
    X86Emitter(const Tape& tape, InstructionSet set, int width, const Outside& outside);
    ~X86Emitter();
    X86Emitter(const X86Emitter&) = delete;
    X86Emitter& operator=(const X86Emitter&) = delete;

    [[nodiscard]] RegisterFile registers() const;
    /// One function of the kind MachineCode::Chunk; returns where it begins.
    std::size_t function(std::span<const Step> steps, std::uint32_t pairs);
    /// Size of all code so far; 0 after an error, which `trouble` tells.
    [[nodiscard]] std::size_t finish();
    [[nodiscard]] bool copy_to(std::byte* where);
    [[nodiscard]] std::string trouble() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace daedalus::tape
