// Solving a model in a test, in one call: errors on the way fail the test and are printed.
#pragma once

#include "integrate/methods/registry.hpp"

#include <daedalus/daedalus.hpp>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace daedalus::testing {

inline Model read(const std::string& text) {
    auto model = Model::from_string(text);
    EXPECT_TRUE(model) << (model ? "" : render(model.error()));
    return *std::move(model);
}

/// However it ends.
inline Solution run(const Model& model, const SolveOptions& options) {
    auto solution = solve(model, options);
    EXPECT_TRUE(solution) << (solution ? "" : render(solution.error()));
    return *std::move(solution);
}
inline Solution run(const std::string& text, const SolveOptions& options) { return run(read(text), options); }

/// Successfully.
inline Solution solved(const Model& model, const SolveOptions& options) {
    Solution solution = run(model, options);
    EXPECT_TRUE(solution.success()) << solution.message();
    return solution;
}
inline Solution solved(const std::string& text, const SolveOptions& options) { return solved(read(text), options); }

/// A counter of the statistics; -1: there is none of this name.
inline std::int64_t count(const Solution& s, std::string_view name) {
    for (const auto& [key, value] : s.statistics())
        if (key == name) return value;
    return -1;
}

/// What the solution says under this code, or null.
inline const Diagnostic* diagnostic_of(const Solution& s, std::string_view code) {
    for (const Diagnostic& d : s.diagnostics())
        if (d.code == code) return &d;
    return nullptr;
}

/// Of those for everyday use. Methods by tableau and those with constant steps do without their guards and rescues;
/// they have tests of their own in tests/conformance, and those for mechanisms in tests/mechanics.
inline std::vector<std::string> every_method() {
    std::vector<std::string> names;
    for (const integrate::Method& m : integrate::methods())
        if (!m.can.end_variants && !m.can.constant_steps_only && m.can.mechanics == integrate::MechanicalLevel::none)
            names.push_back(m.name);
    return names;
}

} // namespace daedalus::testing
