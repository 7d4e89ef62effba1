// Baumgarte's α, chosen from numbers. Perturbations of a constraint decay as exp(-α t); the method sees an eigenvalue
// -α of multiplicity c. Small α lets drift accumulate over 1/α, large α adds stiffness that the problem does not have
// and multiplies what the method leaves of f by α^c (W 4.1; Ascher, Chin & Reich 1994). The balance is the rate at
// which the solution itself changes: the steps resolve it anyway, and constant steps that do not are the limit. Against
// scans of α = β at constant steps it is the best or nearly so (tests/mechanics/baumgarte_test.cpp).
#pragma once

#include "compile/compile.hpp"

#include <span>

namespace daedalus::compile {

/// How fast the solution changes at the start. It is α, and its inverse is the time that regularisations are small
/// against.
struct RateOfSolution {
    double value = 1.0;
    std::string reason;
};

/// From the jets at the start `u` (of CompiledModel::initial) and the length of the interval.
[[nodiscard]] RateOfSolution rate_at_start(const CompiledModel& compiled, std::span<const double> u, double interval);

/// The model must have been compiled with Reduction::baumgarte.
void set_baumgarte_alpha(CompiledModel& compiled, double alpha, double beta);

/// ε and μ of a regularisation, which must be what the model was compiled with.
void set_regularisation(CompiledModel& compiled, double epsilon, double mu);

} // namespace daedalus::compile
