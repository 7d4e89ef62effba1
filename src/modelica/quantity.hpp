// What an expression is worth: scalars as nodes of the expression graph, arrays of any rank row by row, strings,
// records, functions. Sizes are always known; numbers need not be.
#pragma once

#include "expr/graph.hpp"
#include "model/model.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace daedalus::modelica {

struct Instance;

enum class Kind : std::uint8_t { none, real, integer, boolean, string, enumeration, record, function, object, clock };

[[nodiscard]] constexpr std::string_view spelling(Kind kind) {
    switch (kind) {
    case Kind::real: return "Real";
    case Kind::integer: return "Integer";
    case Kind::boolean: return "Boolean";
    case Kind::string: return "String";
    case Kind::enumeration: return "enumeration";
    case Kind::record: return "record";
    case Kind::function: return "function";
    case Kind::object: return "external object";
    case Kind::clock: return "Clock";
    default: return "nothing";
    }
}
[[nodiscard]] constexpr model::ValueType value_type(Kind kind) {
    return kind == Kind::boolean                                ? model::ValueType::boolean
           : kind == Kind::integer || kind == Kind::enumeration ? model::ValueType::integer
                                                                : model::ValueType::real;
}
[[nodiscard]] constexpr bool is_number(Kind kind) { return kind == Kind::real || kind == Kind::integer; }
[[nodiscard]] constexpr bool has_nodes(Kind kind) {
    return is_number(kind) || kind == Kind::boolean || kind == Kind::enumeration || kind == Kind::clock;
}

struct Record;
struct Callable;
struct Object;

/// Thrown where a number is asked of what has none; translate() says so.
struct NoNumber {};

struct Quantity {
    Kind kind = Kind::none;
    std::vector<int> dimensions;
    std::vector<expr::NodeId> nodes; ///< numbers, Booleans, enumerations (by ordinal)
    std::vector<std::string> strings;
    std::vector<std::shared_ptr<Record>> records;
    std::shared_ptr<const Callable> function;
    std::shared_ptr<const Object> object;
    Instance* type = nullptr; ///< enumeration or record

    [[nodiscard]] bool ok() const { return kind != Kind::none; }
    [[nodiscard]] bool is_scalar() const { return dimensions.empty(); }
    [[nodiscard]] std::size_t rank() const { return dimensions.size(); }
    [[nodiscard]] std::size_t size() const {
        std::size_t n = 1;
        for (const int d : dimensions) n *= static_cast<std::size_t>(d);
        return n;
    }
    [[nodiscard]] expr::NodeId node() const {
        if (nodes.empty()) throw NoNumber{};
        return nodes.front();
    }
};

struct Record {
    std::vector<std::pair<std::string, Quantity>> fields;
    [[nodiscard]] Quantity* find(std::string_view name) {
        for (auto& [key, value] : fields)
            if (key == name) return &value;
        return nullptr;
    }
};

/// A function as a value: with some of its arguments given.
struct Callable {
    Instance* function = nullptr;
    std::vector<std::pair<std::string, Quantity>> given;
    std::string builtin; ///< or one of the language
};

[[nodiscard]] Quantity scalar(Kind kind, expr::NodeId node);
[[nodiscard]] Quantity text(std::string value);
/// A text that depends on variables is known only in part. It may be shown, as in the message of an assertion, but
/// nothing may depend on it. This character stands in it for what is not known.
inline constexpr char unknown_text = '\x1a';
[[nodiscard]] inline bool is_known(const std::string& s) { return s.find(unknown_text) == std::string::npos; }
[[nodiscard]] std::string shown_text(const std::string& s);
/// `count` elements at `first`, as a quantity with these dimensions.
[[nodiscard]] Quantity slice(const Quantity& q, std::size_t first, std::vector<int> dimensions);
/// Element k of the first dimension.
[[nodiscard]] Quantity row_of(const Quantity& q, std::size_t k);
/// Places an element behind the others; dimensions are not touched.
void append(Quantity& to, const Quantity& from);
/// An empty quantity of the same kind.
[[nodiscard]] Quantity like(const Quantity& q, std::vector<int> dimensions);
[[nodiscard]] std::string dimensions_text(const std::vector<int>& dimensions);

} // namespace daedalus::modelica
