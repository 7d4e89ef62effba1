// Cam with follower, speed not given: position of the follower as constraint, index 3.
model CamFollower
  parameter Real J = 0.02, m = 0.5, k = 800, c = 2, e = 0.02, r = 0.05;
  Real phi(start = 0, fixed = true), w(start = 20, fixed = true), s, v, lam(start = 10), tau;
equation
  tau = 0.5*(25-w);
  s = r + e*(1-cos(phi)) + 0.004*sin(3*phi);
  der(s) = v;
  der(phi) = w;
  m*der(v) = -k*(s-0.03) - c*v + lam;
  J*der(w) = tau - lam*(e*sin(phi)+0.012*cos(3*phi));
  annotation(experiment(StopTime = 2));
end CamFollower;
