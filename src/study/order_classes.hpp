// The classes of problems of the order theorems, each by one nonlinear problem with a known solution.
#pragma once

#include "study/integration.hpp"

namespace daedalus::study {

enum class ClassKind { ode, index_1, implicit_index_1, index_2, index_3, linear };

struct OrderClass {
    std::string id;
    std::string title;
    ClassKind kind = ClassKind::ode;
    Variant variant = Variant::direct;
    int nu = 0; ///< index of nilpotency of the linear classes
    Problem problem;
};

[[nodiscard]] const std::vector<OrderClass>& order_classes();

} // namespace daedalus::study
