// A member that is mostly empty: one pointer where a list or a text would take three or four words in every object.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace daedalus {

/// A value like T, which has empty().
template <class T>
class Rarely {
public:
    Rarely() = default;
    Rarely(T value) : held_(value.empty() ? nullptr : std::make_unique<T>(std::move(value))) {} // NOLINT: as a T
    Rarely(const Rarely& other) : held_(other.held_ ? std::make_unique<T>(*other.held_) : nullptr) {}
    Rarely(Rarely&&) noexcept = default;
    Rarely& operator=(const Rarely& other) { return *this = Rarely(other); }
    Rarely& operator=(Rarely&&) noexcept = default;
    ~Rarely() = default;

    [[nodiscard]] const T& get() const {
        static const T nothing{};
        return held_ ? *held_ : nothing;
    }
    operator const T&() const { return get(); } // NOLINT: as a T
    /// To be changed in place.
    [[nodiscard]] T& edit() {
        if (!held_) held_ = std::make_unique<T>();
        return *held_;
    }
    void clear() { held_.reset(); }

    [[nodiscard]] bool empty() const { return get().empty(); }
    [[nodiscard]] std::size_t size() const { return get().size(); }
    [[nodiscard]] auto begin() const { return get().begin(); }
    [[nodiscard]] auto end() const { return get().end(); }
    [[nodiscard]] const auto& operator[](std::size_t k) const { return get()[k]; }
    [[nodiscard]] const auto& front() const { return get().front(); }
    [[nodiscard]] const auto& back() const { return get().back(); }

private:
    std::unique_ptr<T> held_;
};

} // namespace daedalus
