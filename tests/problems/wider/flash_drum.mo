// Binary flash drum at constant pressure: material and energy balances with phase equilibrium by Antoine vapour
// pressures; algebraic temperature, index 1 after the energy balance determines the vapour flow (index 2).
model FlashDrum
  parameter Real p = 101.3;
  parameter Real F = 1;
  parameter Real z = 0.5;
  parameter Real L0 = 0.6;
  parameter Real Q = 14;
  Real M(start = 10, fixed = true);
  Real x(start = 0.4, fixed = true);
  Real T(start = 365);
  Real y(start = 0.6);
  Real V(start = 0.5);
  Real h(start = 40);
  Real p1(start = 140);
  Real p2(start = 60);
equation
  der(M) = F - V - L0;
  M*der(x) = F*(z - x) - V*(y - x);
  p1 = exp(13.7 - 2780/(T - 50));
  p2 = exp(14.0 - 3110/(T - 55));
  x*p1 + (1 - x)*p2 = p;
  y*p = x*p1;
  h = 0.15*(T - 273);
  M*der(h) = F*(10 - h) - V*(30 + 0.02*T) + Q*(1 + 0.2*sin(time/3));
  annotation(experiment(StopTime = 10));
end FlashDrum;
