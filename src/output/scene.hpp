// A mechanism on its way, as numbers: what the report draws (report/mechanism.js).
#pragma once

#include "output/sink.hpp"

#include <array>
#include <string>
#include <vector>

namespace daedalus::output {

struct Scene {
    using Point = std::array<double, 3>;
    struct Body {
        std::string name;
        Point size{};              ///< edges of a block of its mass and inertia; 0: a point
        std::vector<Point> points; ///< places on it, from its centre, in its axes
    };
    struct Link {
        std::string name, kind;
        int a = -1, b = -1; ///< bodies; -1: ground
        Point at_a{}, at_b{}, axis{};
        double radius = 0.0;
        bool disc = false;
    };
    bool in_space = false;
    Point gravity{};
    std::vector<Body> bodies;
    std::vector<Link> links;
    std::vector<double> time;
    /// Frame by frame, body by body: x, y, angle; in space x, y, z and a quaternion w, x, y, z. Both vary continuously.
    std::vector<double> poses;
    [[nodiscard]] std::size_t numbers_per_body() const { return in_space ? 7 : 3; }
    [[nodiscard]] bool empty() const { return bodies.empty() || time.empty(); }
};

/// As JSON for the inside of a page.
void write_scene(const Scene& scene, const Sink& sink);

} // namespace daedalus::output
