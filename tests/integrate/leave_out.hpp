// A run without one of its participants: what goes wrong is what that participant is for.
#pragma once

#include "integrate/integration.hpp"
#include "integrate/problems.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace daedalus::testing {

struct Given {
    const char* method = "radau5";
    double t0 = 0.0, t1 = 1.0;
    std::vector<double> x0 = {}, dx0 = {};
    integrate::IntegrationOptions options = {};
    integrate::Reconsider reconsider = {};
};

/// `left_out` empty: nobody is.
inline integrate::IntegrationResult run_without(std::string_view left_out, problem::ImplicitProblem problem,
                                                const Given& given, integrate::Observer* observer = nullptr) {
    integrate::Observer silent;
    integrate::Integration integration(problem, *integrate::find_method(given.method), given.t0, given.t1,
                                       given.options, observer != nullptr ? *observer : silent, given.reconsider);
    const bool left = left_out.empty() || integration.leave_out(left_out);
    EXPECT_TRUE(left) << left_out;
    integration.begin(given.x0, given.dx0);
    while (integration.step()) {
    }
    return integration.finish();
}

} // namespace daedalus::testing
