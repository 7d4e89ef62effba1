#include "mechanics/poses.hpp"

#include <cmath>

namespace daedalus::mechanics {

Tensor rotation_of(const UnitQuaternion& q) {
    const auto [w, x, y, z] = q;
    return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
             {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
             {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

Triple turned(const UnitQuaternion& q, const Triple& v) {
    const Tensor r = rotation_of(q);
    Triple result{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) result[i] += r[i][j] * v[j];
    return result;
}

UnitQuaternion times(const UnitQuaternion& a, const UnitQuaternion& b) {
    return {
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

UnitQuaternion turn_about(const Triple& axis, double angle) {
    const double length = std::hypot(axis[0], axis[1], axis[2]), s = std::sin(0.5 * angle) / length;
    return {std::cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2]};
}

UnitQuaternion turn_of_z_to(const Triple& d) {
    const double length = std::hypot(d[0], d[1], d[2]), across = std::hypot(d[0], d[1]);
    if (across <= 1e-15 * length) return d[2] > 0.0 ? UnitQuaternion{1, 0, 0, 0} : UnitQuaternion{0, 1, 0, 0};
    return turn_about({-d[1], d[0], 0.0}, std::atan2(across, d[2]));
}

Triple place(const Pose& frame, const Triple& point) {
    Triple p = turned(frame.turn, point);
    for (std::size_t i = 0; i < 3; ++i) p[i] += frame.at[i];
    return p;
}

Pose within(const Pose& outer, const Pose& inner) { return {place(outer, inner.at), times(outer.turn, inner.turn)}; }

Pose seen_from(const Pose& a, const Pose& b) {
    const UnitQuaternion back{a.turn[0], -a.turn[1], -a.turn[2], -a.turn[3]};
    return {turned(back, {b.at[0] - a.at[0], b.at[1] - a.at[1], b.at[2] - a.at[2]}), times(back, b.turn)};
}

Tensor turned_tensor(const UnitQuaternion& q, const Tensor& own) {
    const Tensor r = rotation_of(q);
    Tensor result{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t k = 0; k < 3; ++k)
                for (std::size_t l = 0; l < 3; ++l) result[i][j] += r[i][k] * own[k][l] * r[j][l];
    return result;
}

MassPoint together(const MassPoint& a, const MassPoint& b) {
    MassPoint sum;
    sum.mass = a.mass + b.mass;
    if (sum.mass == 0.0) return sum;
    for (std::size_t i = 0; i < 3; ++i) sum.center[i] = (a.mass * a.center[i] + b.mass * b.center[i]) / sum.mass;
    for (const MassPoint* part : {&a, &b}) {
        Triple d{};
        double square = 0.0;
        for (std::size_t i = 0; i < 3; ++i) {
            d[i] = part->center[i] - sum.center[i];
            square += d[i] * d[i];
        }
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j)
                sum.inertia[i][j] += part->inertia[i][j] + part->mass * ((i == j ? square : 0.0) - d[i] * d[j]);
    }
    return sum;
}

} // namespace daedalus::mechanics
