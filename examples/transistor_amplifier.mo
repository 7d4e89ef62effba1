// Two-stage transistor amplifier (P. Rentrop; problem II-14 of the Test Set for IVP Solvers, release 2.4).
//
// Kirchhoff's current law at eight nodes. Five capacitors each join two nodes or a node and the ground, so that the
// matrix in front of the derivatives has rank five: three combinations of the voltages are determined by algebraic
// equations, and the index is 1. A transistor is a voltage-controlled current source: of the current i(v) that
// enters the emitter, the share alpha comes from the collector and 1 - alpha from the base.
model TransistorAmplifier "Two-stage transistor amplifier, index 1"
  constant Real pi = Modelica.Constants.pi;
  parameter Real Ub(unit = "V") = 6 "operating voltage";
  parameter Real UF(unit = "V") = 0.026 "thermal voltage of the transistors";
  parameter Real alpha = 0.99 "collector share of the emitter current";
  parameter Real beta(unit = "A") = 1e-6 "saturation current";
  parameter Real R0(unit = "Ohm") = 1000 "resistance of the source";
  parameter Real R(unit = "Ohm") = 9000 "all other resistors";
  parameter Real C1(unit = "F") = 1e-6;
  parameter Real C2(unit = "F") = 2e-6;
  parameter Real C3(unit = "F") = 3e-6;
  parameter Real C4(unit = "F") = 4e-6;
  parameter Real C5(unit = "F") = 5e-6;
  parameter Real amplitude(unit = "V") = 0.1 "of the input signal";
  parameter Real frequency(unit = "Hz") = 100 "of the input signal";
  Real Ue(unit = "V") = amplitude*sin(2*pi*frequency*time) "input signal";
  Real U1(unit = "V", start = 0) "behind the source";
  Real U2(unit = "V", start = 3, fixed = true) "base of the first transistor";
  Real U3(unit = "V", start = 3, fixed = true) "emitter of the first transistor";
  Real U4(unit = "V", start = 6) "collector of the first transistor";
  Real U5(unit = "V", start = 3, fixed = true) "base of the second transistor";
  Real U6(unit = "V", start = 3, fixed = true) "emitter of the second transistor";
  Real U7(unit = "V", start = 6) "collector of the second transistor";
  Real U8(unit = "V", start = 0, fixed = true) "output signal";
  Real i1(unit = "A") = beta*(exp((U2 - U3)/UF) - 1) "emitter current of the first transistor";
  Real i2(unit = "A") = beta*(exp((U5 - U6)/UF) - 1) "emitter current of the second transistor";
equation
  (U1 - Ue)/R0 + C1*(der(U1) - der(U2)) = 0 "node 1";
  U2/R + (U2 - Ub)/R + C1*(der(U2) - der(U1)) + (1 - alpha)*i1 = 0 "node 2";
  U3/R + C2*der(U3) - i1 = 0 "node 3";
  (U4 - Ub)/R + C3*(der(U4) - der(U5)) + alpha*i1 = 0 "node 4";
  U5/R + (U5 - Ub)/R + C3*(der(U5) - der(U4)) + (1 - alpha)*i2 = 0 "node 5";
  U6/R + C4*der(U6) - i2 = 0 "node 6";
  (U7 - Ub)/R + C5*(der(U7) - der(U8)) + alpha*i2 = 0 "node 7";
  U8/R + C5*(der(U8) - der(U7)) = 0 "node 8";
  annotation(experiment(StopTime = 0.2, Tolerance = 1e-6));
end TransistorAmplifier;
