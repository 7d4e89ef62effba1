// Two bodies, eccentricity 0.6, with the energy kept by a multiplier on its gradient. Index 2.
model Kepler
  Real x(start = 0.4, fixed = true);
  Real y(start = 0, fixed = true);
  Real u(start = 0, fixed = true);
  Real v(start = 2);
  Real mu(start = 0);
  Real r(start = 0.4);
equation
  r = sqrt(x^2 + y^2);
  der(x) = u - mu*x/r^3;
  der(y) = v - mu*y/r^3;
  der(u) = -x/r^3 - mu*u;
  der(v) = -y/r^3 - mu*v;
  0.5*(u^2 + v^2) - 1/r = -0.5;
  annotation(experiment(StopTime = 20));
end Kepler;
