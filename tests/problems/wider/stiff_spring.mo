// Pendulum on a very stiff spring with damping; its limit is the rigid pendulum of index 3. HW VII.1 (after Lubich 1993).
model StiffSpring
  parameter Real k = 1e8;
  parameter Real c = 2e4;
  Real x(start = 1, fixed = true);
  Real y(start = 0, fixed = true);
  Real u(start = 0, fixed = true);
  Real v(start = 0, fixed = true);
  Real r;
  Real f;
equation
  r = sqrt(x^2 + y^2);
  f = k*(r - 1) + c*(x*u + y*v)/r;
  der(x) = u;
  der(y) = v;
  der(u) = -f*x/r;
  der(v) = -f*y/r - 9.81;
  annotation(experiment(StopTime = 3));
end StiffSpring;
