model RC
  parameter Real R = 100, C = 1e-6;
  Real va, vb "potentials";
  Real u(start=1) "voltage of the capacitor";
  Real iC, iR;
equation
  u = va - vb;
  C*der(u) = iC;
  va - vb = R*iR;
  iC + iR = 0 "node a";
  -iC - iR = 0 "node b";
end RC;
