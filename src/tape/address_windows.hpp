// Shorter code for long functions: an operand in memory takes four bytes for its distance from the array's beginning,
// one if it is within 127 bytes of what a register points at. Registers that nothing else needs are pointed at where
// the next operands are, each a window of 256 bytes. Code that does not fit the nearest cache runs as fast as it is
// fetched: bytes are time.
//
// Pure data, as register allocation: no instruction encoding here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace daedalus::tape {

/// An operand of one step.
struct MemoryUse {
    static constexpr std::uint8_t nowhere = 0xff;    ///< the step has no such operand
    static constexpr std::uint8_t everything = 0xfe; ///< a call: no register survives it
    std::uint8_t array = nowhere;
    std::int32_t displacement = 0; ///< in bytes
};

struct Address {
    static constexpr std::uint8_t plain = 0xff;
    std::uint8_t window = plain; ///< number of the register that the operand is read by
    bool moves = false;          ///< which is pointed at array + center first
    std::int32_t center = 0;
};

/// One per use.
[[nodiscard]] std::vector<Address> choose_windows(std::span<const MemoryUse> uses, int registers);

} // namespace daedalus::tape
