#include "compile/starts.hpp"

#include <fmt/format.h>

#include <cmath>

namespace daedalus::compile {

namespace {

// "x", "der(x)", "der(x, 2)", "der(der(x))" → variable and order.
Expected<transform::JetEntry> parse_name(const model::Model& model, const std::string& text) {
    std::string rest = text;
    std::erase_if(rest, [](char ch) { return ch == ' '; });
    int order = 0;
    while (rest.starts_with("der(") && rest.ends_with(")")) {
        rest = rest.substr(4, rest.size() - 5);
        int times = 1;
        if (const auto comma = rest.rfind(','); comma != std::string::npos && comma + 1 < rest.size() &&
                                                rest.find_first_not_of("0123456789", comma + 1) == std::string::npos &&
                                                rest.size() - comma < 4) {
            times = std::stoi(rest.substr(comma + 1));
            rest.resize(comma);
        }
        order += times;
    }
    if (const auto id = model.find_variable(rest)) return transform::JetEntry{*id, order};
    std::vector<std::string> names;
    for (const model::Variable& v : model.variables) names.push_back(v.name);
    std::string hint;
    if (model.find_parameter(rest))
        hint = fmt::format("'{}' is a parameter; set it with --param {}=VALUE", rest, rest);
    else if (const auto close = closest(rest, names))
        hint = fmt::format("did you mean '{}'?", *close);
    return fail(make_error("unknown-variable", fmt::format("model {} has no variable '{}'", model.name, rest), hint));
}

} // namespace

Expected<std::vector<transform::GivenStart>> given_starts(const model::Model& model,
                                                          const std::vector<StartOverride>& starts) {
    std::vector<transform::GivenStart> given;
    for (const StartOverride& s : starts) {
        auto entry = parse_name(model, s.name);
        if (!entry) return Unexpected{std::move(entry.error())};
        if (!std::isfinite(s.value))
            return fail(
                make_error("start-not-finite", fmt::format("start value of '{}' is given as {}", s.name, s.value)));
        given.push_back({*entry, s.value, s.strength});
    }
    return given;
}

} // namespace daedalus::compile
