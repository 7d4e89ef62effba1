// Functions and operators of expressions: how many operands they have, what they are called in a Formula, and their
// values for numbers.
//
// Decks have two grammars with the same signs. Numbers (parameters, values in braces) are computed as ngspice's
// front end does: pow(x,y) is C's, pwr(x,y) and x^y are |x|^y. Formulas of voltages, currents and time follow
// ngspice's B sources: pow(x,y) and x^y are |x|^y, and pwr(x,y) has the sign of x.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace daedalus::spice {

struct FunctionEntry {
    std::string_view name, formula_name;
    int least = 1, most = 1; ///< operands
    bool folds = true;       ///< has a value where its operands are numbers
};

/// Nothing: unknown.
[[nodiscard]] const FunctionEntry* find_function(std::string_view lower_name);
[[nodiscard]] std::vector<std::string> function_names();
/// Draws random numbers: its value differs from run to run.
[[nodiscard]] bool is_random(std::string_view lower_name, std::size_t operands);

/// By the names of Formula; `behavioural` chooses the grammar, `written` is how the deck calls it.
[[nodiscard]] double value_of(std::string_view name, std::string_view written, std::span<const double> x,
                              bool behavioural);

} // namespace daedalus::spice
