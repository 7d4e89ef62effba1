// Predator and prey with a harvest whose profit is prescribed (Gordon): an algebraic effort. Index 1.
model Harvest
  parameter Real r = 1.2;
  parameter Real K = 4;
  parameter Real a = 0.6;
  parameter Real e = 0.5;
  parameter Real d = 0.3;
  parameter Real price = 1.5;
  parameter Real cost = 0.5;
  Real x(start = 2, fixed = true);
  Real y(start = 1, fixed = true);
  Real E(start = 0.1);
equation
  der(x) = r*x*(1 - x/K) - a*x*y/(1 + 0.3*x) - E*x;
  der(y) = e*a*x*y/(1 + 0.3*x) - d*y;
  E*(price*x - cost) = 0.2*(1 + 0.5*sin(time));
  annotation(experiment(StopTime = 60));
end Harvest;
