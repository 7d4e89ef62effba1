// param: resistence=5
model M
  parameter Real resistance = 1;
  Real x(start=1);
equation
  der(x) = -x/resistance;
end M;
