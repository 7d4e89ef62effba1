// Elementary functions by operation and by name.
#include "expr/functions/function.hpp"

#include <array>
#include <cassert>

namespace daedalus::expr {

#define DAEDALUS_FUNCTION(name, arguments) extern const Function function_##name;
#include "daedalus/elementary_functions.inc"
#undef DAEDALUS_FUNCTION

namespace {
const std::array table{
#define DAEDALUS_FUNCTION(name, arguments) &function_##name,
#include "daedalus/elementary_functions.inc"
#undef DAEDALUS_FUNCTION
};
} // namespace

const Function& function(Op op) {
    assert(is_function(op));
    const Function& f = *table[static_cast<std::size_t>(op) - static_cast<std::size_t>(Op::pow) - 1];
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
