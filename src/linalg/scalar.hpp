// What elimination needs of real and complex numbers alike.
#pragma once

#include <cmath>
#include <complex>

namespace daedalus::linalg {

// |a| for pivoting: the 1-norm of a complex number serves as well as its modulus and is cheaper (LAPACK's cabs1).
inline double size_of(double a) { return std::abs(a); }
inline double size_of(const std::complex<double>& a) { return std::abs(a.real()) + std::abs(a.imag()); }

inline double conjugate(double a) { return a; }
inline std::complex<double> conjugate(const std::complex<double>& a) { return std::conj(a); }

// std::complex's operators guard against overflow of intermediate results with a library call; equilibrated entries
// need no guard.
inline double times(double a, double b) { return a * b; }
inline std::complex<double> times(const std::complex<double>& a, const std::complex<double>& b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

} // namespace daedalus::linalg
