// Mechanisms written in a test.
#pragma once

#include "facade/solving.hpp"

#include <string>

namespace daedalus::testing {

inline Model mech(const std::string& text) {
    auto model = Model::from_string(text, "test.mech");
    EXPECT_TRUE(model) << (model ? "" : render(model.error()));
    return model ? *std::move(model) : Model("none");
}
/// What is said about a text that is refused.
inline std::string refused(const std::string& text) {
    const auto model = Model::from_string(text, "test.mech");
    EXPECT_FALSE(model);
    return model ? "" : render(model.error());
}
inline const SolveOptions& exact_until(double t) {
    static SolveOptions options;
    options = SolveOptions{.until = t, .rtol = 1e-10, .atol = 1e-12, .points = 100};
    return options;
}
/// Of a variable over the output points.
inline double spread(const Solution& s, const std::string& name) {
    const auto values = s[name];
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return *high - *low;
}

} // namespace daedalus::testing
