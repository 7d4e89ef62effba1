// param: p=0
model M
  parameter Real p = 1;
  Real x(start=1);
equation
  der(x) = -x + log(p);
end M;
