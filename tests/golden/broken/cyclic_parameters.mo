model M
  parameter Real a = 2*b;
  parameter Real b = a/2;
  Real x(start=1);
equation
  der(x) = -a*x;
end M;
