// Two masses with play between them: contact begins and ends by events.
model Backlash
  Real p(start = 0, fixed = true), q(start = 0, fixed = true), v(start = 0, fixed = true), w(start = 0, fixed = true), f, d;
equation
  d = p-q;
  f = if d > 0.01 then 5000*(d-0.01) elseif d < -0.01 then 5000*(d+0.01) else 0;
  der(p) = v;
  der(q) = w;
  der(v) = 10*sin(6*time)-f-0.5*v;
  2*der(w) = f-0.3*w;
  annotation(experiment(StopTime = 1));
end Backlash;
