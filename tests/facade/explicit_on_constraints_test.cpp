// Explicit methods in Cartesian coordinates, whose states are exchanged on the way, against the same pendulum in its
// angle.
#include "facade/solving.hpp"

#include <cmath>
#include <string>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

struct Launch {
    const char* what;
    std::string cartesian, angle;
    double until, allowed; // tolerances
};

std::string cartesian(const std::string& start) {
    return "model P Real x" + start +
           "lambda; equation der(x) = u; der(y) = v; der(u) = -lambda*x; der(v) = -lambda*y - 9.81; x^2 + y^2 = 1; end "
           "P;";
}
std::string angle(const std::string& start) {
    return "model A Real phi" + start + "equation der(phi) = w; der(w) = -9.81*sin(phi); end A;";
}

// The states at the end of a step may be a bad choice there: near the bottom the height is, and errors of it are 77
// times as large in what follows from it. dop853 was off by up to 900 tolerances, with success.
TEST(ExplicitOnConstraints, PendulumsStayNearTheirAngle) {
    for (const Launch& c :
         {Launch{"swings", cartesian("(start = 1, fixed = true), y(start = 0), u, v, "),
                 angle("(start = 1.5707963267948966, fixed = true), w(start = 0, fixed = true); "), 10.0, 10.0},
          Launch{"turns over", cartesian("(start = 0, fixed = true), y(start = -1), u(start = 7, fixed = true), v, "),
                 angle("(start = 0, fixed = true), w(start = 7, fixed = true); "), 20.0, 22.0}}) {
        const auto options = [&](const char* method, double rtol) {
            return SolveOptions{.until = c.until, .method = method, .rtol = rtol, .points = 1};
        };
        const Solution exact = solved(c.angle, options("dop853", 1e-13));
        const double phi = exact.final("phi"), w = exact.final("w");
        const double largest_speed = 9.0;
        for (const char* method : {"dop853", "dopri5"})
            for (const double rtol : {1e-2, 5e-3, 3e-3, 2e-3, 1e-3, 5e-4, 3e-4, 1e-4, 1e-5, 1e-6, 1e-8}) {
                SCOPED_TRACE(std::string(c.what) + " " + method + " " + std::to_string(rtol));
                const Solution s = solved(c.cartesian, options(method, rtol));
                EXPECT_LE(std::abs(s.final("x") - std::sin(phi)), c.allowed * rtol);
                EXPECT_LE(std::abs(s.final("y") + std::cos(phi)), c.allowed * rtol);
                EXPECT_LE(std::abs(s.final("u") - w * std::cos(phi)), c.allowed * rtol * largest_speed);
                EXPECT_LE(std::abs(s.final("v") - w * std::sin(phi)), c.allowed * rtol * largest_speed);
            }
    }
}

} // namespace
