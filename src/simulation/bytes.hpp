// Values as bytes and back, exactly. A reader that runs out of bytes gives zeros and says so.
//
// What a file holds is described once, as a function of an archive, which writer and reader both are: archive(value, …)
// puts or gets each value. Lists of structures are passed with a function that passes the fields of one.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace daedalus::simulation {

class ByteWriter {
public:
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void put(const T& value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
    template <class T>
    requires std::is_trivially_copyable_v<T>
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
    [[nodiscard]] bool ok() const { return true; }
    [[nodiscard]] const std::string& bytes() const { return bytes_; }
    [[nodiscard]] std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
};

class ByteReader {
public:
    explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void get(T& value) { read(&value, sizeof value); }
    template <class T>
    requires std::is_trivially_copyable_v<T>
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
        std::size_t n = 0;
        get(n);
        items.clear();
        for (std::size_t k = 0; k < n && ok_; ++k) fields(*this, items.emplace_back());
    }
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
