model M
  Real x(start=1, fixed=true);
initial equation
  der(x) = 0;
equation
  der(x) = -x;
end M;
