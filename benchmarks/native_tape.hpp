// A tape printed as C++, built by g++ -O2 -march=native -ffp-contract=off, and loaded: the yardstick of machine code.
#pragma once

#include "tape/tape.hpp"

#include <string>
#include <vector>

namespace daedalus::benchmarks {

class NativeTape {
public:
    /// Builds in a temporary folder; an empty object where there is no compiler.
    explicit NativeTape(const tape::Tape& tape);
    ~NativeTape();
    NativeTape(const NativeTape&) = delete;
    NativeTape& operator=(const NativeTape&) = delete;

    [[nodiscard]] explicit operator bool() const { return library_ != nullptr; }
    void run_main(double* w, double* out) const {
        for (const auto chunk : chunks_) chunk(w, out);
    }
    [[nodiscard]] double build_seconds() const { return build_seconds_; }

private:
    void* library_ = nullptr;
    std::vector<void (*)(double*, double*)> chunks_;
    double build_seconds_ = 0.0;
};

} // namespace daedalus::benchmarks
