// Dormand & Prince's explicit method of order 5(4) with the step control of DOPRI5 (HNW II.4, II.5), for the figures
// that were made with that code.
#pragma once

#include <functional>
#include <vector>

namespace daedalus::study {

struct DormandPrinceReport {
    bool reached_end = false;
    int accepted = 0;
    int rejected = 0;
};

/// `observe(t, y)` after every accepted step, and before it `project(t, y)`, which may move y.
DormandPrinceReport dormand_prince(const std::function<void(double t, const double* y, double* dy)>& f,
                                   std::vector<double> y, double t0, double t1, double rtol, double atol,
                                   const std::function<void(double t, const std::vector<double>& y)>& observe,
                                   const std::function<void(double t, std::vector<double>& y)>& project = {});

} // namespace daedalus::study
