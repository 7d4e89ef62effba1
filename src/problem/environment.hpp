// Everything that F depends on besides (t, x, x'): parameters, sides of conditions, held values of discrete variables,
// counters of samples. It is a value: copies are independent of each other, and a run changes its own copy only. What
// each number means is the business of the code that made the system.
#pragma once

#include "base/history.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace daedalus::problem {

class Environment {
public:
    Environment() = default;
    explicit Environment(std::vector<double> values) : values_(std::move(values)), stamp_(next_stamp()) {}

    [[nodiscard]] std::span<const double> values() const { return values_; }
    [[nodiscard]] double operator[](std::size_t k) const { return values_[k]; }
    /// Equal stamps mean equal values, in any thread: a workspace compares them to see whether what it derived from an
    /// environment still holds.
    [[nodiscard]] std::uint64_t stamp() const { return stamp_; }

    /// All values, to be written.
    [[nodiscard]] std::span<double> change() {
        stamp_ = next_stamp();
        return values_;
    }
    void set(std::size_t k, double value) {
        if (values_[k] != value) change()[k] = value;
    }

    /// The past that delayed values are read from; one of the values is its number. Copies read the same one: it grows
    /// with the run that writes it. Null where nothing is delayed, and before the start.
    [[nodiscard]] const std::shared_ptr<History>& history() const { return history_; }
    void set_history(std::shared_ptr<History> history, std::size_t place_of_number) {
        history_ = std::move(history);
        change()[place_of_number] = history_->number();
    }

private:
    static std::uint64_t next_stamp() {
        static std::atomic<std::uint64_t> last{0};
        return 1 + last.fetch_add(1, std::memory_order_relaxed);
    }
    std::vector<double> values_;
    std::shared_ptr<History> history_;
    std::uint64_t stamp_ = 0; ///< 0: no values
};

} // namespace daedalus::problem
