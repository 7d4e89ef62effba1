#include "integrate/methods/registry.hpp"

#include "integrate/methods/bdf.hpp"
#include "integrate/methods/radau.hpp"
#include "integrate/methods/radau_variable.hpp"

#include <algorithm>

namespace daedalus::integrate {

namespace {

template <int S>
std::unique_ptr<Stepper> make_radau_with(const problem::ImplicitProblem& problem, const IntegrationOptions& options) {
    return make_radau(problem, options, S);
}

const std::vector<Method>& table() {
    static const std::vector<Method> methods{
        {"radau",
         {},
         "Radau IIA of variable order 5, 9, 13: stiff and index 1 to 3, any accuracy",
         make_variable_radau},
        {"radau5",
         {},
         "Radau IIA, 3 stages, order 5: stiff and index 1 to 3, high accuracy",
         make_radau_with<3>},
        {"bdf",
         {"dassl"},
         "BDF of variable order 1 to 5 in fixed-leading-coefficient form: cheap steps, large systems",
         make_bdf},
        {"radau9", {}, "Radau IIA, 5 stages, order 9: for small tolerances", make_radau_with<5>},
        {"radau13", {}, "Radau IIA, 7 stages, order 13: for very small tolerances", make_radau_with<7>},
        {"radau1", {"euler"}, "Radau IIA, 1 stage: the implicit Euler method", make_radau_with<1>},
    };
    return methods;
}

} // namespace

std::span<const Method> methods() { return table(); }

const Method* find_method(std::string_view name) {
    for (const Method& method : table())
        if (method.name == name ||
            std::find(method.aliases.begin(), method.aliases.end(), name) != method.aliases.end())
            return &method;
    return nullptr;
}

} // namespace daedalus::integrate
