// Arm with a flexible joint that follows a given motion, motor torque unknown: index 5.
model FlexibleJoint
  parameter Real J = 0.5, I = 0.2, k = 100, m = 3;
  Real q(start = 0), p(start = 0), w, v, tau;
equation
  der(q) = w;
  der(p) = v;
  J*der(w)+m*sin(q)+k*(q-p) = 0;
  I*der(v)-k*(q-p) = tau;
  q = sin(time)^2*(1-0.2*cos(3*time));
  annotation(experiment(StopTime = 5));
end FlexibleJoint;
