#include "integrate/noise_floors.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

bool Stall::proves_noise(double h, double size, double down) {
    if (count_++ == 0) {
        h_ = std::abs(h);
        size_ = size;
    }
    // Theory says (h/h_0)^(order + 1), order reduction may leave less, but more than the root of h/h_0.
    const double ratio = std::abs(h) / h_;
    if (count_ < 4 || ratio > down || size < std::sqrt(ratio) * size_) return false;
    *this = {};
    return true;
}

void NoiseFloors::note(const NoiseFloor& floor) {
    const auto known =
        std::find_if(list_.begin(), list_.end(), [&](const NoiseFloor& f) { return f.unknown == floor.unknown; });
    if (known == list_.end())
        list_.push_back(floor);
    else if (floor.level > known->level)
        *known = floor;
}

void NoiseFloors::apply(ErrorNorm& norm) const {
    for (const NoiseFloor& floor : list_) norm.raise_floor(floor.unknown, floor.level);
}

void NoiseFloors::grant(double t, std::span<const double> x, double size, std::span<const double> error,
                        ErrorNorm& norm) {
    constexpr double most = 1e-4; // of the unknown
    for (std::size_t k = 0; k < error.size(); ++k) {
        if (std::abs(error[k]) * norm.weights()[k] < 0.3 * size) continue;
        const double level = 4.0 * std::max(1.0, size) * std::abs(error[k]);
        if (level > most * std::max(std::abs(x[k]), std::abs(problem_->unknowns()[k].nominal))) continue;
        norm.raise_floor(static_cast<int>(k), level);
        note({t, static_cast<int>(k), level});
    }
}

} // namespace daedalus::integrate
