model M
  parameter Real damping = 0.1;
  Real x(start=1);
equation
  der(x) = -dampng*x;
end M;
