#include "modelica/ast.hpp"

#include <algorithm>

namespace daedalus::modelica::ast {

bool Reference::has_subscripts() const {
    return std::any_of(parts.begin(), parts.end(), [](const NamePart& part) { return !part.subscripts.empty(); });
}

std::string Reference::text() const {
    std::string text;
    for (const NamePart& part : parts) {
        if (!text.empty() || global) text += '.';
        text += part.name;
    }
    return text;
}

std::string_view spelling(ClassKind kind) {
    switch (kind) {
    case ClassKind::class_: return "class";
    case ClassKind::model: return "model";
    case ClassKind::block: return "block";
    case ClassKind::record: return "record";
    case ClassKind::operator_record: return "operator record";
    case ClassKind::connector: return "connector";
    case ClassKind::expandable_connector: return "expandable connector";
    case ClassKind::type: return "type";
    case ClassKind::package: return "package";
    case ClassKind::function: return "function";
    case ClassKind::operator_function: return "operator function";
    case ClassKind::operator_: return "operator";
    }
    return "class";
}

} // namespace daedalus::modelica::ast
