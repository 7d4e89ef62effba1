// Numbers for decisions that are made before a run: what expressions amount to at the start values of a model and
// beside them. Start values that nobody has given are guesses, and nothing is consistent yet.
#pragma once

#include "compile/compilation.hpp"

#include <functional>
#include <span>
#include <vector>

namespace daedalus::compile {

/// Values of the expressions at the start, and at two points near by where all of them are finite. `given`: values of
/// leaves that the model does not know; NaN: it does.
[[nodiscard]] std::vector<std::vector<double>>
values_near_start(const Compilation& c, std::span<const expr::NodeId> expressions,
                  const std::function<double(expr::NodeId leaf)>& given = {});

} // namespace daedalus::compile
