model M
  Real x(start=1), y;
equation
  der(x) = -x;
  y^2 + x^2 + 1 = 0;
end M;
