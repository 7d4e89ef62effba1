// A point between steps that neither its equations nor its neighbours determine to the tolerance (point_choice.hpp).
#pragma once

namespace daedalus::integrate {

struct DoubtfulPoint {
    double t = 0.0;
    int unknown = -1;  ///< where rounding moves it most; -1: there is no such point
    double size = 0.0; ///< by so many tolerances
};

} // namespace daedalus::integrate
