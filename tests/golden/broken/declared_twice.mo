model M
  Real x(start=1);
  Real x(start=2);
equation
  der(x) = -x;
end M;
