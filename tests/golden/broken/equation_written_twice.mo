model M
  Real x(start=1), y, z;
equation
  der(x) = -x + z;
  y = x^2 + 1;
  y = x^2 + 1;
end M;
