// The special classes of the literature, as recognize_classes.hpp finds them.
#pragma once

#include <string>

namespace daedalus::compile {

enum class ClassKind {
    algebraic,
    ordinary,
    linear_constant,
    linear_in_time,
    linearly_implicit,
    integral_form,
    semi_explicit,
    hessenberg,
    mechanical
};

struct SpecialClass {
    ClassKind kind;
    std::string text; ///< its name, and where it is defined
    friend bool operator==(const SpecialClass&, const SpecialClass&) = default;
};

} // namespace daedalus::compile
