// Two masses of which one falls onto a stiff viscous ground and jumps again: contact begins and ends by events.
model Bounce
  parameter Real k = 1e4;
  parameter Real c = 5;
  Real y(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  Real z(start = 1.5, fixed = true);
  Real s(start = 0, fixed = true);
  Real f;
equation
  der(y) = v;
  der(z) = s;
  f = if y < 0 then -k*y - c*v else 0;
  der(v) = -9.81 + f + 60*(z - y - 0.5);
  2*der(s) = -2*9.81 - 60*(z - y - 0.5);
  annotation(experiment(StopTime = 2));
end Bounce;
