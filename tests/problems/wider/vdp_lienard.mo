// Van der Pol's oscillator in Lienard's plane, mu = 1e6, over four jumps.
model VdpLienard
  parameter Real mu = 1e6;
  Real x(start = 2, fixed = true), y(start = -0.6666667, fixed = true);
equation
  der(x) = mu*(y-x^3/3+x);
  der(y) = -x/mu;
  annotation(experiment(StopTime = 2e6));
end VdpLienard;
