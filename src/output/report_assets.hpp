// Files that are compiled into the library for the HTML report (see CMakeLists.txt).
#pragma once

#include <string_view>

namespace daedalus::output::assets {

extern const std::string_view report_css;
extern const std::string_view report_js;
extern const std::string_view mechanism_js;
extern const std::string_view uplot_css;
extern const std::string_view uplot_js;
extern const std::string_view uplot_license;

} // namespace daedalus::output::assets
