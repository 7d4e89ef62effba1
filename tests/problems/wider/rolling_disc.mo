// Coin that rolls without slipping on an inclined plane, upright: two velocity constraints with multipliers. Index 2.
model RollingDisc
  parameter Real m = 1;
  parameter Real R = 0.3;
  parameter Real Jr = 0.05;
  parameter Real Js = 0.03;
  parameter Real g = 3;
  Real x(start = 0, fixed = true);
  Real y(start = 0, fixed = true);
  Real phi(start = 0.2, fixed = true);
  Real psi(start = 0, fixed = true);
  Real u(start = 0.3);
  Real v(start = 0);
  Real w(start = 1.3, fixed = true);
  Real s(start = 1, fixed = true);
  Real l1(start = 0);
  Real l2(start = 0);
equation
  der(x) = u;
  der(y) = v;
  der(phi) = w;
  der(psi) = s;
  m*der(u) = m*g + l1;
  m*der(v) = l2;
  Js*der(w) = 0.02*sin(time);
  Jr*der(s) = -R*(l1*cos(phi) + l2*sin(phi));
  u = R*s*cos(phi);
  v = R*s*sin(phi);
  annotation(experiment(StopTime = 8));
end RollingDisc;
