// The methods of the order table, and what the theorems predict for them.
#pragma once

#include "study/order_classes.hpp"

#include <optional>
#include <variant>

namespace daedalus::study {

struct OrderMethod {
    std::variant<tableau::MultistepMethod, tableau::ButcherTableau> method;

    [[nodiscard]] const std::string& id() const {
        return std::visit([](const auto& m) -> const std::string& { return m.id; }, method);
    }
    [[nodiscard]] const std::string& title() const {
        return std::visit([](const auto& m) -> const std::string& { return m.title; }, method);
    }
};
[[nodiscard]] const std::vector<OrderMethod>& order_methods();

/// One of them, or another member of their families, by its id; none: theorems say nothing about it here.
[[nodiscard]] std::optional<OrderMethod> find_order_method(const std::string& id);

/// An order that means "no error but round-off".
constexpr int exact_order = 99;

struct Prediction {
    bool applicable = true;
    std::optional<int> order;
    bool bound = false; ///< at least
    std::optional<int> sharp;
    std::string theorem;
    std::string note;
};
[[nodiscard]] Prediction predict(const OrderMethod& method, const OrderClass& problem_class,
                                 const ComponentGroup& group);

} // namespace daedalus::study
