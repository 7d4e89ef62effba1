// Three CMOS inverters in a ring: max() makes a kink in every current.
model RingOscillator
  parameter Real Vdd = 3.3, K = 1e-3, C = 1e-12, Vt = 0.6, s = 0.05;
  Real v1(start = 3.3, fixed = true), v2(start = 0.0, fixed = true), v3(start = 1.0, fixed = true), i1, i2, i3;
equation
  i1 = K*(max(Vdd-v3-Vt, 0))^2*tanh((Vdd-v1)/s/10) - K*(max(v3-Vt, 0))^2*tanh(v1/s/10);
  i2 = K*(max(Vdd-v1-Vt, 0))^2*tanh((Vdd-v2)/s/10) - K*(max(v1-Vt, 0))^2*tanh(v2/s/10);
  i3 = K*(max(Vdd-v2-Vt, 0))^2*tanh((Vdd-v3)/s/10) - K*(max(v2-Vt, 0))^2*tanh(v3/s/10);
  C*der(v1) = i1;
  C*der(v2) = i2;
  C*der(v3) = i3;
  annotation(experiment(StopTime = 1e-8));
end RingOscillator;
