// Places on bodies, and what acts on them.
#include "mechanics/assembly.hpp"

namespace daedalus::mechanics {

Site Assembly::site(const End& end) const {
    Site s;
    s.body = end.body;
    const Matrix own = a_.rotation_of_unit(end.turn);
    if (end.body == ground) {
        s.arm = s.point = end.point;
        s.velocity = s.omega = a_.zero();
        s.axes = own;
        return s;
    }
    const Frame& f = frames_[static_cast<std::size_t>(end.body)];
    const Body& b = d_.bodies[static_cast<std::size_t>(end.body)];
    s.arm = a_.times(f.turn, a_.sub(end.point, b.center));
    s.point = a_.add(f.center, s.arm);
    s.velocity = a_.add(f.velocity, a_.cross(f.omega, s.arm));
    s.omega = f.omega;
    s.axes = a_.times(f.turn, own);
    return s;
}

void Assembly::act(int body, const Vector& arm, const Vector& force) {
    if (body == ground) return;
    Frame& f = frames_[static_cast<std::size_t>(body)];
    f.force = a_.add(f.force, force);
    f.torque = a_.add(f.torque, a_.cross(arm, force));
}

void Assembly::act_torque(int body, const Vector& torque) {
    if (body == ground) return;
    Frame& f = frames_[static_cast<std::size_t>(body)];
    f.torque = a_.add(f.torque, torque);
}

void Assembly::add_energy(NodeId part) { potential_ = g_.add(potential_, part); }

void Assembly::gravity() {
    for (std::size_t k = 0; k < d_.bodies.size(); ++k) {
        const NodeId m = d_.bodies[k].mass;
        act(static_cast<int>(k), a_.zero(), a_.scale(m, d_.gravity));
        add_energy(g_.neg(g_.mul(m, a_.dot(d_.gravity, frames_[k].center))));
    }
}

} // namespace daedalus::mechanics
