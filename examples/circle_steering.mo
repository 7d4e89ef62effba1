// Steering a point along a circle (HW (1.9)).
//
// The point (y1, y2) moves in a field whose direction is turned by a steering angle; the wheel position z has to be
// such that the point stays on the unit circle. z appears in no constraint: the circle has to be differentiated
// once to find the hidden condition
//     y1*(0.7*y2 + sin(2.5*z)) + y2*(1.4*y1 + cos(2.5*z)) = 0,
// and once more to find der(z): the index is 2.
//
// With y1 = cos(phi), y2 = sin(phi) the hidden condition reads sin(2.5*z + phi) = -1.05*sin(2*phi). Where
// cos(2.5*z + phi) = 0 the wheel has no effect and solutions end. The start chosen here, the top of the circle with
// 2.5*z = pi/2, leads to a point of rest near phi = 54 degrees, close to such a singular point but before it.
model CircleSteering "Steering along a circle, index 2"
  Real y1(start = 0, fixed = true) "first coordinate";
  Real y2(start = 1) "second coordinate";
  Real z(start = 0.6283185307179586) "position of the steering wheel";
equation
  der(y1) = 0.7*y2 + sin(2.5*z);
  der(y2) = 1.4*y1 + cos(2.5*z);
  y1^2 + y2^2 = 1 "stay on the circle";
  annotation(experiment(StopTime = 1, Tolerance = 1e-6));
end CircleSteering;
