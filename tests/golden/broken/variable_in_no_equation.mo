model M
  Real x(start=1), unused;
equation
  der(x) = -x;
end M;
