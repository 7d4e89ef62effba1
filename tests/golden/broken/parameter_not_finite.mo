model M
  parameter Real R = 0;
  parameter Real G = 1/R;
  Real x(start=1);
equation
  der(x) = -G*x;
end M;
