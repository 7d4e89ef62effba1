// The version of the library. The build reads it from here, so it is written once.
#pragma once

#include <string_view>

namespace daedalus {

inline constexpr int version_major = 0;
inline constexpr int version_minor = 1;
inline constexpr int version_patch = 0;
inline constexpr std::string_view version = "0.1.0";

} // namespace daedalus
