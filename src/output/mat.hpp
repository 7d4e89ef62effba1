// Trajectories as Modelica tools exchange them: a MAT file of level 4 (The MathWorks, MAT-File Format, chapter 2) with
// the matrices of Modelica's result format 1.1, transposed ("binTrans"):
//
//   Aclass       "Atrajectory", "1.1", "", "binTrans"
//   name         names, time first; description: what they are and their units
//   dataInfo     per name: the matrix (0: time, 1: data_1, 2: data_2), the row in it, 0: interpolated linearly,
//                -1: not defined outside the run, 0: keeps its value
//   data_1       parameters at the first and the last time; data_2: variables at every output point
#pragma once

#include "output/report_data.hpp"
#include "output/sink.hpp"
#include "output/trajectory.hpp"

namespace daedalus::output {

void write_mat(const Trajectory& trajectory, const ReportData& report, const Sink& sink);

} // namespace daedalus::output
