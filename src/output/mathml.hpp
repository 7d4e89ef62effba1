// LaTeX mathematics, as the expression printer writes it, to MathML, which browsers typeset without any script.
// A subset: letters, numbers, operators, ^ _ { }, \frac \sqrt \dot \ddot \dddot \mathrm \text \operatorname,
// \left( \right), Greek letters, functions, relations. Anything else: no result, and the caller shows the plain text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace daedalus::output {

[[nodiscard]] std::optional<std::string> mathml(std::string_view latex);

} // namespace daedalus::output
