// Values as bytes and back, exactly. A reader believes nothing: it gives no more than the bytes hold, reserves no
// memory for lengths that they cannot hold, and once something was wrong gives zeros and says so.
//
// What a file holds is described once, as a function of an archive, which writer and reader both are: archive(value, …)
// puts or gets each value. Only numbers, texts and lists of numbers are values: a structure passes its fields one by
// one, since its bytes contain gaps, and flags that can be wrong. Lists of structures are passed with a function that
// passes the fields of one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace daedalus::simulation {

template <class T>
concept Number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

/// FNV-1a by words of eight bytes, mixed downward, since products carry upward only. Each step is invertible: two texts
/// of one length that differ in a single word have different values.
[[nodiscard]] inline std::uint64_t fingerprint(std::string_view bytes) {
    std::uint64_t hash = 14695981039346656037ULL ^ bytes.size();
    while (!bytes.empty()) {
        std::uint64_t word = 0;
        const std::size_t size = std::min(bytes.size(), sizeof word);
        std::memcpy(&word, bytes.data(), size);
        bytes.remove_prefix(size);
        hash = (hash ^ word) * 1099511628211ULL;
        hash ^= hash >> 32U;
    }
    return hash;
}

class ByteWriter {
public:
    template <Number T>
    void put(T value) {
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void put(bool value) { bytes_ += value ? '\1' : '\0'; }
    template <Number T>
    void put(const std::vector<T>& list) {
        put(list.size());
        bytes_.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(T));
    }
    void put(const std::string& text) {
        put(text.size());
        bytes_ += text;
    }
    template <class... T>
    void operator()(const T&... values) {
        (put(values), ...);
    }
    template <class T, class Fields>
    void list(const std::vector<T>& items, const Fields& fields) {
        put(items.size());
        for (const T& item : items) fields(*this, item);
    }
    /// A value that may be absent.
    template <class T, class Fields>
    void option(const std::optional<T>& item, const Fields& fields) {
        put(item.has_value());
        if (item) fields(*this, *item);
    }
    /// An enumeration whose last value is `last`.
    template <class E>
    void choice(E value, E /*last*/) {
        put(static_cast<std::int32_t>(value));
    }
    [[nodiscard]] const std::string& bytes() const { return bytes_; }
    [[nodiscard]] std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
};

class ByteReader {
public:
    explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}
    template <Number T>
    void get(T& value) {
        read(&value, sizeof value);
    }
    void get(bool& value) {
        char c = 0;
        read(&c, 1);
        if (c != 0 && c != 1) ok_ = false;
        value = ok_ && c == 1;
    }
    template <Number T>
    void get(std::vector<T>& list) {
        list.resize(length(sizeof(T)));
        read(list.data(), list.size() * sizeof(T));
    }
    void get(std::string& text) {
        text.resize(length(1));
        read(text.data(), text.size());
    }
    template <class... T>
    void operator()(T&... values) {
        (get(values), ...);
    }
    template <class T, class Fields>
    void list(std::vector<T>& items, const Fields& fields) {
        const std::size_t n = length(1); // no item is shorter
        items.clear();
        for (std::size_t k = 0; k < n && ok_; ++k) fields(*this, items.emplace_back());
    }
    template <class T, class Fields>
    void option(std::optional<T>& item, const Fields& fields) {
        bool present = false;
        get(present);
        item.reset();
        if (present) fields(*this, item.emplace());
    }
    template <class E>
    void choice(E& value, E last) {
        std::int32_t number = 0;
        get(number);
        if (number < 0 || number > static_cast<std::int32_t>(last)) ok_ = false;
        value = ok_ ? static_cast<E>(number) : E{};
    }
    /// The next bytes as they are; empty where there are not so many.
    [[nodiscard]] std::string_view take(std::uint64_t size) {
        if (size > bytes_.size()) ok_ = false;
        if (!ok_) return {};
        const std::string_view piece = bytes_.substr(0, size);
        bytes_.remove_prefix(size);
        return piece;
    }
    [[nodiscard]] std::size_t left() const { return bytes_.size(); }
    [[nodiscard]] bool ok() const { return ok_; }
    [[nodiscard]] bool at_end() const { return ok_ && bytes_.empty(); }

private:
    /// A length that what is left can hold.
    [[nodiscard]] std::size_t length(std::size_t item) {
        std::size_t n = 0;
        get(n);
        if (n > bytes_.size() / item) ok_ = false;
        return ok_ ? n : 0;
    }
    void read(void* to, std::size_t size) {
        if (size == 0) return;
        if (!ok_ || size > bytes_.size()) {
            ok_ = false;
            std::memset(to, 0, size);
            return;
        }
        std::memcpy(to, bytes_.data(), size);
        bytes_.remove_prefix(size);
    }
    std::string_view bytes_;
    bool ok_ = true;
};

} // namespace daedalus::simulation
