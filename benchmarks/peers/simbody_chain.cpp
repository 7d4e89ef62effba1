// The chain of benchmarks/peers/mechanisms.cpp in Simbody (Sherman, Seth & Delp 2011), Debian's libsimbody-dev: joint
// coordinates, recursion of order N, its Runge-Kutta-Merson integrator at an accuracy.
#include "measure.hpp"

#include <Simbody.h>
#include <cmath>

namespace daedalus::benchmarks {

double simbody_chain(int n, double t1, double accuracy, double& x, double& y) {
    using namespace SimTK;
    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    GeneralForceSubsystem forces(system);
    const Force::Gravity gravity(forces, matter, Vec3(0, -9.81, 0));
    const Real l = 1.0 / n, m = 1.0 / n;
    // Inertia about the body's origin, which is at its joint.
    const Real own = m * l * l / 12, about_joint = own + m * l * l / 4;
    const Body::Rigid rod(MassProperties(m, Vec3(l / 2, 0, 0), Inertia(own, about_joint, about_joint)));
    MobilizedBody parent = matter.Ground();
    std::vector<MobilizedBody::Pin> joints;
    for (int k = 1; k <= n; ++k) {
        const MobilizedBody::Pin joint(parent, Transform(Vec3(k == 1 ? 0.0 : l, 0, 0)), rod, Transform(Vec3(0)));
        joints.push_back(joint);
        parent = joint;
    }
    State state = system.realizeTopology();
    for (int k = 1; k <= n; ++k) joints[static_cast<std::size_t>(k - 1)].setAngle(state, 0.6 * std::sin(2.0 * k));
    return best_cpu_seconds(
        [&] {
            RungeKuttaMersonIntegrator integrator(system);
            integrator.setAccuracy(accuracy);
            TimeStepper stepper(system, integrator);
            stepper.initialize(state);
            stepper.stepTo(t1);
            const Vec3 tip = joints.back().findStationLocationInGround(integrator.getState(), Vec3(l / 2, 0, 0));
            x = tip[0];
            y = tip[1];
        },
        0.1);
}

} // namespace daedalus::benchmarks
