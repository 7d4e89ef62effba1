// Bead on a rotating wire of given shape in space, Cartesian coordinates, with friction. Index 3, two multipliers.
model BeadOnWire
  parameter Real g = 9.81;
  Real x(start = 0);
  Real y(start = 1);
  Real z(start = 0.5);
  Real u(start = 0);
  Real v(start = 0);
  Real w(start = 0);
  Real l1(start = 0);
  Real l2(start = 0);
equation
  der(x) = u;
  der(y) = v;
  der(z) = w;
  der(u) = -0.1*u - l1*2*x*0.5 + l2*cos(x + time);
  der(v) = -0.1*v - l1*2*y*0.5 - l2;
  der(w) = -0.1*w - g + l1;
  z = 0.5*(x^2 + y^2);
  y = sin(x + time) + 1;
  annotation(experiment(StopTime = 3));
end BeadOnWire;
