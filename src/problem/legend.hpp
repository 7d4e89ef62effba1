// The way back from rows and columns to the user's words. Texts are made on demand: a problem with a million
// rows does not carry a million strings.
#pragma once

#include "base/source.hpp"
#include "problem/environment.hpp"

#include <optional>
#include <string>

namespace daedalus::problem {

class Legend {
public:
    virtual ~Legend() = default;
    /// Name of unknown `column`, as in the model: "x", "der(x)", "lambda".
    [[nodiscard]] virtual std::string variable(int column) const { return "x[" + std::to_string(column) + "]"; }
    /// Row `row` as an equation in the model's own words, e.g. "x^2 + y^2 = L^2" or "d/dt (x^2 + y^2 = L^2)".
    [[nodiscard]] virtual std::string equation(int row) const { return "equation " + std::to_string(row + 1); }
    /// Where the row's equation was written, if it came from a file.
    [[nodiscard]] virtual std::optional<Location> equation_location(int /*row*/) const { return std::nullopt; }
    [[nodiscard]] virtual std::optional<Location> variable_location(int /*column*/) const { return std::nullopt; }
    /// How often the written equation was differentiated to give this row (0: as written).
    [[nodiscard]] virtual int differentiations(int /*row*/) const { return 0; }
    /// Why an evaluation of `row` was not finite, e.g. "sqrt of a negative number (-0.25) in sqrt(y - 1)".
    [[nodiscard]] virtual std::string domain_error(int /*row*/, double /*t*/, const double* /*x*/, const double* /*dx*/,
                                                   const Environment& /*environment*/) const {
        return {};
    }
    /// What to change against it, where that is none of the unknowns: "the parameter p, now 0". Else empty.
    [[nodiscard]] virtual std::string domain_remedy(int /*row*/, double /*t*/, const double* /*x*/,
                                                    const Environment& /*environment*/) const {
        return {};
    }
};

} // namespace daedalus::problem
