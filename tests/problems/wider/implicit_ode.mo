// Fully implicit: derivatives occur in products and under functions.
model ImplicitOde
  Real x(start = 1, fixed = true), y(start = 0.5, fixed = true);
equation
  der(x)^3 + der(x) + x*der(y) = cos(time);
  der(y) + 0.2*sin(der(y)) + 0.3*der(x)*y = -x*y;
  annotation(experiment(StopTime = 8));
end ImplicitOde;
