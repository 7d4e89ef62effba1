#include "integrate/methods/registry.hpp"

#include "integrate/methods/bdf.hpp"
#include "integrate/methods/coefficient_methods.hpp"
#include "integrate/methods/esdirk.hpp"
#include "integrate/methods/explicit_runge_kutta.hpp"
#include "integrate/methods/extrapolation.hpp"
#include "integrate/methods/index_limits.hpp"
#include "integrate/methods/mechanical_methods.hpp"
#include "integrate/methods/midpoint.hpp"
#include "integrate/methods/radau.hpp"
#include "integrate/methods/radau_variable.hpp"
#include "integrate/methods/rosenbrock.hpp"

#include <algorithm>

namespace daedalus::integrate {

namespace {

template <int S>
std::unique_ptr<Stepper> make_radau_with(const problem::ImplicitProblem& problem, const IntegrationOptions& options) {
    return make_radau(problem, options, S);
}

template <tableau::RosenbrockName name>
std::unique_ptr<Stepper> make_rosenbrock_with(const problem::ImplicitProblem& problem,
                                              const IntegrationOptions& options) {
    return make_rosenbrock(problem, options, name);
}

template <int order>
std::unique_ptr<Stepper> make_esdirk_with(const problem::ImplicitProblem& problem, const IntegrationOptions& options) {
    return make_esdirk(problem, options, order);
}

template <tableau::ExplicitName name>
std::unique_ptr<Stepper> make_explicit_with(const problem::ImplicitProblem& problem,
                                            const IntegrationOptions& options) {
    return make_explicit(problem, options, name);
}

constexpr Capabilities radau{.coupled_stages = true, .differences_quantity = true, .without_entries = true};
constexpr Capabilities esdirk{.differences_quantity = true, .without_entries = true};
constexpr Capabilities rosenbrock{.linearly_implicit = true, .without_entries = true};
constexpr Capabilities explicit_runge_kutta{.explicit_stages = true};

/// For any index that a method bears.
std::vector<Method> stiff_methods() {
    return {
        {"radau",
         {},
         "Radau IIA of variable order 5, 9, 13, 17: stiff and index 1 to 3, any accuracy",
         make_variable_radau,
         3,
         nullptr,
         radau},
        {"radau5",
         {},
         "Radau IIA, 3 stages, order 5: stiff and index 1 to 3, high accuracy",
         make_radau_with<3>,
         3,
         nullptr,
         radau},
        {"bdf",
         {"dassl"},
         "BDF of variable order 1 to 5 in fixed-leading-coefficient form: cheap steps, large systems",
         make_bdf,
         3,
         index_limit_of_bdf,
         {.multistep = true, .differences_quantity = true, .without_entries = true}},
        {"radau9", {}, "Radau IIA, 5 stages, order 9: for small tolerances", make_radau_with<5>, 3, nullptr, radau},
        {"radau13",
         {},
         "Radau IIA, 7 stages, order 13: for very small tolerances",
         make_radau_with<7>,
         3,
         nullptr,
         radau},
        {"radau17",
         {},
         "Radau IIA, 9 stages, order 17: for tolerances near round-off",
         make_radau_with<9>,
         3,
         nullptr,
         radau},
        {"radau1",
         {"euler"},
         "Radau IIA, 1 stage: the implicit Euler method",
         make_radau_with<1>,
         index_limit_of_radau(1),
         nullptr,
         radau},
    };
}

/// For index 1, with one real matrix.
std::vector<Method> rosenbrock_methods() {
    return {
        {"rodas4",
         {"rodas"},
         "Rosenbrock, order 4: index 1, no iteration, one Jacobian per step; moderate accuracy",
         make_rosenbrock_with<tableau::RosenbrockName::rodas4>,
         1,
         nullptr,
         rosenbrock},
        {"rodas5",
         {"rodas5p"},
         "Rosenbrock, order 5: index 1, no iteration, one Jacobian per step",
         make_rosenbrock_with<tableau::RosenbrockName::rodas5p>,
         1,
         nullptr,
         rosenbrock},
        {"rodas3",
         {},
         "Rosenbrock, order 3: index 1, three residuals per step, low accuracy",
         make_rosenbrock_with<tableau::RosenbrockName::rodas3>,
         1,
         nullptr,
         rosenbrock},
        {"rodas4p",
         {},
         "Rosenbrock, order 4 without reduction of order on stiff and parabolic problems: index 1",
         make_rosenbrock_with<tableau::RosenbrockName::rodas4p>,
         1,
         nullptr,
         rosenbrock},
        {"rodas6",
         {"rodas6p"},
         "Rosenbrock, order 6: index 1, high accuracy without iteration",
         make_rosenbrock_with<tableau::RosenbrockName::rodas6p>,
         1,
         nullptr,
         rosenbrock},
    };
}

/// For index 1, with one real matrix that is kept over steps, and others.
std::vector<Method> diagonal_methods() {
    return {
        {"esdirk4",
         {"esdirk"},
         "diagonally implicit Runge-Kutta, order 4: index 1, one real matrix that is kept over steps",
         make_esdirk_with<4>,
         1,
         nullptr,
         esdirk},
        {"esdirk5", {}, "diagonally implicit Runge-Kutta, order 5: index 1", make_esdirk_with<5>, 1, nullptr, esdirk},
        {"esdirk3",
         {},
         "diagonally implicit Runge-Kutta, order 3: index 1, low accuracy",
         make_esdirk_with<3>,
         1,
         nullptr,
         esdirk},
        {"limex",
         {"seulex"},
         "extrapolated linearly implicit Euler, order 2 to 8: index 1, no iteration, one Jacobian per step",
         make_extrapolation,
         1,
         nullptr,
         rosenbrock},
    };
}

std::vector<Method> methods_for_what_is_not_stiff() {
    return {
        {"dop853",
         {},
         "explicit Runge-Kutta, order 8: index 1, not stiff; mechanisms and oscillators",
         make_explicit_with<tableau::ExplicitName::dop853>,
         1,
         nullptr,
         explicit_runge_kutta},
        {"dopri5",
         {},
         "explicit Runge-Kutta, order 5: index 1, not stiff, low accuracy",
         make_explicit_with<tableau::ExplicitName::dopri5>,
         1,
         nullptr,
         explicit_runge_kutta},
        {"midpoint",
         {},
         "implicit midpoint rule with implicit Euler as estimate, order 2: index 1 and 2, not stiff, low accuracy",
         make_midpoint,
         2},
        {"explicit-euler",
         {},
         "the explicit Euler method, order 1: index 1, constant steps only",
         make_explicit_with<tableau::ExplicitName::euler>,
         1,
         nullptr,
         {.explicit_stages = true, .constant_steps_only = true}},
        {"rk4",
         {},
         "the classical explicit Runge-Kutta method, order 4: index 1, constant steps only",
         make_explicit_with<tableau::ExplicitName::rk4>,
         1,
         nullptr,
         {.explicit_stages = true, .constant_steps_only = true}},
    };
}

std::vector<Method> all_methods() {
    std::vector<Method> methods;
    for (const auto part : {stiff_methods, rosenbrock_methods, diagonal_methods, methods_for_what_is_not_stiff,
                            mechanical_methods, coefficient_methods})
        for (Method& method : part()) methods.push_back(std::move(method));
    return methods;
}

const std::vector<Method>& table() {
    static const std::vector<Method> methods = all_methods();
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
