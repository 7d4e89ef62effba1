#include "mechanics/vectors.hpp"

namespace daedalus::mechanics {

using expr::Op;

Vector Algebra::add(const Vector& a, const Vector& b) const {
    return {g.add(a.x, b.x), g.add(a.y, b.y), g.add(a.z, b.z)};
}
Vector Algebra::sub(const Vector& a, const Vector& b) const {
    return {g.sub(a.x, b.x), g.sub(a.y, b.y), g.sub(a.z, b.z)};
}
Vector Algebra::neg(const Vector& a) const { return {g.neg(a.x), g.neg(a.y), g.neg(a.z)}; }
Vector Algebra::scale(NodeId s, const Vector& a) const { return {g.mul(s, a.x), g.mul(s, a.y), g.mul(s, a.z)}; }
NodeId Algebra::dot(const Vector& a, const Vector& b) const {
    return g.add(g.add(g.mul(a.x, b.x), g.mul(a.y, b.y)), g.mul(a.z, b.z));
}
Vector Algebra::cross(const Vector& a, const Vector& b) const {
    return {g.sub(g.mul(a.y, b.z), g.mul(a.z, b.y)), g.sub(g.mul(a.z, b.x), g.mul(a.x, b.z)),
            g.sub(g.mul(a.x, b.y), g.mul(a.y, b.x))};
}
NodeId Algebra::norm(const Vector& a) const { return g.unary(Op::sqrt, dot(a, a)); }
Vector Algebra::normalized(const Vector& a) const {
    const NodeId length = norm(a);
    return {g.div(a.x, length), g.div(a.y, length), g.div(a.z, length)};
}

Vector Algebra::times(const Matrix& m, const Vector& a) const {
    return {dot(m.row0, a), dot(m.row1, a), dot(m.row2, a)};
}
Vector Algebra::transposed_times(const Matrix& m, const Vector& a) const { return times(transposed(m), a); }
Vector Algebra::column(const Matrix& m, int k) const {
    const auto of = [&](const Vector& r) { return k == 0 ? r.x : k == 1 ? r.y : r.z; };
    return {of(m.row0), of(m.row1), of(m.row2)};
}
Matrix Algebra::transposed(const Matrix& a) const { return {column(a, 0), column(a, 1), column(a, 2)}; }
Matrix Algebra::times(const Matrix& a, const Matrix& b) const {
    const Matrix t = transposed(b);
    const auto row = [&](const Vector& r) { return Vector{dot(r, t.row0), dot(r, t.row1), dot(r, t.row2)}; };
    return {row(a.row0), row(a.row1), row(a.row2)};
}

Quaternion Algebra::turn(NodeId angle, const Vector& axis) const {
    const NodeId half = g.mul(number(0.5), angle), s = g.unary(Op::sin, half);
    const Vector n = normalized(axis);
    return {g.unary(Op::cos, half), g.mul(s, n.x), g.mul(s, n.y), g.mul(s, n.z)};
}
Quaternion Algebra::times(const Quaternion& a, const Quaternion& b) const {
    const Vector u{a.x, a.y, a.z}, v{b.x, b.y, b.z};
    const Vector w = add(add(scale(a.w, v), scale(b.w, u)), cross(u, v));
    return {g.sub(g.mul(a.w, b.w), dot(u, v)), w.x, w.y, w.z};
}
Quaternion Algebra::conjugate(const Quaternion& a) const { return {a.w, g.neg(a.x), g.neg(a.y), g.neg(a.z)}; }

// R = 1 + s ((p_v pᵀ_v - |p_v|² 1) + p_w [p_v]×), s = 2/|p|²
Matrix Algebra::rotation(const Quaternion& p) const {
    const NodeId length = g.add(g.add(g.mul(p.w, p.w), g.mul(p.x, p.x)), g.add(g.mul(p.y, p.y), g.mul(p.z, p.z)));
    const NodeId s = g.div(number(2.0), length);
    const NodeId one = number(1.0);
    const auto product = [&](NodeId a, NodeId b) { return g.mul(s, g.mul(a, b)); };
    const NodeId xx = product(p.x, p.x), yy = product(p.y, p.y), zz = product(p.z, p.z);
    const NodeId xy = product(p.x, p.y), xz = product(p.x, p.z), yz = product(p.y, p.z);
    const NodeId wx = product(p.w, p.x), wy = product(p.w, p.y), wz = product(p.w, p.z);
    return {{g.sub(one, g.add(yy, zz)), g.sub(xy, wz), g.add(xz, wy)},
            {g.add(xy, wz), g.sub(one, g.add(xx, zz)), g.sub(yz, wx)},
            {g.sub(xz, wy), g.add(yz, wx), g.sub(one, g.add(xx, yy))}};
}
Matrix Algebra::rotation_of_unit(const Quaternion& p) const {
    const NodeId two = number(2.0), one = number(1.0);
    const auto product = [&](NodeId a, NodeId b) { return g.mul(two, g.mul(a, b)); };
    const NodeId xx = product(p.x, p.x), yy = product(p.y, p.y), zz = product(p.z, p.z);
    const NodeId xy = product(p.x, p.y), xz = product(p.x, p.z), yz = product(p.y, p.z);
    const NodeId wx = product(p.w, p.x), wy = product(p.w, p.y), wz = product(p.w, p.z);
    return {{g.sub(one, g.add(yy, zz)), g.sub(xy, wz), g.add(xz, wy)},
            {g.add(xy, wz), g.sub(one, g.add(xx, zz)), g.sub(yz, wx)},
            {g.sub(xz, wy), g.add(yz, wx), g.sub(one, g.add(xx, yy))}};
}

Quaternion Algebra::rate(const Quaternion& p, const Vector& omega) const {
    const Quaternion r = times(p, Quaternion{number(0.0), omega.x, omega.y, omega.z});
    const NodeId half = number(0.5);
    return {g.mul(half, r.w), g.mul(half, r.x), g.mul(half, r.y), g.mul(half, r.z)};
}

} // namespace daedalus::mechanics
