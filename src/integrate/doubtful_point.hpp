// A point between steps that neither its equations nor its neighbours determine to the tolerance (point_choice.hpp).
#pragma once

namespace daedalus::integrate {

struct DoubtfulPoint {
    /// What the equations magnify there.
    enum class Error {
        rounding,  ///< of their own terms
        polynomial ///< what the method's polynomial is off by between the ends of its step
    };
    double t = 0.0;
    int unknown = -1;  ///< where it is moved most; -1: there is no such point
    double size = 0.0; ///< by so many tolerances
    Error error = Error::rounding;
    int row = -1; ///< the equation whose rounding does that; -1: none is to blame
};

} // namespace daedalus::integrate
