// Van der Pol oscillator with epsilon = 1e-6; HW IV.10 (VDPOL).
model VanDerPol
  parameter Real mu = 1e6;
  Real y1(start = 2, fixed = true);
  Real y2(start = 0, fixed = true);
equation
  der(y1) = y2;
  der(y2) = mu*((1 - y1^2)*y2 - y1);
  annotation(experiment(StopTime = 2));
end VanDerPol;
