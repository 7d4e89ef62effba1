#include "peers/eliminated_by_hand.hpp"

#include <cmath>

namespace daedalus::benchmarks {

namespace {

struct Plane {
    double x, y;
};

Plane operator+(Plane a, Plane b) { return {a.x + b.x, a.y + b.y}; }
Plane operator-(Plane a, Plane b) { return {a.x - b.x, a.y - b.y}; }
Plane operator*(double s, Plane a) { return {s * a.x, s * a.y}; }
Plane direction(double angle) { return {std::cos(angle), std::sin(angle)}; }
Plane turned(Plane a) { return {-a.y, a.x}; } // by a right angle: the derivative of direction()

/// The side of length `first` of a triangle on `base` whose other side has length `second`; left of the base or right.
Plane side(Plane base, double first, double second, double left) {
    const double r2 = base.x * base.x + base.y * base.y;
    const double along = 0.5 * (first * first - second * second + r2) / r2;
    const double across = left * std::sqrt(first * first / r2 - along * along);
    return along * base + across * turned(base);
}
constexpr double left = 1.0, right = -1.0;

/// a s + b t = r.
struct Pair {
    double s, t;
};
Pair solve(Plane a, Plane b, Plane r) {
    const double determinant = a.x * b.y - a.y * b.x;
    return {(r.x * b.y - r.y * b.x) / determinant, (a.x * r.y - a.y * r.x) / determinant};
}

} // namespace

// Pendulum ------------------------------------------------------------------------------------------------------------

std::array<double, 2> PendulumByHand::start() { return {0.0, 0.0}; }

void PendulumByHand::slope(double, const double* y, double* dy) {
    constexpr double g = 13.7503716373294544;
    dy[0] = y[1];
    dy[1] = -g * std::cos(y[0]);
}

std::vector<double> PendulumByHand::unknowns(double, const double* y) {
    const Plane p = direction(y[0]);
    return {p.x, p.y, -p.y * y[1], p.x * y[1]};
}

std::vector<std::string> PendulumByHand::names() { return {"x", "y", "u", "v"}; }

// Car axis ------------------------------------------------------------------------------------------------------------

namespace {

struct Road { // the right end of the base, b, |b| = 1, with its derivatives
    Plane b, db, ddb;
    explicit Road(double t) {
        constexpr double h = 0.1, omega = 10.0;
        const double y = h * std::sin(omega * t), dy = h * omega * std::cos(omega * t), ddy = -omega * omega * y;
        const double x = std::sqrt(1.0 - y * y), dx = -y * dy / x, ddx = -(dy * dy + y * ddy + dx * dx) / x;
        b = {x, y};
        db = {dx, dy};
        ddb = {ddx, ddy};
    }
};

} // namespace

std::array<double, 4> CarAxisByHand::start() { return {0.5, 0.0, 0.0, 0.0}; }

void CarAxisByHand::slope(double t, const double* y, double* dy) {
    constexpr double k = 10.0 * 0.01 * 0.01 / 2.0, rest = 0.5;
    const auto [s, angle, ds, dangle] = std::array{y[0], y[1], y[2], y[3]};
    const Road road(t);
    const Plane line = turned(road.b), axis = direction(angle), across = turned(axis);
    const Plane left_end = s * line, to_wheel = left_end + axis - road.b;
    // What accelerations would be without those of s and of the angle.
    const Plane a_left = 2.0 * ds * turned(road.db) + s * turned(road.ddb), a_right = a_left - dangle * dangle * axis;
    const double length_left = std::hypot(left_end.x, left_end.y), length_right = std::hypot(to_wheel.x, to_wheel.y);
    const Plane weight{0.0, -k};
    const Plane f = (rest / length_left - 1.0) * left_end + weight - k * a_left;
    const Plane g = (rest / length_right - 1.0) * to_wheel + weight - k * a_right;
    // J = (line, line; 0, across), both of length 1.
    const double mixed = line.x * across.x + line.y * across.y;
    const double force_s = line.x * (f.x + g.x) + line.y * (f.y + g.y), force_angle = across.x * g.x + across.y * g.y;
    const Pair q = solve({2.0 * k, k * mixed}, {k * mixed, k}, {force_s, force_angle});
    dy[0] = ds;
    dy[1] = dangle;
    dy[2] = q.s;
    dy[3] = q.t;
}

std::vector<double> CarAxisByHand::unknowns(double t, const double* y) {
    const Road road(t);
    const Plane one = y[0] * turned(road.b), other = one + direction(y[1]);
    const Plane v_left = y[2] * turned(road.b) + y[0] * turned(road.db),
                v_right = v_left + y[3] * turned(direction(y[1]));
    return {one.x, one.y, other.x, other.y, v_left.x, v_left.y, v_right.x, v_right.y};
}

std::vector<std::string> CarAxisByHand::names() { return {"xl", "yl", "xr", "yr", "vxl", "vyl", "vxr", "vyr"}; }

// Andrews' squeezer: data and equations of motion as in Hairer & Wanner 1996, VI.9 and VII.7
// ----------------------------

namespace {

namespace andrews {

constexpr double m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.0705, m6 = 0.00706, m7 = 0.05498;
constexpr double I1 = 2.194e-06, I2 = 4.41e-07, I3 = 5.255e-06, I4 = 5.667e-07, I5 = 1.169e-05, I6 = 5.667e-07,
                 I7 = 1.912e-05;
constexpr Plane a{-0.06934, -0.00227}, b{-0.03635, 0.03273}, c{0.014, 0.072};
constexpr double d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092, ss = 0.035, sa = 0.01874,
                 sb = 0.01043, sc = 0.018, sd = 0.02, zt = 0.04, ta = 0.02308, tb = 0.00916, u = 0.04, ua = 0.01228,
                 ub = 0.00449, zf = 0.02, fa = 0.01421, c0 = 4530, l0 = 0.07785, mom = 0.033, e1 = e - ea, z1 = zf - fa;

/// beta, Theta, gamma, Phi, delta, Omega, epsilon, each as a function of beta.
using Angles = std::array<double, 7>;
struct Linkage {
    Angles q, first, second; ///< with derivatives by beta
};

Linkage linkage(double beta) {
    const Plane crank = rr * direction(beta), crank_1 = turned(crank), crank_2 = -1.0 * crank;
    // C is at distance d from the crank and ss from b.
    const Plane from_crank = side(b - crank, d, ss, left), joint = crank + from_crank;
    const Plane rod = -1.0 * from_crank;                      // d (cos, sin)(beta + Theta)
    const Plane arm = joint - b;                              // ss (sin, -cos)(gamma)
    const Pair p1 = solve(turned(rod), turned(arm), crank_1); // of beta + Theta, of gamma
    const Plane joint_1 = p1.t * turned(arm);
    const Pair p2 = solve(turned(rod), turned(arm), crank_2 + p1.s * p1.s * rod + p1.t * p1.t * arm);
    const Plane joint_2 = p2.t * turned(arm) - p1.t * p1.t * arm;
    // Both other loops hang between a and the joint: base = one + other.
    const Plane base = joint - a;
    const auto loop = [&](Plane one) {
        const Plane other = base - one;
        const Pair first = solve(turned(one), turned(other), joint_1);
        const Pair second =
            solve(turned(one), turned(other), joint_2 + first.s * first.s * one + first.t * first.t * other);
        return std::array{first, second};
    };
    const Plane lower = side(base, zt, e, left), lower_rest = base - lower;  // zt (cos, sin)(delta)
    const Plane upper = side(base, u, zf, right), upper_rest = base - upper; // u (sin, -cos)(epsilon)
    const auto [l1, l2] = loop(lower);
    const auto [u1, u2] = loop(upper);
    const double psi = std::atan2(rod.y, rod.x), gamma = std::atan2(arm.x, -arm.y);
    const double delta = std::atan2(lower.y, lower.x), epsilon = std::atan2(upper.x, -upper.y);
    return {{beta, psi - beta, gamma, std::atan2(lower_rest.x, -lower_rest.y) - delta, delta,
             std::atan2(upper_rest.y, upper_rest.x) - epsilon, epsilon},
            {1.0, p1.s - 1.0, p1.t, l1.t - l1.s, l1.s, u1.t - u1.s, u1.s},
            {0.0, p2.s, p2.t, l2.t - l2.s, l2.s, u2.t - u2.s, u2.s}};
}

} // namespace andrews

} // namespace

std::array<double, 2> AndrewsByHand::start() { return {-0.0617138900142764496358948458001, 0.0}; }

void AndrewsByHand::slope(double, const double* y, double* dy) {
    using namespace andrews;
    const auto [q, r, w] = linkage(y[0]);
    Angles v;
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = r[i] * y[1];
    const double cos_theta = std::cos(q[1]), sin_theta = std::sin(q[1]), sin_gamma = std::sin(q[2]),
                 cos_gamma = std::cos(q[2]), sin_phi = std::sin(q[3]), cos_phi = std::cos(q[3]),
                 sin_omega = std::sin(q[5]), cos_omega = std::cos(q[5]);
    const double m11 = m1 * ra * ra + m2 * (rr * rr - 2 * da * rr * cos_theta + da * da) + I1 + I2;
    const double m12 = m2 * (da * da - da * rr * cos_theta) + I2, m22 = m2 * da * da + I2;
    const double m33 = m3 * (sa * sa + sb * sb) + I3, m44 = m4 * e1 * e1 + I4;
    const double m45 = m4 * (e1 * e1 + zt * e1 * sin_phi) + I4;
    const double m55 = m4 * (zt * zt + 2 * zt * e1 * sin_phi + e1 * e1) + m5 * (ta * ta + tb * tb) + I4 + I5;
    const double m66 = m6 * z1 * z1 + I6, m67 = m6 * (z1 * z1 - u * z1 * sin_omega) + I6;
    const double m77 = m6 * (z1 * z1 - 2 * u * z1 * sin_omega + u * u) + m7 * (ua * ua + ub * ub) + I6 + I7;
    const Plane spring{sd * cos_gamma + sc * sin_gamma + b.x - c.x, sd * sin_gamma - sc * cos_gamma + b.y - c.y};
    const double length = std::sqrt(spring.x * spring.x + spring.y * spring.y);
    const Plane pull = -c0 * (length - l0) / length * spring;
    const Angles force{mom - m2 * da * rr * v[1] * (v[1] + 2 * v[0]) * sin_theta,
                       m2 * da * rr * v[0] * v[0] * sin_theta,
                       pull.x * (sc * cos_gamma - sd * sin_gamma) + pull.y * (sd * cos_gamma + sc * sin_gamma),
                       m4 * zt * e1 * v[4] * v[4] * cos_phi,
                       -m4 * zt * e1 * v[3] * (v[3] + 2 * v[4]) * cos_phi,
                       -m6 * u * z1 * v[6] * v[6] * cos_omega,
                       m6 * u * z1 * v[5] * (v[5] + 2 * v[6]) * cos_omega};
    const auto mass_times = [&](const Angles& s) {
        return Angles{m11 * s[0] + m12 * s[1], m12 * s[0] + m22 * s[1], m33 * s[2],
                      m44 * s[3] + m45 * s[4], m45 * s[3] + m55 * s[4], m66 * s[5] + m67 * s[6],
                      m67 * s[5] + m77 * s[6]};
    };
    const Angles mr = mass_times(r), mw = mass_times(w);
    double mass = 0.0, moment = 0.0;
    for (std::size_t i = 0; i < r.size(); ++i) {
        mass += r[i] * mr[i];
        moment += r[i] * (force[i] - mw[i] * y[1] * y[1]);
    }
    dy[0] = y[1];
    dy[1] = moment / mass;
}

std::vector<double> AndrewsByHand::unknowns(double, const double* y) {
    const andrews::Linkage l = andrews::linkage(y[0]);
    std::vector<double> values(l.q.begin(), l.q.end());
    for (const double r : l.first) values.push_back(r * y[1]);
    return values;
}

std::vector<std::string> AndrewsByHand::names() {
    return {"beta",   "Theta",   "gamma",   "Phi",   "delta",   "Omega",   "epsilon",
            "v_beta", "v_Theta", "v_gamma", "v_Phi", "v_delta", "v_Omega", "v_epsilon"};
}

} // namespace daedalus::benchmarks
