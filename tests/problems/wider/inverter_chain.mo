// Chain of four inverters with voltage-dependent and coupling capacitances, driven by a trapezoidal pulse: leading
// matrix that depends on the state; kinks at times that the model states.
model InverterChain
  parameter Real k = 4;
  parameter Real r = 2;
  parameter Real c0 = 0.05;
  parameter Real c1 = 0.2;
  Real u(start = 0);
  Real y1(start = 5, fixed = true);
  Real i1;
  Real g1;
  Real y2(start = 0, fixed = true);
  Real i2;
  Real g2;
  Real y3(start = 5, fixed = true);
  Real i3;
  Real g3;
  Real y4(start = 0, fixed = true);
  Real i4;
  Real g4;
equation
  u = if time < 1 then 0 else if time < 2 then 5*(time - 1) else if time < 6 then 5 else if time < 7 then 5*(7 - time) else 0;
  g1 = 0.5*k*((sqrt((u - 1)^2 + 0.04) + u - 1));
  i1 = g1*tanh(y1/0.8)*(1 + 0.02*y1);
  (c0 + c1/sqrt(1 + (y1 + 0.5)^2))*der(y1) = (5 - y1)/r - i1;
  g2 = 0.5*k*((sqrt((y1 - 1)^2 + 0.04) + y1 - 1));
  i2 = g2*tanh(y2/0.8)*(1 + 0.02*y2);
  (c0 + c1/sqrt(1 + (y2 + 0.5)^2))*der(y2) + 0.1*(der(y2) - der(y1)) = (5 - y2)/r - i2;
  g3 = 0.5*k*((sqrt((y2 - 1)^2 + 0.04) + y2 - 1));
  i3 = g3*tanh(y3/0.8)*(1 + 0.02*y3);
  (c0 + c1/sqrt(1 + (y3 + 0.5)^2))*der(y3) + 0.1*(der(y3) - der(y2)) = (5 - y3)/r - i3;
  g4 = 0.5*k*((sqrt((y3 - 1)^2 + 0.04) + y3 - 1));
  i4 = g4*tanh(y4/0.8)*(1 + 0.02*y4);
  (c0 + c1/sqrt(1 + (y4 + 0.5)^2))*der(y4) + 0.1*(der(y4) - der(y3)) = (5 - y4)/r - i4;
  annotation(experiment(StopTime = 10));
end InverterChain;
