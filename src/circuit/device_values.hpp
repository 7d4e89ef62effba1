// Numbers of elements and model cards by name, with the defaults of SPICE.
#pragma once

#include "circuit/assembly.hpp"

#include <initializer_list>
#include <set>
#include <string>

namespace daedalus::circuit {

/// Of one card or element: remembers which names were asked for, so that the others can be reported.
class DeviceValues {
public:
    explicit DeviceValues(const spice::Values& values) : values_(values) {}

    [[nodiscard]] double operator()(const std::string& name, double otherwise) {
        asked_.insert(name);
        const auto at = values_.find(name);
        return at == values_.end() ? otherwise : at->second.number;
    }
    [[nodiscard]] bool given(const std::string& name) {
        asked_.insert(name);
        return values_.contains(name);
    }
    [[nodiscard]] SourceSpan span(const std::string& name, const SourceSpan& otherwise) const {
        const auto at = values_.find(name);
        return at == values_.end() ? otherwise : at->second.span;
    }
    /// The same of a number that must be positive, or not negative; the error names it, `owner` and the place.
    [[nodiscard]] double positive(Assembly& a, const std::string& owner, const std::string& name, double otherwise) {
        const double value = (*this)(name, otherwise);
        if (!(value > 0.0)) a.error("device-parameter", span(name, {}), name + " of " + owner + " must be positive");
        return value;
    }
    [[nodiscard]] double not_negative(Assembly& a, const std::string& owner, const std::string& name,
                                      double otherwise) {
        const double value = (*this)(name, otherwise);
        if (!(value >= 0.0))
            a.error("device-parameter", span(name, {}), name + " of " + owner + " must not be negative");
        return value;
    }
    /// Values above a limit where formulas lose their meaning: a warning, and the limit.
    [[nodiscard]] double at_most(Assembly& a, const std::string& owner, const std::string& name, double otherwise,
                                 double limit) {
        const double value = (*this)(name, otherwise);
        if (value <= limit) return value;
        a.warning("limited-parameter", span(name, {}),
                  name + " of " + owner + " is too large; " + std::to_string(limit) + " is taken");
        return limit;
    }
    /// Known names that mean nothing here (noise, what an option chooses): no warning.
    void know(std::initializer_list<const char*> names) { asked_.insert(names.begin(), names.end()); }
    /// Names that nobody asked for: warnings.
    void report_rest(Assembly& a, const std::string& owner) const {
        for (const auto& [name, value] : values_)
            if (!asked_.contains(name))
                a.warning("ignored-parameter", value.span, "the parameter " + name + " of " + owner + " is ignored");
    }

private:
    const spice::Values& values_;
    std::set<std::string, std::less<>> asked_;
};

/// m equal devices side by side, an area: what multiplies currents and charges.
[[nodiscard]] inline double multiplicity(const spice::Element& element) {
    const auto at = element.values.find("m");
    return at == element.values.end() ? 1.0 : at->second.number;
}

} // namespace daedalus::circuit
