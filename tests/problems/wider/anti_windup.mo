// PI controller with a saturated actuator and back-calculation.
model AntiWindup
  Real y(start = 0, fixed = true), z(start = 0, fixed = true), I(start = 0, fixed = true), u, us, e, r;
equation
  r = if time < 1 then 0 elseif time < 12 then 1 else -0.5;
  e = r - y;
  u = 6*e + I;
  us = min(2, max(-2, u));
  der(I) = 3*e + 4*(us-u);
  der(y) = z;
  der(z) = 1.5*us - 1.2*z - 0.7*y;
  annotation(experiment(StopTime = 20));
end AntiWindup;
