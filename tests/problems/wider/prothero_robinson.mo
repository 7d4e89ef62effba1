// Stiff components of different rates that follow a given curve (Prothero & Robinson 1974), coupled algebraically.
// Exact: x1 = sin(t), x2 = cos(t), x3 = sin(t)*cos(t).
model ProtheroRobinson
  Real x1(start = 0, fixed = true);
  Real x2(start = 1, fixed = true);
  Real x3(start = 0);
equation
  der(x1) = -1e6*(x1 - sin(time)) + 10*(x3 - x1*x2) + cos(time);
  der(x2) = -1e2*(x2 - cos(time)) - sin(time);
  x3 + 0.2*x3^3 = x1*x2 + 0.2*(sin(time)*cos(time))^3;
  annotation(experiment(StopTime = 10));
end ProtheroRobinson;
