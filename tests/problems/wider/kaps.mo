// Kaps' problem with stiffness 1e9 and a cubic algebraic equation.
model Kaps
  parameter Real e = 1e-9;
  Real x(start = 1, fixed = true), y(start = 1, fixed = true), z(start = 0.7);
equation
  der(x) = -(1/e+2)*x+y^2/e;
  der(y) = x-y*(1+y);
  z^3+z = x+y;
  annotation(experiment(StopTime = 3));
end Kaps;
