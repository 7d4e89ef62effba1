#include "modelica/quantity.hpp"

namespace daedalus::modelica {

Quantity scalar(Kind kind, expr::NodeId node) {
    Quantity q;
    q.kind = kind;
    q.nodes = {node};
    return q;
}

Quantity text(std::string value) {
    Quantity q;
    q.kind = Kind::string;
    q.strings.push_back(std::move(value));
    return q;
}

Quantity like(const Quantity& q, std::vector<int> dimensions) {
    Quantity result;
    result.kind = q.kind;
    result.type = q.type;
    result.function = q.function;
    result.object = q.object;
    result.dimensions = std::move(dimensions);
    return result;
}

Quantity slice(const Quantity& q, std::size_t first, std::vector<int> dimensions) {
    Quantity result = like(q, std::move(dimensions));
    const auto begin = static_cast<std::ptrdiff_t>(first);
    const auto end = static_cast<std::ptrdiff_t>(first + result.size());
    if (has_nodes(q.kind)) result.nodes.assign(q.nodes.begin() + begin, q.nodes.begin() + end);
    if (q.kind == Kind::string) result.strings.assign(q.strings.begin() + begin, q.strings.begin() + end);
    if (q.kind == Kind::record) result.records.assign(q.records.begin() + begin, q.records.begin() + end);
    return result;
}

Quantity row_of(const Quantity& q, std::size_t k) {
    std::vector<int> rest(q.dimensions.begin() + 1, q.dimensions.end());
    std::size_t size = 1;
    for (const int d : rest) size *= static_cast<std::size_t>(d);
    return slice(q, k * size, std::move(rest));
}

void append(Quantity& to, const Quantity& from) {
    to.nodes.insert(to.nodes.end(), from.nodes.begin(), from.nodes.end());
    to.strings.insert(to.strings.end(), from.strings.begin(), from.strings.end());
    to.records.insert(to.records.end(), from.records.begin(), from.records.end());
}

std::string dimensions_text(const std::vector<int>& dimensions) {
    std::string text = "[";
    for (const int d : dimensions) text += (text.size() > 1 ? ", " : "") + std::to_string(d);
    return text + "]";
}

std::string shown_text(const std::string& s) {
    std::string shown;
    for (const char ch : s)
        if (ch == unknown_text)
            shown += "…";
        else
            shown += ch;
    return shown;
}

} // namespace daedalus::modelica
