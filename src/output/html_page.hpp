// What all pages begin with.
#pragma once

#include <string>
#include <string_view>

namespace daedalus::output::html {

/// From the document type to the title. A policy forbids the page every network access; nothing in it needs one.
[[nodiscard]] std::string head(std::string_view title);

} // namespace daedalus::output::html
