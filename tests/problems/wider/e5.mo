// Pyrolysis model E5 of Datta; Enright, Hull & Lindberg 1975, HW IV.10. Concentrations down to 1e-22.
model E5
  parameter Real A = 7.89e-10;
  parameter Real B = 1.1e7;
  parameter Real C = 1.13e3;
  parameter Real M = 1e6;
  Real y1(start = 0.00176, fixed = true, nominal = 1e-3);
  Real y2(start = 0, fixed = true, nominal = 1e-12);
  Real y3(start = 0, fixed = true, nominal = 1e-12);
  Real y4(start = 0, fixed = true, nominal = 1e-12);
equation
  der(y1) = -A*y1 - B*y1*y3;
  der(y2) = A*y1 - M*C*y2*y3;
  der(y3) = A*y1 - B*y1*y3 - M*C*y2*y3 + C*y4;
  der(y4) = B*y1*y3 - C*y4;
  annotation(experiment(StopTime = 1000000000.0));
end E5;
