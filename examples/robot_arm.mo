// A two-link arm with a flexible joint steered along a prescribed path (Campbell & Griepentrog 1995). Structure alone
// says index 3; a combination of equations hides a constraint, and the index is 5.
model RobotArm "Robot arm with a flexible joint, index 5"
  Real x1(start=0) "angle of the first link";
  Real x2(start=1) "angle of the motor";
  Real x3(start=1) "angle of the second link";
  Real v1(start=-1), v2(start=0), v3(start=0);
  Real u1 "torque", u2 "torque";
  Real a, b, c, d;
equation
  a = 2/(2 - cos(x3)^2);
  b = cos(x3)/(2 - cos(x3)^2);
  c = sin(x3)/(2 - cos(x3)^2);
  d = sin(x3)*cos(x3)/(2 - cos(x3)^2);
  der(x1) = v1;
  der(x2) = v2;
  der(x3) = v3;
  der(v1) = 2*c*(v1 + v3)^2 + v1^2*d + (2*x3 - x2)*(a + 2*b) + a*(u1 - u2);
  der(v2) = -2*c*(v1 + v3)^2 - v1^2*d + (2*x3 - x2)*(1 - 3*a - 2*b) - a*u1 + (a + 1)*u2;
  der(v3) = -2*c*(v1 + v3)^2 - v1^2*d + (2*x3 - x2)*(a - 9*b) - 2*v1^2*c - d*(v1 + v3)^2 - (a + b)*(u1 - u2);
  cos(x1) + cos(x1 + x3) = cos(1 - exp(time)) + cos(1 - time);
  sin(x1) + sin(x1 + x3) = sin(1 - exp(time)) + sin(1 - time);
  annotation(experiment(StopTime=1, Tolerance=1e-8));
end RobotArm;
