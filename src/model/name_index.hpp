// Numbers by name. The names themselves stand where they are told to be: of a million variables there is no second set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace daedalus::model {

class NameIndex {
public:
    /// The next number, for the name `name_of(number)`; of equal names the first one counts.
    template <class NameOf>
    void add(const NameOf& name_of) {
        const auto number = static_cast<std::uint32_t>(count_++);
        if (2 * count_ > table_.size()) grow(name_of);
        insert(number, name_of);
    }
    template <class NameOf>
    [[nodiscard]] std::optional<int> find(std::string_view name, const NameOf& name_of) const {
        if (table_.empty()) return std::nullopt;
        const std::uint32_t found = table_[place(name, name_of)];
        return found == none ? std::nullopt : std::optional(static_cast<int>(found));
    }
    void clear() {
        table_.clear();
        count_ = 0;
    }

private:
    static constexpr std::uint32_t none = 0xFFFFFFFFU;
    static constexpr std::size_t smallest = 16;

    /// Where it is, or would be: open addressing, at most half full.
    template <class NameOf>
    [[nodiscard]] std::size_t place(std::string_view name, const NameOf& name_of) const {
        const std::size_t last = table_.size() - 1;
        std::size_t at = std::hash<std::string_view>{}(name)&last;
        while (table_[at] != none && std::string_view(name_of(table_[at])) != name) at = (at + 1) & last;
        return at;
    }
    template <class NameOf>
    void insert(std::uint32_t number, const NameOf& name_of) {
        std::uint32_t& entry = table_[place(name_of(number), name_of)];
        if (entry == none) entry = number;
    }
    template <class NameOf>
    void grow(const NameOf& name_of) {
        table_.assign(table_.empty() ? smallest : 2 * table_.size(), none);
        for (std::uint32_t k = 0; k + 1 < count_; ++k) insert(k, name_of);
    }

    std::vector<std::uint32_t> table_;
    std::size_t count_ = 0;
};

} // namespace daedalus::model
