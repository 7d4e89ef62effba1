// A value or the reasons why there is none (std::expected comes with C++23).
#pragma once

#include "daedalus/diagnostic.hpp"

#include <cassert>
#include <utility>
#include <variant>

namespace daedalus {

template <class E>
struct Unexpected {
    E error;
};
template <class E>
Unexpected(E) -> Unexpected<E>;

template <class T, class E = Diagnostics>
class [[nodiscard]] Expected {
public:
    Expected(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Expected(Unexpected<E> unexpected) : state_(std::in_place_index<1>, std::move(unexpected.error)) {}

    [[nodiscard]] bool has_value() const { return state_.index() == 0; }
    explicit operator bool() const { return has_value(); }

    [[nodiscard]] T& value() & {
        assert(has_value());
        return std::get<0>(state_);
    }
    [[nodiscard]] const T& value() const& {
        assert(has_value());
        return std::get<0>(state_);
    }
    [[nodiscard]] T&& value() && {
        assert(has_value());
        return std::get<0>(std::move(state_));
    }
    [[nodiscard]] E& error() & {
        assert(!has_value());
        return std::get<1>(state_);
    }
    [[nodiscard]] const E& error() const& {
        assert(!has_value());
        return std::get<1>(state_);
    }

    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }

private:
    std::variant<T, E> state_;
};

} // namespace daedalus
