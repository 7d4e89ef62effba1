// Oscillator with steep friction.
model Coulomb
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), f;
equation
  f = 0.4*tanh(v/1e-4);
  der(x) = v;
  der(v) = -4*x-f+0.3*cos(1.3*time);
  annotation(experiment(StopTime = 10));
end Coulomb;
