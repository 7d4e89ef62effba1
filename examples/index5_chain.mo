// A chain of differentiations: the first variable is prescribed, each further one is the derivative of the one before
// (HW (1.7) with a nilpotent block of size five).
//
// Finding der(x5) takes five differentiations of x1 = sin(omega*t): the index is 5, and there is no freedom in the
// start values. The exact solution is
//     x1 = sin(omega*t), x2 = omega*cos(omega*t), x3 = -omega^2*sin(omega*t),
//     x4 = -omega^3*cos(omega*t), x5 = omega^4*sin(omega*t).
model Index5Chain "Chain of integrators run backwards, index 5"
  parameter Real omega(unit = "rad/s") = 1 "frequency of the prescribed motion";
  Real x1;
  Real x2;
  Real x3;
  Real x4;
  Real x5;
equation
  der(x1) = x2;
  der(x2) = x3;
  der(x3) = x4;
  der(x4) = x5;
  x1 = sin(omega*time);
  annotation(experiment(StopTime = 10, Tolerance = 1e-6));
end Index5Chain;
