// Two empty tanks, one behind the other: at the start all slopes by levels are infinite.
model EmptyTanks
  Real h1(start = 0, fixed = true), h2(start = 0, fixed = true), q12, out;
equation
  q12 = 0.3*sign(h1 - h2)*sqrt(abs(h1 - h2));
  out = 0.2*sqrt(h2);
  der(h1) = 0.25 - q12;
  der(h2) = q12 - out;
  annotation(experiment(StopTime = 10));
end EmptyTanks;
