// Free top near its unstable axis, quaternions with a multiplier: index 2.
model QuaternionTop
  Real q0(start = 1), q1(start = 0), q2(start = 0), q3(start = 0), a(start = 0.1, fixed = true), b(start = 5, fixed = true), c(start = 0.1, fixed = true), mu;
equation
  1*der(a) = (2-3)*b*c;
  2*der(b) = (3-1)*c*a;
  3*der(c) = (1-2)*a*b;
  der(q0) = 0.5*(-q1*a-q2*b-q3*c)+mu*q0;
  der(q1) = 0.5*(q0*a+q2*c-q3*b)+mu*q1;
  der(q2) = 0.5*(q0*b+q3*a-q1*c)+mu*q2;
  der(q3) = 0.5*(q0*c+q1*b-q2*a)+mu*q3;
  q0^2+q1^2+q2^2+q3^2 = 1;
  annotation(experiment(StopTime = 10));
end QuaternionTop;
