model M
  parameter Real L = 0 "inductance";
  Real i(start=0), u(start=1), w(start=1);
equation
  L*der(i) = u - i;
  der(u) = -u;
  der(w) = (i - u)*w;
end M;
