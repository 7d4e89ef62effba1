// Ozone under sunlight that comes and goes; two species with rates that vanish at night (Hindmarsh & Byrne 1977).
// Values of size 1e6 and 1e12, a kink at every sunrise and sunset.
model Diurnal
  parameter Real q1 = 1.63e-16;
  parameter Real q2 = 4.66e-16;
  parameter Real oxygen = 3.7e16;
  parameter Real a3 = 22.62;
  parameter Real a4 = 7.601;
  parameter Real omega = 7.272205216643039e-5;
  Real y1(start = 1000000.0, fixed = true, nominal = 1e6);
  Real y2(start = 1000000000000.0, fixed = true, nominal = 1e12);
  Real s;
  Real q3;
  Real q4;
equation
  s = sin(omega*time);
  q3 = if s > 1e-3 then exp(-a3/s) else 0;
  q4 = if s > 1e-3 then exp(-a4/s) else 0;
  der(y1) = -q1*y1*oxygen - q2*y1*y2 + 2*q3*oxygen + q4*y2;
  der(y2) = q1*y1*oxygen - q2*y1*y2 - q4*y2;
  annotation(experiment(StopTime = 432000));
end Diurnal;
