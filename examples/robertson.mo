// Three reacting substances (Robertson 1966), the classical stiff problem.
//
// A turns slowly into B, two B quickly give B and C, and B with C gives back A. The total amount stays constant;
// written as an equation in place of the third balance it makes the system differential-algebraic of index 1.
// Rates differ by nine orders of magnitude, and the last changes happen after millions of seconds.
model Robertson "Robertson's reaction with mass conservation, index 1"
  parameter Real k1(unit = "1/s") = 0.04 "A -> B";
  parameter Real k2(unit = "1/s") = 3e7 "B + B -> B + C, per amount of B";
  parameter Real k3(unit = "1/s") = 1e4 "B + C -> A + C, per amount of C";
  Real a(start = 1, fixed = true, min = 0) "share of A";
  Real b(start = 0, fixed = true, min = 0, nominal = 1e-5) "share of B";
  Real c(start = 0, min = 0) "share of C";
equation
  der(a) = -k1*a + k3*b*c;
  der(b) = k1*a - k3*b*c - k2*b^2;
  a + b + c = 1 "nothing is lost";
  annotation(experiment(StopTime = 4e6, Tolerance = 1e-6));
end Robertson;
