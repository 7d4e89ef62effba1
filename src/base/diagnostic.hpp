// Making diagnostics. User errors travel as Expected<T, Diagnostics>.
#pragma once

#include "base/source.hpp"
#include "daedalus/diagnostic.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daedalus {

[[nodiscard]] Diagnostic make_error(std::string code, std::string message, std::string hint = {});
[[nodiscard]] Diagnostic make_error(std::string code, std::string message, const SourceSpan& span,
                                    std::string hint = {});

} // namespace daedalus
