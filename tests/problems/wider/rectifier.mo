// Bridge of exponential diodes with a smoothing capacitor and a capacitor loop at the source: index 2.
model Rectifier
  parameter Real Is = 1e-9;
  parameter Real VT = 0.026;
  parameter Real C = 1e-4;
  parameter Real R = 1000;
  parameter Real C1 = 1e-8;
  Real e(start = 0);
  Real n1(start = 0);
  Real n2(start = 0);
  Real out(start = 0.0, fixed = true);
  Real is(start = 0);
  Real d1;
  Real d2;
  Real d3;
  Real d4;
equation
  e = 5*sin(314.1592653589793*time);
  n1 - n2 = e;
  d1 = Is*(exp((n1 - out)/VT) - 1);
  d2 = Is*(exp((n2 - out)/VT) - 1);
  d3 = Is*(exp(-n1/VT) - 1);
  d4 = Is*(exp(-n2/VT) - 1);
  C*der(out) = d1 + d2 - out/R;
  is + C1*der(e) = d1 - d3 + 1e-9*n1;
  -is - C1*der(e) = d2 - d4 + 1e-9*n2;
  annotation(experiment(StopTime = 0.03));
end Rectifier;
