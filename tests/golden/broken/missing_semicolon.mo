model M
  Real x(start=1);
equation
  der(x) = -x
  x = 2;
end M;
