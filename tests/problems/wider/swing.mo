// Generator at a line with a fault that is cleared: algebraic network.
model Swing
  Real d1(start = 0.3, fixed = true), w1(start = 0, fixed = true), E(start = 1.05, fixed = true), V(start = 1), th(start = 0.1), P, Q, X;
equation
  X = if time > 1 and time < 1.12 then 2.5 else 0.4;
  der(d1) = 376.991*w1;
  7*der(w1) = 0.8-P-2*w1;
  P = E*V/0.2*sin(d1-th);
  P = V*1/X*sin(th) + 0.1*V^2;
  Q = (E*V*cos(d1-th)-V^2)/0.2;
  Q = (V^2-V*cos(th))/X + 0.02*V^2;
  5*der(E) = 1.6 - E - 0.5*(E-V*cos(d1-th));
  annotation(experiment(StopTime = 5));
end Swing;
