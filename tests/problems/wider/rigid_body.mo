// Free rigid body with unit quaternion as attitude: the norm as constraint with a multiplier. Index 2.
model RigidBody
  parameter Real A = 1;
  parameter Real B = 2;
  parameter Real C = 3.5;
  Real q0(start = 1);
  Real q1(start = 0, fixed = true);
  Real q2(start = 0, fixed = true);
  Real q3(start = 0, fixed = true);
  Real mu(start = 0);
  Real p(start = 1, fixed = true);
  Real q(start = 0.3, fixed = true);
  Real r(start = -0.7, fixed = true);
equation
  der(q0) = 0.5*(-q1*p - q2*q - q3*r) - mu*q0;
  der(q1) = 0.5*(q0*p + q2*r - q3*q) - mu*q1;
  der(q2) = 0.5*(q0*q - q1*r + q3*p) - mu*q2;
  der(q3) = 0.5*(q0*r + q1*q - q2*p) - mu*q3;
  q0^2 + q1^2 + q2^2 + q3^2 = 1;
  A*der(p) = (B - C)*q*r;
  B*der(q) = (C - A)*r*p + 0.3*sin(time);
  C*der(r) = (A - B)*p*q;
  annotation(experiment(StopTime = 10));
end RigidBody;
