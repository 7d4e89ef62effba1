// The only list of elementary functions, in the order of Op.
#include "expr/functions/function.hpp"

#include <array>
#include <cassert>

namespace daedalus::expr {

extern const Function function_sqrt, function_exp, function_log, function_log10, function_sin, function_cos,
    function_tan, function_asin, function_acos, function_atan, function_sinh, function_cosh, function_tanh,
    function_abs, function_sign, function_floor, function_ceil, function_atan2, function_min, function_max;

namespace {
const std::array table{&function_sqrt,  &function_exp,  &function_log,   &function_log10, &function_sin,
                       &function_cos,   &function_tan,  &function_asin,  &function_acos,  &function_atan,
                       &function_sinh,  &function_cosh, &function_tanh,  &function_abs,   &function_sign,
                       &function_floor, &function_ceil, &function_atan2, &function_min,   &function_max};
} // namespace

const Function& function(Op op) {
    assert(is_function(op));
    const Function& f = *table[static_cast<std::size_t>(op) - static_cast<std::size_t>(Op::sqrt)];
    assert(f.op == op);
    return f;
}

const Function* find_function(std::string_view name) {
    for (const Function* f : table)
        if (f->name == name) return f;
    return nullptr;
}

std::span<const Function* const> all_functions() { return table; }

} // namespace daedalus::expr
