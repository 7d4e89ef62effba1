// The options of a solve as a list of (name, member, help), from which command lines, keyword arguments and
// documentation are made: an option is described once.
#pragma once

#include "daedalus/diagnostic.hpp"
#include "daedalus/options.hpp"

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace daedalus {

/// Where a value goes. A StartStrength stands for SolveOptions::starts with that strength. A bool is a flag without
/// value, which sets its member, or clears it where the flag's name begins with "no-".
using OptionMember =
    std::variant<bool SolveOptions::*, double SolveOptions::*, std::optional<double> SolveOptions::*,
                 int SolveOptions::*, long SolveOptions::*, std::string SolveOptions::*, Reduction SolveOptions::*,
                 Certify SolveOptions::*, std::vector<std::pair<std::string, double>> SolveOptions::*,
                 std::vector<double> SolveOptions::*, std::vector<std::string> SolveOptions::*,
                 std::vector<std::pair<std::string, std::string>> SolveOptions::*, InitialOptions SolveOptions::*,
                 StartStrength>;

struct Option {
    std::string_view name;  ///< "max-step"
    std::string_view value; ///< what its value looks like: "T", "NAME=VALUE"
    std::string_view group; ///< heading under which it is listed
    std::string_view help;
    OptionMember member;
    double least = -std::numeric_limits<double>::infinity(); ///< smallest value allowed …
    bool above = false;                                      ///< … or that it must exceed
    double most = std::numeric_limits<double>::infinity();

    /// Takes no value.
    [[nodiscard]] bool is_flag() const { return std::holds_alternative<bool SolveOptions::*>(member); }
    /// May be given several times, each adding to a list.
    [[nodiscard]] bool repeatable() const;
    /// Describes the model (parameters, how it is reduced), so that it matters to analyses too.
    bool of_model = false;
    /// Matters to initial values.
    bool of_start = false;
};

[[nodiscard]] std::span<const Option> option_list();

/// Sets an option from text, independently of the locale; says what is wrong with the text if anything is.
[[nodiscard]] std::optional<Diagnostic> set_option(SolveOptions& options, const Option& option, std::string_view text);

} // namespace daedalus
