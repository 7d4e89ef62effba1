// Slider crank through its dead centres: index 3.
model DeadCentre
  Real p(start = 0.2), q, x, w(start = 3), lam;
  Real wq, vx, mu;
equation
  der(p) = w;
  der(q) = wq;
  der(x) = vx;
  cos(p)+2*cos(q) = x;
  sin(p)-2*sin(q) = 0;
  der(w) = -sin(p)*lam - cos(p)*mu*1 - 0.1*w;
  0.5*der(wq) = -2*sin(q)*lam+2*cos(q)*mu;
  der(vx) = -lam-5*x;
  annotation(experiment(StopTime = 5));
end DeadCentre;
