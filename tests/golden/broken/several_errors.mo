model M
  Real x(start=1), y;
equation
  der(x) = -k*x;
  y = 2**x;
  z = y;
end M;
