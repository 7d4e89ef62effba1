#include "integrate/methods/mechanical_methods.hpp"

#include "integrate/methods/generalized_alpha.hpp"
#include "integrate/methods/half_explicit.hpp"
#include "integrate/methods/half_explicit_extrapolation.hpp"
#include "integrate/methods/partitioned_pair.hpp"
#include "integrate/methods/symplectic.hpp"

#include <utility>

namespace daedalus::integrate {

namespace {

template <tableau::HalfExplicitName name>
std::unique_ptr<Stepper> make_half_explicit_with(const problem::ImplicitProblem& problem,
                                                 const IntegrationOptions& options) {
    return make_half_explicit(problem, options, name);
}

template <SymplecticName name>
std::unique_ptr<Stepper> make_symplectic_with(const problem::ImplicitProblem& problem,
                                              const IntegrationOptions& options) {
    return make_symplectic(problem, options, name);
}

constexpr Capabilities half_explicit{.explicit_stages = true, .mechanics = MechanicalLevel::velocity};
constexpr Capabilities unpartitioned{
    .explicit_stages = true, .mechanics = MechanicalLevel::velocity, .any_index_two = true};
constexpr Capabilities symplectic{
    .explicit_stages = true, .constant_steps_only = true, .mechanics = MechanicalLevel::position, .hamiltonian = true};
constexpr Capabilities shake{.explicit_stages = true,
                             .constant_steps_only = true,
                             .mechanics = MechanicalLevel::position,
                             .hamiltonian = true,
                             .separable = true};

template <int stages>
std::unique_ptr<Stepper> make_lobatto_pair(const problem::ImplicitProblem& problem, const IntegrationOptions& options) {
    return make_partitioned_pair(problem, options, stages, 0);
}

std::vector<Method> half_explicit_methods() {
    using Half = tableau::HalfExplicitName;
    return {
        {"hem5",
         {},
         "half-explicit Runge-Kutta of Brasey & Hairer, order 5: mechanisms, index 2",
         make_half_explicit_with<Half::hem5>,
         3,
         nullptr,
         unpartitioned},
        {"hem4",
         {},
         "half-explicit Runge-Kutta of Brasey & Hairer, order 4: mechanisms, index 2",
         make_half_explicit_with<Half::hem4>,
         3,
         nullptr,
         unpartitioned},
        {"phem56",
         {},
         "partitioned half-explicit Runge-Kutta of Murua, order 5: mechanisms, index 2",
         make_half_explicit_with<Half::phem56>,
         3,
         nullptr,
         half_explicit},
        {"mexx",
         {},
         "extrapolated half-explicit midpoint rule of Lubich, order 4 to 16: mechanisms, index 2",
         make_half_explicit_extrapolation,
         3,
         nullptr,
         half_explicit},
        {"half-explicit-euler",
         {},
         "half-explicit Euler, order 1: mechanisms, index 2",
         make_half_explicit_with<Half::euler>,
         3,
         nullptr,
         unpartitioned},
    };
}

std::vector<Method> symplectic_methods() {
    using Symplectic = SymplecticName;
    return {
        {"rattle",
         {},
         "RATTLE, order 2: constrained Hamiltonian systems, symplectic, constant steps only",
         make_symplectic_with<Symplectic::rattle>,
         3,
         nullptr,
         symplectic},
        {"rattle4",
         {},
         "five steps of RATTLE composed to order 4: constrained Hamiltonian systems, constant steps only",
         make_symplectic_with<Symplectic::rattle4>,
         3,
         nullptr,
         symplectic},
        {"rattle6",
         {},
         "seven steps of RATTLE composed to order 6: constrained Hamiltonian systems, constant steps only",
         make_symplectic_with<Symplectic::rattle6>,
         3,
         nullptr,
         symplectic},
        {"shake",
         {},
         "SHAKE, order 2: positions of RATTLE by velocities between the steps; constant steps only",
         make_symplectic_with<Symplectic::shake>,
         3,
         nullptr,
         shake},
        {"symplectic-euler",
         {},
         "symplectic Euler, order 1: constrained Hamiltonian systems, constant steps only",
         make_symplectic_with<Symplectic::euler>,
         3,
         nullptr,
         symplectic},
    };
}

std::vector<Method> lobatto_pairs() {
    return {
        {"lobatto3ab-2",
         {},
         "Lobatto IIIA-IIIB, 2 stages, order 2 (RATTLE by iteration): any constrained Hamiltonian system, symplectic, "
         "constant steps only",
         make_lobatto_pair<2>,
         3,
         nullptr,
         symplectic},
        {"lobatto3ab-3",
         {},
         "Lobatto IIIA-IIIB, 3 stages, order 4: any constrained Hamiltonian system, symplectic, constant steps only",
         make_lobatto_pair<3>,
         3,
         nullptr,
         symplectic},
        {"lobatto3ab-4",
         {},
         "Lobatto IIIA-IIIB, 4 stages, order 6: any constrained Hamiltonian system, symplectic, constant steps only",
         make_lobatto_pair<4>,
         3,
         nullptr,
         symplectic},
    };
}

} // namespace

std::vector<Method> mechanical_methods() {
    std::vector<Method> methods = half_explicit_methods();
    methods.push_back(
        {"generalized-alpha",
         {},
         "generalised-alpha method, order 2, spectral radius 0.8: mechanisms, index 3, stiff and flexible; "
         "rotations as a Lie group",
         make_generalized_alpha,
         3,
         nullptr,
         {.mechanics = MechanicalLevel::position}});
    for (const auto part : {symplectic_methods, lobatto_pairs})
        for (Method& method : part()) methods.push_back(std::move(method));
    return methods;
}

} // namespace daedalus::integrate
