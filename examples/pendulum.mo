// A point mass on a rigid massless rod, in Cartesian coordinates (HW (2.1)).
//
// The rod enters as the constraint x^2 + y^2 = L^2, and its force through the multiplier lambda. Two further
// constraints hide behind it: the velocity is tangential, x*u + y*v = 0, and the acceleration balances the
// centripetal force, which is what determines lambda. Three differentiations lead to an ordinary differential
// equation: the index is 3. Of the four positions and velocities only two are free.
//
// The mass is let go at rest with the rod horizontal; it swings through 180 degrees and back.
model Pendulum "Pendulum in Cartesian coordinates, index 3"
  parameter Real m(unit = "kg") = 1 "mass";
  parameter Real L(unit = "m") = 1 "length of the rod";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  Real x(unit = "m", start = 1) "horizontal position";
  Real y(unit = "m", start = 0, fixed = true) "vertical position, upwards";
  Real u(unit = "m/s", start = 0) "horizontal velocity";
  Real v(unit = "m/s", start = 0, fixed = true) "vertical velocity";
  Real lambda(unit = "N/m", start = 0) "force in the rod per length";
equation
  der(x) = u;
  der(y) = v;
  m*der(u) = -lambda*x;
  m*der(v) = -lambda*y - m*g;
  x^2 + y^2 = L^2 "the rod keeps its length";
  annotation(experiment(StopTime = 10, Tolerance = 1e-6));
end Pendulum;
