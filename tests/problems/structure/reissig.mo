// Reißig, Martinson & Barton (2000): index 1, but the structural index grows with the length of the chain. Right-hand
// sides for the solution x1 = … = x5 = sin(time).
model Reissig
  Real x1(start=0), x2(start=0), x3(start=0), x4(start=0), x5(start=0);
equation
  der(x2) + der(x3) + x1 = 2*cos(time) + sin(time);
  der(x2) + der(x3) + x2 = 2*cos(time) + sin(time);
  der(x4) + der(x5) + x3 = 2*cos(time) + sin(time);
  der(x4) + der(x5) + x4 = 2*cos(time) + sin(time);
  x5 = sin(time);
  annotation(experiment(StopTime=2, Tolerance=1e-8));
end Reissig;
