model M
  parameter Real a = 1, b = 2;
  Real x(start=1), y;
equation
  der(x) = -x + y;
  a = b;
end M;
