// The equations of a model as written, W(t, y, y') = 0, in the model's own variables: nothing eliminated, combined or
// differentiated, conditions evaluated afresh. With y from the output and y' from its slope they are a check that
// shares nothing with what was integrated. Beside each residual stands the size of its terms, Σ|term|.
#pragma once

#include "compile/compile.hpp"

#include <memory>
#include <string>
#include <vector>

namespace daedalus::compile {

class WrittenEquations {
public:
    virtual ~WrittenEquations() = default;
    [[nodiscard]] virtual int equations() const = 0;
    /// r[i] and terms[i] of every equation; false where one has no value.
    [[nodiscard]] virtual bool evaluate(double t, const double* y, const double* dy, double* r, double* terms) = 0;
    [[nodiscard]] virtual std::string text(int equation) const = 0;
    [[nodiscard]] virtual std::optional<Location> where(int equation) const = 0;

    std::vector<char> differentiated; ///< per variable: its derivative occurs
    std::vector<double> nominal;      ///< per variable
};

/// Null for models that change at events by more than conditions (held values are not part of y), that write second
/// derivatives, or that are large: then what is integrated is checked alone.
[[nodiscard]] std::unique_ptr<WrittenEquations> written_equations(const CompiledModel& compiled);

} // namespace daedalus::compile
