// Control with a limited rate: min and max in a derivative.
model RateLimiter
  Real a(start = 0, fixed = true), q(start = 0, fixed = true), de(start = 0, fixed = true), cmd, r;
equation
  cmd = -0.8*a-1.5*q+0.3*sin(2*time)+ (if time>3 then 0.4 else 0);
  r = 20*(cmd-de);
  der(de) = min(0.6, max(-0.6, r));
  der(a) = -1.2*a+q-0.1*de;
  der(q) = 4*a-1.5*q-6*(-de);
  annotation(experiment(StopTime = 10));
end RateLimiter;
