model Circuit
  parameter Real R1 = 100, R2 = 200, E = 5;
  Real va, vb, vc, i, i1, i2;
equation
  va - vc = E;
  va - vb = R1*i1;
  vb - vc = R2*i2;
  i1 = i2;
  i = i1;
end Circuit;
