model RC
  parameter Real R = 100, C = 1e-6;
  Real va, vb, i;
  Real u(start=1) "voltage of the capacitor";
equation
  u = va - vb;
  C*der(u) = i;
  va - vb = -R*i;
  i + C*der(u) = 0;
end RC;
