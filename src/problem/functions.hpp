// Functions of a system: plain function pointers on plain memory.
#pragma once

#include "problem/binding.hpp"

namespace daedalus::problem {

/// A numerical event, not an exception: the caller retries with a smaller step or reports it.
enum class EvalStatus { ok, not_finite };

/// A vector function of (t, x, x'): root functions, hidden constraints, output variables.
struct VectorFunction {
    int size = 0;
    EvalStatus (*evaluate)(const Call& call, double t, const double* x, const double* dx, double* y) = nullptr;
};

} // namespace daedalus::problem
