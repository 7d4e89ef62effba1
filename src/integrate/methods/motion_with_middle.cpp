#include "integrate/methods/motion_with_middle.hpp"

namespace daedalus::integrate {

namespace {

constexpr std::array<double, 3> places{0.0, 0.5, 1.0};

struct Value {
    double p, dp, ddp;
};

/// Newton's form of Hermite interpolation: each of the three places `times` times, with value, slope and half the
/// second derivative there, in s.
Value hermite(const std::array<std::array<double, 3>, 3>& data, int times, double s) {
    std::array<double, 9> c{}, node{};
    const int count = 3 * times;
    for (int k = 0; k < count; ++k) {
        node[static_cast<std::size_t>(k)] = places[static_cast<std::size_t>(k / times)];
        c[static_cast<std::size_t>(k)] = data[static_cast<std::size_t>(k / times)][0];
    }
    for (int column = 1; column < count; ++column)
        for (int k = count - 1; k >= column; --k) {
            const auto at = static_cast<std::size_t>(k);
            const double distance = node[at] - node[at - static_cast<std::size_t>(column)];
            c[at] = distance != 0.0 ? (c[at] - c[at - 1]) / distance
                                    : data[static_cast<std::size_t>(k / times)][static_cast<std::size_t>(column)];
        }
    Value v{0.0, 0.0, 0.0};
    for (int k = count - 1; k >= 0; --k) {
        const double x = s - node[static_cast<std::size_t>(k)];
        v.ddp = 2.0 * v.dp + x * v.ddp;
        v.dp = v.p + x * v.dp;
        v.p = c[static_cast<std::size_t>(k)] + x * v.p;
    }
    return v;
}

} // namespace

bool MotionWithMiddle::set(const Mechanism& m, double t, double h, const MotionPoint& begin, const MotionPoint& middle,
                           const MotionPoint& end) {
    h_ = h;
    points_[0] = begin, points_[1] = middle, points_[2] = end;
    if (identity_) return true;
    for (std::size_t k = 0; k < places.size(); ++k)
        if (!m.rates(t + places[k] * h, points_[k].y.data(), points_[k].v.data(), rates_[k].data())) return false;
    return true;
}

void MotionWithMiddle::at(double s, MotionPoint& point, std::vector<double>* slope, std::vector<double>* rate) const {
    std::array<std::array<double, 3>, 3> data{};
    for (std::size_t i = 0; i < point.y.size(); ++i) {
        for (std::size_t k = 0; k < places.size(); ++k)
            data[k] = {points_[k].y[i], h_ * (identity_ ? points_[k].v[i] : rates_[k][i]),
                       identity_ ? 0.5 * h_ * h_ * points_[k].a[i] : 0.0};
        const Value y = hermite(data, identity_ ? 3 : 2, s);
        point.y[i] = y.p;
        if (rate != nullptr) (*rate)[i] = y.dp / h_;
        if (!identity_) continue;
        point.v[i] = y.dp / h_;
        if (slope != nullptr) (*slope)[i] = y.ddp / (h_ * h_);
    }
    if (identity_) return;
    for (std::size_t i = 0; i < point.v.size(); ++i) {
        for (std::size_t k = 0; k < places.size(); ++k) data[k] = {points_[k].v[i], h_ * points_[k].a[i], 0.0};
        const Value v = hermite(data, 2, s);
        point.v[i] = v.p;
        if (slope != nullptr) (*slope)[i] = v.dp / h_;
    }
}

} // namespace daedalus::integrate
