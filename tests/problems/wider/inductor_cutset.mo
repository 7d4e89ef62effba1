// Three inductors that meet in a node, with an oscillator on one side: index 2.
model InductorCutset
  parameter Real L1 = 1e-3, L2 = 2e-3, C1 = 1e-6, C2 = 2e-6, R = 50;
  Real i1(start = 0.01), i2(start = 0), i3(start = 0), v1(start = 1, fixed = true), v2(start = 0, fixed = true), vn;
equation
  L1*der(i1) = v1-vn;
  L2*der(i2) = v2-vn;
  3e-3*der(i3) = -vn - 10*i3;
  i1+i2+i3 = 0;
  C1*der(v1) = -i1 + 0.02*v1 - 0.005*v1^3;
  C2*der(v2) = -i2-v2/R;
initial equation
  i1 = 0.01;
  annotation(experiment(StopTime = 2e-3));
end InductorCutset;
