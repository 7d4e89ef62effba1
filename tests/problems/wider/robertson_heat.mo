// Robertson reaction with a temperature that follows the heat of the fast step, total mass as algebraic equation.
model RobertsonHeat
  Real y1(start = 1, fixed = true);
  Real y2(start = 0, fixed = true, nominal = 1e-5);
  Real y3(start = 0);
  Real T(start = 1, fixed = true);
equation
  der(y1) = -0.04*y1*exp(2*(1 - 1/T)) + 1e4*y2*y3;
  der(y2) = 0.04*y1*exp(2*(1 - 1/T)) - 1e4*y2*y3 - 3e7*y2^2;
  y1 + y2 + y3 = 1;
  der(T) = 3e6*y2^2 - 0.01*(T - 1);
  annotation(experiment(StopTime = 10000.0));
end RobertsonHeat;
