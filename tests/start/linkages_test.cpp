// Random planar linkages: points joined by rigid bars in Cartesian coordinates, and chains of angles closed into loops.
// Degrees of freedom are compared with the rank of the constraint Jacobian, computed here by SVD at the point found;
// success and refusal with an independent criterion: a four-bar closes if and only if its longest bar is not longer
// than the other three together; with the crank held, if and only if the triangle of the other two closes.
#include <daedalus/daedalus.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numbers>
#include <random>

using namespace daedalus;

namespace {

using Random = std::mt19937;

double uniform(Random& random, double low, double high) {
    return low + (high - low) * static_cast<double>(random()) / 4294967296.0;
}

struct Bar {
    int a, b; ///< points; negative: ground point -1 - k
    double length;
};

struct Net {
    std::vector<std::pair<double, double>> ground;
    std::vector<std::pair<double, double>> points; ///< where the start values are
    std::vector<Bar> bars;
};

std::pair<double, double> place(const Net& net, const std::vector<double>& q, int point) {
    if (point < 0) return net.ground[static_cast<std::size_t>(-1 - point)];
    return {q[2 * static_cast<std::size_t>(point)], q[2 * static_cast<std::size_t>(point) + 1]};
}

using Matrix = std::vector<std::vector<double>>; ///< rows

Matrix bar_jacobian(const Net& net, const std::vector<double>& q) {
    Matrix J(net.bars.size(), std::vector<double>(q.size(), 0.0));
    for (std::size_t k = 0; k < net.bars.size(); ++k) {
        const auto [ax, ay] = place(net, q, net.bars[k].a);
        const auto [bx, by] = place(net, q, net.bars[k].b);
        for (const auto& [point, sign] : {std::pair(net.bars[k].a, 2.0), std::pair(net.bars[k].b, -2.0)}) {
            if (point < 0) continue;
            J[k][2 * static_cast<std::size_t>(point)] = sign * (ax - bx);
            J[k][2 * static_cast<std::size_t>(point) + 1] = sign * (ay - by);
        }
    }
    return J;
}

/// Singular values by rotating pairs of rows until all are orthogonal (one-sided Jacobi, Hestenes 1958).
std::vector<double> singular_values(Matrix A) {
    const auto dot = [](const std::vector<double>& a, const std::vector<double>& b) {
        double sum = 0.0;
        for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
        return sum;
    };
    for (int sweep = 0; sweep < 40; ++sweep)
        for (std::size_t i = 0; i < A.size(); ++i)
            for (std::size_t j = i + 1; j < A.size(); ++j) {
                const double a = dot(A[i], A[i]), b = dot(A[j], A[j]), c = dot(A[i], A[j]);
                if (std::abs(c) <= 1e-16 * std::sqrt(a * b)) continue;
                const double zeta = (b - a) / (2 * c);
                const double t = std::copysign(1.0, zeta) / (std::abs(zeta) + std::hypot(1.0, zeta));
                const double cosine = 1 / std::hypot(1.0, t), sine = cosine * t;
                for (std::size_t k = 0; k < A[i].size(); ++k) {
                    const double u = A[i][k];
                    A[i][k] = cosine * u - sine * A[j][k];
                    A[j][k] = sine * u + cosine * A[j][k];
                }
            }
    std::vector<double> values;
    for (const auto& row : A) values.push_back(std::sqrt(dot(row, row)));
    std::sort(values.rbegin(), values.rend());
    return values;
}

int svd_rank(const Matrix& J) {
    const std::vector<double> values = singular_values(J);
    return static_cast<int>(
        std::count_if(values.begin(), values.end(), [&](double v) { return v > 1e-8 * values.front(); }));
}

/// Unit masses at the points, pulled downwards, with a multiplier per bar: index 3. Degrees of freedom: positions and
/// velocities, 2 (2 points - rank).
Model mechanical_model(const Net& net) {
    Model model("Linkage");
    std::vector<Expression> x, y, vx, vy, fx, fy;
    for (std::size_t p = 0; p < net.points.size(); ++p) {
        const std::string n = std::to_string(p);
        x.push_back(model.variable("x" + n, {.start = net.points[p].first}));
        y.push_back(model.variable("y" + n, {.start = net.points[p].second}));
        vx.push_back(model.variable("vx" + n, {.start = 0.0}));
        vy.push_back(model.variable("vy" + n, {.start = 0.0}));
        fx.push_back(Expression(0.0));
        fy.push_back(Expression(-9.81));
    }
    for (std::size_t k = 0; k < net.bars.size(); ++k) {
        const Bar& bar = net.bars[k];
        const auto coordinate = [&](int point, bool horizontal) {
            if (point >= 0) return horizontal ? x[static_cast<std::size_t>(point)] : y[static_cast<std::size_t>(point)];
            const auto& g = net.ground[static_cast<std::size_t>(-1 - point)];
            return Expression(horizontal ? g.first : g.second);
        };
        const Expression dx = coordinate(bar.a, true) - coordinate(bar.b, true);
        const Expression dy = coordinate(bar.a, false) - coordinate(bar.b, false);
        const Expression force = model.variable("force" + std::to_string(k));
        model.equation(dx * dx + dy * dy == Expression(bar.length * bar.length));
        for (const auto& [point, sign] : {std::pair(bar.a, -2.0), std::pair(bar.b, 2.0)}) {
            if (point < 0) continue;
            fx[static_cast<std::size_t>(point)] = fx[static_cast<std::size_t>(point)] + sign * force * dx;
            fy[static_cast<std::size_t>(point)] = fy[static_cast<std::size_t>(point)] + sign * force * dy;
        }
    }
    for (std::size_t p = 0; p < net.points.size(); ++p) {
        model.equation(der(x[p]) == vx[p]);
        model.equation(der(y[p]) == vy[p]);
        model.equation(der(vx[p]) == fx[p]);
        model.equation(der(vy[p]) == fy[p]);
    }
    return model;
}

/// A net that closes: chains of points hung between ground points and points placed before. Start values are noisy.
Net random_net(Random& random, double noise) {
    Net net;
    net.ground = {{0.0, 0.0}, {uniform(random, 1.5, 3.0), uniform(random, -0.5, 0.5)}};
    const int loops = 1 + static_cast<int>(random() % 3);
    std::vector<std::pair<double, double>> exact;
    const auto position = [&](int point) {
        return point < 0 ? net.ground[static_cast<std::size_t>(-1 - point)] : exact[static_cast<std::size_t>(point)];
    };
    const auto add_bar = [&](int a, int b) {
        const auto [ax, ay] = position(a);
        const auto [bx, by] = position(b);
        net.bars.push_back({a, b, std::hypot(ax - bx, ay - by)});
    };
    for (int loop = 0; loop < loops; ++loop) {
        // From one place to another by two or three new points: each loop adds one or two degrees of freedom.
        const int count = 2 + static_cast<int>(random() % 2);
        const int known = static_cast<int>(exact.size());
        const int from = loop == 0 ? -1 : static_cast<int>(random() % static_cast<unsigned>(known));
        int last = from;
        for (int k = 0; k < count; ++k) {
            exact.emplace_back(uniform(random, -1.0, 3.0), uniform(random, -2.0, 2.0));
            const int point = static_cast<int>(exact.size()) - 1;
            add_bar(last, point);
            last = point;
        }
        add_bar(last, -2);
    }
    for (const auto& [x, y] : exact)
        net.points.emplace_back(x + noise * uniform(random, -1, 1), y + noise * uniform(random, -1, 1));
    return net;
}

std::vector<double> positions(const InitialValues& values, std::size_t points) {
    std::vector<double> q;
    for (std::size_t p = 0; p < points; ++p) {
        q.push_back(values["x" + std::to_string(p)].value_or(std::nan("")));
        q.push_back(values["y" + std::to_string(p)].value_or(std::nan("")));
    }
    return q;
}

} // namespace

TEST(Linkages, NetsOfBarsHaveTheRightFreedom) {
    Random random(2024);
    std::map<int, int> distribution;
    double worst = 0.0;
    for (int trial = 0; trial < 100; ++trial) {
        const Net net = random_net(random, 0.1);
        const auto values = initialize(mechanical_model(net));
        ASSERT_TRUE(values) << "net " << trial << "\n" << render(values.error());
        const std::vector<double> q = positions(*values, net.points.size());
        for (const Bar& bar : net.bars) {
            const auto [ax, ay] = place(net, q, bar.a);
            const auto [bx, by] = place(net, q, bar.b);
            const double error = std::abs(std::hypot(ax - bx, ay - by) - bar.length);
            worst = std::max(worst, error);
            EXPECT_LE(error, 1e-10) << "net " << trial;
        }
        const int mobility = static_cast<int>(q.size()) - svd_rank(bar_jacobian(net, q));
        EXPECT_EQ(values->degrees_of_freedom, 2 * mobility) << "net " << trial;
        ++distribution[mobility];
    }
    for (const auto& [mobility, count] : distribution) std::printf("mobility %d: %d nets\n", mobility, count);
    std::printf("worst bar length error %.2g\n", worst);
}

TEST(Linkages, FourBarsInAnglesCloseExactlyWhenTheTriangleDoes) {
    Random random(77);
    int closed = 0, refused = 0, borderline = 0;
    for (int trial = 0; trial < 100; ++trial) {
        const double ground = uniform(random, 1.0, 3.0), crank = uniform(random, 0.3, 1.5);
        const double coupler = uniform(random, 0.3, 3.0), rocker = uniform(random, 0.3, 3.0);
        const double angle = uniform(random, -std::numbers::pi, std::numbers::pi);
        // With the crank held, coupler and rocker close the triangle over the distance to the far pivot.
        const double distance = std::hypot(crank * std::cos(angle) - ground, crank * std::sin(angle));
        const double margin = std::min(coupler + rocker - distance, distance - std::abs(coupler - rocker));
        if (std::abs(margin) < 1e-3) {
            ++borderline;
            continue;
        }
        Model model("FourBar");
        const Expression a = model.variable("a", {.start = angle, .fixed = true});
        const Expression b = model.variable("b", {.start = uniform(random, -3.0, 3.0)});
        const Expression c = model.variable("c", {.start = uniform(random, -3.0, 3.0)});
        model.equation(der(a) == Expression(1.0));
        model.equation(crank * cos(a) + coupler * cos(b) == ground + rocker * cos(c));
        model.equation(crank * sin(a) + coupler * sin(b) == rocker * sin(c));
        const auto values = initialize(model, {.initial = {.multistart = 0}});
        EXPECT_EQ(values.has_value(), margin > 0) << "four-bar " << trial << ", margin " << margin << "\n"
                                                  << (values ? values->to_text() : render(values.error()));
        if (values) {
            ++closed;
            const double vb = *(*values)["b"], vc = *(*values)["c"];
            EXPECT_NEAR(crank * std::cos(angle) + coupler * std::cos(vb), ground + rocker * std::cos(vc), 1e-10);
            EXPECT_NEAR(crank * std::sin(angle) + coupler * std::sin(vb), rocker * std::sin(vc), 1e-10);
            EXPECT_EQ(values->degrees_of_freedom, 1);
        } else {
            ++refused;
            EXPECT_EQ(values.error()[0].code, "inconsistent-initial-values");
        }
    }
    std::printf("four-bars: %d closed, %d refused, %d too close to tell\n", closed, refused, borderline);
    EXPECT_GT(closed, 20);
    EXPECT_GT(refused, 20);
}
