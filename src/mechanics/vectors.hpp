// Vectors, rotations and quaternions whose components are expressions of a graph. Components that are the number 0
// vanish from sums and products, so that motion in the plane is motion in space with most terms missing.
#pragma once

#include "expr/graph.hpp"

#include <array>
#include <span>

namespace daedalus::mechanics {

using expr::Graph;
using expr::NodeId;

struct Vector {
    NodeId x = expr::no_node, y = expr::no_node, z = expr::no_node;
};
/// Rows of a matrix.
struct Matrix {
    Vector row0, row1, row2;
};
/// w + x i + y j + z k.
struct Quaternion {
    NodeId w = expr::no_node, x = expr::no_node, y = expr::no_node, z = expr::no_node;
};

/// The operations, on one graph.
class Algebra {
public:
    explicit Algebra(Graph& graph) : g(graph) {}

    [[nodiscard]] NodeId number(double value) const { return g.constant(value); }
    [[nodiscard]] Vector vector(double x, double y, double z) const { return {number(x), number(y), number(z)}; }
    [[nodiscard]] Vector zero() const { return vector(0, 0, 0); }
    [[nodiscard]] Matrix unit() const { return {vector(1, 0, 0), vector(0, 1, 0), vector(0, 0, 1)}; }
    [[nodiscard]] bool is_zero(NodeId a) const { return g.is_constant(a, 0.0); }
    [[nodiscard]] bool is_zero(const Vector& a) const { return is_zero(a.x) && is_zero(a.y) && is_zero(a.z); }

    [[nodiscard]] Vector add(const Vector& a, const Vector& b) const;
    [[nodiscard]] Vector sub(const Vector& a, const Vector& b) const;
    [[nodiscard]] Vector neg(const Vector& a) const;
    [[nodiscard]] Vector scale(NodeId s, const Vector& a) const;
    [[nodiscard]] NodeId dot(const Vector& a, const Vector& b) const;
    [[nodiscard]] Vector cross(const Vector& a, const Vector& b) const;
    [[nodiscard]] NodeId norm(const Vector& a) const;
    [[nodiscard]] Vector normalized(const Vector& a) const;

    [[nodiscard]] Vector times(const Matrix& m, const Vector& a) const;
    /// mᵀ a
    [[nodiscard]] Vector transposed_times(const Matrix& m, const Vector& a) const;
    [[nodiscard]] Matrix times(const Matrix& a, const Matrix& b) const;
    [[nodiscard]] Matrix transposed(const Matrix& a) const;
    [[nodiscard]] Vector column(const Matrix& a, int k) const;

    [[nodiscard]] Quaternion no_turn() const { return {number(1), number(0), number(0), number(0)}; }
    /// By `angle` about `axis`, which need not have length 1.
    [[nodiscard]] Quaternion turn(NodeId angle, const Vector& axis) const;
    /// b first, then a.
    [[nodiscard]] Quaternion times(const Quaternion& a, const Quaternion& b) const;
    [[nodiscard]] Quaternion conjugate(const Quaternion& a) const;
    /// The rotation of any quaternion but 0: of its direction, whatever its length.
    [[nodiscard]] Matrix rotation(const Quaternion& p) const;
    /// The same where |p| = 1 is known.
    [[nodiscard]] Matrix rotation_of_unit(const Quaternion& p) const;
    /// p' = ½ p (0, ω), ω in axes of the body.
    [[nodiscard]] Quaternion rate(const Quaternion& p, const Vector& omega) const;

    Graph& g;
};

} // namespace daedalus::mechanics
