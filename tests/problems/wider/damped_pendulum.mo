// Pendulum with friction over many wide swings.
model DampedPendulum
  Real x(start = 0), y(start = -1), u(start = 5, fixed = true), v, l;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -l*x-0.1*u;
  der(v) = -l*y-9.81-0.1*v;
  x^2+y^2 = 1;
  annotation(experiment(StopTime = 30.0));
end DampedPendulum;
