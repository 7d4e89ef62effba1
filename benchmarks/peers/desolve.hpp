// Fortran symbols in the shared library of R's deSolve.
#pragma once

namespace daedalus::benchmarks {

/// Null where the library or the symbol is missing.
[[nodiscard]] void* desolve_symbol(const char* name);

} // namespace daedalus::benchmarks
