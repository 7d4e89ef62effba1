// The page that shows a mechanism moving: its poses are those of the solution, and names are harmless.
#include "facade/solving.hpp"
#include "mechanics/mech.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace daedalus {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string page_of(const Solution& solution) {
    const auto path = std::filesystem::temp_directory_path() / "daedalus_motion_test.html";
    const auto written = solution.write(path.string());
    EXPECT_TRUE(written);
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    std::filesystem::remove(path);
    return text.str();
}

/// Null where nothing is shown moving.
nlohmann::json scene_of(const std::string& page) {
    const std::string mark = "id=\"daedalus-scene\">";
    const auto at = page.find(mark);
    if (at == std::string::npos) return nullptr;
    const auto from = at + mark.size();
    return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}

template <class Number>
std::vector<Number> decoded(const std::string& text) {
    std::string bytes;
    unsigned bits = 0;
    int known = 0;
    for (const char c : text) {
        const char* const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        const char* const place = std::strchr(letters, c);
        if (c == '=' || place == nullptr) break;
        bits = bits << 6U | static_cast<unsigned>(place - letters);
        known += 6;
        if (known >= 8) bytes += static_cast<char>(bits >> (known -= 8) & 255U);
    }
    std::vector<Number> numbers(bytes.size() / sizeof(Number));
    std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Number));
    return numbers;
}

Solution solved(const std::string& example, double until) {
    const auto model = Model::from_file(std::string(DAEDALUS_SOURCE_DIR) + "/examples/" + example);
    EXPECT_TRUE(model);
    auto solution = solve(*model, {.until = until, .points = 100});
    EXPECT_TRUE(solution && solution->success());
    return *std::move(solution);
}

TEST(Motion, BodiesInThePlaneAreWhereTheSolutionHasThem) {
    const Solution s = solved("four_bar.mech", 1.0);
    const nlohmann::json scene = scene_of(page_of(s));
    ASSERT_FALSE(scene.is_null());
    EXPECT_FALSE(scene["space"].get<bool>());
    ASSERT_EQ(scene["bodies"].size(), 3U);
    EXPECT_EQ(scene["links"].size(), 4U);
    const auto time = decoded<double>(scene["time"]);
    const auto poses = decoded<float>(scene["poses"]);
    ASSERT_EQ(time.size(), 101U);
    ASSERT_EQ(poses.size(), time.size() * 9);
    for (std::size_t b = 0; b < 3; ++b) {
        const std::string name = scene["bodies"][b]["name"];
        for (const std::size_t k : {std::size_t{0}, std::size_t{50}, std::size_t{100}}) {
            EXPECT_NEAR(poses[9 * k + 3 * b], s[name + ".x"][k], 1e-6); // seven digits
            EXPECT_NEAR(poses[9 * k + 3 * b + 1], s[name + ".y"][k], 1e-6);
            const double turns = (poses[9 * k + 3 * b + 2] - s[name + ".angle"][k]) / (2 * M_PI);
            EXPECT_NEAR(turns, std::round(turns), 1e-5);
        }
    }
    // Joints of two bodies meet.
    for (const auto& link : scene["links"]) {
        const auto place = [&](const char* body, const char* at, std::size_t i) {
            const int b = link[body];
            const double x = link[at][0], y = link[at][1];
            if (b < 0) return i == 0 ? x : y;
            const float* pose = poses.data() + 9 * 70 + 3 * b;
            const double c = std::cos(pose[2]), sine = std::sin(pose[2]);
            return i == 0 ? pose[0] + c * x - sine * y : pose[1] + sine * x + c * y;
        };
        EXPECT_NEAR(place("a", "at_a", 0), place("b", "at_b", 0), 1e-5) << link["name"];
        EXPECT_NEAR(place("a", "at_a", 1), place("b", "at_b", 1), 1e-5) << link["name"];
    }
}

TEST(Motion, BodiesInSpaceTurnAsTheirQuaternions) {
    const Solution s = solved("spatial_slider_crank.mech", 1.0);
    const nlohmann::json scene = scene_of(page_of(s));
    const auto poses = decoded<float>(scene["poses"]);
    const std::size_t width = 7 * scene["bodies"].size();
    ASSERT_EQ(poses.size(), 101 * width);
    for (std::size_t b = 0; b < scene["bodies"].size(); ++b) {
        const std::string name = scene["bodies"][b]["name"];
        if (s[name + ".q0"].empty()) continue;
        for (const std::size_t k : {std::size_t{0}, std::size_t{37}, std::size_t{100}}) {
            double same = 0.0, length = 0.0; // |p·q| = 1 for the same rotation
            for (int i = 0; i < 4; ++i) {
                const double q = s[name + ".q" + std::to_string(i)][k];
                same += poses[k * width + 7 * b + 3 + static_cast<std::size_t>(i)] * q;
                length += q * q;
            }
            EXPECT_NEAR(std::abs(same), std::sqrt(length), 1e-6) << name;
        }
    }
}

TEST(Motion, PointsOfEquationsMoveOnTheirRods) {
    const nlohmann::json scene = scene_of(page_of(solved("pendulum.mo", 2.0)));
    ASSERT_FALSE(scene.is_null());
    ASSERT_EQ(scene["bodies"].size(), 1U);
    ASSERT_EQ(scene["links"].size(), 1U);
    EXPECT_EQ(scene["links"][0]["kind"], "rod");
    const nlohmann::json energies = scene_of(page_of(solved("spherical_pendulum.lagrange", 2.0)));
    ASSERT_FALSE(energies.is_null());
    EXPECT_TRUE(energies["space"].get<bool>());
}

TEST(Motion, WhatIsNoMechanismDoesNotMove) {
    const auto lorenz = Model::from_string(
        "model L Real x(start = 1, fixed = true), y(start = 1, fixed = true), z(start = 1, fixed = true); equation "
        "der(x) = 10*(y - x); der(y) = x*(28 - z) - y; der(z) = x*y - 8/3*z; end L;");
    const auto s = solve(*lorenz, {.until = 1.0});
    ASSERT_TRUE(s);
    EXPECT_TRUE(scene_of(page_of(*s)).is_null());
}

TEST(Motion, NamesCannotLeaveTheirElement) {
    auto m = Mechanism::in_plane("</script><script>alert(1)</script>");
    m.gravity({0, -9.81});
    const auto rod = m.body("<img src=x onerror=alert(1)>", {.mass = 1, .inertia = {0.1}, .center = {0.5, 0}});
    m.joint("</script>", JointType::revolute, m.ground(), rod);
    const auto model = m.model();
    ASSERT_TRUE(model);
    const auto s = solve(*model, {.until = 1.0});
    ASSERT_TRUE(s);
    const std::string page = page_of(*s);
    EXPECT_THAT(page, Not(HasSubstr("<img")));
    EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
    EXPECT_EQ(scene_of(page)["bodies"][0]["name"], "<img src=x onerror=alert(1)>");
}

TEST(Motion, WhatIsNotRecordedIsNotShown) {
    const auto model = Model::from_file(std::string(DAEDALUS_SOURCE_DIR) + "/examples/four_bar.mech");
    const auto s = solve(*model, {.until = 0.1, .variables = {"power"}});
    ASSERT_TRUE(s);
    EXPECT_TRUE(scene_of(page_of(*s)).is_null());
}

} // namespace
} // namespace daedalus
