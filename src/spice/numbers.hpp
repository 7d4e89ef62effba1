// Numbers as SPICE writes them: 4.7k, 10PF, 3MEGOHM, 1e-3. A scale factor may follow the digits at once, letters behind
// it are a unit and mean nothing. M is milli, MEG is mega, MIL is a thousandth of an inch.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace daedalus::spice {

struct NumberRead {
    double value = 0.0;
    std::uint32_t length = 0; ///< how much of the text it is, unit included
    bool digits_behind =
        false; ///< digits behind the scale factor, as in 1K5: means different things to different programs
};

/// The number at the start of the text; with `sign`, + and - may come first.
[[nodiscard]] std::optional<NumberRead> read_number(std::string_view text, bool sign);

} // namespace daedalus::spice
