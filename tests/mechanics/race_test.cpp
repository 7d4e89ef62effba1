// The race of 1993 and its like: published mechanisms by many pairs of formulation and method, against the reference
// digits of the Test Set for IVP Solvers, release 2.4; and mechanisms in space against second descriptions.
#include "mechanics/mech.hpp"

#include <cmath>
#include <fstream>
#include <sstream>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

struct Way {
    const char* method;
    Reduction reduction;
    double rtol;
};

Model published(const std::string& name) {
    auto model = Model::from_file(std::string(DAEDALUS_SOURCE_DIR) + "/tests/problems/" + name + ".mo");
    EXPECT_TRUE(model) << (model ? "" : render(model.error()));
    return *std::move(model);
}

Model example(const std::string& name) {
    auto model = Model::from_file(std::string(DAEDALUS_SOURCE_DIR) + "/examples/" + name);
    EXPECT_TRUE(model) << (model ? "" : render(model.error()));
    return *std::move(model);
}

/// All positions relative to their values; `coarse`: where the tolerance is above 1e-8.
void race(const std::string& problem, double until, const std::vector<std::pair<const char*, double>>& reference,
          const std::vector<Way>& ways, double fine, double coarse) {
    const Model model = published(problem);
    for (const Way& way : ways) {
        const Solution s = solved(
            model, {.until = until, .method = way.method, .rtol = way.rtol, .reduction = way.reduction, .points = 4});
        for (const auto& [name, value] : reference)
            EXPECT_NEAR(s.final(name), value, (way.rtol > 1e-8 ? coarse : fine) * std::abs(value))
                << problem << ' ' << way.method << ' ' << to_string(way.reduction) << ' ' << name;
    }
}

using R = Reduction;

/// Each keeps its constraints in a way of its own: velocities, both levels after steps, coordinates of the tangent
/// space, independent coordinates, multipliers of one or two more levels, none but its implicit stages.
const std::vector<Way> ways{
    {"mexx", R::automatic, 1e-9},    {"hem5", R::automatic, 1e-8}, {"phem56", R::projection, 1e-9},
    {"dop853", R::projection, 1e-8}, {"dop853", R::tangent, 1e-9}, {"dop853", R::partition, 1e-9},
    {"dop853", R::minimal, 1e-9},    {"radau", R::dummy, 1e-9},    {"radau5", R::stabilised_index1, 1e-9},
    {"bdf", R::ggl, 1e-9},           {"radau", R::none, 1e-9},     {"generalized-alpha", R::automatic, 1e-6}};

} // namespace

TEST(Race, AndrewsByTwelveWays) {
    race("andrews", 0.03,
         {{"beta", 0.1581077119629904e2},
          {"Theta", -0.1575637105984298e2},
          {"gamma", 0.4082224013073101e-1},
          {"Phi", -0.5347301163226948},
          {"delta", 0.5244099658805304},
          {"Omega", 0.5347301163226948},
          {"epsilon", 0.1048080741042263e1}},
         ways, 2e-8, 1e-6);
}

TEST(Race, CarAxisByTwelveWays) {
    race("caraxis", 3,
         {{"xl", 0.493455784275402809122e-1},
          {"yl", 0.496989460230171153861},
          {"xr", 0.104174252488542151681e1},
          {"yr", 0.373911027265361256927}},
         ways, 2e-8, 1e-4);
}

// The rod bends, with modes of 1e4 rad/s and more, which methods for what is not stiff follow. The reference has seven
// digits of the deformation q1.
TEST(Race, FlexibleSliderCrankByTenWays) {
    std::vector<Way> quick{{"radau", R::ggl, 1e-9}};
    for (const Way& way : ways) // without those that take 40,000 steps
        if (const std::string name = way.method; name != "hem5" && name != "radau5" && name != "bdf")
            quick.push_back(way);
    race("crank3", 0.1, {{"phi2", -0.33117349882566}, {"x3", 0.1697373328431}, {"q1", 0.1893192899701e-3}}, quick, 5e-7,
         1e-4);
}

// Euler's equations in a frame that leans and turns with the disc but does not roll, from linear and angular momentum
// about the centre: neither quaternions nor constraints.
TEST(RollingDisc, AgreesWithEulersEquations) {
    const std::string classical =
        "model D parameter Real m = 1, r = 0.5, g = 9.81, A = m*r^2/4, C = m*r^2/2; constant Real deg = "
        "0.017453292519943295; Real th(start = 110*deg, fixed = true), psi(start = 0, fixed = true), w1(start = 0.2, "
        "fixed = true), w2(start = 0, fixed = true), w3(start = -8, fixed = true), x(start = 0, fixed = true), y(start "
        "= "
        "0, fixed = true), z, s; equation der(th) = w1; der(psi) = w2/sin(th); s = w2*cos(th)/sin(th); "
        "(A + m*r^2)*der(w1) = A*s*w2 - (C + m*r^2)*w2*w3 - m*g*r*cos(th); A*der(w2) = C*w1*w3 - A*s*w1; "
        "(C + m*r^2)*der(w3) = m*r^2*w1*w2; der(x) = r*(w1*sin(psi)*sin(th) - w3*cos(psi)); "
        "der(y) = r*(-w1*cos(psi)*sin(th) - w3*sin(psi)); z = r*sin(th); end D;";
    const Solution frame = solved(classical, {.until = 3, .rtol = 1e-10, .points = 60});
    const Model disc = mech("mechanism d in space gravity = (0, 0, -9.81) body disc { mass = 1, inertia = (0.0625, "
                            "0.125, 0.0625), at = (0, "
                            "0, 0.5*cos(20 deg)), turned = 20 deg about (1, 0, 0), omega = (0.2, 8, 0) } rolling "
                            "contact between ground and "
                            "disc about (0, 1, 0) { radius = 0.5 } output energy = kinetic_energy + potential_energy");
    const std::pair<const char*, Reduction> ways[] = {
        {"auto", R::automatic}, {"mexx", R::automatic}, {"radau5", R::projection}};
    for (const auto& [method, reduction] : ways) {
        const Solution s = solved(
            disc, {.until = 3, .method = method, .rtol = 1e-9, .atol = 1e-11, .reduction = reduction, .points = 60});
        for (std::size_t i = 0; i < s.time().size(); ++i) {
            EXPECT_NEAR(s["disc.x"][i] - s["disc.x"][0], frame["x"][i], 1e-6) << method << ' ' << s.time()[i];
            EXPECT_NEAR(s["disc.y"][i] - s["disc.y"][0], frame["y"][i], 1e-6) << method << ' ' << s.time()[i];
            EXPECT_NEAR(s["disc.z"][i], frame["z"][i], 1e-6) << method << ' ' << s.time()[i];
        }
        EXPECT_LT(spread(s, "energy"), 1e-6) << method;
    }
}

// Loops in space, at the steps: the joints that close them, with their velocities, and the energy. (The platform on six
// legs: more_mechanisms_test.cpp.)
TEST(LoopsInSpace, KeepJointsAndEnergy) {
    std::ifstream file(DAEDALUS_SOURCE_DIR "/examples/spatial_slider_crank.mech");
    std::ostringstream text;
    text << file.rdbuf();
    for (const char* c : {"x", "y", "z", "vx", "vy", "vz"})
        text << "\noutput ball_" << c << " = crank.pin." << c << " - rod.big_end." << c;
    for (const char* c : {"x", "y", "z", "vx", "vy", "vz"})
        text << "\noutput cross_" << c << " = rod.small_end." << c << " - slider." << c;
    const Solution crank =
        solved(mech(text.str()), {.until = 1, .rtol = 1e-8, .reduction = R::projection, .points = 0});
    for (const char* joint : {"ball", "cross"})
        for (const char* c : {"x", "y", "z", "vx", "vy", "vz"})
            for (const double gap : crank[std::string(joint) + "_" + c]) EXPECT_NEAR(gap, 0, 1e-10) << joint << c;
    for (const char* c : {"slider.y", "slider.z"})
        for (const double off : crank[c]) EXPECT_NEAR(off, 0, 1e-10) << c;
    double scale = 0;
    for (const double e : crank["energy"]) scale = std::max(scale, std::abs(e));
    EXPECT_LT(spread(crank, "energy"), 1e-6 * scale);

    const Solution ring =
        solved(example("bricard.mech"), {.until = 1, .rtol = 1e-8, .reduction = R::projection, .points = 0});
    for (std::size_t i = 0; i < ring.time().size(); ++i)
        EXPECT_NEAR(std::hypot(ring["b5.x"][i], ring["b5.y"][i], ring["b5.z"][i]), 0.5, 1e-10);
    EXPECT_LT(spread(ring, "energy"), 1e-6 * std::abs(ring["energy"][0]));
}

// In coordinates of bodies one of thirty constraints follows from the others, and which one can be left out changes as
// the ring turns: the choice is made anew on the way. In coordinates of joints it is one of five.
TEST(LoopsInSpace, BricardInCoordinatesOfBodiesIsTheSame) {
    std::ifstream file(DAEDALUS_SOURCE_DIR "/examples/bricard.mech");
    std::ostringstream text;
    text << file.rdbuf();
    std::string absolute = text.str();
    absolute.replace(absolute.find("coordinates joint"), std::string("coordinates joint").size(),
                     "coordinates absolute");
    const SolveOptions options{.until = 3, .rtol = 1e-9, .points = 30};
    const Solution bodies = solved(mech(absolute), options), joints = solved(example("bricard.mech"), options);
    for (std::size_t i = 0; i < joints.time().size(); ++i)
        for (const char* name : {"b1.x", "b3.x", "b3.y", "b3.z", "b5.z"})
            EXPECT_NEAR(bodies[name][i], joints[name][i], 1e-7) << name << ' ' << joints.time()[i];
    EXPECT_LT(spread(bodies, "energy"), 1e-7 * std::abs(bodies["energy"][0]));
}
