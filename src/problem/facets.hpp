// What a system offers besides F, each a small type of its own that is present or absent. Whoever needs one asks for it
// by type; a new kind of knowledge is a new type and changes none of the others.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace daedalus::problem {

class Facets {
public:
    /// Null where there is none.
    template <class Facet>
    [[nodiscard]] const Facet* find() const {
        for (const auto& [type, value] : list_)
            if (type == type_of<Facet>()) return static_cast<const Facet*>(value.get());
        return nullptr;
    }
    /// An empty one where there is none.
    template <class Facet>
    [[nodiscard]] const Facet& get() const {
        static const Facet empty{};
        const Facet* const found = find<Facet>();
        return found != nullptr ? *found : empty;
    }
    /// Adds one, or replaces the one that was there.
    template <class Facet>
    void set(Facet facet) {
        std::erase_if(list_, [](const auto& entry) { return entry.first == type_of<Facet>(); });
        list_.emplace_back(type_of<Facet>(), std::make_shared<const Facet>(std::move(facet)));
    }

private:
    template <class Facet>
    [[nodiscard]] static const void* type_of() {
        static const char identity = 0;
        return &identity;
    }
    std::vector<std::pair<const void*, std::shared_ptr<const void>>> list_;
};

} // namespace daedalus::problem
