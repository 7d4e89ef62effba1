// Gear, Hsu & Petzold 1981: a singular pencil whose index structure does not see. All is algebraic in the end.
model GearHsu
  parameter Real eta = -2;
  Real x, y;
equation
  der(x) + eta*time*der(y) + (1 + eta)*y = cos(time);
  x + eta*time*y = exp(-time);
  annotation(experiment(StopTime = 3));
end GearHsu;
