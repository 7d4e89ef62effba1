// Three tanks with weirs, (h - 1)^1.5 where h > 1: a branch with no value beyond its condition, entered and left twice.
model TankOverflow
  Real h1(start = 0.1, fixed = true), h2(start = 0.1, fixed = true), h3(start = 0.05, fixed = true), q12, q23, q3, o1, o2, qin;
equation
  qin = if mod(time, 40) < 15 then 0.05 else 0.002;
  q12 = 0.02*sqrt(h1);
  q23 = 0.015*sqrt(h2);
  q3 = 0.018*sqrt(h3);
  o1 = if h1 > 1 then 0.5*(h1-1)^1.5 else 0;
  o2 = if h2 > 0.6 then 0.5*(h2-0.6)^1.5 else 0;
  0.3*der(h1) = qin-q12-o1;
  0.2*der(h2) = q12+o1-q23-o2;
  0.25*der(h3) = q23+o2-q3;
  annotation(experiment(StopTime = 120));
end TankOverflow;
