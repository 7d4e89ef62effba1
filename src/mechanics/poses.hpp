// Places and rigid bodies as numbers: what a file states before there are any expressions.
#pragma once

#include <array>

namespace daedalus::mechanics {

using Triple = std::array<double, 3>;
using Tensor = std::array<std::array<double, 3>, 3>;

/// A unit quaternion w, x, y, z.
using UnitQuaternion = std::array<double, 4>;

/// A frame in another one.
struct Pose {
    Triple at{};
    UnitQuaternion turn{1, 0, 0, 0};
};

[[nodiscard]] Tensor rotation_of(const UnitQuaternion& q);
[[nodiscard]] Triple turned(const UnitQuaternion& q, const Triple& v);
/// b first, then a.
[[nodiscard]] UnitQuaternion times(const UnitQuaternion& a, const UnitQuaternion& b);
[[nodiscard]] UnitQuaternion turn_about(const Triple& axis, double angle);
/// The least turn that takes z to this direction.
[[nodiscard]] UnitQuaternion turn_of_z_to(const Triple& direction);
/// A frame in `inner`, which is one in `outer`, as one in that.
[[nodiscard]] Pose within(const Pose& outer, const Pose& inner);
[[nodiscard]] Triple place(const Pose& frame, const Triple& point);
/// `b` seen from `a`, both in one frame.
[[nodiscard]] Pose seen_from(const Pose& a, const Pose& b);

/// Mass, centre of mass and inertia about it, in one frame.
struct MassPoint {
    double mass = 0.0;
    Triple center{};
    Tensor inertia{};
};
/// The tensor of a body with these principal moments in this frame.
[[nodiscard]] Tensor turned_tensor(const UnitQuaternion& q, const Tensor& own);
/// Both as one rigid body (Steiner's theorem).
[[nodiscard]] MassPoint together(const MassPoint& a, const MassPoint& b);

} // namespace daedalus::mechanics
