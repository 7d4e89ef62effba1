// Chua circuit with piecewise linear diode and an ideal source in the loop of the capacitors; kinks at |v| = 1.
model Chua
  parameter Real alpha = 9;
  parameter Real beta = 14.28;
  parameter Real m0 = -1.143;
  parameter Real m1 = -0.714;
  Real x(start = 0.1, fixed = true);
  Real y(start = 0, fixed = true);
  Real z(start = 0, fixed = true);
  Real f;
equation
  f = m1*x + 0.5*(m0 - m1)*(abs(x + 1) - abs(x - 1));
  der(x) = alpha*(y - x - f);
  der(y) = x - y + z;
  der(z) = -beta*y;
  annotation(experiment(StopTime = 5));
end Chua;
