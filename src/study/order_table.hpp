// The table method × class: predicted and observed orders.
#pragma once

#include "daedalus/study.hpp"
#include "study/order_methods.hpp"

namespace daedalus::study {

/// One cell per group of components. An inapplicable pair has one cell.
[[nodiscard]] std::vector<OrderCell> order_cells(const OrderMethod& method, const OrderClass& problem_class);

} // namespace daedalus::study
